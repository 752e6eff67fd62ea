# Lets cargo and the programs it builds find the libz3 that scripts/setup.sh fetched.
# Sourced with $root set to the repository; without, from the repository itself.

: "${root:=$PWD}"
if [ -d "$root/.deps/z3/lib" ]; then
    PKG_CONFIG_PATH=$root/.deps/z3/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
    LD_LIBRARY_PATH=$root/.deps/z3/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export PKG_CONFIG_PATH LD_LIBRARY_PATH
fi
