"""JSON Schema as languages."""
