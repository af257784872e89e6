#!/bin/sh
# Builds and pushes a release, byte for byte the same from the same commit and the same bases:
#
#     NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:… \
#     BASE_IMAGE=gcr.io/distroless/cc-debian12:nonroot@sha256:… \
#       ops/image/build.sh registry.example.com/atrium:0.2.0
set -eu
cd "$(dirname "$0")/../.."
name=${1:?names the image}
: "${NODE_IMAGE:?}" "${BASE_IMAGE:?}"

# A tag may be moved.
for base in "$NODE_IMAGE" "$BASE_IMAGE"; do
  if ! printf '%s' "$base" | grep -Eq '@sha256:[0-9a-f]{64}$'; then
    echo "build.sh: $base: must be named by digest, …@sha256:…" >&2
    exit 1
  fi
done
if [ -n "$(git status --porcelain)" ]; then
  echo 'build.sh: the checkout has changes that no commit has' >&2
  exit 1
fi

# Times of files and of the image are those of the commit.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
docker buildx build \
  --build-arg "NODE_IMAGE=$NODE_IMAGE" --build-arg "BASE_IMAGE=$BASE_IMAGE" \
  --build-arg "COMMIT=$(git rev-parse HEAD)" --build-arg "SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH" \
  --provenance=false --output "type=image,name=$name,push=true,rewrite-timestamp=true" .
