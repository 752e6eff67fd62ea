//! Completions and manual pages, from the definition of the command line.

use std::io;

use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::exit::Exit;
use crate::output::{Sink, write_to};

/// Prints a script with which a shell completes command lines.
pub fn completions(args: &CompletionsArgs) -> Exit {
    print(|output| {
        clap_complete::generate(args.shell, &mut Cli::command(), "ravelin", output);
        Ok(())
    })
}

/// Prints a page for `man`, of all commands or of one.
pub fn man(args: &ManArgs) -> Exit {
    let mut command = Cli::command();
    command.build();
    let page = match &args.command {
        None => Some(command),
        Some(name) => command.find_subcommand(name).cloned(),
    };
    match page {
        Some(page) => print(|output| Man::new(page).render(output)),
        None => {
            crate::log("ravelin: there is no such command\n");
            Exit::Usage
        }
    }
}

fn print(produce: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Exit {
    // Generators panic when their reader closes the pipe, so they write to memory.
    let mut text = Vec::new();
    let produced = produce(&mut text).map_err(|error| error.to_string());
    let written = produced.and_then(|()| write_to(&Sink::Stdout, |output| output.write_all(&text)));
    match written {
        Ok(()) => Exit::Ok,
        Err(message) => {
            crate::log(&format!("ravelin: {message}\n"));
            Exit::Output
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_in_the_book() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let page = std::fs::read_to_string(format!("{root}/docs/options.md")).expect("a page");
        let mut missing = Vec::new();
        for command in Cli::command().get_subcommands() {
            for option in command.get_arguments().filter_map(|argument| argument.get_long()) {
                if option != "help" && !page.contains(&format!("`--{option}")) {
                    missing.push(format!("{} --{option}", command.get_name()));
                }
            }
        }
        assert!(missing.is_empty(), "docs/options.md lacks {missing:?}");
    }
}
