//! `ravelin cfa`: prints the automaton.

use std::fmt;
use std::io::{self, Write};

use ravelin_cfa::Program;
use ravelin_cfa::dot::write_dot;
use ravelin_cfa::json::write_json;
use ravelin_cfa::passes::{self, BlockEncoding, PASSES, PassConfig};

use crate::args::{BlockSize, CfaArgs, Format};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output::{Sink, write_to};
use crate::stats;
use crate::watchdog::Watchdog;

pub fn cfa(args: &CfaArgs) -> Exit {
    front::print(&args.limits, |watchdog| print_automaton(args, watchdog))
}

fn print_automaton(args: &CfaArgs, watchdog: &Watchdog) -> Result<(), Failure> {
    let sink = args.output.clone().map_or(Sink::Stdout, Sink::File);
    let output_failure = |message: String| Failure::new(Exit::Output, message);
    if args.list_passes {
        return write_to(&sink, list_passes).map_err(output_failure);
    }
    let front = front::build(&args.input, &pass_names(&args.passes)?, &pass_config(args))?;
    // From here on the result exists; it is written completely, however long the reader takes.
    watchdog.claim_last_word();
    if args.stats {
        crate::log(&stats::render(&front));
    }
    let program = &front.program;
    let produce = |output: &mut dyn Write| match args.format {
        Format::Text => write!(output, "{program}"),
        Format::Dot => write!(output, "{}", Dot(program)),
        Format::Json => write_json(output, program),
        Format::None => Ok(()),
    };
    write_to(&sink, produce).map_err(output_failure)
}

fn list_passes(output: &mut dyn Write) -> io::Result<()> {
    for pass in PASSES {
        let mark = if passes::DEFAULT.contains(&pass.name) { "" } else { " (not by default)" };
        writeln!(output, "{:<22} {}{mark}", pass.name, pass.about)?;
    }
    Ok(())
}

fn pass_names(list: &str) -> Result<Vec<&str>, Failure> {
    let names = match list {
        "default" => passes::DEFAULT.to_vec(),
        "none" => Vec::new(),
        list => list.split(',').map(str::trim).collect(),
    };
    // Before any work, because building the automaton may take long.
    match names.iter().find(|name| passes::find(name).is_none()) {
        Some(unknown) => {
            let message = format!("unknown pass '{unknown}': see 'ravelin cfa --list-passes'");
            Err(Failure::new(Exit::Usage, message))
        }
        None => Ok(names),
    }
}

fn pass_config(args: &CfaArgs) -> PassConfig {
    let mut config = PassConfig::default();
    if let Some(bound) = args.unroll_bound {
        config.unroll.bound = bound;
    }
    if let Some(blocks) = args.blocks {
        // The default size.
        const MAX_LABELS: usize = 64;
        config.blocks = match blocks {
            BlockSize::None => BlockEncoding::None,
            BlockSize::Sequential => BlockEncoding::Sequential { max_labels: MAX_LABELS },
            BlockSize::ThreadLocal => BlockEncoding::ThreadLocal { max_labels: MAX_LABELS },
        };
    }
    config
}

/// Displays an automaton as a graph.
struct Dot<'a>(&'a Program);

impl fmt::Display for Dot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_dot(f, self.0)
    }
}
