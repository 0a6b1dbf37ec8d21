#!/bin/sh
# Writes a backup of the studio to standard output, or with `restore` reads one from standard input.
set -eu
file=/backup/consort.tar.gz
case ${1:-backup} in
backup)
  python3 -m consort_cli.main backup "$file" >&2
  cat "$file"
  ;;
restore)
  cat >"$file"
  python3 -m consort_cli.main restore "$file" >&2
  ;;
*)
  echo "usage: backup >FILE | restore <FILE" >&2
  exit 2
  ;;
esac
