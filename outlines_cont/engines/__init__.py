"""What computes logits: the protocol that the floors above use, and transformers models behind it."""
