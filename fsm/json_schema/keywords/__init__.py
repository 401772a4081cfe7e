"""The keywords of JSON Schema, read: each file owns those of one kind of values, and checks what they say."""
