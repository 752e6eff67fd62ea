//! An execution as a C file that makes gcc's program fail in the same way.
//!
//! Functions from outside give the inputs of the execution (`given`, `functions`), and library functions whose
//! results are open, or which threads meet in, are Ravelin's own models (`library`). The steps of threads are put
//! in order by the calls that `gcc -fsanitize=thread` inserts before accesses to memory (`schedule`): the file is
//! linked in the place of the sanitizer (`assets/threads.c`).

mod functions;
mod given;
mod library;
mod schedule;

use std::fmt::Write as _;

use ravelin_cfa::Program;
use ravelin_interp::{Deed, Run};

use given::Given;
use library::Models;

/// The exit code of a program that went another way.
const NOT_REPRODUCED: u8 = 2;

/// What a program was made of, as a shell takes it.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub files: Vec<SourceFile>,
    /// The file that is written here, and the one that its library is compiled to.
    pub harness: String,
    pub library: String,
    /// The calls that stand in the files.
    pub calls: Vec<Call>,
}

/// A file, what it is compiled to, and the compiler's options for it.
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

/// A C file, and what it does not give the program.
#[derive(Clone, Debug)]
pub struct Rendered {
    pub text: String,
    /// In words; the failure may depend on it.
    pub left_out: Vec<String>,
}

/// A C file for the program that is made of `sources`. `run` is one of the program as it stands in the source.
pub fn render(program: &Program, run: &Run, sources: &Sources) -> Rendered {
    let models = Models::of(program);
    let (run, given) = given::find(program, run, &models, &sources.calls);
    let mut accesses = run.trace.iter().flat_map(|event| &event.accesses);
    // Threads that do nothing in the counterexample have to be kept from it.
    let has_threads = accesses.any(|access| matches!(access.deed, Deed::Start { .. }));
    let compiled = models.compiled(program, &run, has_threads);
    let library = models.render(&compiled);
    let mut text = String::new();
    heading(&mut text, program, sources, &given, has_threads, !library.is_empty());
    // Writing to a string cannot fail, here and below.
    let _ = write!(text, "#ifdef RAVELIN_LIBRARY\n{library}\n#else\n\n{INCLUDES}\n");
    functions::memory(&mut text, program, &given);
    functions::inputs(&mut text, &given);
    text +=
        if has_threads { "#define RAVELIN_THREAD __thread\n" } else { "#define RAVELIN_THREAD\n" };
    let _ = writeln!(text, "#define RAVELIN_NOT_REPRODUCED {NOT_REPRODUCED}\n");
    text += include_str!("../../assets/inputs.c");
    functions::render(&mut text, program, &given, &sources.calls);
    models.render_values(&mut text, &compiled);
    if has_threads {
        let is_seen = |proc| models.is_seen(&compiled, proc);
        schedule::render(&mut text, program, &run, is_seen);
        text += include_str!("../../assets/threads.c");
    } else {
        text += "static int ravelin_is_last(void) { return 1; }\n";
    }
    text += "\n#endif\n";
    Rendered { text, left_out: given.left_out }
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

fn heading(
    text: &mut String,
    program: &Program,
    sources: &Sources,
    given: &Given,
    has_threads: bool,
    has_library: bool,
) {
    // What ends a comment in a name would end this one.
    let one_line = |text: String| text.replace("*/", "* /").replace(['\n', '\r'], " ");
    let model = if program.data_model.pointer_bytes() == 4 { " -m32" } else { "" };
    // Calls that the compiler does the work of itself could not be put in order.
    let sanitize = if has_threads { " -fsanitize=thread -fno-builtin" } else { "" };
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
    let wrap = if given.has_arguments { " -Wl,--wrap=main" } else { "" };
    let objects = objects.join(" ");
    commands.push(format!(
        "gcc{model} -O0 -w -no-pie{wrap} {harness} {objects} -o failing -lm -ldl -lpthread"
    ));
    commands.push(format!("rm {objects}"));
    commands.push("./failing".to_owned());
    *text += "/* Makes a program fail as in a counterexample of Ravelin.\n\n";
    for command in commands {
        let _ = writeln!(text, "       {}", one_line(command));
    }
    let _ = write!(text, "\n   The exit code is {NOT_REPRODUCED} if the program goes another way.");
    if !given.left_out.is_empty() {
        *text += "\n   The execution depends on what this file cannot give the program, and it may well do so:";
        for what in &given.left_out {
            let _ = write!(text, "\n   - {}", one_line(what.clone()));
        }
    }
    *text += " */\n\n";
}
