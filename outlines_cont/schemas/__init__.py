"""Python types, pydantic classes and terms of Outlines as JSON Schemas and patterns. Knows nothing of generation."""
