"""Routes for browsers and for the playback agent.

- `forwarding`: forwards a request to a service
- `pages`: the HTML pages; `upload_page`: the page of an upload link
- `link_routes`: signed links
- `service_docs`: the OpenAPI page of each service
- `agent_routes`: music for a playback agent outside the containers
"""
