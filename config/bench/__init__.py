"""What the product achieves on this machine, measured from outside: `make bench`."""
