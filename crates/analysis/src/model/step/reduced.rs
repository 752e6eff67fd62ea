//! Steps under reduction: which threads have to move, and what of their steps has to be evaluated.

use std::rc::Rc;
use std::time::{Duration, Instant};

use ravelin_cfa::Program;
use ravelin_pointsto as pointsto;
use ravelin_por::Bits;
use ravelin_term::Term;
use rustc_hash::FxHashMap;

use super::body::Reduced;
use super::control::{Position, Status};
use super::{Control, Step, Steps, Target};
use crate::model::space::Space;
use crate::reduction::statements::StatementCounts;
use crate::reduction::{Places, Reducer, TrackedPlaces};

/// What the reducer said, for what is tracked now.
#[derive(Debug, Default)]
pub(super) struct ReducedSteps {
    /// None if all threads move and every statement is evaluated.
    reducer: Option<Reducer>,
    persistent_sets: FxHashMap<(Control, KnownObjects), u64>,
    /// Where states may know more than the program says.
    ambiguous: FxHashMap<Control, Rc<[Ambiguous]>>,
    evaluated: FxHashMap<(Control, usize), Evaluated>,
    /// How often what is tracked has changed.
    changes: u32,
    /// The time it took to find out what can be left out.
    time: Duration,
}

impl ReducedSteps {
    /// What was said held of what was tracked.
    pub(super) fn forget(&mut self) {
        self.persistent_sets.clear();
        self.changes += 1;
    }
}

/// The pointer of a thread's next access, which may lead to several objects.
#[derive(Clone, Debug)]
pub struct Ambiguous {
    pub position: usize,
    /// As the thread's frame sees it.
    pub pointer: Term,
    /// The objects, each with the pointers into it that this one may be, if those are known.
    pub objects: Vec<(pointsto::Target, Option<Vec<Term>>)>,
}

/// The objects to which such pointers lead in a state: the threads by position, each with some.
pub type KnownObjects = Vec<(usize, Bits)>;

/// A step, and what of it has to be evaluated.
#[derive(Clone, Debug)]
pub struct Move {
    pub step: Rc<Step>,
    pub evaluated: Rc<Step>,
    pub statements: StatementCounts,
}

/// The steps of a thread, as they are to be evaluated after so many changes of what is tracked.
#[derive(Clone, Debug)]
struct Evaluated {
    moves: Rc<[Move]>,
    changes: u32,
}

impl Steps {
    /// From here on, threads that may wait for others do.
    pub fn reduce(&mut self, reducer: Reducer) {
        self.reduction.reducer = Some(reducer);
    }

    /// From here on, all threads move and every statement is evaluated.
    pub fn stop_reducing(&mut self) {
        self.reduction.reducer = None;
        self.reduction.forget();
    }

    /// Whether what is tracked makes a difference to steps.
    pub fn are_reduced(&self) -> bool {
        self.reduction.reducer.is_some()
    }

    /// From here on this is tracked; whether that makes a difference.
    pub fn track(&mut self, tracked: TrackedPlaces) -> bool {
        let changes = self.reduction.reducer.as_mut().is_some_and(|reducer| reducer.track(tracked));
        if changes {
            self.reduction.forget();
        }
        changes
    }

    /// From here on, every statement is evaluated; whether that makes a difference.
    pub fn evaluate_all(&mut self) -> bool {
        self.reduction.forget();
        self.reduction.reducer.as_mut().is_some_and(Reducer::evaluate_all)
    }

    /// The steps of a thread in a control state, and what of them has to be evaluated.
    pub fn moves(
        &mut self,
        space: &mut Space<'_>,
        control: Control,
        position: usize,
    ) -> Rc<[Move]> {
        if let Some(it) = self.reduction.evaluated.get(&(control, position))
            && it.changes == self.reduction.changes
        {
            return Rc::clone(&it.moves);
        }
        let steps = self.of_thread(space, control, position);
        let begun = Instant::now();
        let moves: Rc<[Move]> = steps.iter().map(|step| self.reduced(space, step)).collect();
        self.reduction.time += begun.elapsed();
        let evaluated = Evaluated { moves: Rc::clone(&moves), changes: self.reduction.changes };
        self.reduction.evaluated.insert((control, position), evaluated);
        moves
    }

    fn reduced(&mut self, space: &mut Space<'_>, step: &Rc<Step>) -> Move {
        let whole = || {
            let (evaluated, statements) = (Rc::clone(step), StatementCounts::default());
            Move { step: Rc::clone(step), evaluated, statements }
        };
        let observed = self.observed_after(space, step);
        let tracked = self.reduction.reducer.as_ref().and_then(Reducer::tracked);
        let (Some(observed), Some(tracked)) = (observed, tracked) else { return whole() };
        let Reduced { statements, counts } =
            self.made.bodies.reduced(space, step.body, &observed, tracked);
        let evaluated = match Rc::ptr_eq(&statements, &step.statements) {
            true => Rc::clone(step),
            false => Rc::new(Step { statements, ..(**step).clone() }),
        };
        Move { step: Rc::clone(step), evaluated, statements: counts }
    }

    /// What a step writes that is taken to decide something after it; none if all is.
    fn observed_after(&mut self, space: &mut Space<'_>, step: &Step) -> Option<Places> {
        let reducer = self.reduction.reducer.as_ref()?;
        let tracked = reducer.tracked()?;
        // What is observed is tracked: it does not matter to a step that writes nothing of that.
        let written = self.made.bodies.written(space, step.body);
        if !written.iter().any(|&place| tracked.has(place)) {
            return Some(Places::default());
        }
        if !reducer.follows_values() {
            return Some(tracked.clone());
        }
        let threads = match step.target {
            Target::Control(control) => {
                self.states.all_whereabouts(space.program, control, &KnownObjects::new())
            }
            // Nothing comes after it.
            Target::End | Target::Error(_) | Target::Unsupported(_) | Target::StartElsewhere => {
                Vec::new()
            }
        };
        reducer.observed_of(space.program, &threads, &written)
    }

    /// The pointers of which states at a control state may know more than the program says.
    pub fn ambiguous(&mut self, space: &mut Space<'_>, control: Control) -> Rc<[Ambiguous]> {
        if let Some(found) = self.reduction.ambiguous.get(&control) {
            return Rc::clone(found);
        }
        let program = space.program;
        let threads = self.states.all_whereabouts(program, control, &KnownObjects::new());
        let pointers = match &self.reduction.reducer {
            Some(reducer) if self.states.controls[control].atomic.is_none() => {
                reducer.ambiguous(program, &threads)
            }
            Some(_) | None => Vec::new(),
        };
        let mut found = Vec::new();
        for (position, pointer) in pointers {
            let Status::At(Position { frame, .. }) =
                self.states.controls[control].threads[position].1
            else {
                continue;
            };
            let objects = space.objects_behind(pointer);
            let pointer = space.instantiate(pointer, self.states.frames[frame].activation);
            found.push(Ambiguous { position, pointer, objects });
        }
        let found: Rc<[Ambiguous]> = found.into();
        self.reduction.ambiguous.insert(control, Rc::clone(&found));
        found
    }

    /// Whether the solver is to be asked about such pointers.
    pub fn asks_solver(&self) -> bool {
        self.reduction.reducer.as_ref().is_some_and(Reducer::asks_solver)
    }

    /// The threads that have to move where this is known of pointers, by position.
    pub fn persistent_set(
        &mut self,
        program: &Program,
        control: Control,
        known: &KnownObjects,
    ) -> u64 {
        let key = (control, known.clone());
        if let Some(&set) = self.reduction.persistent_sets.get(&key) {
            return set;
        }
        let threads = self.states.all_whereabouts(program, control, known);
        let set = match &self.reduction.reducer {
            Some(reducer) if self.states.controls[control].atomic.is_none() => {
                reducer.persistent_set(program, &threads)
            }
            Some(_) | None => u64::MAX,
        };
        self.reduction.persistent_sets.insert(key, set);
        set
    }

    /// Whether these threads, which had to move once, are all that have to now.
    pub fn is_persistent(
        &mut self,
        program: &Program,
        control: Control,
        known: &KnownObjects,
        set: u64,
    ) -> bool {
        if set == u64::MAX
            || self.reduction.persistent_sets.get(&(control, known.clone())) == Some(&set)
        {
            return true;
        }
        let threads = self.states.all_whereabouts(program, control, known);
        self.reduction
            .reducer
            .as_ref()
            .is_none_or(|reducer| reducer.is_persistent(program, &threads, set))
    }

    /// The time it took to find out what can be left out of steps.
    pub fn reduction_time(&self) -> Duration {
        self.reduction.time
    }
}
