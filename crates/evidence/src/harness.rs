//! An execution as a C file that makes gcc's program fail in the same way.
//!
//! Functions from outside give the inputs of the execution. The steps of threads are put in order by the
//! calls that `gcc -fsanitize=thread` inserts before accesses to memory: the file is linked in the place of
//! the sanitizer (`assets/threads.c`).

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use ravelin_cfa::{HavocKind, Op, Program, Sort, SyncOp, Var, VarKind};
use ravelin_interp::{Deed, Event, ObjectRef, ObservedObject, Run, Value, WriteTarget};
use ravelin_term::FloatKind;

/// The exit code of a program that went another way.
const NOT_REPRODUCED: u8 = 2;

/// A C file for the program that is made of `files`. `run` is one of the program as it stands in the source.
pub fn render(program: &Program, run: &Run, files: &[String], name: &str) -> String {
    let mut accesses = run.trace.iter().flat_map(|event| &event.accesses);
    // Threads that do nothing in the counterexample have to be kept from it.
    let has_threads = accesses.any(|access| matches!(access.deed, Deed::Start { .. }));
    let mut text = String::new();
    heading(&mut text, program, files, name, has_threads);
    inputs(&mut text, program, run);
    text +=
        if has_threads { "#define RAVELIN_THREAD __thread\n" } else { "#define RAVELIN_THREAD\n" };
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(text, "#define RAVELIN_NOT_REPRODUCED {NOT_REPRODUCED}\n");
    text += include_str!("../assets/inputs.c");
    functions(&mut text, program);
    if has_threads {
        schedule(&mut text, program, run);
        text += include_str!("../assets/threads.c");
    }
    text
}

fn heading(text: &mut String, program: &Program, files: &[String], name: &str, has_threads: bool) {
    let model = if program.data_model.pointer_bytes() == 4 { " -m32" } else { "" };
    let sources = files.join(" ");
    let one_line = |text: String| text.replace("*/", "* /").replace(['\n', '\r'], " ");
    *text += "/* Makes a program fail as in a counterexample of Ravelin.\n\n";
    if has_threads {
        for file in files {
            let object = format!("{file}.o");
            let command = format!("gcc{model} -O0 -w -fsanitize=thread -c {file} -o {object}");
            let _ = writeln!(text, "       {}", one_line(command));
        }
        let objects: Vec<String> = files.iter().map(|file| format!("{file}.o")).collect();
        let command =
            format!("gcc{model} -O0 -w -no-pie {name} {} -o failing -ldl", objects.join(" "));
        let _ = writeln!(text, "       {}", one_line(command));
    } else {
        let command = format!("gcc{model} -O0 -w {name} {sources} -o failing");
        let _ = writeln!(text, "       {}", one_line(command));
    }
    let _ = writeln!(
        text,
        "       ./failing\n\n   The exit code is {NOT_REPRODUCED} if the program goes another way. */\n\n\
         #define _GNU_SOURCE\n#include <dlfcn.h>\n#include <fcntl.h>\n#include <link.h>\n\
         #include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n#include <stdio.h>\n\
         #include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n#include <sys/stat.h>\n\
         #include <time.h>\n#include <unistd.h>\n"
    );
}

/// The values that functions from outside give, by thread.
fn inputs(text: &mut String, program: &Program, run: &Run) {
    *text += "static const struct { int thread; const char *function; unsigned long long bits; } \
              ravelin_inputs[] = {\n";
    for event in &run.trace {
        for (dst, name) in inputs_of(program, event) {
            let written = event.writes.iter().find(|it| it.target == WriteTarget::Var(dst));
            let bits = written.map_or(0, |write| match write.value {
                Value::Bool(value) => value.into(),
                Value::Bv { bits, .. } | Value::Float(_, bits) => bits as u64,
                Value::Ptr { offset, .. } => offset,
            });
            let _ = writeln!(text, "    {{{}, \"{name}\", {bits}ULL}},", event.thread.0);
        }
    }
    *text += "    {0, 0, 0},\n};\n";
}

fn inputs_of<'p>(program: &'p Program, event: &Event) -> Vec<(Var, &'p str)> {
    let Some(edge) = event.edge else { return Vec::new() };
    let labels = &program.procs[event.proc].edges[edge].labels;
    let input = |label: &ravelin_cfa::Label| match label.op {
        Op::Havoc { dst, kind: HavocKind::Input(name) | HavocKind::Extern(name) } => {
            Some((dst, program.name(name)))
        }
        _ => None,
    };
    labels.iter().filter_map(input).collect()
}

/// The functions from outside that the program calls for a value.
fn functions(text: &mut String, program: &Program) {
    let mut found: BTreeMap<&str, Sort> = BTreeMap::new();
    program.for_each_label(|_, label| {
        if let Op::Havoc { dst, kind: HavocKind::Input(name) | HavocKind::Extern(name) } = label.op
        {
            found.entry(program.name(name)).or_insert(program.vars[dst].sort);
        }
    });
    *text += "\n";
    for (name, sort) in found {
        let (ty, give) = match sort {
            Sort::Float(FloatKind::F32) => ("float", "ravelin_float"),
            Sort::Float(_) => ("double", "ravelin_double"),
            Sort::Bool | Sort::Bv(_) | Sort::Ptr | Sort::Mem => {
                ("unsigned long long", "ravelin_input")
            }
        };
        let _ = writeln!(text, "{ty} {name}() {{ return {give}(\"{name}\"); }}");
    }
    *text += "\n";
}

/// Things in memory that marks are about, with a number for each; 0 is none.
#[derive(Default)]
struct Objects {
    vars: HashMap<Var, usize>,
    instances: HashMap<ObjectRef, usize>,
    /// The names of those that other files can name.
    names: Vec<Option<String>>,
}

impl Objects {
    fn of_var(&mut self, program: &Program, var: Var) -> usize {
        let names = &mut self.names;
        *self.vars.entry(var).or_insert_with(|| {
            let data = &program.vars[var];
            let is_global = matches!(data.kind, VarKind::Global { .. });
            names.push(is_global.then(|| program.name(data.name).to_owned()));
            names.len()
        })
    }

    fn of_instance(
        &mut self,
        program: &Program,
        instance: ObjectRef,
        object: Option<ObservedObject>,
    ) -> usize {
        let names = &mut self.names;
        *self.instances.entry(instance).or_insert_with(|| {
            names.push(match object {
                Some(ObservedObject::Object(object)) => {
                    let data = &program.objects[object];
                    let is_global = data.kind == ravelin_cfa::ObjectKind::Global;
                    is_global.then(|| program.name(data.name).to_owned())
                }
                Some(ObservedObject::Allocated(_) | ObservedObject::Environment(_)) | None => None,
            });
            names.len()
        })
    }
}

/// One thing that a thread does to what threads share.
struct Mark {
    thread: u32,
    kind: usize,
    object: usize,
    offset: u64,
    size: u64,
    result: i64,
    /// What has to be done before it is over.
    after: Option<usize>,
}

const READ: usize = 0;
const WRITE: usize = 1;
const START: usize = 2;
const JOIN: usize = 3;
const END: usize = 4;
const SYNC: usize = 5;

/// The place of an operation among those that `assets/threads.c` knows.
fn sync_kind(op: SyncOp) -> Option<usize> {
    let kind = match op {
        SyncOp::MutexLock | SyncOp::MutexTryLock | SyncOp::MutexTimedLock => 0,
        SyncOp::MutexUnlock => 1,
        SyncOp::CondWait | SyncOp::CondTimedWait => 2,
        SyncOp::CondSignal => 3,
        SyncOp::CondBroadcast => 4,
        SyncOp::RwReadLock | SyncOp::RwTryReadLock => 5,
        SyncOp::RwWriteLock | SyncOp::RwTryWriteLock => 6,
        SyncOp::RwUnlock => 7,
        SyncOp::BarrierWait => 8,
        SyncOp::SemWait | SyncOp::SemTryWait => 9,
        SyncOp::SemPost => 10,
        SyncOp::MutexInit
        | SyncOp::MutexDestroy
        | SyncOp::RwInit
        | SyncOp::RwDestroy
        | SyncOp::CondInit
        | SyncOp::CondDestroy
        | SyncOp::BarrierInit
        | SyncOp::BarrierDestroy
        | SyncOp::SemInit
        | SyncOp::SemDestroy
        | SyncOp::SemGetValue => return None,
    };
    Some(SYNC + kind)
}

fn schedule(text: &mut String, program: &Program, run: &Run) {
    let mut objects = Objects::default();
    let marks = marks_of(program, run, &mut objects);
    *text += "static const struct { int thread, kind, object; long offset, size, result; int after; } \
              ravelin_marks[] = {\n";
    for Mark { thread, kind, object, offset, size, result, after } in &marks {
        let after = after.map_or(-1, |after| after as i64);
        let _ = writeln!(
            text,
            "    {{{thread}, {kind}, {object}, {offset}, {size}, {result}, {after}}},"
        );
    }
    let _ = writeln!(
        text,
        "    {{-1, -1, 0, 0, 0, 0, -1}},\n}};\n#define RAVELIN_OBJECTS {}",
        objects.names.len()
    );
    let last = run.trace.last().map_or(0, |event| event.thread.0);
    let _ = writeln!(text, "#define RAVELIN_LAST {last}");
    *text += "static char *ravelin_bases[RAVELIN_OBJECTS + 1];\n\
              static const char *const ravelin_names[] = {\"\",";
    for name in &objects.names {
        let _ = write!(text, " \"{}\",", name.as_deref().unwrap_or_default());
    }
    *text += "};\n\n";
}

fn marks_of(program: &Program, run: &Run, objects: &mut Objects) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    // Waits at barriers that are not over, by thread.
    let mut at_barrier: HashMap<u32, usize> = HashMap::new();
    let mut started = None;
    let bytes = |var: Var| program.bytes_of(program.vars[var].sort).unwrap_or(0);
    for event in &run.trace {
        let thread = event.thread.0;
        let result = result_of(program, event);
        if event.accesses.is_empty()
            && let Some(result) = result
            && let Some(waiting) = at_barrier.remove(&thread)
        {
            marks[waiting].result = result;
        }
        for access in &event.accesses {
            // The handle of a thread is written where it is started, by the library.
            if started == Some((thread, access.pos))
                && matches!(access.deed, Deed::WriteMemory { .. })
            {
                started = None;
                continue;
            }
            let mark =
                |kind| Mark { thread, kind, object: 0, offset: 0, size: 0, result: 0, after: None };
            match &access.deed {
                Deed::ReadVar { var, .. } | Deed::WriteVar { var, .. } => {
                    let is_write = matches!(access.deed, Deed::WriteVar { .. });
                    let object = objects.of_var(program, *var);
                    let kind = if is_write { WRITE } else { READ };
                    marks.push(Mark { object, size: bytes(*var), ..mark(kind) });
                }
                Deed::ReadMemory { cell, length, .. } | Deed::WriteMemory { cell, length, .. } => {
                    let is_write = matches!(access.deed, Deed::WriteMemory { .. });
                    let object = objects.of_instance(program, cell.instance, cell.object);
                    let kind = if is_write { WRITE } else { READ };
                    marks.push(Mark { object, offset: cell.offset, size: *length, ..mark(kind) });
                }
                Deed::Start { thread: new, .. } => {
                    marks.push(Mark { result: new.0.into(), ..mark(START) });
                    started = Some((thread, access.pos));
                }
                Deed::Join { .. } => marks.push(mark(JOIN)),
                Deed::End => marks.push(mark(END)),
                Deed::AtomicBegin | Deed::AtomicEnd => {}
                Deed::Sync(sync) => {
                    let Some(kind) = sync_kind(sync.op) else { continue };
                    for woken in &sync.woken {
                        if let Some(&waiting) = at_barrier.get(&woken.0) {
                            marks[waiting].after = Some(marks.len());
                        }
                    }
                    if sync.op == SyncOp::BarrierWait && sync.result.is_none() {
                        at_barrier.insert(thread, marks.len());
                    }
                    let result = result.or(sync.result.map(i64::from)).unwrap_or(0);
                    marks.push(Mark { result, ..mark(kind) });
                }
            }
        }
    }
    marks
}

/// What a call to a synchronisation function returned in a step.
fn result_of(program: &Program, event: &Event) -> Option<i64> {
    let labels = &program.procs[event.proc].edges[event.edge?].labels;
    let dst = labels.iter().find_map(|label| match label.op {
        Op::Sync { dst, .. } => dst,
        _ => None,
    })?;
    let write = event.writes.iter().find(|it| it.target == WriteTarget::Var(dst))?;
    write.value.as_signed().and_then(|value| i64::try_from(value).ok())
}
