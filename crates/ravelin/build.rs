//! Lets the program find libz3 where pkg-config found it, however it is started.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PKG_CONFIG_PATH");
    // Without pkg-config, or without libz3, the build of the bindings says what is missing.
    let Ok(found) = Command::new("pkg-config").args(["--variable=libdir", "z3"]).output() else {
        return;
    };
    let directory = String::from_utf8_lossy(&found.stdout);
    if found.status.success() && !directory.trim().is_empty() {
        println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{}", directory.trim());
    }
}
