from core.http.client import client

__all__ = ["client"]
