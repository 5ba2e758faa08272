#!/bin/sh
# The one place that knows what has to be installed to build and to test Tokentry.
# On Debian, Ubuntu and their relatives it installs what is missing; elsewhere it names it.
set -eu

usage() {
  cat <<'USAGE'
usage: data/dependencies.sh [build|test|all]          install what is missing; each includes the one before it
       data/dependencies.sh --list [build|test|all]   print the names of this system's packages
USAGE
}

# One line for each package.
#   probe  how to see that it is there without asking a package manager:
#          command:NAME, file:PATH, library:PKG-CONFIG-NAME or python:MODULE
#   a/b    either will do, and the first is what gets installed
# Only Debian and Ubuntu are tested; the other columns are to the best of our knowledge. The toolchains of
# swift.org need glibc, so Alpine's column is of use only with a Swift of its own.
#
# group probe                 Debian,Ubuntu      Fedora              Arch              openSUSE            Alpine        purpose
table() {
  cat <<'TABLE'
  build command:git           git                git                 git               git                 git           what SwiftPM asks about the checkout
  build command:swift         libncurses6        ncurses-libs        ncurses           libncurses6         ncurses-libs  what the Swift toolchain itself loads
  build command:swift         libcurl4           libcurl             curl              libcurl4            libcurl       the same
  build command:swift         libsqlite3-0       sqlite-libs         sqlite            libsqlite3-0        sqlite-libs   the same
  build command:swift         libxml2            libxml2             libxml2           libxml2-2           libxml2       the same
  build command:swift         tzdata             tzdata              tzdata            timezone            tzdata        the same
  build command:gcc           gcc                gcc                 gcc               gcc                 gcc           start files and libgcc for the Swift linker
  build command:g++           g++/libstdc++-dev  gcc-c++             gcc               gcc-c++             g++           libstdc++ for the Swift runtime
  build file:/usr/include/stdio.h libc6-dev      glibc-devel         glibc             glibc-devel         musl-dev      headers of the C library
  build command:ld.gold       binutils-gold      binutils-gold       binutils          binutils-gold       binutils-gold the linker that the Swift compiler calls
  build command:pkg-config    pkg-config         pkgconf-pkg-config  pkgconf           pkgconf-pkg-config  pkgconf       where SwiftPM finds C libraries
  build library:gio-unix-2.0  libglib2.0-dev     glib2-devel         glib2             glib2-devel         glib-dev      the main loop
  build library:gnutls        libgnutls28-dev    gnutls-devel        gnutls            libgnutls-devel     gnutls-dev    random bytes, digests and signatures
  build library:libxml-2.0    libxml2-dev        libxml2-devel       libxml2           libxml2-devel       libxml2-dev   the forms of a page
  build library:libqrencode   libqrencode-dev    qrencode-devel      qrencode          qrencode-devel      libqrencode-dev QR codes on a terminal and in the window
  build library:libsecret-1   libsecret-1-dev    libsecret-devel     libsecret         libsecret-devel     libsecret-dev the keyring
  build library:libsoup-3.0   libsoup-3.0-dev    libsoup3-devel      libsoup3          libsoup-devel       libsoup3-dev  HTTP
  build file:/usr/share/dbus-1/services/org.gtk.GLib.PACRunner.service glib-networking glib-networking glib-networking glib-networking glib-networking TLS and proxies for GLib, at run time
  build command:msgfmt        gettext            gettext             gettext           gettext-tools       gettext       translations
  test  command:openssl       openssl            openssl             openssl           openssl             openssl       makes the certificates of the tests
  build library:webkit2gtk-4.1 libwebkit2gtk-4.1-dev webkit2gtk4.1-devel webkit2gtk-4.1   webkit2gtk3-devel   webkit2gtk-4.1-dev the window and its pages, with GTK 3
  build command:bwrap         bubblewrap         bubblewrap          bubblewrap        bubblewrap          bubblewrap    the sandbox around the pages, when the window runs
  build command:xdg-dbus-proxy xdg-dbus-proxy    xdg-dbus-proxy      xdg-dbus-proxy    xdg-dbus-proxy      xdg-dbus-proxy the same
  test  command:chromium      chromium/chromium-browser chromium     chromium          chromium            chromium      a browser for a login in one
  test  command:gio           libglib2.0-bin     glib2               glib2             glib2-tools         glib          opens addresses as a desktop does
  test  command:xdg-open      xdg-utils          xdg-utils           xdg-utils         xdg-utils           xdg-utils     the same where no desktop is known
  test  command:dbus-run-session dbus-daemon     dbus-daemon         dbus              dbus-1-daemon       dbus          a message bus for the stand-in of a desktop's portal
  test  python:gi             python3-gi         python3-gobject     python-gobject    python3-gobject     py3-gobject3  that stand-in
  test  file:/usr/libexec/xdg-desktop-portal xdg-desktop-portal xdg-desktop-portal xdg-desktop-portal xdg-desktop-portal xdg-desktop-portal the portal itself
  test  file:/usr/libexec/xdg-desktop-portal-gtk xdg-desktop-portal-gtk xdg-desktop-portal-gtk xdg-desktop-portal-gtk xdg-desktop-portal-gtk xdg-desktop-portal-gtk what it asks the user with
  test  command:mandoc        mandoc             mandoc              mandoc            mandoc              mandoc        checks the man pages
  test  python:jsonschema     python3-jsonschema python3-jsonschema  python-jsonschema python3-jsonschema  py3-jsonschema checks the presets against their schema
  test  command:shellcheck    shellcheck         ShellCheck          shellcheck        ShellCheck          shellcheck    checks the shell scripts
  test  command:Xvfb          xvfb               xorg-x11-server-Xvfb xorg-server-xvfb xorg-x11-server-Xvfb xvfb         a display for the tests of the window
  test  command:xdotool       xdotool            xdotool             xdotool           xdotool             xdotool       hands that type and click there
  test  command:openbox       openbox            openbox             openbox           openbox             openbox       puts windows in their places there
  test  file:/usr/share/glib-2.0/schemas/org.gnome.desktop.interface.gschema.xml gsettings-desktop-schemas gsettings-desktop-schemas gsettings-desktop-schemas gsettings-desktop-schemas gsettings-desktop-schemas how a user wants all windows
  test  command:zbarimg       zbar-tools         zbar                zbar              zbar                zbar          reads the QR codes again
  test  command:xprop         x11-utils          xprop               xorg-xprop        xprop               xprop         what windows say of themselves
  test  command:xwininfo      x11-utils          xwininfo            xorg-xwininfo     xwininfo            xwininfo      where they are
  test  python:gi             gir1.2-gtk-3.0     gtk3                gtk3              typelib-1_0-Gtk-3_0 gtk+3.0       a program with a window that a login belongs to, one that reads the clipboard
  test  command:import        imagemagick        ImageMagick         imagemagick       ImageMagick         imagemagick   pictures of what is there
  build command:msgfmt        gettext            gettext             gettext           gettext-tools       gettext       translations
  test  command:openssl       openssl            openssl             openssl           openssl             openssl       certificates that nobody has signed
  test  python:gi.repository.WebKit2 gir1.2-webkit2-4.1 webkit2gtk4.1 webkit2gtk-4.1 typelib-1_0-WebKit2-4_1 webkit2gtk-4.1 what the window is measured against, in Python
  test  command:curl          curl               curl                curl              curl                curl          what a headless login is measured against
  test  command:curl          curl               curl                curl              curl                curl          sends a mail with a kept token
  test  command:git           git                git                 git               git                 git-daemon    clones and pushes with one, and is the server for that
  test  command:skopeo        skopeo             skopeo              skopeo            skopeo              skopeo        asks its helper for the token of a registry
  test  file:/usr/bin/cargo   cargo-web          cargo               rust              cargo               cargo         the same for Rust's crates
  test  command:kubectl       kubernetes-client/kubectl kubernetes-client   kubectl           kubernetes-client   kubectl       the same for a cluster
  test  file:/usr/lib/python3/dist-packages/kubernetes python3-kubernetes python3-kubernetes python-kubernetes python3-kubernetes py3-kubernetes the same, in Python
  test  command:rclone        rclone             rclone              rclone            rclone              rclone        lists files with a kept token
  test  command:msmtp         msmtp              msmtp               msmtp             msmtp               msmtp         sends a mail with one
  test  command:mbsync        isync              isync               isync             isync               isync         fetches a mail with one
  test  file:/usr/lib/sasl2/libkdexoauth2.so libsasl2-modules-kdexoauth2 libkgapi libkgapi     libkgapi            libkgapi      what isync needs for that
  test  command:python3       python3            python3             python            python3             python3       the servers that take such a token
  test  python:pip            python3-pip        python3-pip         python-pip        python3-pip         py3-pip       fetches Authlib, which it is measured against as well
  test  command:xev           x11-utils          xev                 xorg-xev          xev                 xev           tells of every window that appears there
  test  command:setxkbmap     x11-xkb-utils      setxkbmap           xorg-setxkbmap    setxkbmap           setxkbmap     keyboards of other countries there
  test  command:dbus-daemon   dbus-daemon        dbus-daemon         dbus              dbus-1-daemon       dbus          a bus for the test that reads the window as screen readers do
  test  file:/usr/share/dbus-1/services/org.a11y.Bus.service at-spi2-core at-spi2-core at-spi2-core at-spi2-core at-spi2-core what screen readers read through
  test  file:/usr/share/dbus-1/services/org.a11y.Bus.service gir1.2-atspi-2.0 at-spi2-core at-spi2-core typelib-1_0-Atspi-2_0 at-spi2-core the same, for Python
  test  python:gi             python3-gi         python3-gobject     python-gobject    python3-gobject     py3-gobject3  the same
  test  command:weston        weston             weston              weston            weston              weston        a Wayland display for the tests of the window
  test  command:sway          sway               sway                sway              sway                sway          another, which lets programs type and look there
  test  file:/usr/include/wayland-client.h libwayland-dev wayland-devel wayland         wayland-devel       wayland-dev   hands that type there
  test  file:/usr/include/xkbcommon/xkbcommon.h libxkbcommon-dev libxkbcommon-devel libxkbcommon libxkbcommon-devel libxkbcommon-dev the keys of theirs
  test  command:grim          grim               grim                grim              grim                grim          pictures of what is there
  test  python:pip            python3-pip        python3-pip         python-pip        python3-pip         py3-pip       gets oidc-provider-mock, at which the tests log in
  test  command:glewlwyd      glewlwyd           glewlwyd            glewlwyd          glewlwyd            glewlwyd      another server for that, where Debian's package has its files
  test  command:glewlwyd      dbconfig-no-thanks glewlwyd            glewlwyd          glewlwyd            glewlwyd      keeps that package from setting up a database
  test  command:gnome-keyring-daemon gnome-keyring gnome-keyring     gnome-keyring     gnome-keyring       gnome-keyring a keyring for the tests of accounts
  test  command:dbus-daemon   dbus-daemon        dbus-daemon         dbus              dbus-1              dbus          a bus for it
  test  command:secret-tool   libsecret-tools    libsecret           libsecret         libsecret-tools     libsecret     reads it, which tokentry token is measured against
  test  command:gdbus         libglib2.0-bin     glib2               glib2             glib2-tools         glib          looks into it
  test  command:desktop-file-validate desktop-file-utils desktop-file-utils desktop-file-utils desktop-file-utils desktop-file-utils checks the desktop entry
  test  command:appstreamcli  appstream          appstream           appstream         AppStream           appstream     checks the metadata for software centres
  test  command:node          nodejs             nodejs              nodejs            nodejs              nodejs        runs an example of a caller
  test  library:gtk+-3.0      libgtk-3-dev       gtk3-devel          gtk3              gtk3-devel          gtk+3.0-dev   builds another
  test  library:gtk4          libgtk-4-dev       gtk4-devel          gtk4              gtk4-devel          gtk4.0-dev    builds another, and runs one in Python
  test  command:dpkg-shlibdeps dpkg-dev          dpkg-dev            dpkg              dpkg                dpkg-dev      makes Debian packages
  all   command:oidc-token    oidc-agent-cli     oidc-agent-cli      oidc-agent          oidc-agent          oidc-agent    an agent, which a kept token is measured against
  all   command:go            golang-go          golang              go                go                  go            builds examples of callers
  all   command:rustc         rustc-web/rustc    rust                rust              rust                rust          the same
  all   python:PyQt6          python3-pyqt6      python3-pyqt6       python-pyqt6      python3-PyQt6       py3-qt6       runs another
  all   command:rsvg-convert  librsvg2-bin       librsvg2-tools      librsvg           rsvg-convert        rsvg-convert  draws the icon as desktops do
  all   command:lintian       lintian            lintian             lintian           lintian             lintian       looks at Debian packages
  all   command:debootstrap   debootstrap        debootstrap         debootstrap       debootstrap         debootstrap   makes new systems to install them in
  all   command:fish          fish               fish                fish              fish                fish          completes words
  all   command:zsh           zsh                zsh                 zsh               zsh                 zsh           the same
TABLE
}

fail() {
  printf 'dependencies: %s\n' "$@" >&2
  exit 1
}

# Prints "probe package" for each line of the table that a group needs, with the package of one system.
needed() {
  table | while read -r group probe debian fedora arch suse alpine _; do
    case $1-$group in
      build-test | build-all | test-all) continue ;;
    esac
    case $2 in
      debian) package=$debian ;;
      fedora) package=$fedora ;;
      arch) package=$arch ;;
      suse) package=$suse ;;
      alpine) package=$alpine ;;
      *) package=${probe#*:} ;;
    esac
    printf '%s %s\n' "$probe" "$package"
  done
}

# The column of the table that this system reads.
system() {
  if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    echo debian
    return
  fi
  # shellcheck source=/dev/null
  ids=$([ ! -r /etc/os-release ] || (. /etc/os-release && echo "${ID-} ${ID_LIKE-}"))
  for id in $ids; do
    case $id in
      fedora | rhel | centos) echo fedora && return ;;
      arch) echo arch && return ;;
      suse | opensuse*) echo suse && return ;;
      alpine) echo alpine && return ;;
    esac
  done
  echo unknown
}

# Provided names count: which package holds gold, pkg-config or libstdc++ differs from release to release.
missing_from_dpkg() {
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}, ${Provides}\n' \
    | sed -n 's/^installed //p' | tr ',' '\n' | sed 's/ *(.*//; s/ //g')
  while read -r _ packages; do
    for package in $(echo "$packages" | tr '/' ' '); do
      if echo "$installed" | grep -qxF -e "$package"; then continue 2; fi
    done
    echo "${packages%%/*}"
  done
}

# Keeps the lines of what is not there.
missing_from_system() {
  while read -r probe package; do
    name=${probe#*:}
    case $probe in
      command:*) command -v "$name" >/dev/null ;;
      file:*) [ -e "$name" ] ;;
      library:*) pkg-config --exists "$name" 2>/dev/null ;;
      python:*) /usr/bin/python3 -c "import $name" 2>/dev/null ;;
    esac || echo "$probe $package"
  done
}

# Without a library nothing can be built. A command may be there under another name, so the build goes on.
name_for_system() {
  missing=$(needed "$1" "$2" | missing_from_system)
  [ -n "$missing" ] || return 0
  echo "note: please install: $(echo "$missing" | sed 's/.* //' | sort -u | tr '\n' ' ')" >&2
  libraries=$(echo "$missing" | sed -n 's/^library:\([^ ]*\) .*/\1/p' | tr '\n' ' ')
  [ -z "$libraries" ] || fail "pkg-config does not find: $libraries"
}

install_with_apt() {
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "as root, please: apt-get install $*"
    as_root=sudo
  fi
  echo "dependencies: installing $*" >&2
  # Nobody is asked anything: not which services to start anew, nor whose configuration files to keep.
  apt="$as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a apt-get"
  apt="$apt -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold"
  # A package source that does not answer matters only if the installation fails for want of it.
  $apt update -q >&2 || echo "dependencies: apt-get update failed, going on" >&2
  # Left to its defaults, glewlwyd's package sets up a server of this machine's own, and fails without a database.
  case " $* " in
    *' glewlwyd '*)
      echo 'glewlwyd glewlwyd/config_type select No configuration' | $as_root debconf-set-selections
      ;;
  esac
  $apt install -q -y --no-install-recommends "$@" >&2 \
    || fail "apt-get could not install: $*" "why is said above; to see it again: ${as_root:+$as_root }apt-get install $*"
}

# Asks SwiftPM, not the compiler: it loads more libraries, so one that is missing shows here.
check_swift() {
  version=$(swift build --version 2>&1) || fail "swift does not run: $version" "$where"
  number=$(echo "$version" | sed -n 's/.*Swift \([0-9]*\.[0-9]*\).*/\1/p')
  case $number in
    [0-5].* | 6.[01] | '') fail "this is $version" "$where" ;;
    6.2) echo "note: Swift 6.2 may do, but 6.3 is what Tokentry is tested with" >&2 ;;
  esac
}

list=false
if [ "${1-}" = --list ]; then
  list=true
  shift
fi
group=${1-build}
case $group in
  build | test | all) ;;
  -h | --help) usage && exit ;;
  *) usage >&2 && exit 2 ;;
esac
system=$(system)

if $list; then
  needed "$group" "$system" | sed 's/.* //; s|/.*||' | sort -u
  exit
fi

where="the toolchain comes from https://www.swift.org/install/linux/ (6.3 or newer)"
command -v swift >/dev/null || fail "swift is not in PATH" "$where"
if [ "$system" = debian ]; then
  missing=$(needed "$group" debian | missing_from_dpkg)
  # shellcheck disable=SC2086 # one argument for each package
  [ -z "$missing" ] || install_with_apt $missing
else
  name_for_system "$group" "$system"
fi
check_swift
