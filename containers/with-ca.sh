#!/bin/sh
# Runs a command that downloads. Behind a proxy that replaces certificates, the build secret `ca` holds the trusted ones.
set -eu
if [ -s /run/secrets/ca ]; then
  export PIP_CERT=/run/secrets/ca SSL_CERT_FILE=/run/secrets/ca NODE_EXTRA_CA_CERTS=/run/secrets/ca
fi
exec "$@"
