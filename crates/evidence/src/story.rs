//! An execution for a report: what each step reads and writes, where pointers lead, who holds which lock.

use std::collections::BTreeMap;

use ravelin_base::{Budget, SrcPos};
use ravelin_cfa::{Program, Var, VarKind};
use ravelin_interp::{
    Cell, Deed, Event, Interpreter, ObjectRef, Replay, Run, RunConfig, Schedule, ThreadId, Value,
    WriteTarget,
};
use ravelin_report::model::{
    Frame, LockChange, Place, Pointing, Position, Read, Step, Thread, Trace, Write,
};

use crate::steps::{Key, MarkKind, Teller, thread_names};

/// The source files that a story speaks of, in the order in which it first does.
#[derive(Debug, Default)]
pub struct Files {
    pub names: Vec<String>,
}

impl Files {
    /// Where something stands, if that is in a file.
    pub fn position(&mut self, program: &Program, pos: SrcPos) -> Option<Position> {
        let name = program.name(pos.file);
        if pos.is_none() || name.starts_with('<') {
            return None;
        }
        let file = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        Some(Position { file, line: pos.line, column: pos.column })
    }
}

/// Makes an execution of `program` again, and tells it.
pub fn tell(program: &Program, schedule: &Schedule, files: &mut Files, budget: Budget) -> Trace {
    let config = RunConfig { budget, trace: true, accesses: true, ..RunConfig::default() };
    let run = Interpreter::new(program).run(&mut Replay::new(schedule.clone()), &config);
    let names = thread_names(program, &run);
    let mut story = Story {
        program,
        files,
        threads: names.keys().copied().collect(),
        names: &names,
        has_several: names.len() > 1,
        steps: Vec::new(),
        key: None,
    };
    story.steps(&run);
    let Story { steps, .. } = story;
    let thread = |(id, name): (&ThreadId, &String)| Thread { number: id.0, name: name.clone() };
    Trace { threads: names.iter().map(thread).collect(), steps }
}

struct Story<'a> {
    program: &'a Program,
    files: &'a mut Files,
    threads: Vec<ThreadId>,
    names: &'a BTreeMap<ThreadId, String>,
    /// Whether there is anybody to share anything with.
    has_several: bool,
    steps: Vec<Step>,
    /// What tells the last step from others.
    key: Option<Key>,
}

impl Story<'_> {
    fn steps(&mut self, run: &Run) {
        let mut teller = Teller::new(self.program, run, self.names);
        for event in &run.trace {
            let locks = teller.locks.clone();
            let place = teller.place(event);
            let marks = teller.marks(event, place.in_model);
            let mut step = Step {
                thread: self.thread(event.thread),
                at: self.files.position(self.program, place.pos),
                function: self.program.name(self.program.procs[place.key.proc].name).to_owned(),
                ..Step::default()
            };
            for mark in marks {
                match mark.kind {
                    MarkKind::Sync | MarkKind::Thread => step.notes.push(mark.text),
                    MarkKind::Input => {
                        let (name, value) = mark.text.split_once(" = ").unwrap_or_default();
                        step.inputs.push((name.to_owned(), value.to_owned()));
                    }
                    // These come with what they are about, below.
                    MarkKind::Private | MarkKind::Shared => {}
                }
            }
            self.variables(&teller, event, place.in_model, &mut step);
            for access in &event.accesses {
                self.deed(&teller, &access.deed, &mut step);
            }
            for (lock, holders) in &teller.locks {
                if locks.get(lock) != Some(holders) {
                    let owners = holders.iter().map(|&holder| self.thread(holder)).collect();
                    step.locks.push(LockChange { lock: lock.clone(), owners });
                }
            }
            for lock in locks.keys().filter(|lock| !teller.locks.contains_key(*lock)) {
                step.locks.push(LockChange { lock: lock.clone(), owners: Vec::new() });
            }
            self.add(place.key, step);
        }
    }

    /// What a thread does on a line in one go is one step.
    fn add(&mut self, key: Key, step: Step) {
        let says_nothing = step.notes.is_empty()
            && step.inputs.is_empty()
            && step.reads.is_empty()
            && step.writes.is_empty();
        match self.steps.last_mut() {
            Some(last) if self.key == Some(key) => {
                last.notes.extend(step.notes);
                last.inputs.extend(step.inputs);
                last.reads.extend(step.reads);
                last.writes.extend(step.writes);
                last.points_to.extend(step.points_to);
                last.locks.extend(step.locks);
            }
            _ if step.at.is_none() && says_nothing => {}
            _ => {
                self.steps.push(step);
                self.key = Some(key);
            }
        }
    }

    /// The position of a thread in the list of threads.
    fn thread(&self, thread: ThreadId) -> usize {
        self.threads.iter().position(|&known| known == thread).unwrap_or(0)
    }

    /// What changes in the frame of the step.
    fn variables(&self, teller: &Teller<'_>, event: &Event, in_model: bool, step: &mut Step) {
        for write in &event.writes {
            let WriteTarget::Var(var) = write.target else { continue };
            let data = &self.program.vars[var];
            let name = self.program.name(data.name);
            // Temporaries are Ravelin's own.
            if self.program.is_shared_var(var) || name.contains('%') || in_model {
                continue;
            }
            let function = match data.kind {
                VarKind::Local(proc) => self.program.name(self.program.procs[proc].name).to_owned(),
                VarKind::Global { .. } | VarKind::ThreadLocal { .. } => step.function.clone(),
            };
            let frame = Frame { thread: step.thread, function };
            step.writes.push(Write {
                place: name.to_owned(),
                local_to: Some(frame),
                value: Some(teller.objects.value(write.value, data.signed)),
                shared: false,
            });
            self.points(teller, name, "", write.value, step);
        }
    }

    fn deed(&self, teller: &Teller<'_>, deed: &Deed, step: &mut Step) {
        let var_name = |var: Var| self.program.name(self.program.vars[var].name).to_owned();
        match deed {
            Deed::ReadVar { var, value } => {
                let signed = self.program.vars[*var].signed;
                step.reads.push(Read {
                    place: var_name(*var),
                    value: teller.objects.value(*value, signed),
                    shared: self.has_several && teller.shared.has_var(*var),
                });
            }
            Deed::WriteVar { var, value } => {
                let signed = self.program.vars[*var].signed;
                step.writes.push(Write {
                    place: var_name(*var),
                    local_to: None,
                    value: Some(teller.objects.value(*value, signed)),
                    shared: self.has_several && teller.shared.has_var(*var),
                });
                self.points(teller, &var_name(*var), "", *value, step);
            }
            Deed::ReadMemory { cell, value, .. } => {
                let value = value.map(|value| teller.objects.value(value, true));
                step.reads.push(Read {
                    place: teller.objects.cell(cell),
                    value: value.unwrap_or_else(|| "…".to_owned()),
                    shared: self.has_several && teller.shared.has(cell),
                });
            }
            Deed::WriteMemory { cell, value, .. } => {
                let text = value.map(|value| teller.objects.value(value, true));
                step.writes.push(Write {
                    place: teller.objects.cell(cell),
                    local_to: None,
                    value: Some(text.unwrap_or_else(|| "…".to_owned())),
                    shared: self.has_several && teller.shared.has(cell),
                });
                if let Some(value) = value {
                    let (object, part) = self.parts(teller, cell);
                    self.points(teller, &object, &part, *value, step);
                }
            }
            Deed::Start { .. }
            | Deed::Join { .. }
            | Deed::End
            | Deed::AtomicBegin
            | Deed::AtomicEnd
            | Deed::Sync(_) => {}
        }
    }

    /// The name of the object that a cell is in, and where in it.
    fn parts(&self, teller: &Teller<'_>, cell: &Cell) -> (String, String) {
        let object = teller.objects.place(cell.instance, 0);
        let part = if cell.offset == 0 { String::new() } else { format!("+{}", cell.offset) };
        (object, part)
    }

    /// Tells where a pointer leads from here on.
    fn points(&self, teller: &Teller<'_>, object: &str, part: &str, value: Value, step: &mut Step) {
        let Value::Ptr { object: target, offset } = value else { return };
        let to = match target {
            ObjectRef::NONE if offset == 0 => {
                Place { object: "NULL".to_owned(), part: String::new() }
            }
            ObjectRef::NONE => return,
            target => {
                let part = if offset == 0 { String::new() } else { format!("+{offset}") };
                Place { object: teller.objects.place(target, 0), part }
            }
        };
        let from = Place { object: object.to_owned(), part: part.to_owned() };
        step.points_to.push(Pointing { from, to: Some(to) });
    }
}
