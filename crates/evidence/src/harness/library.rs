//! Library functions as Ravelin models them, where gcc's program needs the same.
//!
//! A function whose result is open (`rand`, `scanf`) returns the values of the execution; one in which threads meet
//! (`pthread_once`), or which calls back (`qsort`), does so in the same steps. Such functions are compiled from the
//! texts that the verifier reads.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use ravelin_base::SrcPos;
use ravelin_cfa::{Callee, Op, Proc, Program};
use ravelin_frontend::{CModel, library_aliases, library_conditions, library_models};
use ravelin_interp::Event;

use crate::execution::Execution;

/// Parts of models that `assets/threads.c` has itself, or that only the verifier can do.
const NOT_FOR_COMPILERS: &[&str] = &[
    "__ravelin_thread_join",
    "__ravelin_mutex_init",
    "__ravelin_semaphore_value",
    "__ravelin_destroy_values",
    "__ravelin_mutex_timedlock",
    "__ravelin_cond_timedwait",
    "__ravelin_exit_now",
    "__ravelin_undefined",
    // The contents of real streams belong to the library.
    "((int *)file)",
    // Handlers that the C library itself keeps and calls.
    "__ravelin_exit_functions",
    "__ravelin_quick_functions",
    "__ravelin_threads_left",
    "__ravelin_cleanups",
    "__ravelin_requests",
    "__ravelin_handlers",
    // These print, and programs hardly ever read their results.
    "__ravelin_check_format",
];

/// Functions that the harness does not replace: `assets/threads.c` has the first three; programs share the others with
/// the rest of the C library.
const NOT_REPLACED: &[&str] =
    &["nanosleep", "sem_trywait", "thrd_join", "__errno_location", "__VERIFIER_assert"];

/// The functions that models take open values from: the end of the name, the type, and the function that gives the value.
const OPEN_VALUES: &[(&str, &str, &str)] = &[
    ("int", "int", "ravelin_input"),
    ("long", "long", "ravelin_input"),
    ("llong", "long long", "ravelin_input"),
    ("float", "float", "ravelin_float"),
    ("double", "double", "ravelin_double"),
];

/// The models of functions that a program calls.
#[derive(Debug)]
pub(super) struct Models {
    list: Vec<Model>,
    of_procs: BTreeMap<Proc, usize>,
}

#[derive(Debug)]
struct Model {
    /// The name in positions.
    file: String,
    /// The first line of its text, and the first after it.
    lines: std::ops::Range<u32>,
    /// The functions it defines.
    functions: Vec<&'static str>,
    text: &'static str,
}

impl Models {
    pub(super) fn of(program: &Program) -> Models {
        let mut models = Models { list: all(), of_procs: BTreeMap::new() };
        for (proc, procedure) in program.procs.iter() {
            if let Some(index) = models.index_at(program, procedure.pos) {
                models.of_procs.insert(proc, index);
            }
        }
        models
    }

    fn index_at(&self, program: &Program, pos: SrcPos) -> Option<usize> {
        if pos.is_none() {
            return None;
        }
        let file = program.name(pos.file);
        self.list.iter().position(|model| model.file == file && model.lines.contains(&pos.line))
    }

    /// The model whose text has this position, by the first function in it.
    pub(super) fn at(&self, program: &Program, pos: SrcPos) -> Option<&'static str> {
        self.list[self.index_at(program, pos)?].functions.first().copied()
    }

    /// The models that are compiled with the program.
    pub(super) fn compiled(&self, execution: &Execution, has_threads: bool) -> BTreeSet<usize> {
        let program = &execution.program;
        let mut chosen = BTreeSet::new();
        for &index in self.of_procs.values() {
            let text = self.list[index].text;
            if text.contains("__ravelin_any_") || text.contains("extern unsigned __ravelin_") {
                chosen.insert(index);
            }
        }
        let mut calls = Vec::new();
        program.for_each_label(|proc, label| {
            let Some(&model) = self.of_procs.get(&proc) else { return };
            match &label.op {
                Op::Call { callee: Callee::Pointer(_), .. } => {
                    chosen.insert(model);
                }
                Op::Call { callee: Callee::Direct(callee), .. } => {
                    if let Some(&callee) = self.of_procs.get(callee) {
                        calls.push((model, callee));
                    }
                }
                Op::Sync { .. } if has_threads => {
                    chosen.insert(model);
                }
                _ => {}
            }
        });
        // Accesses of threads in a model have to be in compiled code, where the harness can order them.
        let accesses = |event: &&Event| has_threads && !event.accesses.is_empty();
        for event in execution.events.iter().filter(accesses) {
            chosen.extend(self.of_procs.get(&event.proc));
        }
        loop {
            let before = chosen.len();
            for &(caller, callee) in &calls {
                if chosen.contains(&callee) {
                    chosen.insert(caller);
                }
                // No library has the functions that only models call.
                if chosen.contains(&caller) && self.list[callee].is_helper() {
                    chosen.insert(callee);
                }
            }
            if chosen.len() == before {
                break;
            }
        }
        chosen.retain(|&index| self.list[index].is_for_compilers());
        chosen
    }

    /// Whether the harness can order the accesses of a procedure in gcc's program: it does not see those in the C library.
    pub(super) fn is_seen(&self, compiled: &BTreeSet<usize>, proc: Proc) -> bool {
        self.of_procs.get(&proc).is_none_or(|model| compiled.contains(model))
    }

    /// The text of the models that gcc's program needs, without headers.
    pub(super) fn render(&self, compiled: &BTreeSet<usize>) -> String {
        let mut text = String::new();
        for (name, then) in library_conditions() {
            if self.is_called(compiled, then) {
                let _ = writeln!(text, "#define {name} {then}");
            }
        }
        for &index in compiled {
            let model = &self.list[index];
            for (name, _, _) in OPEN_VALUES {
                let _ = writeln!(
                    text,
                    "#undef __ravelin_any_{name}\n\
                     #define __ravelin_any_{name} ravelin_any_{name}_{index}"
                );
            }
            // A file that is opened has to be one that can be closed.
            text += &model.text.replace("malloc(256)", "__ravelin_file()");
            for (alias, function) in library_aliases() {
                if model.functions.contains(function) {
                    let _ =
                        writeln!(text, "__asm__(\".weak {alias}\\n.set {alias}, {function}\");");
                }
            }
        }
        match compiled.is_empty() {
            true => String::new(),
            false => format!("void *__ravelin_file(void);\n{text}"),
        }
    }

    /// Whether the program has a function that models call under a condition.
    fn is_called(&self, compiled: &BTreeSet<usize>, function: &str) -> bool {
        let has = |index: &usize| self.list[*index].functions.contains(&function);
        match function.starts_with("__ravelin") {
            true => compiled.iter().any(has),
            false => self.of_procs.values().any(has),
        }
    }

    /// Defines the functions that these models take open values from, and those that do nothing here.
    pub(super) fn render_values(&self, text: &mut String, compiled: &BTreeSet<usize>) {
        for (name, then) in library_conditions() {
            let is_needed = compiled.iter().any(|&index| self.list[index].text.contains(name));
            if is_needed && !self.is_called(compiled, then) {
                let _ = writeln!(text, "int {name}() {{ return 0; }}");
            }
        }
        for &index in compiled {
            let Some(function) = self.list[index].functions.first() else { continue };
            for (name, ty, give) in OPEN_VALUES {
                let _ = writeln!(
                    text,
                    "{ty} ravelin_any_{name}_{index}(void) {{ return {give}(\"%{function}\"); }}"
                );
            }
        }
    }
}

impl Model {
    /// Whether only other models call it.
    fn is_helper(&self) -> bool {
        self.functions.iter().all(|name| name.starts_with("__ravelin"))
    }

    fn is_for_compilers(&self) -> bool {
        let is_other = |name: &&str| NOT_REPLACED.contains(name);
        !NOT_FOR_COMPILERS.iter().any(|part| self.text.contains(part))
            && !self.functions.iter().any(is_other)
    }
}

fn all() -> Vec<Model> {
    let models = library_models().into_iter();
    models
        .map(|(functions, CModel { text, file, line, .. })| Model {
            file: format!("<ravelin>/{file}"),
            lines: line..line + text.lines().count() as u32,
            functions,
            text,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_has_its_own_text() {
        for model in all() {
            for function in &model.functions {
                assert!(model.text.contains(&format!("{function}(")), "{function}");
            }
        }
    }
}
