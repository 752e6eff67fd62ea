//! Where pointers lead whose values no state knows: what a pointer analysis says of them.
//!
//! Memory is divided, and threads are reduced, by Andersen's analysis ([`super::MemoryRegions`]). Which analysis
//! strengthens values can be chosen beside it, or that none does: then a pointer without value leads anywhere
//! in its region of memory.

use std::time::Duration;

use ravelin_base::Budget;
use ravelin_cfa::{Loc, ObjectKind, Proc};
use ravelin_pointsto::{Flags, ObjectName, Offset, Options, PointsTo, Target, TargetSet, analyse};
use ravelin_term::{Term, TermKind, Var};
use rustc_hash::FxHashSet;

use super::Space;

/// What strengthens values.
#[derive(Debug, Default)]
pub(super) struct Strengthening {
    by: By,
    /// Where the step begins that is being evaluated, and what it has written so far: what an analysis says of
    /// a location holds of variables that have not changed since.
    here: Option<(Proc, Loc)>,
    written: FxHashSet<Var>,
}

#[derive(Debug, Default)]
enum By {
    Nothing,
    /// The sets by which memory is divided.
    #[default]
    Division,
    Chosen(Box<PointsTo>),
}

/// The chosen analysis may take this long; if it takes longer, the one that divides memory is used.
const TIME: Duration = Duration::from_secs(5);

/// More places than this of one pointer are not looked at one by one.
const MAX_PLACES: usize = 8;

impl Space<'_> {
    /// From here on, values are strengthened by this analysis, or by none.
    pub fn strengthen_by(&mut self, options: Option<Options>) {
        let mut budget = Budget::unlimited().sooner(TIME);
        self.strengthening.by = match options {
            None => By::Nothing,
            Some(options) if options == Options::default() => By::Division,
            Some(options) => match analyse(self.program, &options, &mut budget) {
                Ok(points_to) => By::Chosen(Box::new(points_to)),
                Err(_) => By::Division,
            },
        };
    }

    /// A step is evaluated that begins here; none if it is not known where.
    pub fn begin_step(&mut self, here: Option<(Proc, Loc)>) {
        self.strengthening.here = here;
        self.strengthening.written.clear();
    }

    /// The step that is evaluated writes a variable.
    pub fn note_written(&mut self, var: Var) {
        if self.strengthening.here.is_some() {
            self.strengthening.written.insert(var);
        }
    }

    fn strengthened_by(&self) -> Option<&PointsTo> {
        match &self.strengthening.by {
            By::Nothing => None,
            By::Division => self.points_to(),
            By::Chosen(points_to) => Some(points_to),
        }
    }

    /// What a pointer of a label may be where the step is that is evaluated.
    fn pointers_here(&self, pointer: Term) -> TargetSet {
        let Some(points_to) = self.strengthened_by() else { return TargetSet::unknown() };
        let is_old = || {
            let vars = self.terms.vars_of(pointer);
            vars.iter().all(|var| !self.strengthening.written.contains(var))
        };
        let here = self.strengthening.here.filter(|_| is_old());
        self.said_of(points_to, pointer, here)
    }

    /// What an analysis says of a pointer of a label, at a location or at any time.
    pub(super) fn said_of(
        &self,
        points_to: &PointsTo,
        pointer: Term,
        at: Option<(Proc, Loc)>,
    ) -> TargetSet {
        match (self.terms.kind(pointer), at) {
            (TermKind::Var(var), None) => points_to.of_var(self.program_var(var)),
            (TermKind::Var(var), Some((proc, loc))) => {
                points_to.of_var_at(self.program_var(var), proc, loc)
            }
            // What frames see of a term of the program is, for all of them, what the program has.
            (_, at) => {
                let term = self.origins.get(&pointer).copied().unwrap_or(pointer);
                match at {
                    None => points_to.of_term(self.program, term),
                    Some((proc, loc)) => points_to.of_term_at(self.program, term, proc, loc),
                }
            }
        }
    }

    /// The places to which a pointer of a label may lead, by numbers of objects and offsets, if each is known
    /// and there is one object for each at any time. To write through null changes none of them, but what is read
    /// there is none of theirs: `null` says whether the pointer may be null nonetheless.
    pub fn places_of(&self, pointer: Term, null: bool) -> Option<Vec<(u32, u64)>> {
        let points_to = self.strengthened_by()?;
        let set = self.pointers_here(pointer);
        // What nobody assigned may be anything.
        let is_open = set.is_open() || !null && set.flags().contains(Flags::NULL);
        if is_open || set.places().is_empty() || set.places().len() > MAX_PLACES {
            return None;
        }
        let place = |&(target, offset): &(Target, Offset)| {
            let ObjectName::Object(object) = points_to.name(target) else { return None };
            let is_one = match self.program.objects[object].kind {
                ObjectKind::Global | ObjectKind::Constant => true,
                ObjectKind::Local(_) => self.is_begun_once(object),
                ObjectKind::ThreadLocal | ObjectKind::Function(_) => false,
            };
            let offset = offset.as_exact().and_then(|offset| u64::try_from(offset).ok())?;
            is_one.then_some((object.as_u32() + 1, offset))
        };
        set.places().iter().map(place).collect()
    }

    /// Whether a pointer of a label may lead into the object with this number.
    pub fn may_point_into(&self, pointer: Term, number: u32) -> bool {
        let Some(points_to) = self.strengthened_by() else { return true };
        let set = self.pointers_here(pointer);
        if set.is_unknown() {
            return true;
        }
        match self.object_numbered(number) {
            Some(object) => {
                let target = points_to.target(ObjectName::Object(object));
                set.targets().any(|other| Some(other) == target)
            }
            // Something that was allocated.
            None => {
                set.flags().contains(Flags::UNINITIALISED)
                    || set.targets().any(|target| match points_to.name(target) {
                        ObjectName::Object(_) => false,
                        ObjectName::Allocated(_) | ObjectName::OfSize(_) => true,
                    })
            }
        }
    }
}
