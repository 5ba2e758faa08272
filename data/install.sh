#!/bin/sh
# Installs Tokentry from this tree, or uninstalls it: programs, links, man pages, presets, completions, user units, icons.
set -eu

usage() {
  cat <<'USAGE'
usage: data/install.sh               install, replacing an earlier installation
       data/install.sh --uninstall   remove everything that was installed

  PREFIX    where to install (default: /usr/local for root, ~/.local for others)
  DESTDIR   a folder that stands for / while a package is made
  BUILT     a folder with built programs (default: data/build.sh builds them)
USAGE
}

uninstall=false
case ${1-} in
  '') ;;
  --uninstall) uninstall=true ;;
  -h | --help) usage && exit ;;
  *) usage >&2 && exit 2 ;;
esac
unset CDPATH
cd -- "$(dirname -- "$0")/.."
umask 022
if [ -z "${PREFIX-}" ]; then
  if [ "$(id -u)" -eq 0 ]; then PREFIX=/usr/local; else PREFIX=$HOME/.local; fi
fi
case $PREFIX in
  /*) ;;
  *) echo "install: PREFIX has to begin with /" >&2 && exit 2 ;;
esac
readonly root="${DESTDIR-}$PREFIX"
# The files and folders that were made, one per line, in this order.
readonly manifest="$root/share/tokentry/manifest"

# --- What is installed ---

# Other programs find their helper by these names: see tokentry-helper(1).
links='git-credential-tokentry docker-credential-tokentry bazel-credential-tokentry
  terraform-credentials-tokentry freerdp-webview-aad-helper openfortivpn-webview'

everything() {
  program "$1/tokentry" bin
  program "$1/tokentry-window" libexec/tokentry
  for name in $links; do
    link tokentry "bin/$name"
    link tokentry-helper.1 "share/man/man1/$name.1"
  done
  # There are other programs with these names, so each link has a folder of its own, which users can add to PATH.
  for name in keyring azd databricks; do
    link ../../../bin/tokentry "libexec/tokentry/$name/$name"
  done
  files share/tokentry/providers data/providers/*.json
  files share/tokentry/schema data/schema/*.json
  for page in data/man/*.?; do
    # Each page ends with the authors and the home.
    printf '.Sh AUTHORS\n.An @AUTHORS@\n.Aq Mt @EMAIL@ ,\n.Lk @URL@\n' | cat "$page" - >"$work/page"
    filled "$work/page" "share/man/man${page##*.}/${page##*/}"
  done
  file data/completions/tokentry.bash share/bash-completion/completions/tokentry
  files share/zsh/site-functions data/completions/_tokentry
  for catalogue in "$catalogues"/*/LC_MESSAGES/*.mo; do
    file "$catalogue" "share/locale/${catalogue#"$catalogues"/}"
  done
  files share/fish/vendor_completions.d data/completions/tokentry.fish
  files share/applications data/desktop/*.desktop
  for metadata in data/desktop/*.in; do
    name=${metadata##*/}
    filled "$metadata" "share/metainfo/${name%.in}"
  done
  for unit in data/systemd/*; do unit "$unit"; done
  for icon in data/icons/hicolor/*/apps/*; do file "$icon" "share/${icon#data/}"; done
  (cd data/callers && find . \( -type f -o -type l \) ! -name '.*' ! -path '*/__pycache__/*' ! -path '*/.build/*') | sort | while read -r name; do
    file "data/callers/$name" "share/doc/tokentry/examples/${name#./}"
  done
  files share/tokentry/keyring data/keyring/*.*
  files share/doc/tokentry README.md data/doc/agent.md data/doc/faults.md data/doc/instead-of.md data/doc/providers.md data/doc/recipes.md
}

# --- How ---

# folder PATH: makes a folder below the prefix, and records each one that did not exist.
folder() {
  [ ! -d "$root/$1" ] || return 0
  case $1 in
    */*) folder "${1%/*}" ;;
  esac
  mkdir "$root/$1"
  echo "$1" >>"$list"
}

# file SOURCE TARGET [MODE]
file() {
  folder "${2%/*}"
  install -m "${3-644}" "$1" "$root/$2"
  echo "$2" >>"$list"
}

# files FOLDER SOURCE...
files() {
  target=$1
  shift
  for source; do file "$source" "$target/${source##*/}"; done
}

# filled SOURCE TARGET: a file with the values of data/home.
filled() {
  sed -n "s/^\([A-Z]*\)='\(.*\)'$/s|@\1@|\2|g/p" data/home | sed -f - "$1" >"$work/filled"
  file "$work/filled" "$2"
}

program() { file "$1" "$2/${1##*/}" 755; }

# systemd looks for programs in /usr only, and for units of users below both /usr and ~/.local in this folder.
unit() {
  file "$1" "share/systemd/user/${1##*/}"
  escaped=$(printf %s "$PREFIX" | sed 's/%/%%/g; s/[\\&|]/\\&/g')
  sed "s|@PREFIX@|$escaped|" "$1" >"$root/share/systemd/user/${1##*/}"
}

link() {
  folder "${2%/*}"
  ln -sf "$1" "$root/$2"
  echo "$2" >>"$list"
}

# Removes what the manifest lists, contents before folders. A folder that others use by now stays. A damaged manifest must
# not lead out of the prefix, so nothing is removed then.
take_away() {
  if astray=$(grep -E '^/|(^|/)\.\.(/|$)' "$manifest"); then
    echo "install: $manifest names a file that is not in $root, so nothing is removed:" "$astray" >&2
    exit 1
  fi
  tac "$manifest" | while read -r name; do
    if [ -d "$root/$name" ] && [ ! -L "$root/$name" ]; then
      rmdir "$root/$name" 2>/dev/null || true
    else
      rm -f "$root/$name"
    fi
  done
  rmdir "$root" 2>/dev/null || true
}

# A desktop with an icon cache does not look for icons anywhere else.
refresh_icons() {
  [ -z "${DESTDIR-}" ] && [ -e "$root/share/icons/hicolor/icon-theme.cache" ] || return 0
  gtk-update-icon-cache -q -t -f "$root/share/icons/hicolor" || true
}

if $uninstall; then
  if [ ! -e "$manifest" ]; then
    echo "install: nothing was installed in $root" >&2
    exit 1
  fi
  take_away
  refresh_icons
  echo "Tokentry is gone from $root"
  exit
fi

built=${BUILT-}
# Root may have no compiler, and takes what another user has built here.
if [ -z "$built" ] && [ "$(id -u)" -eq 0 ] && [ -x .build/release/tokentry-window ]; then built=.build/release; fi
if [ -z "$built" ]; then
  echo 'building; the first time that takes a few minutes'
  built=$(data/build.sh | tee /dev/stderr | tail -n 1)
fi
for name in tokentry tokentry-window; do
  [ -x "$built/$name" ] || { echo "install: there is no $built/$name: data/build.sh builds it" >&2 && exit 1; }
done

[ ! -e "$manifest" ] || take_away
mkdir -p "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
list=$work/list
catalogues=$work/locale
data/po/compile.sh "$catalogues"
folder share/tokentry
echo share/tokentry/manifest >>"$list"
everything "$built"
install -m 644 "$list" "$manifest"
refresh_icons
echo "Tokentry is in $root/bin"
case ":$PATH:" in
  *":$PREFIX/bin:"*) ;;
  *) [ -n "${DESTDIR-}" ] || echo "note: $PREFIX/bin is not in PATH" ;;
esac
