//! What the analysis knows of a program before it starts: which quantities there are, what memory accesses touch,
//! what calls may change.

use ravelin_base::{Budget, Exhausted, PrimaryMap, SecondaryMap};
use ravelin_cfa::access::for_each_access;
use ravelin_cfa::{AllocKind, Object, ObjectKind, Op, Proc, Program, Sort, Term, Var, VarKind};
use ravelin_pointsto::{Flags, ObjectName, PointsTo, Position, Target, TargetSet, for_each_label};
use ravelin_term::{BinOp, TermKind, bin_ops, term_kinds};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::calls::Calls;
use crate::state::{Key, Keys, Quantity};

/// A part of an object with one value, or a family of parts of one size with one set of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cell {
    pub(crate) target: Target,
    pub(crate) place: CellPlace,
    pub(crate) bytes: u64,
    pub(crate) is_pointer: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum CellPlace {
    /// All parts whose offset is a multiple of their size.
    Elements,
    At(i64),
}

/// More cells of one object are not told apart.
const MAX_CELLS: usize = 64;

/// Facts about the object of a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct TargetInfo {
    pub(crate) cells: Vec<u32>,
    /// In bytes, if it is known; 0 for functions, which have no bytes to access.
    pub(crate) size: Option<u64>,
    pub(crate) is_constant: bool,
    pub(crate) is_function: bool,
    pub(crate) is_allocated: bool,
    /// Whether it is allocated like a local variable: no pointer to it can be freed.
    pub(crate) is_on_stack: bool,
    /// Whether something may end an object of this name: `free`, the end of a scope or of a frame.
    pub(crate) may_end: bool,
    /// The procedure of a local object.
    pub(crate) frame: Option<Proc>,
}

#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) keys: Keys,
    pub(crate) pointer_bits: u16,
    pub(crate) sorts: PrimaryMap<Var, Sort>,
    is_local: PrimaryMap<Var, bool>,
    is_signed: PrimaryMap<Var, bool>,
    pub(crate) cells: Vec<Cell>,
    pub(crate) targets: SecondaryMap<Target, TargetInfo>,
    pub(crate) target_count: usize,
    pub(crate) of_object: SecondaryMap<Object, Option<Target>>,
    /// What pointers may point to, by the term.
    places: FxHashMap<Term, TargetSet>,
    /// What a pointer variable that is loaded may be besides a place.
    pub(crate) loaded: FxHashMap<Var, Flags>,
    pub(crate) allocated: FxHashMap<Position, Target>,
    /// The local objects of each procedure.
    pub(crate) frame_objects: SecondaryMap<Proc, Vec<Object>>,
    pub(crate) is_concurrent: bool,
    /// Memory that several threads may touch.
    is_shared: SecondaryMap<Target, bool>,
    pub(crate) calls: Calls,
    /// The constants of a procedure at which widening stops, ascending.
    pub(crate) thresholds: SecondaryMap<Proc, Vec<i128>>,
}

impl Model {
    pub(crate) fn of(
        program: &Program,
        points_to: &PointsTo,
        budget: &mut Budget,
    ) -> Result<Model, Exhausted> {
        let is_concurrent = program.is_concurrent();
        let calls = Calls::of(program, points_to);
        let mut model = Model {
            keys: Keys::default(),
            pointer_bits: program.terms.pointer_bits(),
            sorts: program.vars.values().map(|data| data.sort).collect(),
            is_local: program
                .vars
                .values()
                .map(|data| matches!(data.kind, VarKind::Local(_)))
                .collect(),
            is_signed: program.vars.values().map(|it| it.signed || it.sort == Sort::Ptr).collect(),
            cells: Vec::new(),
            targets: SecondaryMap::new(),
            target_count: points_to.targets().count(),
            of_object: SecondaryMap::with_capacity(program.objects.len()),
            places: FxHashMap::default(),
            loaded: FxHashMap::default(),
            allocated: FxHashMap::default(),
            frame_objects: SecondaryMap::with_capacity(program.procs.len()),
            is_concurrent,
            is_shared: SecondaryMap::new(),
            calls,
            thresholds: SecondaryMap::with_capacity(program.procs.len()),
        };
        if is_concurrent {
            model.is_shared = points_to.escaped(program);
        }
        for (object, data) in program.objects.iter() {
            if let ObjectKind::Local(proc) = data.kind {
                model.frame_objects[proc].push(object);
            }
            model.of_object[object] = points_to.target(ObjectName::Object(object));
        }
        model.find_places(program, points_to, budget)?;
        model.find_ends(program, points_to);
        model.find_cells(program, points_to);
        model.keys = Keys {
            vars: program.vars.len() as u32,
            cells: model.cells.len() as u32,
            targets: model.target_count as u32,
        };
        model.calls.find_changes(program, &model.places, &model.of_object);
        model.find_thresholds(program);
        Ok(model)
    }

    fn find_places(
        &mut self,
        program: &Program,
        points_to: &PointsTo,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let mut terms: Vec<Term> = Vec::new();
        let mut seen = FxHashSet::default();
        for_each_label(program, &mut |position, label| {
            let mut add = |term: Term| {
                if program.terms.sort(term) == Sort::Ptr && seen.insert(term) {
                    terms.push(term);
                }
            };
            for_each_access(&label.op, &mut |access| {
                access.pointer().into_iter().for_each(&mut add)
            });
            if let Op::Inspect { addr, .. } = &label.op {
                add(*addr);
            }
            if let Op::Load { dst, .. } | Op::Join { dst: Some(dst), .. } = &label.op
                && program.vars[*dst].sort == Sort::Ptr
            {
                self.loaded.insert(*dst, points_to.of_var(*dst).flags());
            }
            if matches!(label.op, Op::Alloc { .. } | Op::Realloc { .. })
                && let Some(target) = points_to.target(ObjectName::Allocated(position))
            {
                self.allocated.insert(position, target);
            }
        });
        for term in terms {
            budget.tick()?;
            self.places.insert(term, points_to.of_term(program, term));
        }
        Ok(())
    }

    /// What becomes of the objects of each name.
    fn find_ends(&mut self, program: &Program, points_to: &PointsTo) {
        for target in points_to.targets() {
            let info = &mut self.targets[target];
            info.size = points_to.size(target);
            info.is_allocated = matches!(points_to.name(target), ObjectName::Allocated(_));
            if let ObjectName::Object(object) = points_to.name(target) {
                match program.objects[object].kind {
                    ObjectKind::Constant => info.is_constant = true,
                    ObjectKind::Local(proc) => (info.frame, info.may_end) = (Some(proc), true),
                    // A thread's objects end with it.
                    ObjectKind::ThreadLocal => info.may_end = self.is_concurrent,
                    ObjectKind::Function(_) => (info.is_function, info.size) = (true, Some(0)),
                    ObjectKind::Global => {}
                }
            } else if let ObjectName::OfSize(_) = points_to.name(target) {
                (info.may_end, info.size) = (true, None);
            }
        }
        let mut freed: Vec<Option<Vec<Target>>> = Vec::new();
        for_each_label(program, &mut |position, label| {
            if let Op::Free { addr, .. } | Op::Realloc { addr, .. } = &label.op {
                freed.push(self.places(*addr).map(|set| set.targets().collect()));
            }
            if let Op::Alloc { kind: AllocKind::Stack, .. } = &label.op
                && let Some(&target) = self.allocated.get(&position)
            {
                self.targets[target].is_on_stack = true;
                freed.push(Some(vec![target]));
            }
        });
        for targets in freed {
            match targets {
                Some(targets) => targets.iter().for_each(|&it| self.targets[it].may_end = true),
                None => points_to.targets().for_each(|target| {
                    self.targets[target].may_end |=
                        matches!(points_to.name(target), ObjectName::Allocated(_));
                }),
            }
        }
    }

    /// The cells that are accessed in objects with one instance at a time.
    fn find_cells(&mut self, program: &Program, points_to: &PointsTo) {
        let mut found: FxHashSet<Cell> = FxHashSet::default();
        for_each_label(program, &mut |_, label| {
            let (addr, sort) = match &label.op {
                Op::Load { dst, addr, .. } => (*addr, program.vars[*dst].sort),
                Op::Store { addr, value, .. } => (*addr, program.terms.sort(*value)),
                _ => return,
            };
            let is_pointer = match sort {
                Sort::Ptr => true,
                Sort::Bv(_) => false,
                Sort::Bool | Sort::Float(_) | Sort::Mem => return,
            };
            let (Some(bytes), Some(set)) = (program.bytes_of(sort), self.places(addr)) else {
                return;
            };
            for &(target, offset) in set.places() {
                let ObjectName::Object(object) = points_to.name(target) else { continue };
                let is_single = match program.objects[object].kind {
                    ObjectKind::Global | ObjectKind::Constant | ObjectKind::ThreadLocal => true,
                    ObjectKind::Local(proc) => !self.calls.is_recursive(proc),
                    ObjectKind::Function(_) => false,
                };
                if !is_single {
                    continue;
                }
                let place = offset.as_exact().map_or(CellPlace::Elements, CellPlace::At);
                let size = program.objects[object].size;
                let is_inside = |at: i64| at >= 0 && (at as u64).saturating_add(bytes) <= size;
                match place {
                    CellPlace::At(at) if !is_inside(at) => {}
                    CellPlace::At(_) | CellPlace::Elements => {
                        found.insert(Cell { target, place, bytes, is_pointer });
                    }
                }
            }
        });
        let mut found: Vec<Cell> = found.into_iter().collect();
        found.sort_unstable();
        for cell in found {
            let own = &mut self.targets[cell.target].cells;
            if own.len() < MAX_CELLS {
                own.push(self.cells.len() as u32);
                self.cells.push(cell);
            }
        }
    }

    /// The numbers that the conditions of a procedure compare with.
    fn find_thresholds(&mut self, program: &Program) {
        for (proc, procedure) in program.procs.iter() {
            let mut found: Vec<i128> = Vec::new();
            for edge in procedure.edges.values() {
                for label in &edge.labels {
                    label.walk(&mut |label| {
                        if let Op::Assume(cond) = &label.op
                            && found.len() < 256
                        {
                            compared_numbers(program, *cond, &mut found);
                        }
                    });
                }
            }
            found.sort_unstable();
            found.dedup();
            // Each may cost a round of every loop.
            if found.len() > 24 {
                let step = found.len().div_ceil(24);
                found = found.into_iter().step_by(step).collect();
            }
            found.extend([0, 127, 255, 32767, 65535].map(|it: i128| it));
            for bits in [31, 32, 63, 64] {
                found.extend([(1i128 << bits) - 1, -(1i128 << bits)]);
            }
            found.sort_unstable();
            found.dedup();
            self.thresholds[proc] = found;
        }
    }

    /// The pointers that a term may be; `None` where nothing is known.
    pub(crate) fn places(&self, term: Term) -> Option<&TargetSet> {
        self.places.get(&term).filter(|set| !set.is_unknown())
    }

    pub(crate) fn sort(&self, var: Var) -> Sort {
        self.sorts[var]
    }

    /// Whether the number of a variable is best seen as a signed one; that of a pointer is its offset.
    pub(crate) fn is_signed(&self, var: Var) -> bool {
        self.is_signed[var]
    }

    /// Whether the value belongs to the frame.
    pub(crate) fn is_local(&self, key: Key) -> bool {
        match self.keys.quantity(key) {
            Quantity::Var(var) | Quantity::SizeOf(var) => self.is_local[var],
            Quantity::InScope(_) => true,
            Quantity::Cell(_)
            | Quantity::SizeOfCell(_)
            | Quantity::NoneEnded(_)
            | Quantity::NoneBegun(_) => false,
        }
    }

    /// Whether other threads may change the value.
    pub(crate) fn is_shared(&self, program: &Program, key: Key) -> bool {
        if !self.is_concurrent {
            return false;
        }
        match self.keys.quantity(key) {
            Quantity::Var(var) | Quantity::SizeOf(var) => program.is_shared_var(var),
            Quantity::Cell(cell) | Quantity::SizeOfCell(cell) => {
                let target = self.cells[cell as usize].target;
                self.is_shared[target] && !self.targets[target].is_constant
            }
            Quantity::NoneEnded(target) | Quantity::NoneBegun(target) => self.is_shared[target],
            Quantity::InScope(_) => false,
        }
    }
}

fn compared_numbers(program: &Program, cond: Term, found: &mut Vec<i128>) {
    program.terms.for_each_subterm(cond, |_, kind| match kind {
        TermKind::Binary(BinOp::Eq | bin_ops!(bv_order), a, b) => {
            for side in [a, b] {
                if let Some(value) = program.terms.as_signed(side) {
                    found.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
                    if value < 0
                        && let Some(value) =
                            program.terms.as_bv(side).and_then(|value| i128::try_from(value).ok())
                    {
                        found.extend([value.saturating_sub(1), value]);
                    }
                }
            }
        }
        term_kinds!(leaves, inner) => {}
    });
}
