"""Measurements that a benchmark is made of."""
