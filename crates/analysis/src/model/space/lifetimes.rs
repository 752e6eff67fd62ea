//! How long variables and objects of frames matter: liveness, lifetimes, and pointers that outlive their objects.

use std::rc::Rc;

use ravelin_base::{EntitySet, SecondaryMap, SrcPos};
use ravelin_cfa::flow::liveness::{Liveness, liveness};
use ravelin_cfa::flow::locals::Locals;
use ravelin_cfa::{FreeKind, Loc, Op, Proc, Program};
use ravelin_pointsto::PointsTo;
use ravelin_term::{Object, Var};
use rustc_hash::FxHashMap;

use super::dangling::{Dangling, Ending};
use super::{Activation, Space, Thread};
use crate::model::control_flow::{is_called, on_cycles};
use crate::model::statement::{Statement, Update};

/// Facts about lifetimes, by procedure and object.
#[derive(Debug)]
pub(super) struct Lifetimes {
    locals: Locals,
    liveness: FxHashMap<Proc, Rc<Liveness>>,
    /// Objects of the first frame whose lifetime begins at one place, outside of loops.
    begun_once: EntitySet<Object>,
    pub(super) dangling: Dangling,
}

impl Lifetimes {
    pub(super) fn of(program: &Program, points_to: Option<&PointsTo>) -> Self {
        let locals = Locals::of(program);
        let dangling = Dangling::of(program, &locals, points_to);
        Lifetimes {
            locals,
            liveness: FxHashMap::default(),
            begun_once: begun_once(program),
            dangling,
        }
    }

    /// The locals of a procedure that may be read before they are written, from a location on.
    fn live_locals(&mut self, program: &Program, proc: Proc, at: Loc) -> Vec<Var> {
        let Lifetimes { locals, liveness: known, .. } = self;
        let procedure = &program.procs[proc];
        let liveness = known
            .entry(proc)
            .or_insert_with(|| Rc::new(liveness(program, locals, proc, procedure)));
        let live = liveness.at(at);
        let mut found: Vec<Var> = locals.list(proc).to_vec();
        found.retain(|var| {
            let number = locals.number(program, *var);
            number.is_some_and(|number| live.contains(number))
        });
        found
    }
}

impl Space<'_> {
    /// The instances of a procedure's locals in a frame.
    pub fn locals_of(&mut self, proc: Proc, of: Activation) -> Vec<Var> {
        let locals = self.lifetimes.locals.list(proc).to_vec();
        locals.into_iter().map(|var| self.instance(var, of)).collect()
    }

    /// The locals that a procedure may read before it writes them, in a frame.
    pub fn read_uninitialised(&mut self, proc: Proc, of: Activation) -> Vec<Var> {
        let procedure = &self.program.procs[proc];
        let mut found = self.live_locals(proc, procedure.entry, of);
        found.retain(|&var| !procedure.params.contains(&self.program_var(var)));
        found
    }

    /// The locals of a frame that may be read before they are written, from a location of its procedure on.
    pub fn live_locals(&mut self, proc: Proc, at: Loc, of: Activation) -> Vec<Var> {
        let found = self.lifetimes.live_locals(self.program, proc, at);
        found.into_iter().map(|var| self.instance(var, of)).collect()
    }

    /// Whether the lifetime of a local object begins at most once in a run.
    pub fn is_begun_once(&self, object: Object) -> bool {
        self.lifetimes.begun_once.contains(object)
    }

    /// Whether pointers to an object may be left when its block or thread ends.
    pub fn may_dangle(&self, object: Object) -> bool {
        self.lifetimes.dangling.objects.contains(self.program_object(object))
    }

    /// The ends of the objects of a frame to which pointers may be left.
    pub fn ends_of(&mut self, proc: Proc, of: Activation, pos: SrcPos) -> Vec<Statement> {
        let endings = self.lifetimes.dangling.after_frame.get(&proc).cloned().unwrap_or_default();
        let mut ends = Vec::new();
        for ending in endings {
            match ending {
                Ending::Object(object) => {
                    let object = self.object_instance(object, of);
                    ends.push(Update::ScopeEnd(object));
                    ends.append(&mut self.over(object));
                }
                Ending::AllocatedOnce(dst) => {
                    let pointer = self.read_var(dst);
                    let addr = self.instantiate(pointer, of);
                    ends.push(Update::Free { addr, kind: FreeKind::Array });
                    ends.append(&mut self.ended(addr));
                }
                // How many there are is not known, but what points to the last one may point to each.
                Ending::Allocated(dst) => {
                    let pointer = self.read_var(dst);
                    let pointer = self.instantiate(pointer, of);
                    ends.push(Update::HavocMemory { pointers: vec![pointer] });
                    ends.append(&mut self.ended(pointer));
                }
            }
        }
        ends.into_iter().map(|update| Statement::new(update, pos)).collect()
    }

    /// The ends of the objects of a thread to which pointers may be left.
    pub fn ends_of_thread(&mut self, thread: Thread, pos: SrcPos) -> Vec<Statement> {
        let objects = self.lifetimes.dangling.after_thread.clone();
        let mut ends = Vec::new();
        for object in objects {
            let object = self.object_instance(object, Activation { thread, depth: 0 });
            ends.push(Update::ScopeEnd(object));
            ends.append(&mut self.over(object));
        }
        ends.into_iter().map(|update| Statement::new(update, pos)).collect()
    }
}

fn begun_once(program: &Program) -> EntitySet<Object> {
    let mut once = EntitySet::new();
    let Some(entry) = program.entry else {
        return once;
    };
    let mut begins: SecondaryMap<Object, u32> = SecondaryMap::new();
    let procedure = &program.procs[entry];
    let cyclic = on_cycles(procedure);
    let is_recursive = is_called(program, entry);
    for edge in procedure.edges.values() {
        for label in &edge.labels {
            label.walk(&mut |label| {
                if let Op::ScopeBegin(object) = label.op {
                    begins[object] += if cyclic.contains(edge.source) { 2 } else { 1 };
                }
            });
        }
    }
    for object in program.objects.keys() {
        if begins[object] == 1 && !is_recursive {
            once.insert(object);
        }
    }
    once
}
