//! Refuses to build with a libz3 that is too old: its Spacer solves less, and nobody would be told.

use std::process::Command;

const OLDEST: &str = "4.13.3";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PKG_CONFIG_PATH");
    let pkg_config = |option: &str| Command::new("pkg-config").args([option, "z3"]).output();
    // Without pkg-config, or without libz3, the build of the bindings says what is missing.
    let Ok(version) = pkg_config("--modversion") else { return };
    let is_new = pkg_config(&format!("--atleast-version={OLDEST}"));
    if version.status.success() && !is_new.is_ok_and(|output| output.status.success()) {
        let version = String::from_utf8_lossy(&version.stdout);
        println!(
            "cargo::error=libz3 {OLDEST} or newer is needed, and pkg-config finds {}: run ./ravelin once, which \
             fetches one, and `. scripts/env.sh` before cargo",
            version.trim()
        );
    }
}
