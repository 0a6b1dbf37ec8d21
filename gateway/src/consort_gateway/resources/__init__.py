"""What an assistant or a user can attach to a conversation: MCP resources, read through the services.

Modules, in reading order:
    texts             the text forms
    resource_kind     what a kind of resources is
    kinds             a table with one entry for each kind: address, list, and text form or bytes
    studio_resources  lists pages, reads a resource and completes the variable of an address

What the user made is listed, newest first. The reference (functions, vocabulary, clips) has over a thousand entries:
listed are its categories, each of which names its entries, and an entry is found by completing its address. Reading
changes nothing: no client id is sent, so the client's last used song stays the same.
"""
