//! Writes a sample report, to look at the page: `cargo run -p ravelin-report --example sample FILE`.

use std::path::PathBuf;
use std::process::ExitCode;

#[path = "../tests/support/lost_update.rs"]
mod lost_update;

fn main() -> ExitCode {
    let Some(file) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: sample FILE");
        return ExitCode::FAILURE;
    };
    let page = ravelin_report::render(&lost_update::report());
    match std::fs::write(&file, page) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", file.display());
            ExitCode::FAILURE
        }
    }
}
