//! The refinement of values: which variables and cells must be tracked so that a path is seen to be infeasible.
//!
//! The path is executed with everything tracked. If a condition on it turns out false, the places it
//! depends on are followed back along the path: what is needed after each step is a valuation that
//! suffices to refute the rest, an interpolant made of values. A cell needs the place it got its value
//! from, and of every later write that might have changed it, the places that say that it went elsewhere.

use std::collections::BTreeSet;
use std::rc::Rc;

use ravelin_base::Budget;
use ravelin_term::{Sort, Term};

use super::cells::{Write, initial};
use super::transfer::{EITHER, Observer, OpenGuard, Way, follow, sources};
use super::valuation::{Valuation, ValuePlace};
use super::{Explicit, ExplicitState};
use crate::algorithm::arg::{Arg, Node};
use crate::algorithm::graph::Listed;
use crate::algorithm::refine::chain::Chain;
use crate::algorithm::refine::interpolate::core_variables;
use crate::algorithm::refine::refinable::{
    Changes, Refinable, Refined, Refinement, Refuted, Trace,
};
use crate::domain::predicate::start;
use crate::domain::{Context, Stop};
use crate::model::block::Block;
use crate::model::space::Space;
use crate::model::step::{Site, Step};
use crate::reduction::TrackedPlaces;

impl Refinable for Explicit<'_> {
    fn trace(&self, cx: &mut Context<'_, '_>, arg: &Arg<Self>, target: Node) -> Trace {
        let (nodes, steps) = arg.path_to(target);
        let ways = ways_of(&nodes, |node| &arg.nodes[node].state);
        let mut blocks = vec![Rc::new(start(cx))];
        for step in &steps {
            let mut block = Block::default();
            block.take(cx.space, step);
            blocks.push(Rc::new(block));
        }
        let points = (0..nodes.len()).collect();
        Trace { nodes, steps, ways, points, chain: Chain { blocks } }
    }

    fn refine(
        &mut self,
        cx: &mut Context<'_, '_>,
        refuted: &Refuted<'_>,
        _: &Refinement,
    ) -> Result<Option<Refined>, Stop> {
        let Refuted { trace, core, sites } = *refuted;
        if let Some(refined) = refine_by_values(self, cx, trace, sites) {
            return Ok(Some(refined));
        }
        let mut changes = Changes::default();
        for (cut, vars) in core_variables(cx.space, &trace.chain, core).into_iter().enumerate() {
            for var in vars {
                changes.note(cut, self.precision.add(cx.space, sites[cut], ValuePlace::Var(var)));
            }
        }
        Ok(changes.refined())
    }

    fn precision_size(&self) -> usize {
        self.precision.size()
    }

    fn learnt(&self) -> usize {
        self.precision.size()
    }

    fn tracked(&self, space: &Space<'_>) -> TrackedPlaces {
        TrackedPlaces { groups: self.precision.tracked(space) }
    }

    fn listed(&self, space: &mut Space<'_>) -> Vec<Listed> {
        self.precision.listed(space)
    }

    fn block_of<'s>(&self, _: &'s ExplicitState) -> Option<&'s Block> {
        None
    }
}

/// The branches taken in the step to each node but the first.
pub(crate) fn ways_of<'s>(nodes: &[Node], state: impl Fn(Node) -> &'s ExplicitState) -> Vec<Way> {
    nodes.iter().skip(1).map(|&node| state(node).way.clone()).collect()
}

/// Tracks the places whose values refute a path.
pub(crate) fn refine_by_values(
    explicit: &mut Explicit<'_>,
    cx: &mut Context<'_, '_>,
    trace: &Trace,
    sites: &[Site],
) -> Option<Refined> {
    let path: Vec<_> = trace.steps.iter().cloned().zip(trace.ways.iter().cloned()).collect();
    let needed = explicit.needed_places(cx, &path).or_else(|| {
        // It may be that none of the ways that were made one can be taken.
        let certain = |way: &Way| way.iter().map(|branch| branch & !EITHER).collect();
        let path: Vec<_> = path.iter().map(|(step, way)| (Rc::clone(step), certain(way))).collect();
        explicit.needed_places(cx, &path)
    })?;
    // Half of an explanation refutes nothing.
    if needed.iter().flatten().any(|&place| explicit.precision.is_banned(place)) {
        return None;
    }
    let mut changes = Changes::default();
    for (number, places) in needed.into_iter().enumerate() {
        for place in places {
            changes.note(number, explicit.precision.add(cx.space, sites[number], place));
        }
    }
    changes.refined()
}

/// A step of a path and the branches taken in it.
pub type Taken = (Rc<Step>, Way);

/// The places needed before each step of a path to refute it, up to the step with the refuted
/// condition; `None` if values alone do not refute it.
pub fn needed_places(
    space: &mut Space<'_>,
    budget: &mut Budget,
    path: &[Taken],
    open: &mut dyn OpenGuard,
) -> Option<Vec<BTreeSet<ValuePlace>>> {
    let mut values = everything_initial(space);
    let mut record = Record::default();
    let mut starts = Vec::with_capacity(path.len());
    let mut refuted = false;
    for (step, way) in path {
        budget.check_now().ok()?;
        starts.push(record.events.len());
        let mut branches = way.iter().copied();
        if !follow(space, &mut values, &step.statements, &mut branches, open, &mut record) {
            refuted = true;
            break;
        }
        for &var in step.left.iter().chain(&step.uninitialised) {
            values.forget(ValuePlace::Var(var));
        }
    }
    if !refuted {
        return None;
    }
    let mut needed: BTreeSet<ValuePlace> = record.refuted.iter().copied().collect();
    let mut before = vec![BTreeSet::new(); starts.len()];
    let mut end = record.events.len();
    for (number, &start) in starts.iter().enumerate().rev() {
        for event in record.events[start..end].iter().rev() {
            match event {
                Event::Defined(place, sources) => {
                    if needed.remove(place) {
                        needed.extend(sources.iter().copied());
                    }
                }
                Event::Written(written) => {
                    let spared = written.needed_to_spare(space, &needed);
                    needed.extend(spared.iter().copied());
                }
            }
        }
        end = start;
        before[number] = needed.clone();
    }
    Some(before)
}

/// All that is known when the program starts.
fn everything_initial(space: &mut Space<'_>) -> Valuation {
    let mut values = Valuation::default();
    let program = space.program;
    for var in program.vars.keys().chain([space.next_object()]) {
        if let Some(value) = initial(space, ValuePlace::Var(var))
            && space.is_value(value)
        {
            values.set(ValuePlace::Var(var), value);
        }
    }
    for object in program.objects.keys() {
        for memory in space.memories_of(object) {
            for (offset, value) in space.initial_contents_in(object, memory) {
                if let Some(bytes) = program.bytes_of(space.terms.sort(value))
                    && space.is_value(value)
                {
                    let object = object.as_u32() + 1;
                    values.set(ValuePlace::Cell { memory, object, offset, bytes }, value);
                }
            }
        }
    }
    values
}

/// What happened to places, in order.
#[derive(Debug, Default)]
struct Record {
    events: Vec<Event>,
    refuted: Vec<ValuePlace>,
}

#[derive(Debug)]
enum Event {
    /// A place got its value from others.
    Defined(ValuePlace, Box<[ValuePlace]>),
    Written(Box<Written>),
}

/// A write to memory and what is known of where it goes.
#[derive(Debug)]
struct Written {
    write: Write,
    /// The address by pointers alone, and which they are.
    address: Term,
    pointers: Vec<ValuePlace>,
    /// All that says where it goes.
    all: Vec<ValuePlace>,
}

impl Written {
    /// The places that must be known so that the write leaves cells alone: none if it does anyway; and no
    /// index where the object is another in any case.
    fn needed_to_spare(
        &self,
        space: &mut Space<'_>,
        cells: &BTreeSet<ValuePlace>,
    ) -> &[ValuePlace] {
        let mut needed: &[ValuePlace] = &[];
        for &cell in cells {
            if !self.write.may_change(space, self.write.pointer(), cell) {
                continue;
            }
            if self.write.may_change(space, self.address, cell) {
                return &self.all;
            }
            needed = &self.pointers;
        }
        needed
    }
}

impl Observer for Record {
    fn defined(&mut self, place: ValuePlace, sources: &[ValuePlace]) {
        self.events.push(Event::Defined(place, sources.into()));
    }

    fn writes(&mut self, space: &mut Space<'_>, values: &Valuation, write: &Write) {
        let pointer = write.pointer();
        let mut all = sources(space, values, pointer);
        let is_pointer = |place: &ValuePlace| match *place {
            ValuePlace::Var(var) => space.sort(var) == Sort::Ptr,
            ValuePlace::Cell { .. } => false,
        };
        let pointers: Vec<ValuePlace> = all.iter().copied().filter(is_pointer).collect();
        if let Write::Range { size, .. } = *write {
            all.extend(sources(space, values, size));
        }
        if all.is_empty() {
            return;
        }
        let mut known = Valuation::default();
        for &place in &pointers {
            if let Some(value) = values.get(place) {
                known.set(place, value);
            }
        }
        let address = known.evaluate(space, pointer);
        let written = Written { write: *write, address, pointers, all };
        self.events.push(Event::Written(Box::new(written)));
    }

    fn refuted(&mut self, sources: &[ValuePlace]) {
        self.refuted = sources.to_vec();
    }
}
