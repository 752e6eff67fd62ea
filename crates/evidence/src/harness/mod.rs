//! An execution as a C file that makes gcc's program fail in the same way.
//!
//! Undefined functions return the environment inputs of the execution (`environment_inputs`, `functions`). Library
//! functions whose results are open, or in which threads meet, are Ravelin's own models (`library`). The calls that
//! `gcc -fsanitize=thread` inserts before accesses to memory order the steps of threads (`schedule`): the file takes the
//! place of the sanitizer's runtime (`assets/threads.c`).
//!
//! Where the error is undefined behaviour, nothing happens by itself: gcc's sanitizers detect it, as far as they have a
//! check for it that goes together with the order of threads (`Detector`).

mod environment_inputs;
mod functions;
mod library;
mod schedule;

use std::fmt::Write as _;

use ravelin_cfa::{Program, Property};
use ravelin_interp::Action;

use self::environment_inputs::EnvironmentInputs;
use self::library::Models;
use crate::execution::Execution;

/// The exit code of a program that does not follow the execution.
const NOT_REPRODUCED: u8 = 2;

/// The files of a program, quoted for a shell.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub files: Vec<SourceFile>,
    /// The harness, and the object file of its library.
    pub harness: String,
    pub library: String,
    /// The calls in the files.
    pub calls: Vec<Call>,
}

/// A file, its object file, and the compiler's options for it.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub path: String,
    pub object: String,
    pub options: Vec<String>,
}

/// A call of a function by its name.
#[derive(Clone, Debug)]
pub struct Call {
    pub name: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// A C file, and the inputs that it cannot reproduce.
#[derive(Clone, Debug)]
pub struct Rendered {
    pub text: String,
    /// In words; the failure may depend on it.
    pub left_out: Vec<String>,
}

/// What makes an error visible in a compiled program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detector {
    /// The harness: errors are calls.
    Calls,
    /// gcc's sanitizers.
    Sanitizers,
    /// The one for undefined behaviour, beside the order of threads.
    WithThreads,
    /// Nothing but the hardware.
    Nothing(&'static str),
}

const NO_ADDRESSES: &str =
    "a check of addresses, which gcc does not have beside the order of threads";
const NO_RACES: &str =
    "a report of the race, as the order of threads takes the place of gcc's sanitizer for threads";
const NO_ARGUMENTS: &str = "a check of the arguments of library functions";
const NO_VALUES: &str = "a check that variables have values";
const NO_LEAKS: &str = "a check of memory that is left";

impl Detector {
    fn of(execution: &Execution, has_threads: bool) -> Detector {
        let violated = execution.outcome.violation(execution.program.checked);
        let Some(error) = violated else { return Detector::Calls };
        match error.property() {
            Property::UnreachCall => Detector::Calls,
            Property::ValidMemtrack | Property::ValidMemcleanup => Detector::Nothing(NO_LEAKS),
            Property::NoDataRace => Detector::Nothing(NO_RACES),
            Property::ValidArguments => Detector::Nothing(NO_ARGUMENTS),
            Property::ValidInit => Detector::Nothing(NO_VALUES),
            _ if !has_threads => Detector::Sanitizers,
            Property::NoOverflow | Property::ValidArithmetic | Property::ValidBounds => {
                Detector::WithThreads
            }
            Property::ValidDeref
            | Property::ValidFree
            | Property::NoDeadlock
            | Property::Termination => Detector::Nothing(NO_ADDRESSES),
        }
    }

    /// The compiler's options.
    fn options(self) -> &'static str {
        match self {
            Detector::Calls | Detector::Nothing(_) => "",
            Detector::Sanitizers => {
                " -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
            }
            Detector::WithThreads => " -g -fsanitize=undefined -fno-sanitize-recover=undefined",
        }
    }
}

/// A C file that makes the program of `sources` follow an execution of the source.
pub fn render(execution: &Execution, sources: &Sources) -> Rendered {
    let program = &execution.program;
    let models = Models::of(program);
    let mut inputs = environment_inputs::find(execution, &models, &sources.calls);
    let mut accesses = execution.events.iter().flat_map(|event| &event.accesses);
    // Threads that do nothing in the counterexample have to wait, too.
    let has_threads = accesses.any(|access| matches!(access.action, Action::Start { .. }));
    let detector = Detector::of(execution, has_threads);
    if let Detector::Nothing(lack) = detector {
        inputs.left_out.push(lack.to_owned());
    }
    let compiled = models.compiled(execution, has_threads);
    let library = models.render(&compiled);
    let mut text = String::new();
    let how = Compiling { has_threads, has_library: !library.is_empty(), detector };
    heading(&mut text, program, sources, &inputs, how);
    // Writing to a string cannot fail, here and below.
    let _ = write!(text, "#ifdef RAVELIN_LIBRARY\n{library}\n#else\n\n{INCLUDES}\n");
    functions::memory(&mut text, program, &inputs);
    functions::inputs(&mut text, &inputs);
    text +=
        if has_threads { "#define RAVELIN_THREAD __thread\n" } else { "#define RAVELIN_THREAD\n" };
    let _ = writeln!(text, "#define RAVELIN_NOT_REPRODUCED {NOT_REPRODUCED}");
    if detector != Detector::Calls {
        text += "#define RAVELIN_UNDEFINED\n";
    }
    text += "\n";
    text += include_str!("../../assets/inputs.c");
    functions::render(&mut text, program, &inputs, &sources.calls);
    models.render_values(&mut text, &compiled);
    if has_threads {
        let is_seen = |proc| models.is_seen(&compiled, proc);
        schedule::render(&mut text, execution, is_seen);
        text += include_str!("../../assets/threads.c");
    } else {
        text += "static int ravelin_is_last(void) { return 1; }\n";
    }
    text += "\n#endif\n";
    Rendered { text, left_out: inputs.left_out }
}

const INCLUDES: &str = "\
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
";

/// How a program is compiled.
#[derive(Clone, Copy, Debug)]
struct Compiling {
    has_threads: bool,
    has_library: bool,
    detector: Detector,
}

fn heading(
    text: &mut String,
    program: &Program,
    sources: &Sources,
    inputs: &EnvironmentInputs,
    Compiling { has_threads, has_library, detector }: Compiling,
) {
    // The end of a comment in a name would end this comment.
    let one_line = |text: String| text.replace("*/", "* /").replace(['\n', '\r'], " ");
    let model = if program.data_model.pointer_bytes() == 4 { " -m32" } else { "" };
    // The harness could not order calls that the compiler expands itself.
    let order = if has_threads { " -fsanitize=thread -fno-builtin" } else { "" };
    let (detect, sanitize) = (detector.options(), format!("{order}{}", detector.options()));
    let mut commands = Vec::new();
    for SourceFile { path, object, options } in &sources.files {
        let options: String = options.iter().map(|option| format!(" {option}")).collect();
        commands.push(format!(
            "gcc{model} -O0 -w{sanitize} -finstrument-functions{options} -c {path} -o {object}"
        ));
    }
    let Sources { harness, library, .. } = sources;
    let mut objects: Vec<&str> = sources.files.iter().map(|file| &*file.object).collect();
    if has_library {
        commands.push(format!(
            "gcc{model} -O0 -w{sanitize} -DRAVELIN_LIBRARY -c {harness} -o {library}"
        ));
        objects.push(library);
    }
    let wrap = if inputs.has_arguments { " -Wl,--wrap=main" } else { "" };
    let objects = objects.join(" ");
    commands.push(format!(
        "gcc{model} -O0 -w{detect} -no-pie{wrap} {harness} {objects} -o failing -lm -ldl -lpthread"
    ));
    commands.push(format!("rm {objects}"));
    commands.push("./failing".to_owned());
    *text += "/* Makes a program fail as in a counterexample of Ravelin.\n\n";
    for command in commands {
        let _ = writeln!(text, "       {}", one_line(command));
    }
    let _ = write!(text, "\n   The exit code is {NOT_REPRODUCED} if the program goes another way.");
    if !inputs.left_out.is_empty() {
        *text += "\n   The execution depends on what this file cannot give the program, and it may well do so:";
        for what in &inputs.left_out {
            let _ = write!(text, "\n   - {}", one_line(what.clone()));
        }
    }
    *text += " */\n\n";
}
