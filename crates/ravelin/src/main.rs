//! The command line of Ravelin.

mod args;
mod exit;
mod output;
mod panics;
mod property;
mod watchdog;

fn main() {
    panics::install_reporter();
    let _ = args::parse(std::env::args_os().collect());
}
