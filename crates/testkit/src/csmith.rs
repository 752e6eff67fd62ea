//! Programs made by csmith, a generator of others' making.

use std::path::PathBuf;
use std::process::Command;

/// Where csmith's headers are, if it is installed.
pub fn include_dir() -> Option<PathBuf> {
    Command::new("csmith").arg("--version").output().ok()?;
    ["/usr/include/csmith", "/usr/include/csmith-2.3.0", "/usr/local/include/csmith-2.3.0"]
        .into_iter()
        .map(PathBuf::from)
        .find(|dir| dir.join("csmith.h").exists())
}

/// The program csmith makes of a seed, with settings that keep it short.
pub fn generate(seed: u64) -> Result<String, String> {
    let output = Command::new("timeout")
        .args(["10", "csmith", "--seed", &seed.to_string()])
        .args(["--max-funcs", "4", "--max-block-depth", "3", "--max-block-size", "3"])
        .args(["--max-expr-complexity", "6", "--max-array-len-per-dim", "5"])
        // What the command line holds is unknown to a verifier, so programs must not look at it.
        .args(["--max-pointer-depth", "3", "--concise", "--no-argc"])
        .output()
        .map_err(|error| format!("csmith cannot be started: {error}"))?;
    if !output.status.success() {
        return Err("csmith timed out".to_owned());
    }
    String::from_utf8(output.stdout).map_err(|_| "csmith wrote no text".to_owned())
}
