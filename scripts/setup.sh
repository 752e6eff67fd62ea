# Brings what a fresh Debian or Ubuntu machine lacks to build Ravelin: a C compiler (it is also the
# preprocessor at run time), Rust, pkg-config and libz3.
#
# Sourced by ./ravelin and ./test with $root set to the repository. Does nothing where nothing is
# missing, needs no network then, and may be interrupted at any point.

# The oldest libz3 of the system that is taken; see z3-requirements.txt for the reason.
z3_minimum=5.3.0

say() {
    printf 'ravelin: %s\n' "$*" >&2
}

die() {
    say "$*"
    exit 70
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# version_at_least HAVE WANTED: compares dotted versions.
version_at_least() {
    [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

apt_updated=

# Whether the packages could be installed. Fails where that needs another user or system.
install_packages() {
    have apt-get && [ "$(id -u)" -eq 0 ] || return 1
    say "installing $*"
    if [ -z "$apt_updated" ]; then
        # Package lists that cannot be renewed may still do: the installation tells.
        DEBIAN_FRONTEND=noninteractive apt-get -qq update >&2 || true
        apt_updated=yes
    fi
    DEBIAN_FRONTEND=noninteractive \
        apt-get -qq install -y --no-install-recommends "$@" </dev/null >&2
}

require_packages() {
    install_packages "$@" || die "missing packages; install them and run again:
    sudo apt-get install -y $*"
}

setup_tools() {
    missing=
    have cc || missing="$missing gcc"
    # A compiler without the C library's headers can preprocess next to nothing.
    [ -e /usr/include/stdio.h ] || missing="$missing libc6-dev"
    have pkg-config || missing="$missing pkg-config"
    # shellcheck disable=SC2086 # a list of words
    [ -z "$missing" ] || require_packages $missing
}

setup_rust() {
    wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$root/Cargo.toml")
    # Where rustup puts cargo, which is not on the path before the next login.
    rustup_bin=${CARGO_HOME:-${HOME:-}/.cargo}/bin
    have cargo || [ ! -x "$rustup_bin/cargo" ] || PATH=$rustup_bin:$PATH
    rust_is_new_enough && return
    # Newer distributions package rustup; their cargo itself is mostly too old.
    have rustup || install_packages rustup || die "Rust $wanted or newer is missing; install it and run again:
    $(rustup_installation)"
    say "installing Rust"
    rustup toolchain install stable --profile minimal >&2 || die "could not install Rust"
    RUSTUP_TOOLCHAIN=stable
    export RUSTUP_TOOLCHAIN
    rust_is_new_enough || die "Rust $wanted or newer is needed, found: $(cargo --version 2>&1)"
}

rustup_installation() {
    if have apt-cache && apt-cache show rustup >/dev/null 2>&1; then
        echo "sudo apt-get install -y rustup"
    else
        echo "rustup, as its web site says"
    fi
}

rust_is_new_enough() {
    found=$(cd "$root" && cargo --version 2>/dev/null | cut -d ' ' -f 2) &&
        [ -n "$found" ] && version_at_least "$found" "$wanted"
}

# rustfmt and clippy, which only the test suite needs.
setup_rust_components() {
    if cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1; then
        return
    fi
    have rustup || die "rustfmt and clippy are missing and there is no rustup to install them"
    rustup component add rustfmt clippy >&2 || die "could not install rustfmt and clippy"
}

# The program z3, which only the test suite needs: as a solver behind a pipe. A system that has a new
# enough libz3 need not have it, nor a .deps of an earlier version of this script.
setup_z3_program() {
    if [ -x "$root/.deps/z3/bin/z3" ] || have z3; then
        return
    fi
    lock_deps
    # Another call may just have fetched it.
    [ -x "$root/.deps/z3/bin/z3" ] || fetch_z3 ||
        die "the program z3 is missing and could not be fetched; run again with network, or install it"
    unlock_deps
    . "$root/scripts/env.sh"
}

# Packages that widen the tests. Their absence is named and no failure.
setup_test_tools() {
    if [ "$(uname -m)" = x86_64 ] && ! builds_32_bit_programs; then
        install_packages gcc-multilib ||
            say "tests against 32-bit gcc are left out: package gcc-multilib is missing"
    fi
    have csmith || install_packages csmith ||
        say "tests with csmith are left out: package csmith is missing"
}

builds_32_bit_programs() {
    probe=$(mktemp -d)
    printf '#include <stdio.h>\nint main(void) { return 0; }\n' >"$probe/probe.c"
    cc -m32 -o "$probe/probe" "$probe/probe.c" 2>/dev/null
    status=$?
    rm -rf "$probe"
    return $status
}

setup_z3() {
    . "$root/scripts/env.sh"
    found=$(pkg-config --modversion z3 2>/dev/null) &&
        version_at_least "$found" "$z3_minimum" && return
    if fetch_z3; then
        . "$root/scripts/env.sh"
        return
    fi
    rm -rf "$root"/.deps/z3.new.*
    # As long as no crate links it, nothing is lost without it.
    if grep -q '^name = "z3-sys"' "$root/Cargo.lock"; then
        die "libz3 $z3_minimum or newer is missing and could not be fetched; run again with network, or install it so that pkg-config finds it as z3"
    fi
    say "libz3 $z3_minimum or newer is missing and could not be fetched; this build does without"
}

# Puts the library, headers and program of the Python package z3-solver, which carries a prebuilt
# Z3, into .deps/z3. Everything happens beside it, and one rename at the end makes it appear.
fetch_z3() {
    have python3 && python3 -m pip --version >/dev/null 2>&1 ||
        install_packages python3 python3-pip || {
        say "python3 and its pip are needed to fetch libz3:
    sudo apt-get install -y python3 python3-pip"
        return 1
    }
    say "fetching libz3"
    rm -rf "$root"/.deps/z3.new.*
    new=$(mktemp -d "$root/.deps/z3.new.XXXXXX") || return 1
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
        --require-hashes --requirement "$root/scripts/z3-requirements.txt" \
        --dest "$new/wheel" >&2 &&
        python3 -m zipfile -e "$new"/wheel/*.whl "$new/unpacked" &&
        mkdir -p "$new/z3/lib/pkgconfig" "$new/z3/bin" &&
        mv "$new/unpacked/z3/include" "$new/z3/include" || return 1
    # Unpacking loses the permission to execute.
    mv "$new"/unpacked/z3_solver-*.data/data/bin/z3 "$new/z3/bin/z3" &&
        chmod +x "$new/z3/bin/z3" || return 1
    # The wheel has the library twice, under its plain name and under its soname.
    version=$(sed -n 's/^z3-solver==\([0-9]*\.[0-9]*\.[0-9]*\).*/\1/p' \
        "$root/scripts/z3-requirements.txt")
    soname=libz3.so.${version%.*}
    mv "$new/unpacked/z3/lib/libz3.so" "$new/z3/lib/$soname" &&
        ln -s "$soname" "$new/z3/lib/libz3.so" || return 1
    cat >"$new/z3/lib/pkgconfig/z3.pc" <<EOF || return 1
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: z3
Description: The Z3 theorem prover
Version: $version
Libs: -L\${libdir} -lz3
Cflags: -I\${includedir}
EOF
    if [ -e "$root/.deps/z3" ]; then
        mv "$root/.deps/z3" "$new/old" || return 1
    fi
    mv "$new/z3" "$root/.deps/z3" && rm -rf "$new"
}

# Two first calls at the same time must not fetch over each other.
lock_deps() {
    mkdir -p "$root/.deps"
    exec 9>"$root/.deps/lock"
    if have flock; then
        flock 9
    fi
}

unlock_deps() {
    exec 9>&-
}

# Everything needed for `cargo build`.
setup() {
    lock_deps
    setup_tools
    setup_rust
    setup_z3
    unlock_deps
}
