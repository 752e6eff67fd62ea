//! The open calls of an execution: the owners of variables and objects, and what ends with a call.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ravelin_base::{SrcPos, Symbol};
use ravelin_cfa::{Object, ObjectKind, Proc, Program, Var, VarKind};
use ravelin_interp::{ObjectRef, ThreadId};
use ravelin_report::model::Frame;

/// An open call.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) frame: Frame,
    /// The variable of the caller that gets the result.
    pub(crate) result: Option<Var>,
    /// It is a library function: traces do not show its inside.
    pub(crate) in_model: bool,
    objects: Vec<(Object, ObjectRef)>,
}

/// The open calls.
#[derive(Debug)]
pub(crate) struct Frames<'a> {
    program: &'a Program,
    open: BTreeMap<ThreadId, Vec<Open>>,
    /// How often each thread has called each function.
    calls: HashMap<(ThreadId, Proc), u32>,
    /// The call that each object is local to. Objects that have ended stay: pointers may still lead there.
    owners: HashMap<ObjectRef, Owner>,
}

#[derive(Debug)]
struct Owner {
    frame: Frame,
    in_model: bool,
}

impl<'a> Frames<'a> {
    pub(crate) fn new(program: &'a Program) -> Frames<'a> {
        Frames { program, open: BTreeMap::new(), calls: HashMap::new(), owners: HashMap::new() }
    }

    /// A thread, whose place in the list of threads is `index`, calls a procedure.
    pub(crate) fn enter(
        &mut self,
        thread: ThreadId,
        index: usize,
        proc: Proc,
        result: Option<Var>,
    ) {
        let occurrence = self.calls.entry((thread, proc)).or_default();
        *occurrence += 1;
        let open = self.open.entry(thread).or_default();
        let procedure = &self.program.procs[proc];
        let frame = Frame {
            thread: index,
            function: self.program.name(procedure.name).to_owned(),
            occurrence: *occurrence,
            depth: open.len(),
        };
        let in_model = self.program.name(procedure.pos.file).starts_with('<');
        open.push(Open { frame, result, in_model, objects: Vec::new() });
    }

    /// Ends the innermost call of a thread. Returns the local objects that end with it.
    pub(crate) fn leave(&mut self, thread: ThreadId) -> Option<(Frame, Vec<ObjectRef>)> {
        let Open { frame, objects, .. } = self.open.get_mut(&thread)?.pop()?;
        Some((frame, objects.into_iter().map(|(_, instance)| instance).collect()))
    }

    /// The innermost call of a thread.
    pub(crate) fn top(&self, thread: ThreadId) -> Option<&Open> {
        self.open.get(&thread)?.last()
    }

    /// The call below the innermost one.
    pub(crate) fn caller(&self, thread: ThreadId) -> Option<&Open> {
        self.open.get(&thread)?.iter().rev().nth(1)
    }

    /// The innermost call of a function of the source.
    pub(crate) fn innermost_of_source(&self, thread: ThreadId) -> Option<&Frame> {
        self.open.get(&thread)?.iter().rev().find(|open| !open.in_model).map(|open| &open.frame)
    }

    /// The call that a thread began with.
    pub(crate) fn first(&self, thread: ThreadId) -> Option<&Frame> {
        self.open.get(&thread)?.first().map(|open| &open.frame)
    }

    /// An object of the innermost call begins. If there was one from an earlier round, it ends.
    pub(crate) fn begin(
        &mut self,
        thread: ThreadId,
        object: Object,
        instance: ObjectRef,
    ) -> Option<ObjectRef> {
        let ended = self.end(thread, object);
        let open = self.open.get_mut(&thread)?.last_mut()?;
        open.objects.push((object, instance));
        let owner = Owner { frame: open.frame.clone(), in_model: open.in_model };
        self.owners.insert(instance, owner);
        ended
    }

    /// The scope of an object of the innermost call ends.
    pub(crate) fn end(&mut self, thread: ThreadId, object: Object) -> Option<ObjectRef> {
        let open = self.open.get_mut(&thread)?.last_mut()?;
        let at = open.objects.iter().rposition(|(other, _)| *other == object)?;
        Some(open.objects.remove(at).1)
    }

    /// Notes a thread-local object of this thread.
    pub(crate) fn meet_of_thread(&mut self, thread: ThreadId, instance: ObjectRef) {
        if let Some(frame) = self.first(thread).cloned() {
            self.owners.entry(instance).or_insert(Owner { frame, in_model: false });
        }
    }

    /// The call that an object is local to.
    pub(crate) fn owner(&self, instance: ObjectRef) -> Option<&Frame> {
        self.owners.get(&instance).map(|owner| &owner.frame)
    }

    /// Whether an object is local to a library function.
    pub(crate) fn is_of_model(&self, instance: ObjectRef) -> bool {
        self.owners.get(&instance).is_some_and(|owner| owner.in_model)
    }
}

/// The names of variables and objects, with their lines where a function has several of one name.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    program: &'a Program,
    /// The places of those that share a name.
    several: BTreeMap<Named, BTreeSet<LineAndColumn>>,
}

/// A name, and the function that it is local to.
type Named = (Option<Proc>, Symbol);

type LineAndColumn = (u32, u32);

impl<'a> Names<'a> {
    pub(crate) fn of(program: &'a Program) -> Names<'a> {
        let mut places: BTreeMap<Named, BTreeSet<LineAndColumn>> = BTreeMap::new();
        let vars = program.vars.iter().map(|(var, data)| (var_owner(program, var), data));
        let vars = vars.map(|(owner, data)| (owner, data.name, data.pos));
        let objects =
            program.objects.values().map(|data| (object_owner(data.kind), data.name, data.pos));
        for (owner, name, pos) in vars.chain(objects) {
            places.entry((owner, name)).or_default().insert((pos.line, pos.column));
        }
        places.retain(|_, places| places.len() > 1);
        Names { program, several: places }
    }

    pub(crate) fn var(&self, var: Var) -> String {
        let data = &self.program.vars[var];
        self.name(var_owner(self.program, var), data.name, data.pos)
    }

    pub(crate) fn object(&self, object: Object) -> String {
        let data = &self.program.objects[object];
        self.name(object_owner(data.kind), data.name, data.pos)
    }

    fn name(&self, owner: Option<Proc>, name: Symbol, pos: SrcPos) -> String {
        let text = self.program.name(name);
        match self.several.get(&(owner, name)) {
            Some(_) if pos.is_none() => text.to_owned(),
            Some(places) if places.iter().filter(|(line, _)| *line == pos.line).count() > 1 => {
                format!("{text} ({}:{})", pos.line, pos.column)
            }
            Some(_) => format!("{text} (line {})", pos.line),
            None => text.to_owned(),
        }
    }
}

fn var_owner(program: &Program, var: Var) -> Option<Proc> {
    match program.vars[var].kind {
        VarKind::Local(proc) => Some(proc),
        VarKind::Global { .. } | VarKind::ThreadLocal { .. } => None,
    }
}

fn object_owner(kind: ObjectKind) -> Option<Proc> {
    match kind {
        ObjectKind::Local(proc) => Some(proc),
        ObjectKind::Global
        | ObjectKind::Constant
        | ObjectKind::ThreadLocal
        | ObjectKind::Function(_) => None,
    }
}
