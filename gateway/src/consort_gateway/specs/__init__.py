"""The contract: one OpenAPI file a service, written by `consort specs`."""
