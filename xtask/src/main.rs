//! Developer commands: `cargo xtask COMMAND`.

mod bench;
mod differential;
mod frontend;
mod growth;
mod interrupt;
mod layouts;
mod pointsto;
mod process;
mod property;
mod published;
mod sets;
mod suites;
mod witnesses;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser, Debug)]
#[command(name = "xtask", about = "Developer commands of Ravelin")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Bench(bench::Options),
    Differential(differential::Options),
    Frontend(frontend::Options),
    Growth(growth::Options),
    Layouts(layouts::Options),
    Pointsto(pointsto::Options),
    Published(published::Options),
    Suites(suites::Options),
    Witnesses(witnesses::Options),
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Bench(options) => bench::run(&options),
        Command::Differential(options) => differential::run(&options),
        Command::Frontend(options) => frontend::run(&options),
        Command::Growth(options) => growth::run(&options),
        Command::Layouts(options) => layouts::run(&options),
        Command::Pointsto(options) => pointsto::run(&options),
        Command::Published(options) => published::run(&options),
        Command::Suites(options) => suites::run(&options),
        Command::Witnesses(options) => witnesses::run(&options),
    }
}
