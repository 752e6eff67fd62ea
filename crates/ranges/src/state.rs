//! What is known at a location: values of variables, of cells of memory, and of lifetimes.

use ravelin_base::EntityRef;
use ravelin_cfa::{Object, Var};
use ravelin_pointsto::Target;

use crate::map::Map;
use crate::num::Num;
use crate::relations::Relations;

/// A quantity of the program with a value in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key(pub(crate) u32);

/// How keys are numbered: variables and cells with two each, lifetimes, scopes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Keys {
    pub(crate) vars: u32,
    pub(crate) cells: u32,
    pub(crate) targets: u32,
}

/// What a key stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// The value of a variable; for a pointer, its offset.
    Var(Var),
    /// The size of the object that a pointer variable points to, if it points to one.
    SizeOf(Var),
    /// The contents of a cell.
    Cell(u32),
    /// The size of the object of a pointer in a cell.
    SizeOfCell(u32),
    /// That no object with this name has ended.
    NoneEnded(Target),
    /// That no object with this name has begun.
    NoneBegun(Target),
    /// That the object of the current frame has begun and not ended.
    InScope(Object),
}

impl Keys {
    pub(crate) fn var(self, var: Var) -> Key {
        Key(2 * var.as_u32())
    }

    pub(crate) fn cell(self, cell: u32) -> Key {
        Key(2 * (self.vars + cell))
    }

    pub(crate) fn none_ended(self, target: Target) -> Key {
        Key(2 * (self.vars + self.cells + target.as_u32()))
    }

    pub(crate) fn none_begun(self, target: Target) -> Key {
        Key(self.none_ended(target).0 + 1)
    }

    pub(crate) fn in_scope(self, object: Object) -> Key {
        Key(2 * (self.vars + self.cells + self.targets) + object.as_u32())
    }

    pub(crate) fn quantity(self, key: Key) -> Quantity {
        let (half, is_second) = (key.0 / 2, key.0 % 2 == 1);
        let cells = self.vars + self.cells;
        let targets = cells + self.targets;
        match (half, is_second) {
            _ if half >= targets => Quantity::InScope(Object::new((key.0 - 2 * targets) as usize)),
            _ if half >= cells && is_second => {
                Quantity::NoneBegun(Target::new((half - cells) as usize))
            }
            _ if half >= cells => Quantity::NoneEnded(Target::new((half - cells) as usize)),
            _ if half >= self.vars && is_second => Quantity::SizeOfCell(half - self.vars),
            _ if half >= self.vars => Quantity::Cell(half - self.vars),
            (_, true) => Quantity::SizeOf(Var::new(half as usize)),
            (_, false) => Quantity::Var(Var::new(half as usize)),
        }
    }
}

impl Key {
    /// The size that belongs to the pointer that is the value of this key.
    pub(crate) fn size(self) -> Key {
        Key(self.0 + 1)
    }
}

/// The values of a pointer: its offsets if it points to no object, and if it points to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ptr {
    pub(crate) none: Option<Num>,
    pub(crate) object: Option<Num>,
    /// Whether it may be a pointer that the points-to analysis does not know of: one that nothing assigned.
    pub(crate) is_wild: bool,
}

impl Ptr {
    pub(crate) fn wild(width: u16) -> Ptr {
        Ptr { is_wild: true, ..Ptr::any(width) }
    }

    pub(crate) fn any(width: u16) -> Ptr {
        let top = Some(Num::top(width));
        Ptr { none: top, object: top, is_wild: false }
    }

    pub(crate) fn null(width: u16) -> Ptr {
        Ptr { none: Some(Num::constant(width, 0)), object: None, is_wild: false }
    }

    pub(crate) fn start(width: u16) -> Ptr {
        Ptr { none: None, object: Some(Num::constant(width, 0)), is_wild: false }
    }

    /// The offset, or the number that a pointer to no object is.
    pub(crate) fn offset(&self, width: u16) -> Num {
        match (self.none, self.object) {
            (Some(a), Some(b)) => a.join(&b),
            (Some(a), None) | (None, Some(a)) => a,
            (None, None) => Num::top(width),
        }
    }

    fn both(self, other: Ptr, combine: impl Fn(&Num, &Num) -> Num) -> Ptr {
        let part = |a: Option<Num>, b: Option<Num>| match (a, b) {
            (Some(a), Some(b)) => Some(combine(&a, &b)),
            (Some(a), None) | (None, Some(a)) => Some(a),
            (None, None) => None,
        };
        Ptr {
            none: part(self.none, other.none),
            object: part(self.object, other.object),
            is_wild: self.is_wild || other.is_wild,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Num(Num),
    Ptr(Ptr),
}

impl Value {
    fn is_top(&self) -> bool {
        match self {
            Value::Num(num) => num.is_top(),
            // Not to be wild is known of every pointer that is stored.
            Value::Ptr(ptr) => ptr.is_wild && ptr.object.is_some_and(|num| num.is_top()),
        }
    }

    pub(crate) fn combine(&self, other: &Value, num: impl Fn(&Num, &Num) -> Num) -> Option<Value> {
        let value = match (self, other) {
            (Value::Num(a), Value::Num(b)) if a.width == b.width => Value::Num(num(a, b)),
            (Value::Ptr(a), Value::Ptr(b)) => Value::Ptr(a.both(*b, num)),
            (Value::Num(_), _) | (Value::Ptr(_), _) => return None,
        };
        (!value.is_top()).then_some(value)
    }

    pub(crate) fn join(&self, other: &Value) -> Option<Value> {
        self.combine(other, Num::join)
    }
}

/// How a newer state is taken into an older one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mode<'a> {
    Join,
    Widen(&'a [i128]),
}

/// What is known at a location that can be reached. A quantity without an entry may have any value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// Variables and objects of the frame.
    pub(crate) local: Map<Value>,
    /// Variables outside of frames, memory and lifetimes.
    pub(crate) global: Map<Value>,
    pub(crate) relations: Relations,
}

/// Takes a newer map into an older one; says whether that changed.
pub(crate) fn absorb(old: &mut Map<Value>, newer: &Map<Value>, mode: Mode<'_>) -> bool {
    let mut changes = Vec::new();
    old.diff(newer, &mut |key, a, b| match (a, b) {
        (Some(_), None) => changes.push((key, None)),
        (None, _) => {}
        (Some(a), Some(b)) if a == b => {}
        (Some(a), Some(b)) => {
            let joined = match mode {
                Mode::Join => a.join(b),
                Mode::Widen(thresholds) => a.combine(b, |a, b| match a.covers(b) {
                    true => *a,
                    false => a.widen(b, thresholds),
                }),
            };
            if joined.as_ref() != Some(a) {
                changes.push((key, joined));
            }
        }
    });
    for (key, value) in &changes {
        match value {
            Some(value) => old.insert(*key, *value),
            None => old.remove(*key),
        }
    }
    !changes.is_empty()
}

impl State {
    pub(crate) fn is_same(&self, other: &State) -> bool {
        self.local.is_same(&other.local)
            && self.global.is_same(&other.global)
            && self.relations.is_same(&other.relations)
    }
}
