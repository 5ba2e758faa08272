#!/bin/sh
# Lists the packages that are needed to build and to test Tokentry. On Debian, Ubuntu and their relatives it installs the
# missing ones; on other systems it only names them.
set -eu

usage() {
  cat <<'USAGE'
usage: data/dependencies.sh [build|test|all]          install missing packages; each group includes the one before
       data/dependencies.sh --list [build|test|all]   print the package names for this system
       data/dependencies.sh --late PROGRAM            print the libraries that a built program loads on demand
USAGE
}

# One line for each package.
#   probe  finds out without a package manager whether the package is installed:
#          command:NAME, file:PATH, library:PKG-CONFIG-NAME or python:MODULE
#   a/b    either will do; the first one gets installed
# Only Debian and Ubuntu are tested; the other columns are our best knowledge. The toolchains of swift.org need glibc,
# so Alpine's column helps only with another Swift.
#
# group probe                 Debian,Ubuntu      Fedora              Arch              openSUSE            Alpine        purpose
table() {
  cat <<'TABLE'
  build command:git           git                git                 git               git                 git           needed by SwiftPM
  build command:swift         libncurses6        ncurses-libs        ncurses           libncurses6         ncurses-libs  needed by the Swift toolchain
  build command:swift         libcurl4           libcurl             curl              libcurl4            libcurl       needed by the Swift toolchain
  build command:swift         libsqlite3-0       sqlite-libs         sqlite            libsqlite3-0        sqlite-libs   needed by the Swift toolchain
  build command:swift         libxml2            libxml2             libxml2           libxml2-2           libxml2       needed by the Swift toolchain
  build command:swift         tzdata             tzdata              tzdata            timezone            tzdata        needed by the Swift toolchain
  build command:gcc           gcc                gcc                 gcc               gcc                 gcc           start files and libgcc for the Swift linker
  build command:g++           g++/libstdc++-dev  gcc-c++             gcc               gcc-c++             g++           libstdc++ for the Swift runtime
  build file:/usr/include/stdio.h libc6-dev      glibc-devel         glibc             glibc-devel         musl-dev      headers of the C library
  build command:ld.gold       binutils-gold      binutils-gold       binutils          binutils-gold       binutils-gold the linker that the Swift compiler calls
  build command:pkg-config    pkg-config         pkgconf-pkg-config  pkgconf           pkgconf-pkg-config  pkgconf       finds the C libraries
  build library:gio-unix-2.0  libglib2.0-dev     glib2-devel         glib2             glib2-devel         glib-dev      the main loop
  build library:gnutls        libgnutls28-dev    gnutls-devel        gnutls            libgnutls-devel     gnutls-dev    random bytes, digests and signatures
  build library:libxml-2.0    libxml2-dev        libxml2-devel       libxml2           libxml2-devel       libxml2-dev   HTML forms of pages
  build library:libqrencode   libqrencode-dev    qrencode-devel      qrencode          qrencode-devel      libqrencode-dev QR codes on a terminal and in the window
  build library:libsecret-1   libsecret-1-dev    libsecret-devel     libsecret         libsecret-devel     libsecret-dev the keyring
  build library:libsoup-3.0   libsoup-3.0-dev    libsoup3-devel      libsoup3          libsoup-devel       libsoup3-dev  HTTP
  build file:/usr/share/dbus-1/services/org.gtk.GLib.PACRunner.service glib-networking glib-networking glib-networking glib-networking glib-networking TLS and proxies for GLib, at run time
  build command:msgfmt        gettext            gettext             gettext           gettext-tools       gettext       compiles translations
  test  command:openssl       openssl            openssl             openssl           openssl             openssl       test certificates
  build library:webkit2gtk-4.1 libwebkit2gtk-4.1-dev webkit2gtk4.1-devel webkit2gtk-4.1   webkit2gtk3-devel   webkit2gtk-4.1-dev the window and its pages, with GTK 3
  build command:bwrap         bubblewrap         bubblewrap          bubblewrap        bubblewrap          bubblewrap    the sandbox around pages, at run time
  build command:xdg-dbus-proxy xdg-dbus-proxy    xdg-dbus-proxy      xdg-dbus-proxy    xdg-dbus-proxy      xdg-dbus-proxy the sandbox around pages, at run time
  test  command:chromium      chromium/chromium-browser chromium     chromium          chromium            chromium      a browser for logins
  test  command:gio           libglib2.0-bin     glib2               glib2             glib2-tools         glib          opens addresses as a desktop does
  test  command:xdg-open      xdg-utils          xdg-utils           xdg-utils         xdg-utils           xdg-utils     opens addresses without a known desktop
  test  command:dbus-run-session dbus-daemon     dbus-daemon         dbus              dbus-1-daemon       dbus          a message bus for the stand-in of the desktop portal
  test  python:gi             python3-gi         python3-gobject     python-gobject    python3-gobject     py3-gobject3  stand-ins and the screen reader's view of the window, in Python
  test  file:/usr/libexec/xdg-desktop-portal xdg-desktop-portal xdg-desktop-portal xdg-desktop-portal xdg-desktop-portal xdg-desktop-portal the real desktop portal
  test  file:/usr/libexec/xdg-desktop-portal-gtk xdg-desktop-portal-gtk xdg-desktop-portal-gtk xdg-desktop-portal-gtk xdg-desktop-portal-gtk xdg-desktop-portal-gtk the portal's dialogs
  test  command:mandoc        mandoc             mandoc              mandoc            mandoc              mandoc        checks the man pages
  test  python:jsonschema     python3-jsonschema python3-jsonschema  python-jsonschema python3-jsonschema  py3-jsonschema checks the presets against their schema
  test  command:shellcheck    shellcheck         ShellCheck          shellcheck        ShellCheck          shellcheck    checks the shell scripts
  test  command:Xvfb          xvfb               xorg-x11-server-Xvfb xorg-server-xvfb xorg-x11-server-Xvfb xvfb         a display for tests of the window
  test  command:xdotool       xdotool            xdotool             xdotool           xdotool             xdotool       types and clicks on that display
  test  command:openbox       openbox            openbox             openbox           openbox             openbox       a window manager for that display
  test  file:/usr/share/glib-2.0/schemas/org.gnome.desktop.interface.gschema.xml gsettings-desktop-schemas gsettings-desktop-schemas gsettings-desktop-schemas gsettings-desktop-schemas gsettings-desktop-schemas the desktop's settings for windows
  test  command:zbarimg       zbar-tools         zbar                zbar              zbar                zbar          reads QR codes
  test  command:xprop         x11-utils          xprop               xorg-xprop        xprop               xprop         properties of windows
  test  command:xwininfo      x11-utils          xwininfo            xorg-xwininfo     xwininfo            xwininfo      positions of windows
  test  python:gi             gir1.2-gtk-3.0     gtk3                gtk3              typelib-1_0-Gtk-3_0 gtk+3.0       the parent window of a login, and a clipboard reader
  test  command:import        imagemagick        ImageMagick         imagemagick       ImageMagick         imagemagick   screenshots
  test  command:curl          curl               curl                curl              curl                curl          sends mail with a kept token
  test  command:wget          wget               wget                wget              wget                wget          fetches a page with a kept token
  test  command:git           git                git                 git               git                 git-daemon    clones and pushes with a kept token, and is the server
  test  command:skopeo        skopeo             skopeo              skopeo            skopeo              skopeo        asks its helper for the token of a registry
  test  file:/usr/bin/cargo   cargo-web          cargo               rust              cargo               cargo         asks its helper for the token of a crate registry
  test  command:git-credential-oauth git-credential-oauth git-credential-oauth git-credential-oauth git-credential-oauth git-credential-oauth signs in with a browser that is elsewhere
  test  command:kubectl       kubernetes-client/kubectl kubernetes-client   kubectl           kubernetes-client   kubectl       asks its helper for the token of a cluster
  test  file:/usr/lib/python3/dist-packages/kubernetes python3-kubernetes python3-kubernetes python-kubernetes python3-kubernetes py3-kubernetes the same, in Python
  test  command:rclone        rclone             rclone              rclone            rclone              rclone        lists files with a kept token
  test  command:msmtp         msmtp              msmtp               msmtp             msmtp               msmtp         sends mail with a kept token
  test  command:mbsync        isync              isync               isync             isync               isync         fetches mail with a kept token
  test  file:/usr/lib/sasl2/libkdexoauth2.so libsasl2-modules-kdexoauth2 libkgapi libkgapi     libkgapi            libkgapi      XOAUTH2 for isync
  test  command:aerc          aerc                aerc                aerc                aerc                aerc          signs in to a mail server with a kept token
  test  command:getmail       getmail6            getmail6            getmail6            getmail             getmail6      fetches mail with a kept token
  test  command:offlineimap   offlineimap3        offlineimap         offlineimap         offlineimap3        offlineimap   fetches mail with a kept token
  test  command:imapfilter    imapfilter          imapfilter          imapfilter          imapfilter          imapfilter    reads mail with a kept token
  test  command:s-nail        s-nail              s-nail              s-nail              s-nail              s-nail        sends mail with a kept token
  test  command:restic        restic              restic              restic              restic              restic        keeps backups through rclone
  test  command:vdirsyncer    vdirsyncer          vdirsyncer          vdirsyncer          vdirsyncer          vdirsyncer    fetches a calendar with a kept token
  test  command:http          httpie              httpie              httpie              httpie              httpie        sends a request with a kept token
  test  command:gh            gh                  gh                  github-cli          gh                  github-cli    sends a request with a kept token
  test  file:/usr/sbin/openconnect openconnect  openconnect         openconnect       openconnect         openconnect   takes the session of a VPN gateway
  test  file:/usr/bin/openfortivpn openfortivpn openfortivpn        openfortivpn      openfortivpn        openfortivpn  takes the session of a FortiGate
  test  command:python3       python3            python3             python            python3             python3       servers that accept tokens
  test  python:pip            python3-pip        python3-pip         python-pip        python3-pip         py3-pip       fetches Authlib and oidc-provider-mock for the tests
  test  python:pytest         python3-pytest      python3-pytest     python-pytest      python3-pytest      py3-pytest       the provider in a test of pytest
  test  command:xev           x11-utils          xev                 xorg-xev          xev                 xev           reports every window on that display
  test  command:setxkbmap     x11-xkb-utils      setxkbmap           xorg-setxkbmap    setxkbmap           setxkbmap     foreign keyboards on that display
  test  command:softhsm2-util softhsm2           softhsm             softhsm           softhsm             softhsm       a token with a client certificate
  test  command:p11tool       gnutls-bin         gnutls-utils        gnutls            gnutls              gnutls-utils  puts the certificate there
  test  file:/usr/share/p11-kit/modules/p11-kit-trust.module p11-kit p11-kit p11-kit p11-kit             p11-kit       finds the token
  test  command:krb5kdc       krb5-kdc           krb5-server         krb5              krb5-server         krb5-server   a Kerberos realm
  test  command:kadmin.local  krb5-admin-server  krb5-server         krb5              krb5-server         krb5-server   its users
  test  command:kinit         krb5-user          krb5-workstation    krb5              krb5-client         krb5          their tickets
  test  python:gssapi         python3-gssapi     python3-gssapi      python-gssapi     python3-gssapi      py3-gssapi    a server that accepts tickets
  test  command:dbus-daemon   dbus-daemon        dbus-daemon         dbus              dbus-1-daemon       dbus          a bus for the test that reads the window as a screen reader does
  test  file:/usr/share/dbus-1/services/org.a11y.Bus.service at-spi2-core at-spi2-core at-spi2-core at-spi2-core at-spi2-core the interface for screen readers
  test  file:/usr/share/dbus-1/services/org.a11y.Bus.service gir1.2-atspi-2.0 at-spi2-core at-spi2-core typelib-1_0-Atspi-2_0 at-spi2-core the same, for Python
  test  command:weston        weston             weston              weston            weston              weston        a Wayland display for tests of the window
  test  command:sway          sway               sway                sway              sway                sway          another Wayland display, on which tests can type and look
  test  file:/usr/include/wayland-client.h libwayland-dev wayland-devel wayland         wayland-devel       wayland-dev   typing on that display
  test  file:/usr/include/xkbcommon/xkbcommon.h libxkbcommon-dev libxkbcommon-devel libxkbcommon libxkbcommon-devel libxkbcommon-dev keys on that display
  test  command:grim          grim               grim                grim              grim                grim          screenshots on that display
  test  file:/usr/sbin/sshd   openssh-server     openssh-server      openssh           openssh-server      openssh-server-pam a server from which programs reach the agent
  test  command:ssh           openssh-client     openssh-clients     openssh           openssh-clients     openssh-client-default reaches that server
  test  command:nc            netcat-openbsd     netcat              openbsd-netcat    netcat-openbsd      netcat-openbsd asks the agent without Tokentry
  test  command:socat         socat              socat               socat             socat               socat         the same
  test  command:glewlwyd      glewlwyd           glewlwyd            glewlwyd          glewlwyd            glewlwyd      a provider to log in at, if Debian's package is installed
  test  command:glewlwyd      dbconfig-no-thanks glewlwyd            glewlwyd          glewlwyd            glewlwyd      keeps that package from setting up a database
  test  command:gnome-keyring-daemon gnome-keyring gnome-keyring     gnome-keyring     gnome-keyring       gnome-keyring a keyring for tests of accounts
  test  command:dbus-daemon   dbus-daemon        dbus-daemon         dbus              dbus-1              dbus          a bus for the keyring
  test  command:secret-tool   libsecret-tools    libsecret           libsecret         libsecret-tools     libsecret     reads and writes the keyring without Tokentry
  test  command:gdbus         libglib2.0-bin     glib2               glib2             glib2-tools         glib          inspects the bus
  test  command:desktop-file-validate desktop-file-utils desktop-file-utils desktop-file-utils desktop-file-utils desktop-file-utils checks the desktop entry
  test  command:appstreamcli  appstream          appstream           appstream         AppStream           appstream     checks the metadata for software centres
  test  command:node          nodejs             nodejs              nodejs            nodejs              nodejs        runs a caller example
  test  library:gtk+-3.0      libgtk-3-dev       gtk3-devel          gtk3              gtk3-devel          gtk+3.0-dev   builds a caller example
  test  library:json-glib-1.0 libjson-glib-dev   json-glib-devel     json-glib           json-glib-devel     json-glib-dev builds the caller examples in C
  test  library:sqlite3       libsqlite3-dev     sqlite-devel        sqlite            sqlite3-devel       sqlite-dev    builds a program with LoginKit
  test  library:gtk4          libgtk-4-dev       gtk4-devel          gtk4              gtk4-devel          gtk4.0-dev    builds a caller example, and runs one in Python
  all   command:npm           npm                 nodejs-npm          npm                 npm-default         npm           reads a registry with a kept token, and installs the Node package
  all   command:composer      composer            composer            composer            php-composer2       composer      reads a registry with a kept token
  all   command:ansible-playbook ansible-core     ansible-core        ansible-core        ansible-core        ansible-core  sends a request with a kept token
  all   command:gdalinfo      gdal-bin            gdal                gdal                gdal                gdal-tools    reads a map with a kept token
  all   command:go            golang-go          golang              go                go                  go            builds caller examples
  all   command:rustc         rustc-web/rustc    rust                rust              rust                rust          builds caller examples
  all   python:PyQt6          python3-pyqt6      python3-pyqt6       python-pyqt6      python3-PyQt6       py3-qt6       runs a caller example
  all   command:rsvg-convert  librsvg2-bin       librsvg2-tools      librsvg           rsvg-convert        rsvg-convert  draws the icon as desktops do
  all   command:dh            debhelper          debhelper           debhelper         debhelper           debhelper     makes Debian packages
  all   command:lintian       lintian            lintian             lintian           lintian             lintian       checks Debian packages
  all   command:debootstrap   debootstrap        debootstrap         debootstrap       debootstrap         debootstrap   makes new systems to install the packages in
  all   command:fish          fish               fish                fish              fish                fish          its completions
  all   command:zsh           zsh                zsh                 zsh               zsh                 zsh           its completions
  all   command:oidc-token    oidc-agent-cli     oidc-agent-cli      oidc-agent        oidc-agent          oidc-agent    an agent, compared with a kept token
TABLE
}

fail() {
  printf 'dependencies: %s\n' "$@" >&2
  exit 1
}

# needed GROUP SYSTEM: prints "probe package" for each line of the table that the group needs.
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

# Prints the name of this system's column.
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

# Names that another package provides count, because the packages with gold, pkg-config or libstdc++ differ between
# releases.
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

# Keeps the lines whose probe fails.
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

# The build needs every library. A missing command is only a note, because it may have another name here.
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
  # apt must not ask questions, neither about services to restart nor about configuration files to keep.
  apt="$as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a apt-get"
  apt="$apt -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold"
  # An unreachable package source matters only if the installation then fails.
  $apt update -q >&2 || echo "dependencies: apt-get update failed, going on" >&2
  # By default, glewlwyd's package sets up a server, and fails without a database.
  case " $* " in
    *' glewlwyd '*)
      echo 'glewlwyd glewlwyd/config_type select No configuration' | $as_root debconf-set-selections
      ;;
  esac
  # The tests start sshd themselves. The package's service would let the network in.
  ssh=
  case " $* " in
    *' openssh-server '*) ! command -v systemctl >/dev/null || ssh='ssh.service ssh.socket' ;;
  esac
  # shellcheck disable=SC2086 # one argument for each unit
  [ -z "$ssh" ] || $as_root systemctl -q mask $ssh >&2
  $apt install -q -y --no-install-recommends "$@" >&2 \
    || fail "apt-get could not install: $*" "see the reason above, or run: ${as_root:+$as_root }apt-get install $*"
  # shellcheck disable=SC2086
  [ -z "$ssh" ] || { $as_root systemctl -q unmask $ssh && $as_root systemctl -q disable $ssh; } >&2
}

# Runs SwiftPM and not the compiler, because it loads more libraries, one of which may be missing.
check_swift() {
  version=$(swift build --version 2>&1) || fail "swift does not run: $version" "$where"
  number=$(echo "$version" | sed -n 's/.*Swift \([0-9]*\.[0-9]*\).*/\1/p')
  case $number in
    [0-5].* | 6.[01] | '') fail "this is $version" "$where" ;;
    6.2) echo "note: Swift 6.2 may do, but 6.3 is what Tokentry is tested with" >&2 ;;
  esac
}

# A section of the program names them (https://systemd.io/ELF_DLOPEN_METADATA), for packages that have to depend on them.
late_libraries() {
  objcopy --dump-section .note.dlopen=/dev/stdout "$1" /dev/null | tr '\0' '\n' | grep -ao '"soname":\["[^"]*"' \
    | cut -d '"' -f 4
}

if [ "${1-}" = --late ] && [ $# -eq 2 ]; then
  late_libraries "$2"
  exit
fi
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
