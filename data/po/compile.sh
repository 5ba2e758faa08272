#!/bin/sh
# Compiles the catalogues of translations into a folder, which gets a folder for each language.
set -eu

usage() { echo 'usage: data/po/compile.sh FOLDER'; }

case ${1-} in
  -h | --help) usage && exit ;;
  -* | '') usage >&2 && exit 2 ;;
esac
mkdir -p "$1"
unset CDPATH
target=$(cd -- "$1" && pwd)
cd -- "$(dirname -- "$0")"

# compile LANGUAGE, with the catalogue on standard input.
compile() {
  mkdir -p "$target/$1/LC_MESSAGES"
  msgfmt --output-file "$target/$1/LC_MESSAGES/tokentry.mo" -
}

# Whoever puts English before other languages gets it, and not the first of those that have a catalogue.
sed 's/^"Language: /&en/; s/nplurals=INTEGER; plural=EXPRESSION/nplurals=2; plural=(n != 1)/' tokentry.pot \
  | msgen - | compile en
while read -r language; do compile "$language" <"$language.po"; done <LINGUAS
