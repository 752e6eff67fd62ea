//! Where the pointers of labels may lead, by the points-to analysis that divides memory.

use ravelin_cfa::ObjectKind;
use ravelin_pointsto::{ObjectName, Offset, PointsTo, Target, TargetSet};
use ravelin_term::{Object, Sort, Term};

use super::{Space, initial_read};

impl Space<'_> {
    /// What is known of the program's pointers.
    pub fn points_to(&self) -> Option<&PointsTo> {
        self.regions.points_to()
    }

    /// The objects to which a pointer of the program may lead, each with the pointers that it may then be, if
    /// there is one such object and the offsets are known.
    pub fn objects_behind(&mut self, pointer: Term) -> Vec<(Target, Option<Vec<Term>>)> {
        let set = self.pointers(pointer);
        let mut found: Vec<(Target, Option<Vec<Term>>)> = Vec::new();
        for &(target, offset) in set.places() {
            let name = self.regions.points_to().map(|points_to| points_to.name(target));
            let offset = offset.as_exact().and_then(|offset| u64::try_from(offset).ok());
            let place = match (name, offset) {
                (Some(ObjectName::Object(object)), Some(offset))
                    if self.program.objects[object].kind == ObjectKind::Global =>
                {
                    let address = self.terms.address(object);
                    Some(self.terms.ptr_add_const(address, offset))
                }
                _ => None,
            };
            match found.iter_mut().find(|(other, _)| *other == target) {
                Some((_, places)) => match (places.as_mut(), place) {
                    (Some(places), Some(place)) => places.push(place),
                    _ => *places = None,
                },
                None => found.push((target, place.map(|place| vec![place]))),
            }
        }
        found
    }

    /// The object to which a value that is a pointer leads, in the words of the points-to analysis.
    pub fn object_behind(&self, value: Term) -> Option<Target> {
        let (number, _) = self.constant_pointer(value)?;
        let object = self.object_numbered(number)?;
        self.regions.points_to()?.target(ObjectName::Object(object))
    }

    /// Whether the word so many bytes behind a pointer of a label is surely zero when the program starts, or
    /// belongs to nothing that there is then.
    pub fn is_zero_at_start(&mut self, pointer: Term, behind: u64) -> bool {
        let set = self.pointers(pointer);
        let Some(points_to) = self.regions.points_to().filter(|_| !set.is_unknown()) else {
            return false;
        };
        let places: Vec<(ObjectName, Offset)> =
            set.places().iter().map(|&(target, at)| (points_to.name(target), at)).collect();
        places.into_iter().all(|(name, offset)| {
            let ObjectName::Object(object) = name else {
                return true;
            };
            let (size, kind) =
                (self.program.objects[object].size, self.program.objects[object].kind);
            let zero = self.terms.bv(32, 0);
            let mut is_zero = |at: u64| {
                at + 4 > size || initial_read(self, object, at, Sort::Bv(32)) == Some(zero)
            };
            match (kind, offset.as_exact()) {
                (ObjectKind::Local(_), _) => true,
                (_, Some(at)) => u64::try_from(at).is_ok_and(|at| is_zero(at + behind)),
                (_, None) => (0..size).step_by(4).all(is_zero),
            }
        })
    }

    /// Whether so many bytes at a pointer of a label, or any number from there on, may have one in common
    /// with the word so far behind another pointer of a label.
    pub fn may_overlap(&self, to: Term, bytes: Option<u64>, word: Term, behind: u64) -> bool {
        let (to, word) = (self.pointers(to), self.pointers(word));
        if to.is_unknown() || word.is_unknown() {
            return true;
        }
        let meet = |from_word: Offset| {
            let Some(bytes) = bytes.and_then(|bytes| i64::try_from(bytes).ok()) else {
                return true;
            };
            let mut overlapping = 1 - bytes..4;
            match from_word.as_exact() {
                Some(at) => overlapping.contains(&at),
                None => overlapping.any(|at| from_word.covers(Offset::exact(at))),
            }
        };
        to.places().iter().any(|&(target, offset)| {
            word.places().iter().any(|&(other, at)| {
                let at = at.plus(Offset::exact(behind as i64));
                target == other && meet(offset.minus(at))
            })
        })
    }

    /// Whether a pointer of a label may lead to a function that is not the program's.
    pub fn may_point_elsewhere(&self, pointer: Term) -> bool {
        let Some(points_to) = self.regions.points_to() else { return true };
        let is_function = |&(target, offset): &(Target, Offset)| {
            offset == Offset::ZERO
                && matches!(points_to.name(target), ObjectName::Object(object)
                    if matches!(self.program.objects[object].kind, ObjectKind::Function(_)))
        };
        let set = self.pointers(pointer);
        !set.flags().is_empty() || set.places().is_empty() || !set.places().iter().all(is_function)
    }

    /// Whether a pointer of a label may lead to the start of this object of the program.
    pub fn may_point_to(&self, pointer: Term, object: Object) -> bool {
        let target = self.regions.points_to().map(|it| it.target(ObjectName::Object(object)));
        match target {
            Some(Some(target)) => self.pointers(pointer).contains(target, Offset::ZERO),
            // An object that nobody points to.
            Some(None) => false,
            None => true,
        }
    }

    /// What a pointer may be, whenever.
    pub(super) fn pointers(&self, term: Term) -> TargetSet {
        let Some(points_to) = self.regions.points_to() else {
            return TargetSet::unknown();
        };
        self.said_of(points_to, term, None)
    }
}
