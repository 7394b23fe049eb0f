"""The whole product as real processes, from outside."""
