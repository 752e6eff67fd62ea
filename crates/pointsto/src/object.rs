//! The objects that pointers may point to, by name, and the places in them.

use indexmap::IndexSet;
use ravelin_base::{EntityRef, PrimaryMap, SecondaryMap, entities};
use ravelin_cfa::{AllocKind, Edge, Init, Label, Object, ObjectKind, Op, Proc, Program};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::Structs;
use crate::flags::Flags;
use crate::offset::Offset;

/// Where an operation stands: in a procedure, on an edge, as which of its labels. Labels inside choices
/// are counted in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    pub proc: Proc,
    pub edge: Edge,
    pub label: u32,
}

/// The name of a piece of memory, or of several that are not told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ObjectName {
    /// An object of the program, in all frames and threads.
    Object(Object),
    /// What is allocated here.
    Allocated(Position),
    /// All structs and unions of so many bytes, and what else of that size is larger than a pointer.
    OfSize(u64),
}

entities! {
    /// An abstract object of an analysis: everything with one [`ObjectName`].
    pub struct Target("m");

    /// A place in an abstract object: the object and the offset.
    pub(crate) struct Loc("at");
}

#[derive(Clone, Debug)]
pub(crate) struct TargetData {
    pub(crate) name: ObjectName,
    /// In bytes, if it is known and the same for all.
    pub(crate) size: Option<u64>,
    /// What a pointer may be that is read where nothing was stored.
    pub(crate) background: Flags,
    pub(crate) function: Option<Proc>,
}

/// All abstract objects of a program, and the places in them that were met so far.
#[derive(Clone, Debug)]
pub(crate) struct Objects {
    targets: PrimaryMap<Target, TargetData>,
    of_object: SecondaryMap<Object, Option<Target>>,
    of_position: FxHashMap<Position, Target>,
    locs: IndexSet<(Target, Offset), FxBuildHasher>,
    /// As in [`crate::Options`].
    pub(crate) indices_wrap: bool,
}

impl Objects {
    pub(crate) fn new(program: &Program, structs: Structs, indices_wrap: bool) -> Objects {
        let mut objects = Objects {
            targets: PrimaryMap::new(),
            of_object: SecondaryMap::with_capacity(program.objects.len()),
            of_position: FxHashMap::default(),
            locs: IndexSet::default(),
            indices_wrap,
        };
        let mut by_size = FxHashMap::default();
        for (object, data) in program.objects.iter() {
            let function = match data.kind {
                ObjectKind::Function(proc) => Some(proc),
                ObjectKind::Global
                | ObjectKind::Constant
                | ObjectKind::ThreadLocal
                | ObjectKind::Local(_) => None,
            };
            let target = TargetData {
                name: ObjectName::Object(object),
                size: Some(data.size),
                background: background(&data.init, data.kind),
                function,
            };
            let size = if function.is_none() { Some(data.size) } else { None };
            // A struct with one member is one, too; a pointer or an integer is not.
            let size = size.filter(|&size| data.is_record || is_large(program, size));
            let target = objects.add(structs, &mut by_size, size, target);
            objects.of_object[object] = Some(target);
        }
        for_each_label(program, &mut |position, label| {
            let (size, kind) = if let Op::Alloc { size, kind, dst: _ } = &label.op {
                (*size, *kind)
            } else if let Op::Realloc { size, .. } = &label.op {
                (*size, AllocKind::Heap)
            } else {
                return;
            };
            let size = program.terms.as_bv(size).and_then(|size| u64::try_from(size).ok());
            let target = TargetData {
                name: ObjectName::Allocated(position),
                size,
                background: match kind {
                    // The program's arguments: whoever calls it decides.
                    AllocKind::Stack if program.is_made_up(position.proc) => Flags::UNKNOWN,
                    AllocKind::Heap | AllocKind::Stack => Flags::UNINITIALISED,
                    AllocKind::HeapZeroed => Flags::NULL,
                },
                function: None,
            };
            // Of what is allocated the size alone is known.
            let size = size.filter(|&size| is_large(program, size));
            let target = objects.add(structs, &mut by_size, size, target);
            objects.of_position.insert(position, target);
        });
        objects
    }

    /// The automaton has no types. Objects of one type have one size, so to take all of one size
    /// together is to take those of one type together and perhaps more.
    fn add(
        &mut self,
        structs: Structs,
        by_size: &mut FxHashMap<u64, Target>,
        size: Option<u64>,
        data: TargetData,
    ) -> Target {
        let size = match (structs, size) {
            (Structs::ByType, Some(size)) => size,
            (Structs::ByType, None) | (Structs::ByVariable, _) => return self.targets.push(data),
        };
        if let Some(&target) = by_size.get(&size) {
            let background = data.background;
            self.targets[target].background |= background;
            return target;
        }
        let name = ObjectName::OfSize(size);
        let target = self.targets.push(TargetData { name, ..data });
        by_size.insert(size, target);
        target
    }

    /// The abstract object of an object.
    pub(crate) fn of_object(&self, object: Object) -> Option<Target> {
        self.of_object[object]
    }

    /// The abstract object of what is allocated at a position.
    pub(crate) fn of_position(&self, position: Position) -> Option<Target> {
        self.of_position.get(&position).copied()
    }

    pub(crate) fn data(&self, target: Target) -> &TargetData {
        &self.targets[target]
    }

    pub(crate) fn len(&self) -> usize {
        self.targets.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Target, &TargetData)> {
        self.targets.iter()
    }

    pub(crate) fn loc(&mut self, target: Target, offset: Offset) -> Loc {
        Loc::new(self.locs.insert_full((target, offset)).0)
    }

    /// The object and the offset of a place.
    pub(crate) fn place(&self, loc: Loc) -> (Target, Offset) {
        self.locs[loc.index()]
    }
}

/// Whether so many bytes are too many for a number or pointer.
fn is_large(program: &Program, size: u64) -> bool {
    size > program.data_model.pointer_bytes()
}

fn background(init: &Init, kind: ObjectKind) -> Flags {
    match (init, kind) {
        // An `extern` that nothing defines.
        (Init::Indeterminate, ObjectKind::Global | ObjectKind::Constant) => Flags::UNKNOWN,
        (Init::Indeterminate, _) => Flags::UNINITIALISED,
        (Init::Zero | Init::Values(_), _) => Flags::NULL,
        (Init::Bytes(bytes), _) if bytes.iter().all(|&byte| byte == 0) => Flags::NULL,
        (Init::Bytes(_), _) => Flags::INTEGER,
    }
}

/// Calls `visit` on all labels of the program with their positions.
pub fn for_each_label<'p>(program: &'p Program, visit: &mut dyn FnMut(Position, &'p Label)) {
    for (proc, _) in program.procs.iter() {
        for_each_label_in(program, proc, visit);
    }
}

/// Calls `visit` on the labels of a procedure, edge by edge.
pub(crate) fn for_each_label_in<'p>(
    program: &'p Program,
    proc: Proc,
    visit: &mut dyn FnMut(Position, &'p Label),
) {
    for edge in program.procs[proc].edges.keys() {
        for_each_label_on(program, proc, edge, visit);
    }
}

/// Calls `visit` on the labels of an edge.
pub fn for_each_label_on<'p>(
    program: &'p Program,
    proc: Proc,
    edge: Edge,
    visit: &mut dyn FnMut(Position, &'p Label),
) {
    let mut label = 0;
    for outer in &program.procs[proc].edges[edge].labels {
        outer.walk(&mut |inner| {
            visit(Position { proc, edge, label }, inner);
            label += 1;
        });
    }
}
