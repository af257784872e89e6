#!/bin/sh
# Removes from installed packages what a running server does not read: `trim.sh node_modules`.
set -eu
modules=$1

# Node is the image's own, and Postgres is another server.
rm -rf "$modules"/node-linux-* "$modules"/@embedded-postgres
# What browsers load of it.
rm -f "$modules"/web-ifc/web-ifc-api-iife.js "$modules"/web-ifc/web-ifc-api.js \
  "$modules"/web-ifc/web-ifc-mt.wasm "$modules"/web-ifc/web-ifc.wasm
# Types, source maps and manuals. Licences stay.
find "$modules" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \
  -o -name '*.md' \) ! -iname '*licen[cs]e*' ! -iname '*notice*' ! -iname '*copying*' -delete
