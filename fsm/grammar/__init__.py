"""Context-free grammars in lark's syntax as languages."""
