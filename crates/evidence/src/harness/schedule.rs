//! The accesses of threads to shared memory and synchronisation objects, in the order of the execution.

use std::collections::HashMap;
use std::fmt::Write as _;

use ravelin_cfa::{ObjectKind, Op, Proc, Program, SyncOp, Var, VarKind, sync_ops};
use ravelin_interp::{Action, Event, ObjectRef, ObservedObject, WriteTarget};

use crate::execution::Execution;

/// The variables and objects of marks, with a number for each; 0 is none.
#[derive(Default)]
struct Objects {
    vars: HashMap<Var, usize>,
    instances: HashMap<ObjectRef, usize>,
    /// Their names, where other files can use these.
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
                    let is_global = data.kind == ObjectKind::Global;
                    is_global.then(|| program.name(data.name).to_owned())
                }
                Some(ObservedObject::Allocated(_) | ObservedObject::Environment(_)) | None => None,
            });
            names.len()
        })
    }
}

/// One action of a thread that the harness orders.
struct Mark {
    thread: u32,
    kind: usize,
    object: usize,
    offset: u64,
    size: u64,
    result: i64,
    /// The mark that has to be done before this one ends.
    after: Option<usize>,
    /// The function that does it.
    function: Proc,
}

const READ: usize = 0;
const WRITE: usize = 1;
const START: usize = 2;
const JOIN: usize = 3;
const END: usize = 4;
const SYNC: usize = 5;

/// The number of an operation in `assets/threads.c`.
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
        SyncOp::SemGetValue => 11,
        sync_ops!(life) => return None,
    };
    Some(SYNC + kind)
}

/// Writes the marks, and the objects that they are about.
pub(super) fn render(text: &mut String, execution: &Execution, is_seen: impl Fn(Proc) -> bool) {
    let program = &execution.program;
    let mut objects = Objects::default();
    let marks = marks_of(execution, &mut objects, is_seen);
    *text += "static const struct { int thread, kind, object; long offset, size, result; int after; \
              const char *function; } ravelin_marks[] = {\n";
    for Mark { thread, kind, object, offset, size, result, after, function } in &marks {
        let function = program.name(program.procs[*function].name);
        let after = after.map_or(-1, |after| after as i64);
        let _ = writeln!(
            text,
            "    {{{thread}, {kind}, {object}, {offset}, {size}, {result}, {after}, \"{function}\"}},"
        );
    }
    let _ = writeln!(
        text,
        "    {{-1, -1, 0, 0, 0, 0, -1, 0}},\n}};\n#define RAVELIN_OBJECTS {}",
        objects.names.len()
    );
    let last = execution.events.last().map_or(0, |event| event.thread.0);
    let _ = writeln!(text, "#define RAVELIN_LAST {last}");
    *text += "static char *ravelin_bases[RAVELIN_OBJECTS + 1];\n\
              static const char *const ravelin_names[] = {\"\",";
    for name in &objects.names {
        let _ = write!(text, " \"{}\",", name.as_deref().unwrap_or_default());
    }
    *text += "};\n\n";
}

fn marks_of(
    execution: &Execution,
    objects: &mut Objects,
    is_seen: impl Fn(Proc) -> bool,
) -> Vec<Mark> {
    let program = &execution.program;
    let mut marks: Vec<Mark> = Vec::new();
    // Waits at barriers that have not ended, by thread.
    let mut at_barrier: HashMap<u32, usize> = HashMap::new();
    let mut started = None;
    let bytes = |var: Var| program.bytes_of(program.vars[var].sort).unwrap_or(0);
    for event in &execution.events {
        let thread = event.thread.0;
        let result = result_of(program, event);
        if event.accesses.is_empty()
            && let Some(result) = result
            && let Some(waiting) = at_barrier.remove(&thread)
        {
            marks[waiting].result = result;
        }
        for access in &event.accesses {
            // The library writes the handle of a thread where it starts it.
            if started == Some((thread, access.pos))
                && matches!(access.action, Action::WriteMemory { .. })
            {
                started = None;
                continue;
            }
            let is_memory = matches!(
                access.action,
                Action::ReadVar { .. }
                    | Action::WriteVar { .. }
                    | Action::ReadMemory { .. }
                    | Action::WriteMemory { .. }
            );
            if is_memory && !is_seen(event.proc) {
                continue;
            }
            let mark = |kind| Mark {
                thread,
                kind,
                object: 0,
                offset: 0,
                size: 0,
                result: 0,
                after: None,
                function: event.proc,
            };
            match &access.action {
                Action::ReadVar { var, .. } | Action::WriteVar { var, .. } => {
                    let is_write = matches!(access.action, Action::WriteVar { .. });
                    let object = objects.of_var(program, *var);
                    let kind = if is_write { WRITE } else { READ };
                    marks.push(Mark { object, size: bytes(*var), ..mark(kind) });
                }
                Action::ReadMemory { cell, length, .. }
                | Action::WriteMemory { cell, length, .. } => {
                    let is_write = matches!(access.action, Action::WriteMemory { .. });
                    let object = objects.of_instance(program, cell.instance, cell.object);
                    let kind = if is_write { WRITE } else { READ };
                    marks.push(Mark { object, offset: cell.offset, size: *length, ..mark(kind) });
                }
                Action::Start { thread: new, .. } => {
                    marks.push(Mark { result: new.0.into(), ..mark(START) });
                    started = Some((thread, access.pos));
                }
                Action::Join { .. } => marks.push(mark(JOIN)),
                Action::End => marks.push(mark(END)),
                Action::AtomicBegin | Action::AtomicEnd => {}
                Action::Sync(sync) => {
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

/// The result of a call of a synchronisation function in a step.
fn result_of(program: &Program, event: &Event) -> Option<i64> {
    let labels = &program.procs[event.proc].edges[event.edge?].labels;
    let dst = labels.iter().find_map(|label| match label.op {
        Op::Sync { dst, .. } => dst,
        _ => None,
    })?;
    let write = event.writes.iter().find(|it| it.target == WriteTarget::Var(dst))?;
    write.value.as_signed().and_then(|value| i64::try_from(value).ok())
}
