//! What an analysis found out, and the questions it answers.

use std::sync::Arc;

use ravelin_base::SecondaryMap;
use ravelin_cfa::{Blocks, Loc, Proc, Program, Term, Var, VarKind};
use rustc_hash::FxHashMap;

use crate::andersen::{Andersen, Values};
use crate::flags::Flags;
use crate::flow::{Key, State, States};
use crate::object::{ObjectName, Objects, Position, Target};
use crate::offset::Offset;
use crate::value::{Source, value_of};

/// What a pointer may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetSet {
    flags: Flags,
    /// Ascending, each once.
    places: Vec<(Target, Offset)>,
}

impl TargetSet {
    pub(crate) fn new(flags: Flags, mut places: Vec<(Target, Offset)>) -> TargetSet {
        if flags.is_unknown() {
            let is_number = places.is_empty() && !flags.contains(Flags::UNKNOWN);
            let flags = if is_number { Flags::INTEGER } else { Flags::UNKNOWN };
            return TargetSet { flags, places: Vec::new() };
        }
        places.sort_unstable();
        places.dedup();
        // Patterns come last among the places of an object, and often have the single ones in them.
        if places.iter().any(|(_, offset)| offset.stride() != 0) {
            let patterns: Vec<(Target, Offset)> =
                places.iter().filter(|(_, offset)| offset.stride() != 0).copied().collect();
            places.retain(|&(target, offset)| {
                !patterns.iter().any(|&(other, pattern)| {
                    other == target && pattern != offset && pattern.covers(offset)
                })
            });
        }
        TargetSet { flags, places }
    }

    /// Only these kinds of values.
    pub(crate) fn of_flags(flags: Flags) -> TargetSet {
        TargetSet::new(flags, Vec::new())
    }

    /// What is in here and in `bound`, or a little more. More than `most` places in one object become
    /// what `bound` has of it.
    pub(crate) fn within(self, bound: &TargetSet, most: usize) -> TargetSet {
        if bound.is_unknown() {
            return self.limited(most);
        }
        if self.is_unknown() {
            return bound.clone();
        }
        let flags = self.flags.both(bound.flags);
        let mut places = Vec::new();
        for of_one in self.places.chunk_by(|a, b| a.0 == b.0) {
            let is_covered = |&(target, offset): &(Target, Offset)| bound.contains(target, offset);
            if of_one.len() <= most && of_one.iter().all(is_covered) {
                places.extend_from_slice(of_one);
            } else {
                places.extend(bound.places.iter().filter(|(target, _)| *target == of_one[0].0));
            }
        }
        TargetSet::new(flags, places)
    }

    /// At most so many places in one object; more become a pattern.
    pub(crate) fn limited(self, most: usize) -> TargetSet {
        let mut places = Vec::new();
        for of_one in self.places.chunk_by(|a, b| a.0 == b.0) {
            if of_one.len() <= most {
                places.extend_from_slice(of_one);
            } else {
                let (target, first) = of_one[0];
                let all = of_one.iter().fold(first, |all, (_, offset)| all.join(*offset));
                places.push((target, all));
            }
        }
        TargetSet::new(self.flags, places)
    }

    /// Anything.
    pub fn unknown() -> TargetSet {
        TargetSet { flags: Flags::UNKNOWN, places: Vec::new() }
    }

    /// The pointer to the start of an object.
    pub fn start_of(target: Target) -> TargetSet {
        TargetSet { flags: Flags::NONE, places: vec![(target, Offset::ZERO)] }
    }

    /// The pointer to one place in an object.
    pub fn place(target: Target, offset: i64) -> TargetSet {
        TargetSet { flags: Flags::NONE, places: vec![(target, Offset::exact(offset))] }
    }

    /// Whether it may be to anything; then there are no places.
    pub fn is_unknown(&self) -> bool {
        self.flags.is_unknown()
    }

    /// Whether it may be no place that is listed, and not null either.
    pub fn is_open(&self) -> bool {
        self.is_unknown()
            || self.flags.contains(Flags::UNINITIALISED)
            || self.flags.contains(Flags::NUMBER)
    }

    /// Whether it may be made of any address: an integer that none went into is none.
    pub fn may_be_any_address(&self) -> bool {
        self.flags.contains(Flags::UNKNOWN)
    }

    /// Whether no execution makes this pointer.
    pub fn is_empty(&self) -> bool {
        self.flags.is_empty() && self.places.is_empty()
    }

    pub fn flags(&self) -> Flags {
        self.flags
    }

    /// The places it may be, ascending; all are listed unless it is unknown.
    pub fn places(&self) -> &[(Target, Offset)] {
        &self.places
    }

    /// The objects it may be to, ascending.
    pub fn targets(&self) -> impl Iterator<Item = Target> + '_ {
        let mut last = None;
        self.places.iter().filter_map(move |&(target, _)| {
            (last.replace(target) != Some(target)).then_some(target)
        })
    }

    /// Whether a pointer to this offset of this object is in the set.
    pub fn contains(&self, target: Target, offset: Offset) -> bool {
        self.is_unknown()
            || self.places.iter().any(|&(other, at)| other == target && at.covers(offset))
    }

    /// Whether all that is in `other` is in here.
    pub fn covers(&self, other: &TargetSet) -> bool {
        self.is_unknown()
            || (self.flags.covers(other.flags)
                && other.places.iter().all(|&(target, at)| self.contains(target, at)))
    }

    pub(crate) fn unite(&mut self, other: &TargetSet) {
        let places = self.places.iter().chain(&other.places).copied().collect();
        *self = TargetSet::new(self.flags | other.flags, places);
    }
}

/// The result of an analysis.
#[derive(Debug)]
pub struct PointsTo {
    pub(crate) objects: Objects,
    pub(crate) vars: SecondaryMap<Var, Option<Arc<TargetSet>>>,
    /// What the pointers in memory may be, by object and offset.
    pub(crate) cells: Vec<(Target, Offset, Arc<TargetSet>)>,
    pub(crate) callees: FxHashMap<Position, Vec<Proc>>,
    pub(crate) reached: SecondaryMap<Proc, bool>,
    /// Whether any cell of memory may have any value.
    pub(crate) is_memory_unknown: bool,
    /// What holds at each location, if locations are told apart.
    pub(crate) states: Option<States>,
}

impl PointsTo {
    pub(crate) fn of_andersen(solved: Andersen<'_>) -> PointsTo {
        let mut vars: SecondaryMap<Var, Option<Arc<TargetSet>>> = SecondaryMap::new();
        for (var, _, node) in solved.generator.var_nodes() {
            let set = set_of(solved.values(node), &solved.generator.objects);
            add(&mut vars[var], set);
        }
        let mut cells: FxHashMap<(Target, Offset), Option<Arc<TargetSet>>> = FxHashMap::default();
        for (target, offset, node) in solved.cells().all_reads() {
            let set = set_of(solved.values(node), &solved.generator.objects);
            add(cells.entry((target, offset)).or_default(), set);
        }
        let is_memory_unknown = solved.is_memory_unknown();
        PointsTo::assemble(solved.generator, vars, cells, is_memory_unknown)
    }

    pub(crate) fn assemble(
        generator: crate::constraint::Generator<'_>,
        vars: SecondaryMap<Var, Option<Arc<TargetSet>>>,
        cells: FxHashMap<(Target, Offset), Option<Arc<TargetSet>>>,
        is_memory_unknown: bool,
    ) -> PointsTo {
        let mut cells: Vec<_> = cells
            .into_iter()
            .filter_map(|((target, offset), set)| Some((target, offset, set?)))
            .collect();
        cells.sort_unstable_by_key(|&(target, offset, _)| (target, offset));
        let mut callees: FxHashMap<Position, Vec<Proc>> = FxHashMap::default();
        for &(position, proc) in &generator.callees {
            callees.entry(position).or_default().push(proc);
        }
        for procs in callees.values_mut() {
            procs.sort_unstable();
            procs.dedup();
        }
        let mut reached = SecondaryMap::new();
        generator.instances.iter().for_each(|&(proc, _)| reached[proc] = true);
        let (objects, states) = (generator.objects, None);
        PointsTo { objects, vars, cells, callees, reached, is_memory_unknown, states }
    }

    /// What the variable may hold, at any time and in any frame. Empty if it never has a value.
    pub fn of_var(&self, var: Var) -> TargetSet {
        self.vars[var].as_deref().cloned().unwrap_or_default()
    }

    /// What a term of pointer sort, or of an integer sort as wide, may be at any time.
    pub fn of_term(&self, program: &Program, term: Term) -> TargetSet {
        self.evaluate(value_of(program, &self.objects, term, &mut |var| var), &State::new())
    }

    /// What a term may be when a location of a procedure is reached. The flow-sensitive analysis tells
    /// locations apart; for the others this is [`PointsTo::of_term`]. Empty if the location is not reached.
    pub fn of_term_at(&self, program: &Program, term: Term, proc: Proc, at: Loc) -> TargetSet {
        let Some(states) = &self.states else { return self.of_term(program, term) };
        match states.at.get(&(proc, at)) {
            Some(state) => {
                self.evaluate(value_of(program, &self.objects, term, &mut |var| var), state)
            }
            None => TargetSet::default(),
        }
    }

    /// The locations that are told apart and may be reached, by procedure; none unless the analysis is
    /// flow-sensitive.
    pub fn locations(&self) -> impl Iterator<Item = (Proc, Loc)> + '_ {
        self.states.iter().flat_map(|states| states.at.keys().copied())
    }

    /// What a variable may hold when a location is reached; as [`PointsTo::of_term_at`].
    pub fn of_var_at(&self, var: Var, proc: Proc, at: Loc) -> TargetSet {
        let Some(states) = &self.states else { return self.of_var(var) };
        match states.at.get(&(proc, at)) {
            Some(state) => match state.get(&Key::Var(var)) {
                Some(set) => TargetSet::clone(set),
                None => self.of_var(var),
            },
            None => TargetSet::default(),
        }
    }

    /// What a pointer in memory may be when a location is reached; as [`PointsTo::of_term_at`].
    pub fn of_cell_at(&self, target: Target, offset: Offset, proc: Proc, at: Loc) -> TargetSet {
        let Some(states) = &self.states else { return self.of_cell(target, offset) };
        match (states.at.get(&(proc, at)), offset.as_exact()) {
            (Some(state), Some(exact)) => match state.get(&Key::Cell(target, exact)) {
                Some(set) => TargetSet::clone(set),
                None => self.of_cell(target, offset),
            },
            (Some(_), None) => self.of_cell(target, offset),
            (None, _) => TargetSet::default(),
        }
    }

    /// The value of sources in a state; what it does not mention may be whatever it is at any time.
    pub(crate) fn evaluate(&self, sources: crate::value::Value<Var>, state: &State) -> TargetSet {
        let (mut flags, mut places) = (Flags::NONE, Vec::new());
        for source in sources {
            match source {
                Source::Address(target, offset) => places.push((target, offset)),
                Source::Flags(more) => flags |= more,
                Source::Holder(var, shift) => {
                    let set = state.get(&Key::Var(var)).or(self.vars[var].as_ref());
                    let Some(set) = set else { continue };
                    flags |= shift.flags(set.flags);
                    for &(target, offset) in &set.places {
                        match shift.place(offset, self.objects.data(target).size) {
                            Some(offset) => places.push((target, offset)),
                            None => flags |= Flags::UNKNOWN,
                        }
                    }
                }
            }
        }
        TargetSet::new(flags, places)
    }

    /// With the states of the flow-sensitive analysis. What holds at any time is then what holds at any
    /// location, where all of them say; unless something happens between locations.
    pub(crate) fn with_states(mut self, states: States, program: &Program) -> PointsTo {
        match program.blocks {
            Blocks::Source | Blocks::Single => {}
            Blocks::ThreadLocal | Blocks::Sequential => {
                self.states = Some(states);
                return self;
            }
        }
        for (var, data) in program.vars.iter() {
            let mut all: Option<TargetSet> = None;
            let is_mentioned = states.at.iter().all(|((proc, _), state)| {
                if let VarKind::Local(own) = data.kind
                    && own != *proc
                {
                    return true;
                }
                match state.get(&Key::Var(var)) {
                    Some(set) => {
                        all.get_or_insert_default().unite(set);
                        true
                    }
                    None => false,
                }
            });
            if let Some(all) = all.filter(|_| is_mentioned) {
                self.vars[var] = Some(Arc::new(all));
            }
        }
        self.states = Some(states);
        self
    }

    /// Whether accesses of so many bytes through these two pointers may touch a common byte.
    pub fn may_alias(&self, a: &TargetSet, a_bytes: u64, b: &TargetSet, b_bytes: u64) -> bool {
        if a.is_unknown() || b.is_unknown() {
            let is_none = |set: &TargetSet| !set.is_unknown() && set.places.is_empty();
            return !is_none(a) && !is_none(b);
        }
        let fits = |offset: Offset, bytes: u64, target: Target| {
            offset.fits(bytes, self.objects.data(target).size)
        };
        a.places.iter().filter(|&&(target, at)| fits(at, a_bytes, target)).any(|&(target, at)| {
            b.places.iter().any(|&(other, there)| {
                let meeting = at.meeting(a_bytes, there, b_bytes);
                target == other && (meeting.same || meeting.partial) && fits(there, b_bytes, target)
            })
        })
    }

    /// Whether two accesses of so many bytes that touch a common byte surely begin at the same one.
    pub fn meet_at_start(&self, a: &TargetSet, a_bytes: u64, b: &TargetSet, b_bytes: u64) -> bool {
        if a.is_unknown() || b.is_unknown() {
            return false;
        }
        a.places.iter().all(|&(target, at)| {
            b.places
                .iter()
                .filter(|(other, _)| *other == target)
                .all(|&(_, there)| !at.meeting(a_bytes, there, b_bytes).partial)
        })
    }

    /// The procedures that the call or start at this position may enter.
    pub fn callees(&self, position: Position) -> &[Proc] {
        self.callees.get(&position).map_or(&[], Vec::as_slice)
    }

    /// Whether some execution may enter the procedure.
    pub fn is_reached(&self, proc: Proc) -> bool {
        self.reached[proc]
    }

    /// What a pointer in memory may be, at any time; of a cell that the program nowhere reads or writes as
    /// one, only what is there from the start.
    pub fn of_cell(&self, target: Target, offset: Offset) -> TargetSet {
        if self.is_memory_unknown {
            return TargetSet::unknown();
        }
        let mut set = TargetSet::of_flags(self.objects.data(target).background);
        for (_, at, values) in self.cells_of(target) {
            if at.meeting(1, offset, 1).same {
                set.unite(values);
            }
        }
        set
    }

    /// The cells of an object.
    pub(crate) fn cells_of(&self, target: Target) -> &[(Target, Offset, Arc<TargetSet>)] {
        let start = self.cells.partition_point(|&(other, ..)| other < target);
        let end = self.cells.partition_point(|&(other, ..)| other <= target);
        &self.cells[start..end]
    }

    /// All cells of memory that hold pointers.
    pub fn cells(&self) -> &[(Target, Offset, Arc<TargetSet>)] {
        &self.cells
    }

    /// The objects that other threads may get at.
    pub fn escaped(&self, program: &Program) -> SecondaryMap<Target, bool> {
        crate::escape::escaped(program, self)
    }

    /// The name of an object.
    pub fn name(&self, target: Target) -> ObjectName {
        self.objects.data(target).name
    }

    /// All objects.
    pub fn targets(&self) -> impl Iterator<Item = Target> + '_ {
        self.objects.iter().map(|(target, _)| target)
    }

    /// How many bytes an object has, if that is known.
    pub fn size(&self, target: Target) -> Option<u64> {
        self.objects.data(target).size
    }

    /// The abstract object of a name.
    pub fn target(&self, name: ObjectName) -> Option<Target> {
        match name {
            ObjectName::Object(object) => self.objects.of_object(object),
            ObjectName::Allocated(position) => self.objects.of_position(position),
            ObjectName::OfSize(_) => {
                self.objects.iter().find(|(_, data)| data.name == name).map(|(target, _)| target)
            }
        }
    }
}

/// Joins a set to one that may not be there yet.
pub(crate) fn add(into: &mut Option<Arc<TargetSet>>, set: Arc<TargetSet>) {
    match into {
        None => *into = Some(set),
        Some(old) if **old == *set => {}
        Some(old) => Arc::make_mut(old).unite(&set),
    }
}

fn set_of(values: &Values, objects: &Objects) -> Arc<TargetSet> {
    let places = values.locs.iter().map(|loc| objects.place(loc)).collect();
    Arc::new(TargetSet::new(values.flags, places))
}
