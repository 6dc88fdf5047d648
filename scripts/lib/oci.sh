# Sourced: OCI image archives without a container engine (OCI image format specification 1.0).

# oci_layer ROOT FILE: writes a folder as a layer, FILE.tar.gz, and its uncompressed digest, FILE.diff-id. The bytes
# depend on names, modes and contents only.
oci_layer() {
  tar --create --file "$2.tar" --directory "$1" --format gnu --sort name --mtime @0 --owner 0 --group 0 --numeric-owner .
  sha256sum "$2.tar" | cut -d ' ' -f 1 >"$2.diff-id"
  gzip --no-name "$2.tar"
}

# oci_blob LAYOUT FILE MEDIA_TYPE: adds a file to the layout and prints its descriptor.
oci_blob() {
  local digest
  digest=$(sha256sum "$2" | cut -d ' ' -f 1)
  cp "$2" "$1/blobs/sha256/$digest"
  printf '{"mediaType":"%s","digest":"sha256:%s","size":%d}' "$3" "$digest" "$(stat --format %s "$2")"
}

# oci_archive ARCHIVE REFERENCE CONFIG LAYER...: writes an archive with one image. CONFIG is the JSON of the image's
# `config`; layers are named without suffix, as for oci_layer.
oci_archive() {
  local archive=$1 reference=$2 config=$3 layout layer type=application/vnd.oci.image diff_ids=() layers=()
  shift 3
  layout=$(mktemp -d "$archive.XXXXXX")
  mkdir -p "$layout/blobs/sha256"
  for layer in "$@"; do
    diff_ids+=("\"sha256:$(<"$layer.diff-id")\"")
    layers+=("$(oci_blob "$layout" "$layer.tar.gz" "$type.layer.v1.tar+gzip")")
  done
  local IFS=,
  printf '{"architecture":"%s","os":"linux","config":%s,"rootfs":{"type":"layers","diff_ids":[%s]}}' \
    "$(dpkg --print-architecture)" "$config" "${diff_ids[*]}" >"$layout/config"
  printf '{"schemaVersion":2,"mediaType":"%s","config":%s,"layers":[%s]}' "$type.manifest.v1+json" \
    "$(oci_blob "$layout" "$layout/config" "$type.config.v1+json")" "${layers[*]}" >"$layout/manifest"
  printf '{"schemaVersion":2,"manifests":[%s,"annotations":{"org.opencontainers.image.ref.name":"%s"}}]}' \
    "$(oci_blob "$layout" "$layout/manifest" "$type.manifest.v1+json" | sed 's/}$//')" "$reference" >"$layout/index.json"
  printf '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
  tar --create --file "$archive" --directory "$layout" oci-layout index.json blobs
  rm -r "$layout"
}
