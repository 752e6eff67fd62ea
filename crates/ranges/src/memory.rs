//! Cells of memory: loads and stores.

use ravelin_cfa::{Init, Object, ObjectData, Sort, Term};
use ravelin_pointsto::{Flags, Offset, Target};

use crate::arith;
use crate::eval::Env;
use crate::model::{Cell, CellPlace};
use crate::num::{Num, signed_max};
use crate::state::{Key, Ptr, State, Value};
use crate::transfer::Effects;
use ravelin_term::BinOp;

/// The first bytes of an access to an object.
#[derive(Clone, Copy, Debug)]
struct Reach {
    /// The signed bounds of the offset.
    first: i128,
    last: i128,
    /// What divides the distance of the offset from `first`.
    stride: u128,
}

impl Reach {
    fn exact(&self) -> Option<i128> {
        (self.first == self.last).then_some(self.first)
    }

    /// Whether the access surely begins at a multiple of this number.
    fn is_aligned(&self, to: u64) -> bool {
        let to = u128::from(to.max(1));
        self.first.rem_euclid(to as i128) == 0 && self.stride.is_multiple_of(to)
    }

    fn may_be_at(&self, at: i128) -> bool {
        (self.first..=self.last).contains(&at)
            && at.abs_diff(self.first).is_multiple_of(self.stride)
    }
}

impl Env<'_> {
    /// Where in an object of this name an access may begin, by its offset and the points-to analysis.
    fn reach(&self, offset: &Num, place: Offset) -> Option<Reach> {
        let (first, last) = offset.signed_bounds();
        if let Some(at) = place.as_exact() {
            let at = i128::from(at);
            return (first..=last).contains(&at).then_some(Reach {
                first: at,
                last: at,
                stride: 0,
            });
        }
        // Distances that wrap around keep only a power of two.
        let power = |stride: u128| stride & stride.wrapping_neg();
        let own = if offset.is_natural() { offset.stride } else { power(offset.stride) };
        let (stride, at) = match (own, u128::from(place.stride())) {
            (own, theirs) if power(theirs) > own => (power(theirs), i128::from(place.at())),
            (own, _) => (own, offset.rem as i128),
        };
        if stride <= 1 {
            return Some(Reach { first, last, stride: 1 });
        }
        let first = first.checked_add((at - first).rem_euclid(stride as i128))?;
        (first <= last).then_some(Reach { first, last, stride })
    }

    /// Calls `visit` with every part of memory with cells that an access may touch; with `None` if nothing is
    /// known of the pointer. Says whether there is exactly one.
    fn for_each_reach(
        &self,
        state: &State,
        addr: Term,
        visit: &mut dyn FnMut(Option<(Target, Reach)>),
    ) -> bool {
        let ptr = self.ptr(state, addr);
        let root = self.root(addr);
        // What is accessed is an object, whose offset is this.
        let Some(offset) = ptr.object else { return false };
        if let ravelin_term::TermKind::Address(object) = self.program.terms.kind(root) {
            let Some(target) = self.model.of_object[object] else {
                visit(None);
                return false;
            };
            match self.reach(&offset, Offset::ANY) {
                Some(reach) => visit(Some((target, reach))),
                None => return false,
            }
            return true;
        }
        let Some(set) = self.model.places(addr) else {
            visit(None);
            return false;
        };
        let mut count = 0;
        for &(target, place) in set.places() {
            if let Some(reach) = self.reach(&offset, place) {
                visit(Some((target, reach)));
                count += 1;
            }
        }
        count == 1
    }

    /// The value that a load gives, and the size of the object that it points to.
    pub(crate) fn load(
        &self,
        state: &State,
        addr: Term,
        sort: Sort,
        flags: Flags,
    ) -> (Option<Value>, Option<Value>) {
        let bits = self.bits();
        let top = match sort {
            Sort::Ptr => {
                let any = Ptr::any(bits);
                let none = any.none.filter(|_| Self::may_be_none(flags));
                Some(Value::Ptr(Ptr { none, ..any }))
            }
            Sort::Bool | Sort::Bv(_) | Sort::Float(_) | Sort::Mem => None,
        };
        let Some(bytes) = self.program.bytes_of(sort) else { return (top, None) };
        let mut found: Option<(Option<Value>, Option<Value>)> = None;
        self.for_each_reach(state, addr, &mut |reach| {
            let here = match reach {
                Some((target, reach)) => self.contents(state, target, reach, sort, bytes),
                None => (None, None),
            };
            let join = |a: Option<Value>, b: Option<Value>| a.zip(b).and_then(|(a, b)| a.join(&b));
            found = Some(match found {
                None => here,
                Some(before) => (join(before.0, here.0), join(before.1, here.1)),
            });
        });
        let (value, size) = found.unwrap_or_default();
        (value.or(top), size)
    }

    /// The contents of memory at a place.
    fn contents(
        &self,
        state: &State,
        target: Target,
        reach: Reach,
        sort: Sort,
        bytes: u64,
    ) -> (Option<Value>, Option<Value>) {
        let is_pointer = sort == Sort::Ptr;
        let mut best = (None, None);
        for &number in &self.model.targets[target].cells {
            let cell = &self.model.cells[number as usize];
            if cell.bytes != bytes || cell.is_pointer != is_pointer {
                continue;
            }
            let is_this = match cell.place {
                CellPlace::At(at) => reach.exact() == Some(i128::from(at)),
                CellPlace::Elements => reach.is_aligned(bytes),
            };
            let key = self.model.keys.cell(number);
            if is_this && let Some(value) = self.get(state, key) {
                // An exact cell comes last.
                best = (Some(value), self.get(state, key.size()));
            }
        }
        best
    }

    /// A value is stored.
    pub(crate) fn store(
        &self,
        state: &mut State,
        addr: Term,
        stored: (Option<Value>, Option<Value>),
        sort: Sort,
        effects: &mut dyn Effects,
    ) {
        let Some(bytes) = self.program.bytes_of(sort) else { return };
        let mut changes: Vec<(u32, bool)> = Vec::new();
        let mut everything = false;
        let is_single = self.for_each_reach(state, addr, &mut |reach| match reach {
            None => everything = true,
            Some((target, reach)) => {
                for &number in &self.model.targets[target].cells {
                    let cell = &self.model.cells[number as usize];
                    match touch(cell, reach, bytes, sort == Sort::Ptr) {
                        Touch::None => {}
                        Touch::Same => changes.push((number, true)),
                        Touch::Part => changes.push((number, false)),
                    }
                }
            }
        });
        if everything {
            return self.forget_memory(state, effects);
        }
        let (value, size) = stored;
        let mut addr_is_exact = is_single;
        if is_single {
            self.for_each_reach(state, addr, &mut |reach| {
                addr_is_exact &= reach.is_some_and(|(_, reach)| reach.exact().is_some());
            });
        }
        for (number, is_same) in changes {
            let cell = &self.model.cells[number as usize];
            if self.model.targets[cell.target].is_constant {
                continue;
            }
            let key = self.model.keys.cell(number);
            let is_strong = addr_is_exact && matches!(cell.place, CellPlace::At(_));
            if self.model.is_shared(self.program, key) {
                effects.write_shared(key, value.filter(|_| is_same));
                continue;
            }
            for (key, new) in [(key, value), (key.size(), size)] {
                let new = match (is_same, is_strong) {
                    (false, _) => None,
                    (true, true) => new,
                    (true, false) => {
                        self.get(state, key).zip(new).and_then(|(old, new)| old.join(&new))
                    }
                };
                self.overwrite(state, key, new);
            }
        }
    }

    /// Bytes of an object from a place on get other contents, as many as given, or any number of them.
    pub(crate) fn clobber(
        &self,
        state: &mut State,
        addr: Term,
        length: Option<u64>,
        effects: &mut dyn Effects,
    ) {
        let mut hit = Vec::new();
        let mut everything = false;
        self.for_each_reach(state, addr, &mut |reach| match reach {
            None => everything = true,
            Some((target, reach)) => {
                for &number in &self.model.targets[target].cells {
                    let cell = &self.model.cells[number as usize];
                    let is_hit = match cell.place {
                        CellPlace::Elements => true,
                        CellPlace::At(at) => {
                            let (at, end) =
                                (i128::from(at), i128::from(at) + i128::from(cell.bytes));
                            let length = length.map_or(i128::MAX, i128::from);
                            end > reach.first && at < reach.last.saturating_add(length)
                        }
                    };
                    if is_hit {
                        hit.push(number);
                    }
                }
            }
        });
        if everything {
            return self.forget_memory(state, effects);
        }
        hit.into_iter().for_each(|number| self.forget_cell(state, number, effects));
    }

    /// Bytes get a constant.
    pub(crate) fn fill(
        &self,
        state: &mut State,
        addr: Term,
        byte: Option<u128>,
        length: Option<u64>,
        effects: &mut dyn Effects,
    ) {
        let mut whole = None;
        let is_single = self.for_each_reach(state, addr, &mut |reach| {
            whole = reach.filter(|(target, reach)| {
                reach.exact() == Some(0) && self.model.targets[*target].size == length
            });
        });
        self.clobber(state, addr, length, effects);
        let (Some((target, _)), Some(byte), true) = (whole, byte, is_single) else { return };
        for &number in &self.model.targets[target].cells {
            let key = self.model.keys.cell(number);
            if !self.model.is_shared(self.program, key) {
                let value = repeated(&self.model.cells[number as usize], byte, self.bits());
                self.overwrite(state, key, value);
            }
        }
    }

    /// All memory gets any contents.
    pub(crate) fn forget_memory(&self, state: &mut State, effects: &mut dyn Effects) {
        for number in 0..self.model.cells.len() as u32 {
            self.forget_cell(state, number, effects);
        }
    }

    pub(crate) fn forget_object(
        &self,
        state: &mut State,
        target: Target,
        effects: &mut dyn Effects,
    ) {
        for &number in &self.model.targets[target].cells {
            self.forget_cell(state, number, effects);
        }
    }

    fn forget_cell(&self, state: &mut State, number: u32, effects: &mut dyn Effects) {
        let key = self.model.keys.cell(number);
        if self.model.targets[self.model.cells[number as usize].target].is_constant {
            return;
        }
        if self.model.is_shared(self.program, key) {
            effects.write_shared(key, None);
            return;
        }
        self.overwrite(state, key, None);
        self.overwrite(state, key.size(), None);
    }

    /// The state after an access of so many bytes, which ends the execution unless they are in an object.
    pub(crate) fn accessed(&self, state: State, addr: Term, bytes: u64) -> Option<State> {
        let ptr = self.ptr(&state, addr);
        if ptr.is_wild {
            return Some(state);
        }
        let bits = self.bits();
        let size = self.object_size(&state, addr);
        let most = i128::try_from(size.hi).unwrap_or(i128::MAX).min(signed_max(bits));
        let inside = Num::signed(bits, 0, most - i128::from(bytes))?;
        let object = ptr.object?.meet(&inside)?;
        let new = Ptr { none: None, object: Some(object), ..ptr };
        let state = self.restrict_pointer(state, addr, &ptr, new)?;
        // Also what is added to the address of an object.
        let mut term = addr;
        let mut by = None;
        while let ravelin_term::TermKind::Binary(BinOp::PtrAdd, base, offset) =
            self.program.terms.kind(term)
        {
            if by.replace(offset).is_some() {
                return Some(state);
            }
            term = base;
        }
        let Some(by) = by else { return Some(state) };
        let base = self.ptr(&state, term).object?;
        let rest = arith::binary(BinOp::BvSub, &object, &base)?;
        let state = self.restrict(state, by, &rest)?;
        self.relate_access(state, addr, bytes)
    }

    /// The contents of a cell before the program starts.
    pub(crate) fn initial_contents(
        &self,
        cell: &Cell,
        object: Object,
    ) -> (Option<Value>, Option<Value>) {
        let data = &self.program.objects[object];
        let bits = self.bits();
        match (&data.init, cell.place) {
            (Init::Indeterminate, _) => (None, None),
            (Init::Zero, _) => (repeated(cell, 0, bits), None),
            (Init::Bytes(_) | Init::Values(_), CellPlace::At(at)) => {
                self.initial_at(data, cell, at as u64)
            }
            (Init::Bytes(_) | Init::Values(_), CellPlace::Elements) => {
                let count = data.size / cell.bytes.max(1);
                if count > 1 << 14 || count == 0 {
                    return (None, None);
                }
                let mut all = self.initial_at(data, cell, 0);
                for index in 1..count {
                    let next = self.initial_at(data, cell, index * cell.bytes);
                    let join =
                        |a: Option<Value>, b: Option<Value>| a.zip(b).and_then(|(a, b)| a.join(&b));
                    all = (join(all.0, next.0), join(all.1, next.1));
                    if all.0.is_none() {
                        break;
                    }
                }
                all
            }
        }
    }

    fn initial_at(
        &self,
        data: &ObjectData,
        cell: &Cell,
        at: u64,
    ) -> (Option<Value>, Option<Value>) {
        let width = (8 * cell.bytes) as u16;
        let end = at + cell.bytes;
        match &data.init {
            Init::Indeterminate => (None, None),
            Init::Zero => (repeated(cell, 0, self.bits()), None),
            Init::Bytes(bytes) if cell.is_pointer => {
                let is_zero = (at..end).all(|at| bytes.get(at as usize) == Some(&0));
                (is_zero.then(|| Value::Ptr(Ptr::null(self.bits()))), None)
            }
            Init::Bytes(bytes) => {
                let mut value = 0;
                for (index, at) in (at..end).enumerate() {
                    let Some(&byte) = bytes.get(at as usize) else { return (None, None) };
                    value |= u128::from(byte) << (8 * index);
                }
                (Some(Value::Num(Num::constant(width, value))), None)
            }
            Init::Values(values) => {
                let from = values.partition_point(|&(start, term)| {
                    let sort = self.program.terms.sort(term);
                    start + self.program.bytes_of(sort).unwrap_or(1) <= at
                });
                let Some(&(start, term)) = values.get(from).filter(|(start, _)| *start < end)
                else {
                    return (repeated(cell, 0, self.bits()), None);
                };
                let sort = self.program.terms.sort(term);
                if start != at
                    || self.program.bytes_of(sort) != Some(cell.bytes)
                    || (sort == Sort::Ptr) != cell.is_pointer
                {
                    return (None, None);
                }
                self.refill();
                let state = State::default();
                let size = cell.is_pointer.then(|| Value::Num(self.object_size(&state, term)));
                (self.value(&state, term), size)
            }
        }
    }

    /// Sets a value that replaces an older one.
    pub(crate) fn overwrite(&self, state: &mut State, key: Key, value: Option<Value>) {
        self.forget_relations(state, key);
        self.set(state, key, value);
    }
}

/// The value of a cell whose bytes are all the same.
fn repeated(cell: &Cell, byte: u128, pointer_bits: u16) -> Option<Value> {
    if cell.is_pointer {
        return (byte == 0).then(|| Value::Ptr(Ptr::null(pointer_bits)));
    }
    let value = (0..cell.bytes).fold(0u128, |value, index| value | (byte & 255) << (8 * index));
    Some(Value::Num(Num::constant((8 * cell.bytes) as u16, value)))
}

/// How a store touches a cell.
enum Touch {
    None,
    /// All of the cell or nothing of it, with a value of the cell's sort.
    Same,
    Part,
}

fn touch(cell: &Cell, reach: Reach, bytes: u64, is_pointer: bool) -> Touch {
    let is_alike = cell.bytes == bytes && cell.is_pointer == is_pointer;
    match cell.place {
        CellPlace::Elements if is_alike && reach.is_aligned(bytes) => Touch::Same,
        CellPlace::Elements => Touch::Part,
        CellPlace::At(at) => {
            let at = i128::from(at);
            let bytes = i128::from(bytes);
            let is_hit =
                at + i128::from(cell.bytes) > reach.first && at < reach.last.saturating_add(bytes);
            if !is_hit {
                return Touch::None;
            }
            let is_apart = reach.stride == 0 || reach.stride >= bytes as u128;
            match reach.may_be_at(at) {
                true if is_alike && is_apart => Touch::Same,
                true | false if is_alike && reach.stride >= bytes as u128 => {
                    // Aligned alike: the neighbours are whole cells as well.
                    let distance = at.abs_diff(reach.first) % reach.stride;
                    let behind = reach.stride - distance;
                    if distance >= bytes as u128 && behind >= bytes as u128 {
                        Touch::None
                    } else {
                        Touch::Part
                    }
                }
                true | false => Touch::Part,
            }
        }
    }
}
