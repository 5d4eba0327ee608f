"""Scenarios as models: what a workload costs and waits for, and the figures a measurement gives."""
