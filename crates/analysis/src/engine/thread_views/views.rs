//! The views of a program: what can be seen of its states by looking at main and two replicated threads.

use std::collections::VecDeque;
use std::rc::Rc;

use ravelin_term::Var;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use super::atoms::Atoms;
use crate::domain::predicate::literals::{Literals, Predicate};
use crate::domain::predicate::{Predicates, start};
use crate::domain::{Context, Stop};
use crate::model::block::Block;
use crate::model::space::{Role, Space, Thread};
use crate::model::statement::Update;
use crate::model::step::replicated::{Member, ViewControl, Whence};
use crate::model::step::{Control, Step, Target};

/// Members of a view, unless fewer have been started.
const MEMBERS: usize = 2;

/// Where main and some replicas are, and what is known of variables.
#[derive(Clone, Debug)]
struct View {
    at: ViewControl,
    literals: Literals,
}

/// From what it follows what is known of a member after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Knowing {
    /// From what is known of it, and of who makes the step. What is known of others says more but seldom, and in
    /// ever new ways.
    OfThose,
    OfAll,
}

/// A step: of a thread from where it is, which of its steps there, and whom it starts.
type StepName = (Whence, usize, Option<Thread>);

/// A view, and which of its members is meant.
type Seen = (usize, usize);

/// The views found so far.
#[derive(Debug)]
pub(super) struct Views<'g> {
    atoms: Atoms,
    predicates: Predicates<'g>,
    knowing: Knowing,
    views: Vec<View>,
    by_place: FxHashMap<ViewControl, Vec<usize>>,
    /// Views of two members, none of them and nobody else in an atomic block, that have been looked at: by main
    /// and one member.
    by_member: FxHashMap<(Control, Member), Vec<Seen>>,
    waiting: VecDeque<usize>,
    /// States of three members that have been looked at.
    threes: FxHashSet<(Control, Literals)>,
    /// What is known after steps.
    known_steps: FxHashMap<(StepName, Literals, Vec<Predicate>), Option<Literals>>,
    /// Whether others may notice a step that a member makes next.
    notable: FxHashMap<(Control, Member), bool>,
}

impl<'g> Views<'g> {
    pub(super) fn new(atoms: Atoms, predicates: Predicates<'g>, knowing: Knowing) -> Self {
        Views {
            atoms,
            predicates,
            knowing,
            views: Vec::new(),
            by_place: FxHashMap::default(),
            by_member: FxHashMap::default(),
            waiting: VecDeque::new(),
            threes: FxHashSet::default(),
            known_steps: FxHashMap::default(),
            notable: FxHashMap::default(),
        }
    }

    /// Whether no view of the program has an error: finds all of them.
    pub(super) fn are_safe(
        mut self,
        cx: &mut Context<'_, '_>,
        first: Control,
    ) -> Result<bool, Stop> {
        let block = start(cx);
        let mut literals = Literals::default();
        for group in self.atoms.of(cx, first, &[]).iter() {
            let known = Literals::default();
            let predicates = &group.predicates;
            let after = self.predicates.literals_after(cx, &known, &block, predicates)?;
            let Some(both) = after.and_then(|after| after.and(&literals)) else { return Ok(true) };
            literals = both;
        }
        self.see(cx, first, &literals);
        while let Some(number) = self.waiting.pop_front() {
            cx.budget.tick()?;
            cx.budget.check_now()?;
            let View { at, literals } = self.views[number].clone();
            let (control, slots) = cx.steps.control_of(&at);
            for position in cx.steps.positions(control, u64::MAX) {
                let Some(reached) = self.step(cx, (control, position), &literals, None)? else {
                    return Ok(false);
                };
                for (next, literals) in reached {
                    self.see(cx, next, &literals);
                }
            }
            let is_open = at.inside.is_none() && !cx.steps.is_atomic(control);
            if at.members.len() == MEMBERS && is_open && !self.look_beyond(cx, number, &slots)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes the steps of a thread: where they lead, or `None` if one of them is an error. Of a thread that is
    /// `left_out`, nothing is kept after steps that do not end in an atomic block.
    fn step(
        &mut self,
        cx: &mut Context<'_, '_>,
        (control, position): (Control, usize),
        literals: &Literals,
        left_out: Option<Thread>,
    ) -> Result<Option<Vec<(Control, Literals)>>, Stop> {
        let mut reached = Vec::new();
        let whence = cx.steps.whence(control, position);
        for (way, step) in cx.steps.of_thread(cx.space, control, position).iter().enumerate() {
            match step.target {
                Target::End => {}
                Target::Error(_) | Target::Unsupported(_) | Target::StartElsewhere => {
                    let mut block = Block::default();
                    block.take(cx.space, step);
                    if self.predicates.literals_after(cx, literals, &block, &[])?.is_some() {
                        return Ok(None);
                    }
                }
                Target::Control(next) => {
                    let (_, mut slots) = cx.steps.view_of(next);
                    if !cx.steps.is_atomic(next) {
                        slots.retain(|slot| Some(*slot) != left_out);
                    }
                    if let Some(after) =
                        self.after(cx, literals, (whence, way, step), (next, &slots))?
                    {
                        reached.push((next, after));
                    }
                }
            }
        }
        Ok(Some(reached))
    }

    /// What is known of members after a step.
    fn after(
        &mut self,
        cx: &mut Context<'_, '_>,
        literals: &Literals,
        (whence, way, step): (Whence, usize, &Step),
        (next, members): (Control, &[Thread]),
    ) -> Result<Option<Literals>, Stop> {
        let mut block = None;
        let mut all = Literals::default();
        for group in self.atoms.of(cx, next, members).iter() {
            let known = match self.knowing {
                Knowing::OfThose => self.atoms.about(literals, step.thread, &group.spoken),
                Knowing::OfAll => literals.clone(),
            };
            let key = ((whence, way, step.starts), known, group.predicates.clone());
            let after = match self.known_steps.get(&key) {
                Some(after) => after.clone(),
                None => {
                    let block = block.get_or_insert_with(|| {
                        let mut block = Block::default();
                        block.take(cx.space, step);
                        block
                    });
                    let (known, predicates) = (&key.1, &key.2);
                    let after = self.predicates.literals_after(cx, known, block, predicates)?;
                    self.known_steps.insert(key, after.clone());
                    after
                }
            };
            let Some(both) = after.and_then(|after| after.and(&all)) else { return Ok(None) };
            all = both;
        }
        Ok(Some(all))
    }

    /// Adds what can be seen of a state: each two of its members.
    fn see(&mut self, cx: &mut Context<'_, '_>, control: Control, literals: &Literals) {
        let (all, slots) = cx.steps.view_of(control);
        if all.members.len() <= MEMBERS {
            let chosen: SmallVec<[usize; 3]> = (0..all.members.len()).collect();
            return self.add(cx, &all, &slots, chosen, literals);
        }
        for left_out in 0..all.members.len() {
            // Who is in an atomic block is looked at until its end.
            if all.inside.is_none_or(|(owner, _)| owner != left_out) {
                let chosen = (0..all.members.len()).filter(|&it| it != left_out).collect();
                self.add(cx, &all, &slots, chosen, literals);
            }
        }
    }

    /// Adds the view of some members, unless a view that is there says no more.
    fn add(
        &mut self,
        cx: &mut Context<'_, '_>,
        all: &ViewControl,
        slots: &[Thread],
        mut chosen: SmallVec<[usize; 3]>,
        literals: &Literals,
    ) {
        chosen.sort_by_key(|&it| all.members[it]);
        let members = chosen.iter().map(|&it| all.members[it]).collect();
        let inside = all.inside.and_then(|(owner, depth)| {
            chosen.iter().position(|&it| it == owner).map(|owner| (owner, depth))
        });
        let at = ViewControl { rest: all.rest, members, inside };
        let (_, new_slots) = cx.steps.control_of(&at);
        let moves: SmallVec<[(Thread, Thread); 3]> =
            chosen.iter().zip(&new_slots).map(|(&it, &to)| (slots[it], to)).collect();
        let literals = self.atoms.moved(literals, &moves);
        let here = self.by_place.entry(at.clone()).or_default();
        if here.iter().any(|&other| self.views[other].literals.is_part_of(&literals)) {
            return;
        }
        here.push(self.views.len());
        self.waiting.push_back(self.views.len());
        self.views.push(View { at, literals });
    }

    /// Makes the steps of a third thread, not in a view, of all that are known; and likewise for other views, where
    /// this is needed to know of the third. Whether none of them is an error.
    fn look_beyond(
        &mut self,
        cx: &mut Context<'_, '_>,
        number: usize,
        slots: &[Thread],
    ) -> Result<bool, Stop> {
        let View { at: ViewControl { rest, members, .. }, literals } = self.views[number].clone();
        for (at, &member) in members.iter().enumerate() {
            self.by_member.entry((rest, member)).or_default().push((number, at));
        }
        // Where both members are at one place, it matters which is which.
        let orders: &[[usize; 2]] =
            if members[0] == members[1] { &[[0, 1], [1, 0]] } else { &[[0, 1]] };
        for &[one, other] in orders {
            let with_one = self.by_member.get(&(rest, members[one])).cloned().unwrap_or_default();
            for (second, shared) in with_one {
                let third = self.views[second].at.members[1 - shared];
                let three = [members[one], members[other], third];
                if !self.is_any_notable(cx, rest, &three) {
                    continue;
                }
                let pair = (slots[one], slots[other]);
                if !self.look_at_three(cx, rest, three, (&literals, pair), (second, shared))? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The states of three members of which each two are in views: the first two in one with these literals, the
    /// first and the third in another.
    fn look_at_three(
        &mut self,
        cx: &mut Context<'_, '_>,
        rest: Control,
        three: [Member; 3],
        (literals, pair): (&Literals, (Thread, Thread)),
        (second, shared): Seen,
    ) -> Result<bool, Stop> {
        let at = ViewControl { rest, members: three.into(), inside: None };
        let (control, slots) = cx.steps.control_of(&at);
        let from_first = self.atoms.moved(literals, &[(pair.0, slots[0]), (pair.1, slots[1])]);
        let from_second = {
            let (_, own) = cx.steps.control_of(&self.views[second].at);
            let moves = [(own[shared], slots[0]), (own[1 - shared], slots[2])];
            self.atoms.moved(&self.views[second].literals, &moves)
        };
        let Some(both) = from_first.and(&from_second) else { return Ok(true) };
        let with_third = self.by_member.get(&(rest, three[2])).cloned().unwrap_or_default();
        for (number, third) in with_third {
            let view = &self.views[number];
            if view.at.members[1 - third] != three[1] {
                continue;
            }
            let (_, own) = cx.steps.control_of(&view.at);
            let moves = [(own[1 - third], slots[1]), (own[third], slots[2])];
            let from_third = self.atoms.moved(&view.literals, &moves);
            let Some(all) = both.and(&from_third) else { continue };
            if self.threes.insert((control, all.clone())) && !self.move_each(cx, control, &all)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Lets each of three members move, and sees what that is to the others. A member that enters an atomic block
    /// goes on until its end.
    fn move_each(
        &mut self,
        cx: &mut Context<'_, '_>,
        control: Control,
        literals: &Literals,
    ) -> Result<bool, Stop> {
        let (all, slots) = cx.steps.view_of(control);
        for (moving, &slot) in slots.iter().enumerate() {
            if !self.is_any_notable(cx, all.rest, &[all.members[moving]]) {
                continue;
            }
            let mut seen: FxHashSet<(Control, Literals)> = FxHashSet::default();
            let mut work = vec![(control, literals.clone())];
            while let Some((control, literals)) = work.pop() {
                cx.budget.check_now()?;
                let threads = cx.steps.threads_at(control);
                let Some(position) = threads.iter().position(|&thread| thread == slot) else {
                    continue;
                };
                let at = (control, position);
                let Some(reached) = self.step(cx, at, &literals, Some(slot))? else {
                    return Ok(false);
                };
                for (next, literals) in reached {
                    if cx.steps.is_atomic(next) {
                        if seen.insert((next, literals.clone())) {
                            work.push((next, literals));
                        }
                        continue;
                    }
                    let (all, slots) = cx.steps.view_of(next);
                    let chosen = (0..slots.len()).filter(|&it| slots[it] != slot).collect();
                    self.add(cx, &all, &slots, chosen, &literals);
                }
            }
        }
        Ok(true)
    }

    /// Whether others may notice what one of these does next.
    fn is_any_notable(
        &mut self,
        cx: &mut Context<'_, '_>,
        rest: Control,
        members: &[Member],
    ) -> bool {
        members.iter().any(|&member| {
            if let Some(&known) = self.notable.get(&(rest, member)) {
                return known;
            }
            let at = ViewControl { rest, members: smallvec![member], inside: None };
            let (control, slots) = cx.steps.control_of(&at);
            let threads = cx.steps.threads_at(control);
            let position = threads.iter().position(|thread| slots.contains(thread));
            let steps: Rc<[Rc<Step>]> = match position {
                Some(position) => cx.steps.of_thread(cx.space, control, position),
                None => Rc::default(),
            };
            let is_notable = steps.iter().any(|step| {
                let enters = match step.target {
                    Target::Control(next) => cx.steps.is_atomic(next),
                    Target::End
                    | Target::Error(_)
                    | Target::Unsupported(_)
                    | Target::StartElsewhere => true,
                };
                let mut writes = |update: &Update| writes_shared(cx.space, update);
                enters || step.statements.iter().any(|it| it.any_update(&mut writes))
            });
            self.notable.insert((rest, member), is_notable);
            is_notable
        })
    }
}

/// Whether an update changes anything but variables of the thread's own.
fn writes_shared(space: &Space<'_>, update: &Update) -> bool {
    let is_shared = |var: Var| match space.role(var) {
        Role::Program { var, .. } => space.program.is_shared_var(var),
        Role::Thread(..) => false,
        _ => true,
    };
    match *update {
        Update::Assign { dst, .. }
        | Update::Havoc { dst, .. }
        | Update::Load { dst, .. }
        | Update::Alloc { dst, .. }
        | Update::Inspect { dst, .. } => is_shared(dst),
        // Objects of a thread's frames are known to nobody else (`eligible`).
        Update::ScopeBegin(_) | Update::ScopeEnd(_) => false,
        Update::HavocMemory { ref pointers } => !pointers.is_empty(),
        Update::Store { .. }
        | Update::Copy { .. }
        | Update::Fill { .. }
        | Update::Realloc { .. }
        | Update::Free { .. }
        | Update::Mark { .. } => true,
    }
}
