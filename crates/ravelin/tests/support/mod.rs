//! Runs the `ravelin` binary on files written for one test.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A directory that the binary runs in, so that messages name files as the test does.
pub struct Workbench {
    dir: TempDir,
}

/// What a run of the binary left.
#[derive(Debug)]
pub struct Ran {
    /// `None` if a signal killed it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Workbench {
    pub fn new() -> Self {
        Workbench { dir: tempfile::tempdir().expect("a temporary directory") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> &Self {
        fs::write(self.path(name), contents).expect("writable");
        self
    }

    /// The binary with these arguments, for tests that need more than [`Self::run`].
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ravelin"));
        command.args(args).current_dir(self.dir.path()).stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::from(self.command(args).output().expect("the binary runs"))
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Ran {
    pub fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }
}
