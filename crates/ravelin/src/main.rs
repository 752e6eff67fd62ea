//! The command line of Ravelin, and the only crate that prints.
//!
//! - [`args`]: the command line, with [`macros`]; [`exit`]: the exit codes;
//! - [`front`]: from files to an automaton, compiled as [`compile_commands`] says; [`verify`] (of [`many`] programs, too),
//!   [`cfa`], [`run`],
//!   [`points_to`], [`replay`]: the commands;
//! - [`analysis`], [`presets`], [`solver`]: the configuration of `verify`;
//! - [`refute`]: printed counterexamples; [`summary`]: the meaning of an answer; [`schedule`]:
//!   executions in files; [`witness`], [`report`], [`formats`]: answers in files and for machines;
//! - [`human`]: progress and colours; [`manual`]: pages and completions; [`stats`]: counts; [`output`]: writing results; [`words`]: command lines to repeat;
//! - [`watchdog`]: limits and signals; [`panics`]: defects.

mod analysis;
mod args;
mod cfa;
mod compile_commands;
mod decided;
mod exit;
mod formats;
mod front;
mod harness;
mod human;
mod macros;
mod manual;
mod many;
mod model;
mod output;
mod panics;
mod points_to;
mod presets;
mod refute;
mod replay;
mod report;
mod rests;
mod run;
mod schedule;
mod solver;
mod stats;
mod summary;
mod verify;
mod watchdog;
mod witness;
mod words;

use std::env;
use std::io::{self, Write};

use args::Command;
use clap::error::ErrorKind;
use exit::Exit;
use signal_hook::low_level;

/// Syntax trees are millions of small pieces: with this allocator the front end takes a fifth less
/// time than with the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    panics::install_reporter();
    let exit = match args::parse(env::args_os().collect()) {
        Ok(mut cli) => match settled(&mut cli.command) {
            Command::Verify(args) => verify::verify(args),
            Command::Cfa(args) => cfa::cfa(args),
            Command::Run(args) => run::run(args),
            Command::PointsTo(args) => points_to::points_to(args),
            Command::Replay(args) => replay::replay(args),
            Command::Completions(args) => manual::completions(args),
            Command::Man(args) => manual::man(args),
        },
        Err(error) => explain_usage(&error),
    };
    // All output is written. Freeing the memory of solvers may take minutes.
    let _ = io::stdout().flush();
    low_level::exit(exit.code().into());
}

/// The command, with the data model of its program. With many programs, each has a process of its
/// own.
fn settled(command: &mut Command) -> &Command {
    let is_many = matches!(command, Command::Verify(args) if many::are_many(args));
    if let Some(input) = command.input_mut()
        && !is_many
    {
        model::settle(input);
    }
    command
}

/// Prints help to standard output if the user asked for it, and to standard error after an error.
fn explain_usage(error: &clap::Error) -> Exit {
    match (error.kind(), error.print()) {
        (ErrorKind::DisplayHelp | ErrorKind::DisplayVersion, Ok(())) => Exit::Ok,
        (ErrorKind::DisplayHelp | ErrorKind::DisplayVersion, Err(error)) => {
            if error.kind() == io::ErrorKind::BrokenPipe { Exit::Ok } else { Exit::Output }
        }
        _ => Exit::Usage,
    }
}

/// Prints a message that is not a result.
fn log(message: &str) {
    human::above_progress(|| {
        // If standard error is closed, too, there is no place to report it.
        let _ = io::stderr().write_all(message.as_bytes());
    });
}
