"""
The ground the product stands on: set-up, embedded PostgreSQL and Valkey, and one supervisor.

Standard library only, and no Django: it must run before anything is installed (`setup`), stay
small while it watches, and never fail for a reason that lies in the product.
"""
