#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Installs what is missing of what building and running (build), testing (check, oracle, kernels), measuring (bench, server,
# experiments, promises) and editing (develop) need. It asks for nothing, and does nothing when all is there. Servers are
# installed without being started.
# Usage: deps.sh build [check] [oracle] [bench] [server] [experiments] [promises] [kernels] [develop]
set -eu

# src/README.md says what each is for. wanted() reads them by name.
# shellcheck disable=SC2034
{
debian_build="gcc g++ make clang bpftool libbpf-dev libelf-dev libdw-dev libiberty-dev zlib1g-dev libseccomp-dev libcap-dev libutf8proc-dev
libjansson-dev libgsl-dev pkg-config strace"
debian_check="catch2 locales clang-format cppcheck shellcheck gcc-multilib g++-multilib git sqlite3 python3 jq procps libpython3-dev
dwz util-linux libcap2-bin python3-jsonschema cmark-gfm asciidoctor texlive-latex-base texlive-latex-recommended
libclang-rt-dev btrfs-progs gnuplot-nox"
debian_oracle="git sqlite3 python3 gcc-multilib perl ruby tcl mawk php-cli lua5.4 ocaml-nox iproute2 bubblewrap
default-jdk-headless nodejs golang-go rustc libspdlog-dev liblogback-java liblog4j2-java rsync nginx-light redis-server
apache2-utils postgresql"
debian_bench="linux-perf bpftrace libbpf-tools gnuplot-nox python3"
debian_server="nginx-light apache2-utils redis-server iproute2 python3"
debian_experiments="gnuplot-nox python3"
debian_promises="git sqlite3 python3 perl mawk gawk ruby php-cli lua5.4 ocaml-nox default-jdk-headless nodejs golang-go rustc redis-server nginx-light
    bc rsync bsdutils curl cpio diffutils jq texlive-latex-base universal-ctags zip"
debian_develop="bear"
debian_kernels="qemu-system-x86 busybox-static strace util-linux gcc-multilib python3 btrfs-progs zstd"
fedora_build="gcc gcc-c++ make clang bpftool libbpf-devel elfutils-libelf-devel elfutils-devel binutils-devel zlib-devel libseccomp-devel libcap-devel
utf8proc-devel jansson-devel gsl-devel pkgconf strace"
fedora_check="catch-devel clang-tools-extra cppcheck ShellCheck glibc-devel.i686 libstdc++-devel.i686 git sqlite
python3 jq procps-ng util-linux libcap python3-jsonschema dwz cmark rubygem-asciidoctor texlive-latex texlive-booktabs
compiler-rt btrfs-progs gnuplot"
fedora_oracle="git sqlite python3 glibc-devel.i686 perl ruby tcl mawk php-cli lua ocaml iproute bubblewrap java-devel nodejs
golang rust spdlog-devel logback log4j rsync nginx httpd-tools redis
postgresql-server postgresql-contrib"
fedora_bench="perf bpftrace libbpf-tools gnuplot python3"
fedora_server="nginx httpd-tools redis iproute python3"
fedora_experiments="gnuplot python3"
fedora_promises="git sqlite python3 perl mawk gawk ruby php-cli lua ocaml java-devel nodejs golang rust redis nginx bc rsync util-linux curl
cpio diffutils jq texlive-latex ctags zip"
arch_build="gcc make clang bpf libbpf libelf binutils zlib libseccomp libcap libutf8proc jansson gsl pkgconf strace"
arch_bench="perf bpftrace libbpf-tools gnuplot python"
arch_server="nginx apache redis iproute2 python"
arch_experiments="gnuplot python"
arch_promises="git sqlite python perl mawk gawk ruby php lua54 ocaml jdk-openjdk nodejs go rust redis nginx bc rsync util-linux curl
cpio diffutils jq texlive-latex ctags zip"
arch_oracle="git sqlite python lib32-gcc-libs perl ruby tcl mawk php lua54 ocaml iproute2 bubblewrap jdk-openjdk nodejs go
rust spdlog rsync nginx apache redis
postgresql"
arch_check="catch2 cppcheck shellcheck lib32-gcc-libs git sqlite python jq procps-ng util-linux libcap python-jsonschema
asciidoctor texlive-latexrecommended compiler-rt btrfs-progs gnuplot"
fedora_develop="bear"
arch_develop="bear"
fedora_kernels="qemu-system-x86-core busybox strace util-linux glibc-static.i686 python3 btrfs-progs zstd"
arch_kernels="qemu-system-x86 busybox strace util-linux lib32-glibc python btrfs-progs zstd"
}

wanted() { # Argument: a system.
    for part in $parts; do
        eval "printf '%s ' \$${1}_$part"
    done
}

missing_debian() {
    for package in $(wanted debian); do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || printf '%s ' "$package"
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "deps: root is needed for: $*" >&2
        exit 1
    fi
}

# Debian starts servers when it installs them, unless policy-rc.d says no (deb-systemd-invoke(1p), invoke-rc.d(8)); and
# PostgreSQL gets a database (pg_createcluster(1)).
policy=/usr/sbin/policy-rc.d
no_database=/etc/postgresql-common/createcluster.d/iotrace.conf

forbid_servers() {
    [ -e $policy ] || as_root sh -c "printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy && touch $policy.iotrace"
    as_root sh -c "mkdir -p ${no_database%/*} && echo 'create_main_cluster = false' >$no_database"
}

allow_servers() {
    [ ! -e $policy.iotrace ] || as_root rm $policy $policy.iotrace
    as_root rm -f $no_database
}

install_debian() {
    missing=$(missing_debian)
    [ -n "$missing" ] || return 0
    echo "  INSTALL  $missing"
    log=$(mktemp)
    trap allow_servers EXIT
    forbid_servers
    # The lists may be older than the archive, or not there at all.
    # shellcheck disable=SC2086
    if ! { as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $missing; } \
        >"$log" 2>&1 </dev/null; then
        cat "$log" >&2
        rm -f "$log"
        echo "deps: apt-get could not install: $missing" >&2
        exit 1
    fi
    rm -f "$log"
    allow_servers
    trap - EXIT
}

# Prints the tools that are missing, and the libraries without headers, which pkg-config knows by name.
missing_by_hand() {
    for tool in gcc g++ make clang bpftool strace pkg-config; do
        PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null || printf '%s ' "$tool"
    done
    libraries="libbpf libelf zlib libseccomp libcap libutf8proc jansson gsl"
    case " $parts " in
    *" check "*) libraries="$libraries catch2" ;;
    esac
    for library in $libraries; do
        pkg-config --exists "$library" 2>/dev/null || printf '%s ' "$library"
    done
}

# Prints the exact line to type where packages are not ours to install; nothing if everything is there already.
print_line() { # Arguments: a command, a system.
    missing=$(missing_by_hand)
    [ -n "$missing" ] || return 0
    echo "deps: missing: $missing- install what iotrace needs with:" >&2
    # shellcheck disable=SC2046
    echo "  $1" $(wanted "$2") >&2
    exit 1
}

parts=${*:-build}
if command -v apt-get >/dev/null; then
    install_debian
elif command -v dnf >/dev/null; then
    print_line "sudo dnf install -y" fedora
elif command -v pacman >/dev/null; then
    print_line "sudo pacman -S --needed --noconfirm" arch
else
    echo "deps: this system's package manager is not known here; these are Debian's names:" >&2
    # shellcheck disable=SC2046
    echo " " $(wanted debian) >&2
fi
