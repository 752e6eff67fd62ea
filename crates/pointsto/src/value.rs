//! The addresses that the value of a term may be made of.
//!
//! Integers as wide as pointers are followed like pointers, since a pointer may go through them.
//! Arithmetic on them, and all narrower values, give numbers that may be any address. Those that no address went into
//! are told from the others: an object whose life has ended is not reached through them.

use ravelin_cfa::{HavocKind, Program, Sort, Term, Var};
use ravelin_term::{BinOp, TermKind, UnOp};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::flags::Flags;
use crate::object::{Objects, Target};
use crate::offset::Offset;

/// How a value is changed on its way: moved, perhaps made an integer and a pointer again, moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Shift {
    before: Offset,
    /// Whether the address is looked up in between: a pointer out of its object's bounds may come back
    /// in another object.
    is_looked_up: bool,
    after: Offset,
    /// Whether the value is computed with: what is made of an address may be anything.
    is_computed: bool,
}

/// Where a part of a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source<V> {
    /// The value of a variable or another holder of values.
    Holder(V, Shift),
    Address(Target, Offset),
    Flags(Flags),
}

/// A value is that of one of its sources.
pub(crate) type Value<V> = SmallVec<[Source<V>; 1]>;

/// Numbers below this, and negative ones above its negation, are no object's address: the first and
/// the last page of the address space are never mapped.
const PAGE: i128 = 4096;

impl Shift {
    pub(crate) const NONE: Shift = Shift {
        before: Offset::ZERO,
        is_looked_up: false,
        after: Offset::ZERO,
        is_computed: false,
    };
    const COMPUTED: Shift = Shift { is_computed: true, ..Shift::NONE };

    pub(crate) fn is_none(self) -> bool {
        self == Shift::NONE
    }

    /// How far it moves pointers in all.
    pub(crate) fn total(self) -> Offset {
        self.before.plus(self.after)
    }

    /// Whether it moves pointers.
    pub(crate) fn moves(self) -> bool {
        self.before != Offset::ZERO || self.after != Offset::ZERO
    }

    /// Whether places may be lost on the way.
    pub(crate) fn may_lose(self) -> bool {
        self.is_looked_up || self.is_computed
    }

    /// A place after the shift; if it was lost in between, anything.
    pub(crate) fn place(self, offset: Offset, size: Option<u64>) -> Option<Offset> {
        if self.is_computed {
            return None;
        }
        let moved = offset.plus(self.before);
        if self.is_looked_up && !moved.is_inside(size) {
            return None;
        }
        Some(moved.plus(self.after))
    }

    pub(crate) fn flags(self, flags: Flags) -> Flags {
        if self.is_computed {
            return computed_flags(flags);
        }
        let mut flags = moved_flags(flags, self.before);
        if self.is_looked_up && flags.contains(Flags::NUMBER) {
            flags |= Flags::UNKNOWN;
        }
        moved_flags(flags, self.after)
    }
}

fn moved_flags(flags: Flags, by: Offset) -> Flags {
    let is_small =
        by.as_exact().is_some_and(|by| i128::from(by).unsigned_abs() < PAGE.unsigned_abs());
    if flags.is_unknown() && by.as_exact().is_none() {
        // The distance may be an address.
        return Flags::UNKNOWN;
    }
    if flags.contains(Flags::NULL) && !is_small { flags | Flags::NUMBER } else { flags }
}

/// What arithmetic makes of numbers.
fn computed_flags(flags: Flags) -> Flags {
    match flags {
        Flags::NONE => Flags::NONE,
        flags if flags.contains(Flags::UNKNOWN) => Flags::UNKNOWN,
        _ => Flags::INTEGER,
    }
}

impl<V: Copy> Source<V> {
    fn moved(self, by: Offset) -> Source<V> {
        match self {
            Source::Holder(_, shift) if shift.is_computed && by != Offset::ZERO => {
                Source::Flags(Flags::UNKNOWN)
            }
            Source::Holder(holder, shift) if shift.is_looked_up => {
                Source::Holder(holder, Shift { after: shift.after.plus(by), ..shift })
            }
            Source::Holder(holder, shift) => {
                Source::Holder(holder, Shift { before: shift.before.plus(by), ..shift })
            }
            Source::Address(target, offset) => Source::Address(target, offset.plus(by)),
            Source::Flags(flags) => Source::Flags(moved_flags(flags, by)),
        }
    }

    fn looked_up(self, objects: &Objects) -> Source<V> {
        match self {
            Source::Holder(_, shift) if shift.is_computed => self,
            Source::Holder(_, shift) if shift.is_looked_up && shift.after != Offset::ZERO => {
                Source::Flags(Flags::UNKNOWN)
            }
            Source::Holder(holder, shift) => {
                Source::Holder(holder, Shift { is_looked_up: true, ..shift })
            }
            Source::Address(target, offset) if offset.is_inside(objects.data(target).size) => self,
            Source::Address(..) => Source::Flags(Flags::UNKNOWN),
            Source::Flags(flags) if flags.contains(Flags::NUMBER) => Source::Flags(Flags::UNKNOWN),
            Source::Flags(_) => self,
        }
    }
}

/// Whether values of this sort are followed: they can hold an address whole.
pub(crate) fn is_followed(program: &Program, sort: Sort) -> bool {
    match sort {
        Sort::Ptr => true,
        Sort::Bv(width) => width >= program.terms.pointer_bits(),
        Sort::Bool | Sort::Float(_) | Sort::Mem => false,
    }
}

/// The sources of a term; `holder` names what holds the value of a variable.
pub(crate) fn value_of<V: Copy>(
    program: &Program,
    objects: &Objects,
    term: Term,
    holder: &mut dyn FnMut(Var) -> V,
) -> Value<V> {
    let mut sources = Value::new();
    // With the moves that are still to be made, innermost last.
    let mut work = vec![(term, Shift::NONE)];
    while let Some((term, pending)) = work.pop() {
        let mut push = |source: Source<V>| {
            let mut source = source.moved(pending.before);
            if pending.is_looked_up {
                source = source.looked_up(objects).moved(pending.after);
            }
            if !sources.contains_exactly(&source) {
                sources.push(source);
            }
        };
        let terms = &program.terms;
        if !is_followed(program, terms.sort(term)) {
            push(Source::Flags(number(program, term)));
            continue;
        }
        match terms.kind(term) {
            TermKind::Null => push(Source::Flags(Flags::NULL)),
            TermKind::Bv(_) => push(Source::Flags(number(program, term))),
            TermKind::Var(var) => {
                let node = holder(var);
                push(Source::Holder(node, Shift::NONE));
            }
            TermKind::Address(object) => match objects.of_object(object) {
                Some(target) => push(Source::Address(target, Offset::ZERO)),
                None => push(Source::Flags(Flags::UNKNOWN)),
            },
            TermKind::Binary(BinOp::PtrAdd, base, by) => {
                let before = Offset::of_index(terms, by, objects.indices_wrap).plus(pending.before);
                work.push((base, Shift { before, ..pending }));
            }
            TermKind::Ite(_, a, b) => work.extend([(b, pending), (a, pending)]),
            TermKind::Unary(UnOp::PtrToInt, a) => work.push((a, pending)),
            TermKind::Unary(UnOp::IntToPtr, a) => {
                if pending.is_looked_up && pending.before != Offset::ZERO {
                    // Looked up twice, moved in between: that could be followed, but who does it?
                    push(Source::Flags(Flags::UNKNOWN));
                    continue;
                }
                let after = if pending.is_looked_up { pending.after } else { pending.before };
                work.push((a, Shift { is_looked_up: true, after, ..Shift::NONE }));
            }
            TermKind::Unary(UnOp::ZeroExt(_) | UnOp::SignExt(_), a)
                if is_followed(program, terms.sort(a)) =>
            {
                work.push((a, pending));
            }
            TermKind::Unary(UnOp::Extract { lo: 0, hi: _ }, a) => work.push((a, pending)),
            TermKind::Unary(..) | TermKind::Binary(..)
                if pending.before == Offset::ZERO && pending.after == Offset::ZERO =>
            {
                computed_from(program, term, holder, &mut push);
            }
            TermKind::Bool(_)
            | TermKind::Float(_)
            | TermKind::Unary(..)
            | TermKind::Binary(..)
            | TermKind::Read(..)
            | TermKind::Write(..) => push(Source::Flags(Flags::UNKNOWN)),
        }
    }
    sources
}

/// The sources of a number that is computed: anything where an address may have gone in.
fn computed_from<V: Copy>(
    program: &Program,
    term: Term,
    holder: &mut dyn FnMut(Var) -> V,
    push: &mut dyn FnMut(Source<V>),
) {
    let terms = &program.terms;
    let mut work = vec![term];
    let mut seen = FxHashSet::default();
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.kind(term) {
            TermKind::Null | TermKind::Bv(_) | TermKind::Bool(_) | TermKind::Float(_) => {
                push(Source::Flags(Flags::INTEGER));
            }
            TermKind::Var(var) if is_followed(program, terms.sort(term)) => {
                push(Source::Holder(holder(var), Shift::COMPUTED));
            }
            // Narrower values may be parts of addresses.
            TermKind::Var(_) if terms.sort(term) != Sort::Bool => {
                return push(Source::Flags(Flags::UNKNOWN));
            }
            TermKind::Var(_) => push(Source::Flags(Flags::INTEGER)),
            // The answer to a question about an address is none.
            TermKind::Unary(..) | TermKind::Binary(..) if terms.sort(term) == Sort::Bool => {
                push(Source::Flags(Flags::INTEGER));
            }
            TermKind::Unary(_, a) => work.push(a),
            TermKind::Binary(_, a, b) => work.extend([a, b]),
            TermKind::Ite(_, a, b) => work.extend([a, b]),
            TermKind::Address(_) | TermKind::Read(..) | TermKind::Write(..) => {
                return push(Source::Flags(Flags::UNKNOWN));
            }
        }
    }
}

/// The sources of a value that goes to where it may become a pointer: memory, a parameter.
pub(crate) fn value_as_pointer<V: Copy>(
    program: &Program,
    objects: &Objects,
    term: Term,
    holder: &mut dyn FnMut(Var) -> V,
) -> Value<V> {
    let value = value_of(program, objects, term, holder);
    match program.terms.sort(term) {
        Sort::Ptr => value,
        Sort::Bv(_) | Sort::Bool | Sort::Float(_) | Sort::Mem => {
            value.into_iter().map(|source| source.looked_up(objects)).collect()
        }
    }
}

/// What a number is as a pointer.
fn number(program: &Program, term: Term) -> Flags {
    match program.terms.as_signed(term) {
        Some(value) if value.unsigned_abs() < PAGE.unsigned_abs() => Flags::NULL,
        Some(_) => Flags::INTEGER,
        None => Flags::UNKNOWN,
    }
}

/// What a variable gets from outside. By assumption A18 an input is made of no address.
pub(crate) fn havoc_flags(program: &Program, dst: Var, kind: &HavocKind) -> Flags {
    match kind {
        HavocKind::Uninitialised => Flags::UNINITIALISED,
        HavocKind::Input(_) => number_flags(program, dst),
        HavocKind::Extern(_) | HavocKind::Unspecified | HavocKind::NotModelled(_) => Flags::UNKNOWN,
    }
}

/// What a variable gets that is given a handle of a thread, the result of an operation on a lock, an input.
pub(crate) fn number_flags(program: &Program, dst: Var) -> Flags {
    match program.vars[dst].sort {
        Sort::Bv(_) => Flags::INTEGER,
        Sort::Ptr | Sort::Bool | Sort::Float(_) | Sort::Mem => Flags::UNKNOWN,
    }
}

trait ContainsExactly<V> {
    fn contains_exactly(&self, source: &Source<V>) -> bool;
}

impl<V: Copy> ContainsExactly<V> for Value<V> {
    /// Choices often come to the same address or the same kind of number.
    fn contains_exactly(&self, source: &Source<V>) -> bool {
        self.iter().any(|other| match (other, source) {
            (Source::Flags(a), Source::Flags(b)) => a == b,
            (Source::Address(a, x), Source::Address(b, y)) => a == b && x == y,
            (Source::Holder(..) | Source::Address(..) | Source::Flags(_), _) => false,
        })
    }
}
