//! The values of terms in a state.

use std::cell::Cell as Shared;

use ravelin_base::SecondaryMap;
use ravelin_cfa::{Life, ObjectKind, Program, Sort, Term};
use ravelin_pointsto::{Flags, Target};
use ravelin_term::{BinOp, TermKind, UnOp, bin_ops, un_ops};
use rustc_hash::FxHashMap;

use crate::arith;
use crate::model::Model;
use crate::num::Num;
use crate::state::{Key, Ptr, State, Value};

/// What an earlier round of the analysis found out about all executions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// The values of quantities that several threads share, at any time.
    pub(crate) shared: FxHashMap<Key, Value>,
    /// The sizes of what is allocated.
    pub(crate) sizes: SecondaryMap<Target, Option<Num>>,
}

/// How many subterms an evaluation visits at most; the rest may have any value.
const FUEL: u32 = 1000;

/// The same for a condition that is to be proved.
const PROOF_FUEL: u32 = 4000;

/// The same for a relation where two states are joined.
const JOIN_FUEL: u32 = 16;

/// Evaluates terms. Made anew for every term, since it counts how much work that is.
#[derive(Debug)]
pub(crate) struct Env<'a> {
    pub(crate) program: &'a Program,
    pub(crate) model: &'a Model,
    pub(crate) known: &'a Known,
    fuel: Shared<u32>,
}

impl<'a> Env<'a> {
    pub(crate) fn new(program: &'a Program, model: &'a Model, known: &'a Known) -> Env<'a> {
        Env { program, model, known, fuel: Shared::new(FUEL) }
    }

    pub(crate) fn refill(&self) {
        self.fuel.set(FUEL);
    }

    pub(crate) fn refill_for_proof(&self) {
        self.fuel.set(PROOF_FUEL);
    }

    /// Calls a function with the fuel for one relation, apart from what is left.
    pub(crate) fn with_join_fuel<T>(&self, call: impl FnOnce() -> T) -> T {
        let left = self.fuel.replace(JOIN_FUEL);
        let result = call();
        self.fuel.set(left);
        result
    }

    /// Whether there is fuel left; takes some.
    pub(crate) fn spend(&self, amount: u32) -> bool {
        let left = self.fuel.get();
        self.fuel.set(left.saturating_sub(amount));
        left >= amount
    }

    pub(crate) fn bits(&self) -> u16 {
        self.model.pointer_bits
    }

    pub(crate) fn get(&self, state: &State, key: Key) -> Option<Value> {
        if self.model.is_shared(self.program, key) {
            return self.known.shared.get(&key).copied();
        }
        let map = if self.model.is_local(key) { &state.local } else { &state.global };
        map.get(key.0).copied()
    }

    /// Sets a value; a shared quantity may get it, but has others as well.
    pub(crate) fn set(&self, state: &mut State, key: Key, value: Option<Value>) {
        if self.model.is_shared(self.program, key) {
            return;
        }
        let map = if self.model.is_local(key) { &mut state.local } else { &mut state.global };
        match value {
            Some(value) if map.get(key.0) == Some(&value) => {}
            Some(value) => map.insert(key.0, value),
            None => map.remove(key.0),
        }
    }

    pub(crate) fn flag(&self, state: &State, key: Key) -> bool {
        self.get(state, key).is_some()
    }

    fn width(&self, term: Term) -> u16 {
        match self.program.terms.sort(term) {
            Sort::Bv(width) => width,
            Sort::Ptr => self.bits(),
            Sort::Bool | Sort::Float(_) | Sort::Mem => 1,
        }
    }

    /// The values of a term that is a Boolean or a bit-vector.
    pub(crate) fn num(&self, state: &State, term: Term) -> Num {
        let terms = &self.program.terms;
        let width = self.width(term);
        let top = Num::top(width);
        if !self.spend(1) {
            return top;
        }
        match terms.kind(term) {
            TermKind::Bool(value) => Num::constant(1, value.into()),
            TermKind::Bv(value) => Num::constant(width, value),
            TermKind::Var(var) => match self.get(state, self.model.keys.var(var)) {
                Some(Value::Num(num)) if num.width == width => num,
                Some(_) | None => top,
            },
            TermKind::Unary(UnOp::PtrToInt, a) => {
                let pointer = self.ptr(state, a);
                match pointer {
                    Ptr { none: Some(number), object: None, is_wild: false } => number,
                    Ptr { .. } => top,
                }
            }
            TermKind::Unary(op @ (un_ops!(bv, bv_width) | UnOp::Not), a) => {
                arith::unary(op, &self.num(state, a)).unwrap_or(top)
            }
            TermKind::Unary(
                un_ops!(float, float_test, int_to_float, float_to_int, pointer_part)
                | UnOp::FToBits
                | UnOp::BitsToF(_)
                | UnOp::IntToPtr,
                _,
            ) => top,
            TermKind::Binary(op @ bin_ops!(logic), a, b) => {
                let decisive = op == BinOp::Or;
                let (a, b) = (self.truth(state, a), self.truth(state, b));
                match (a, b) {
                    (Some(value), _) | (_, Some(value)) if value == decisive => {
                        Num::constant(1, value.into())
                    }
                    (Some(_), Some(_)) => Num::constant(1, (!decisive).into()),
                    _ => top,
                }
            }
            TermKind::Binary(BinOp::Eq, a, b) if terms.sort(a) == Sort::Ptr => {
                bool_num(self.same_pointer(state, a, b))
            }
            TermKind::Binary(op @ (bin_ops!(bv_order) | BinOp::Eq), a, b) => {
                let (x, y) = (self.num(state, a), self.num(state, b));
                let by_values = arith::compare(op, &x, &y);
                let is_numeric = terms.sort(a) != Sort::Bool;
                bool_num(by_values.or_else(|| match is_numeric {
                    true => self.compare_by_relations(state, op, a, b),
                    false => None,
                }))
            }
            TermKind::Binary(op @ (bin_ops!(bv_arithmetic, bv_division) | BinOp::Concat), a, b) => {
                let (x, y) = (self.num(state, a), self.num(state, b));
                let result = arith::binary(op, &x, &y).unwrap_or(top);
                match op {
                    BinOp::BvAdd | BinOp::BvSub => self.within_sum(state, term, result),
                    _ => result,
                }
            }
            TermKind::Binary(BinOp::PtrDiff, a, b) if self.is_same_object(state, a, b) => {
                match (self.ptr(state, a).object, self.ptr(state, b).object) {
                    (Some(a), Some(b)) => arith::binary(BinOp::BvSub, &a, &b).unwrap_or(top),
                    _ => top,
                }
            }
            TermKind::Binary(
                bin_ops!(float_arithmetic, float_order, pointer_order)
                | BinOp::PtrAdd
                | BinOp::PtrDiff
                | BinOp::PtrMake,
                ..,
            ) => top,
            TermKind::Ite(cond, a, b) => {
                let part = |of: Option<State>, term: Term| of.map(|s| self.num(&s, term));
                let (with, without) = self.branches(state, cond);
                match (part(with, a), part(without, b)) {
                    (Some(a), Some(b)) => a.join(&b),
                    (Some(a), None) | (None, Some(a)) => a,
                    (None, None) => top,
                }
            }
            TermKind::Float(_)
            | TermKind::Null
            | TermKind::Address(_)
            | TermKind::Read(..)
            | TermKind::Write(..) => top,
        }
    }

    /// The state where a condition holds, and where it does not.
    fn branches(&self, state: &State, cond: Term) -> (Option<State>, Option<State>) {
        match self.truth(state, cond) {
            Some(true) => (Some(state.clone()), None),
            Some(false) => (None, Some(state.clone())),
            None if self.spend(20) => {
                (self.assume(state.clone(), cond, true), self.assume(state.clone(), cond, false))
            }
            None => (Some(state.clone()), Some(state.clone())),
        }
    }

    /// The value of a Boolean term, if it is the same in all executions.
    pub(crate) fn truth(&self, state: &State, term: Term) -> Option<bool> {
        self.num(state, term).as_constant().map(|value| value != 0)
    }

    fn same_pointer(&self, state: &State, a: Term, b: Term) -> Option<bool> {
        let (x, y) = (self.ptr(state, a), self.ptr(state, b));
        if x.is_wild || y.is_wild {
            return None;
        }
        let meets = |a: Option<Num>, b: Option<Num>| match (a, b) {
            (Some(a), Some(b)) => a.meet(&b).is_some(),
            _ => false,
        };
        if !meets(x.none, y.none) && !meets(x.object, y.object) {
            return Some(false);
        }
        match (x, y) {
            (Ptr { none: Some(a), object: None, .. }, Ptr { none: Some(b), object: None, .. })
                if a.as_constant().is_some() && a == b =>
            {
                Some(true)
            }
            _ => None,
        }
    }

    /// The values of a pointer term.
    pub(crate) fn ptr(&self, state: &State, term: Term) -> Ptr {
        let terms = &self.program.terms;
        let bits = self.bits();
        if !self.spend(1) {
            return Ptr::wild(bits);
        }
        match terms.kind(term) {
            TermKind::Null => Ptr::null(bits),
            TermKind::Var(var) => match self.get(state, self.model.keys.var(var)) {
                Some(Value::Ptr(ptr)) => ptr,
                Some(Value::Num(_)) | None => Ptr::wild(bits),
            },
            TermKind::Address(object) => match self.program.objects[object].kind {
                ObjectKind::Local(_) if !self.flag(state, self.model.keys.in_scope(object)) => {
                    Ptr { is_wild: true, ..Ptr::start(bits) }
                }
                ObjectKind::Local(_)
                | ObjectKind::Global
                | ObjectKind::Constant
                | ObjectKind::ThreadLocal
                | ObjectKind::Function(_) => Ptr::start(bits),
            },
            TermKind::Binary(BinOp::PtrAdd, base, by) => {
                let (base, by) = (self.ptr(state, base), self.num(state, by));
                let moved = |part: Option<Num>| {
                    part.map(|at| arith::binary(BinOp::BvAdd, &at, &by).unwrap_or(Num::top(bits)))
                };
                Ptr { none: moved(base.none), object: moved(base.object), ..base }
            }
            TermKind::Ite(cond, a, b) => {
                let (with, without) = self.branches(state, cond);
                let part =
                    |of: Option<State>, term: Term| of.map(|s| Value::Ptr(self.ptr(&s, term)));
                match (part(with, a), part(without, b)) {
                    (Some(a), Some(b)) => match a.join(&b) {
                        Some(Value::Ptr(both)) => both,
                        Some(Value::Num(_)) | None => Ptr::wild(bits),
                    },
                    (Some(Value::Ptr(one)), None) | (None, Some(Value::Ptr(one))) => one,
                    _ => Ptr::wild(bits),
                }
            }
            TermKind::Unary(UnOp::IntToPtr, a) => {
                let number = self.num(state, a);
                // No object is in the first page.
                let object = (number.hi >= 4096).then(|| Num::top(bits));
                Ptr { none: Some(number), object, is_wild: false }
            }
            TermKind::Bool(_)
            | TermKind::Bv(_)
            | TermKind::Float(_)
            | TermKind::Unary(..)
            | TermKind::Binary(..)
            | TermKind::Read(..)
            | TermKind::Write(..) => Ptr::wild(bits),
        }
    }

    /// The value that an assignment of a term gives.
    pub(crate) fn value(&self, state: &State, term: Term) -> Option<Value> {
        match self.program.terms.sort(term) {
            Sort::Bool | Sort::Bv(_) => {
                let num = self.num(state, term);
                (!num.is_top()).then_some(Value::Num(num))
            }
            Sort::Ptr => {
                let ptr = self.ptr(state, term);
                let is_top = ptr == Ptr::wild(self.bits());
                (!is_top).then_some(Value::Ptr(ptr))
            }
            Sort::Float(_) | Sort::Mem => None,
        }
    }

    /// The pointer term without the offsets that are added to it.
    pub(crate) fn root(&self, mut term: Term) -> Term {
        while let TermKind::Binary(BinOp::PtrAdd, base, _) = self.program.terms.kind(term) {
            term = base;
        }
        term
    }

    /// The objects that a pointer may point to, if all of them are known.
    pub(crate) fn targets(&self, state: &State, term: Term) -> Option<Vec<Target>> {
        let root = self.root(term);
        if let TermKind::Address(object) = self.program.terms.kind(root) {
            return Some(vec![self.model.of_object[object]?]);
        }
        let set = self.model.places(term)?;
        let is_open = set.is_open() || self.ptr(state, term).is_wild;
        (!is_open).then(|| set.targets().collect())
    }

    /// The size of the object of a pointer, if it points to one.
    pub(crate) fn object_size(&self, state: &State, term: Term) -> Num {
        let bits = self.bits();
        let top = Num::top(bits);
        let root = self.root(term);
        let carried = match self.program.terms.kind(root) {
            TermKind::Var(var) => match self.get(state, self.model.keys.var(var).size()) {
                Some(Value::Num(num)) => num,
                Some(Value::Ptr(_)) | None => top,
            },
            TermKind::Ite(cond, a, b) if self.spend(5) => {
                let (with, without) = self.branches(state, cond);
                let part = |of: Option<State>, term: Term| of.map(|s| self.object_size(&s, term));
                match (part(with, a), part(without, b)) {
                    (Some(a), Some(b)) => a.join(&b),
                    (Some(a), None) | (None, Some(a)) => a,
                    (None, None) => top,
                }
            }
            _ => top,
        };
        let Some(targets) = self.targets(state, term) else { return carried };
        let sizes = targets.iter().map(|&target| match self.model.targets[target].size {
            Some(size) => Num::constant(bits, size.into()),
            None => self.known.sizes[target].unwrap_or(top),
        });
        match sizes.reduce(|a, b| a.join(&b)) {
            Some(all) => all.meet(&carried).unwrap_or(all),
            None => carried,
        }
    }

    /// What `inspect size` gives.
    pub(crate) fn inspected_size(&self, state: &State, term: Term) -> Num {
        let ptr = self.ptr(state, term);
        let zero = Num::constant(self.bits(), 0);
        if ptr.object.is_none() && !ptr.is_wild {
            return zero;
        }
        let size = self.object_size(state, term);
        if ptr.none.is_some() { size.join(&zero) } else { size }
    }

    /// What `inspect life` gives.
    pub(crate) fn inspected_life(&self, state: &State, term: Term) -> Num {
        let bits = self.bits();
        let constant = |life: Life| Num::constant(bits, life as u128);
        let none = constant(Life::None);
        let unknown = none.join(&constant(Life::Heap));
        let any = Num { stride: 1, rem: 0, ..unknown };
        let ptr = self.ptr(state, term);
        if ptr.object.is_none() && !ptr.is_wild {
            return none;
        }
        if ptr.is_wild {
            return any;
        }
        let lives = match self.program.terms.kind(self.root(term)) {
            // In its scope, or the pointer would be wild.
            TermKind::Address(object) => match self.program.objects[object].kind {
                ObjectKind::Local(_) | ObjectKind::Global | ObjectKind::ThreadLocal => {
                    constant(Life::Named)
                }
                ObjectKind::Constant => constant(Life::Constant),
                ObjectKind::Function(_) => none,
            },
            _ => {
                let Some(targets) = self.targets(state, term) else { return any };
                let lives = targets.iter().map(|&target| self.life_of(state, target));
                lives.reduce(|a, b| a.join(&b)).unwrap_or(any)
            }
        };
        if ptr.none.is_some() { lives.join(&none) } else { lives }
    }

    fn life_of(&self, state: &State, target: Target) -> Num {
        let bits = self.bits();
        let info = &self.model.targets[target];
        let constant = |life: Life| Num::constant(bits, life as u128);
        let alive = match info {
            _ if info.is_function => return constant(Life::None),
            _ if info.is_constant => constant(Life::Constant),
            _ if info.is_allocated && !info.is_on_stack => constant(Life::Heap),
            _ => constant(Life::Named),
        };
        if !info.may_end || self.flag(state, self.model.keys.none_ended(target)) {
            alive
        } else {
            alive.join(&constant(Life::None))
        }
    }

    /// Whether a pointer that was loaded may be to no object.
    pub(crate) fn may_be_none(flags: Flags) -> bool {
        flags != Flags::NONE
    }
}

fn bool_num(truth: Option<bool>) -> Num {
    match truth {
        Some(value) => Num::constant(1, value.into()),
        None => Num::top(1),
    }
}
