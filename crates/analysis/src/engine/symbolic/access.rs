//! Accesses to memory on a path: where they lead, and what is read and written there.

use std::collections::BTreeSet;

use ravelin_base::SrcPos;
use ravelin_cfa::{Life, Reason};
use ravelin_term::{BinOp, Sort, Term, TermKind, UnOp};

use super::machine::{Machine, Step, Target};
use super::memory::{
    Background, Contents, Memory, MemoryObject, Part, bits_of, joined, length, slice, value_of,
    vars_in,
};
use super::state::{State, Taken};
use crate::verdict::InputOrigin;

/// An access with an open offset becomes a choice between so many places at most. Beyond, paths fork.
const MAX_CHOICE: u64 = 128;

/// Longer copies and fills are left out.
const MAX_BYTES: u64 = 1 << 16;

/// A valid access to an object.
#[derive(Clone, Copy, Debug)]
struct Place {
    number: u32,
    /// The pointer, of which the object is known.
    pointer: Term,
    offset: Term,
}

impl Machine<'_, '_> {
    pub(super) fn load(
        &mut self,
        state: &mut State,
        addr: Term,
        sort: Sort,
        pos: SrcPos,
    ) -> Step<Term> {
        let value = self.load_any(state, addr, sort, pos)?;
        Ok(self.simplified(state, value))
    }

    fn load_any(&mut self, state: &mut State, addr: Term, sort: Sort, pos: SrcPos) -> Step<Term> {
        let bytes = self.program.bytes_of(sort).unwrap_or(1);
        let bytes_term = self.terms.offset(bytes);
        let place = self.place(state, addr, bytes_term, false, pos)?;
        if let Some(at) = self.terms.as_bv(place.offset) {
            return Ok(self.read_at(state, place.number, at as u64, sort, pos));
        }
        if let Some(places) = self.choice(state, place, bytes) {
            let mut value = None;
            for at in places.into_iter().rev() {
                let here = self.read_at(state, place.number, at, sort, pos);
                value = Some(match value {
                    None => here,
                    Some(other) => {
                        let start = self.terms.offset(at);
                        let is_here = self.terms.eq(place.offset, start);
                        self.terms.ite(is_here, here, other)
                    }
                });
            }
            if let Some(value) = value {
                return Ok(value);
            }
        }
        let at = self.concrete(state, place.offset, pos)?;
        Ok(self.read_at(state, place.number, at as u64, sort, pos))
    }

    pub(super) fn store(
        &mut self,
        state: &mut State,
        addr: Term,
        value: Term,
        pos: SrcPos,
    ) -> Step<()> {
        let bytes = length(&self.terms, value);
        let bytes_term = self.terms.offset(bytes);
        let place = self.place(state, addr, bytes_term, true, pos)?;
        let at = match self.terms.as_bv(place.offset) {
            Some(at) => at as u64,
            None => {
                if let Some(places) = self.choice(state, place, bytes) {
                    for at in places {
                        self.store_perhaps(state, place, at, value, pos);
                    }
                    return Ok(());
                }
                self.concrete(state, place.offset, pos)? as u64
            }
        };
        self.write_at(state, place.number, at, value);
        Ok(())
    }

    /// Writes a value at an offset if the place is there.
    fn store_perhaps(
        &mut self,
        state: &mut State,
        place: Place,
        at: u64,
        value: Term,
        pos: SrcPos,
    ) {
        let start = self.terms.offset(at);
        let is_here = self.terms.eq(place.offset, start);
        let sort = self.terms.sort(value);
        let same = self
            .object(state, place.number)
            .and_then(|object| object.contents.whole(&self.terms, at, sort));
        let new = match same {
            Some(old) => self.terms.ite(is_here, value, old),
            None => {
                let bits = bits_of(&mut self.terms, value);
                let sort = self.terms.sort(bits);
                let old = self.read_at(state, place.number, at, sort, pos);
                self.terms.ite(is_here, bits, old)
            }
        };
        self.write_at(state, place.number, at, new);
    }

    /// Where an access of so many bytes leads. The path ends if it may not be there.
    fn place(
        &mut self,
        state: &mut State,
        addr: Term,
        bytes: Term,
        writes: bool,
        pos: SrcPos,
    ) -> Step<Place> {
        let pointer = self.eval(state, addr, pos)?;
        let (target, pointer) = self.resolve(state, pointer, pos)?;
        let Target::Object(number) = target else {
            return self.undefined("an access to no object", pos);
        };
        let Some(object) = self.object(state, number) else {
            return self.unsupported("an access to an object from outside", pos);
        };
        let least = if writes { Life::Named } else { Life::Constant };
        if object.is_function || (object.life as u8) < least as u8 {
            return self.undefined("an access that its object does not allow", pos);
        }
        let offset = self.terms.unary(UnOp::PtrOffset, pointer);
        let size = self.simplified(state, object.size);
        let is_inside = self.is_inside(size, offset, bytes);
        if !self.decide(state, is_inside)? {
            return self.undefined("an access outside of its object", pos);
        }
        Ok(Place { number, pointer, offset })
    }

    /// The offsets at which an access may be, if they are few, do not overlap, and all have values.
    fn choice(&mut self, state: &State, place: Place, bytes: u64) -> Option<Vec<u64>> {
        let object = self.object(state, place.number)?;
        let size = self.simplified(state, object.size);
        let size = self.terms.as_bv(size)? as u64;
        if !bytes.is_power_of_two()
            || size / bytes > MAX_CHOICE
            || !self.terms.is_aligned(place.pointer, bytes)
        {
            return None;
        }
        let places = (0..size / bytes).map(|index| index * bytes);
        let are_set = places.clone().all(|at| self.is_set(state, &object, at, bytes));
        are_set.then(|| places.collect())
    }

    /// Whether all bytes have values that no input decides when they are read.
    fn is_set(&self, state: &State, object: &MemoryObject, at: u64, bytes: u64) -> bool {
        object.contents.parts(&self.terms, at, bytes).iter().all(|part| match *part {
            Part::Of { piece, .. } => !self.is_unread(state, piece),
            Part::Missing { .. } => !object.contents.background().is_open(),
        })
    }

    fn is_unread(&self, state: &State, value: Term) -> bool {
        !state.unread.is_empty()
            && vars_in(&self.terms, value).iter().any(|var| state.unread.contains(var))
    }

    /// Reads what is at an offset of an object. Bytes without value get one, and this is an input of the path.
    fn read_at(
        &mut self,
        state: &mut State,
        number: u32,
        at: u64,
        sort: Sort,
        pos: SrcPos,
    ) -> Term {
        let Some(object) = self.object(state, number) else {
            return self.fresh(sort).1;
        };
        if state.unread.is_empty()
            && let Some(value) = object.contents.whole(&self.terms, at, sort)
        {
            return value;
        }
        let bytes = self.program.bytes_of(sort).unwrap_or(1);
        let parts = object.contents.parts(&self.terms, at, bytes);
        if let [Part::Missing { .. }] = parts[..]
            && object.contents.background().is_open()
        {
            let is_foreign = object.contents.background() == Background::Open;
            let value = self.input(state, InputOrigin::Memory, sort, pos, is_foreign);
            self.write_at(state, number, at, value);
            return value;
        }
        let (mut bits, mut is_drawn) = (Vec::with_capacity(parts.len()), false);
        for part in parts {
            bits.push(match part {
                Part::Of { piece, first, bytes } => {
                    if self.is_unread(state, piece) {
                        is_drawn = true;
                        for var in vars_in(&self.terms, piece) {
                            state.unread.remove(&var);
                        }
                    }
                    self.part_of(piece, first, bytes)
                }
                Part::Missing { at, bytes } => match self.background(&object.contents, at, bytes) {
                    Some(value) => value,
                    None => {
                        is_drawn = true;
                        let (_, value) = self.fresh(Sort::Bv(bytes as u16 * 8));
                        self.write_at(state, number, at, value);
                        value
                    }
                },
            });
        }
        let value = match (&bits[..], object.contents.whole(&self.terms, at, sort)) {
            (_, Some(value)) => value,
            (bits, None) => match joined(&mut self.terms, bits) {
                Some(bits) => value_of(&mut self.terms, bits, sort),
                None => self.fresh(sort).1,
            },
        };
        if is_drawn {
            state.inputs.push_back(Taken { origin: InputOrigin::Memory, sort, pos, value });
        }
        value
    }

    fn background(&mut self, contents: &Contents, at: u64, bytes: u64) -> Option<Term> {
        contents.background_bits(self.program, &mut self.terms, at, bytes)
    }

    fn part_of(&mut self, piece: Term, first: u64, bytes: u64) -> Term {
        match first == 0 && bytes == length(&self.terms, piece) {
            true => bits_of(&mut self.terms, piece),
            false => slice(&mut self.terms, piece, first, bytes),
        }
    }

    fn write_at(&mut self, state: &mut State, number: u32, at: u64, value: Term) {
        if let Some(object) = self.object_mut(state, number) {
            object.contents.write(&mut self.terms, at, value);
        }
    }

    /// What a range of an object holds, in pieces with offsets from its start. Bytes without value are told apart.
    pub(super) fn take(
        &mut self,
        state: &mut State,
        number: u32,
        at: u64,
        bytes: u64,
        pos: SrcPos,
    ) -> Step<Vec<(u64, Term)>> {
        if bytes > MAX_BYTES {
            return self.unsupported("a long copy", pos);
        }
        let Some(object) = self.object(state, number) else { return Ok(Vec::new()) };
        let mut taken = Vec::new();
        let mut next = 0;
        for part in object.contents.parts(&self.terms, at, bytes) {
            match part {
                Part::Of { piece, first, bytes } => {
                    let is_whole = first == 0 && bytes == length(&self.terms, piece);
                    let value = match is_whole {
                        true => piece,
                        false => slice(&mut self.terms, piece, first, bytes),
                    };
                    taken.push((next, value));
                    next += bytes;
                }
                Part::Missing { at, bytes } => {
                    let is_open = object.contents.background().is_open();
                    let step = if is_open { 1 } else { 8 };
                    let mut done = 0;
                    while done < bytes {
                        let size = step.min(bytes - done);
                        let value = match self.background(&object.contents, at + done, size) {
                            Some(value) => value,
                            None => {
                                let (var, value) = self.fresh(Sort::Bv(8));
                                if object.contents.background() == Background::Left {
                                    self.leading.insert(var);
                                }
                                state.unread.insert(var);
                                self.write_at(state, number, at + done, value);
                                value
                            }
                        };
                        taken.push((next + done, value));
                        done += size;
                    }
                    next += bytes;
                }
            }
        }
        Ok(taken)
    }

    /// A function without body may leave anything in what it reaches through these pointers: it has no value until it is
    /// read.
    pub(super) fn leave_open(
        &mut self,
        state: &mut State,
        pointers: &[Term],
        pos: SrcPos,
    ) -> Step<()> {
        let mut work = Vec::new();
        for &pointer in pointers {
            let pointer = self.eval(state, pointer, pos)?;
            self.leads_to(pointer, &mut work, pos);
        }
        let mut reached = BTreeSet::new();
        while let Some(number) = work.pop() {
            if reached.contains(&number) {
                continue;
            }
            let Some(object) = self.object(state, number) else { continue };
            if object.is_function || object.life == Life::None {
                continue;
            }
            reached.insert(number);
            if object.contents.background() == Background::Left {
                self.leads_anywhere(pos);
            }
            for value in object.contents.values() {
                self.leads_to(value, &mut work, pos);
            }
        }
        for number in reached {
            if let Some(object) = self.object_mut(state, number)
                && object.life != Life::Constant
            {
                object.contents = Contents::new(Background::Left);
            }
        }
        Ok(())
    }

    /// The objects to which a value may lead: as a pointer, or as a number made of one.
    fn leads_to(&mut self, value: Term, found: &mut Vec<u32>, pos: SrcPos) {
        let mut leads_anywhere = false;
        self.terms.for_each_subterm(value, |_, kind| match kind {
            TermKind::Address(object) => found.push(Memory::number_of(object)),
            TermKind::Binary(BinOp::PtrMake, number, _) => match self.terms.as_bv(number) {
                Some(number) => found.push(number as u32),
                None => leads_anywhere = true,
            },
            TermKind::Var(var) => leads_anywhere |= self.leading.contains(&var),
            _ => {}
        });
        if leads_anywhere {
            self.leads_anywhere(pos);
        }
    }

    /// Functions without body may change more than what they reach as far as is known. That they do not is one of the
    /// behaviours that they may have, so the path goes on, but there is no proof.
    fn leads_anywhere(&mut self, pos: SrcPos) {
        let what = "memory that functions without body may change";
        self.leave_out(Reason::unsupported(self.program, what, pos));
    }

    pub(super) fn copy(
        &mut self,
        state: &mut State,
        dst: Term,
        src: Term,
        size: Term,
        pos: SrcPos,
    ) -> Step<()> {
        let size = self.eval(state, size, pos)?;
        let bytes = self.concrete(state, size, pos)? as u64;
        // Nothing need be there.
        if bytes == 0 {
            return Ok(());
        }
        let length = self.terms.offset(bytes);
        let from = self.place(state, src, length, false, pos)?;
        let to = self.place(state, dst, length, true, pos)?;
        let from_at = self.concrete(state, from.offset, pos)? as u64;
        let to_at = self.concrete(state, to.offset, pos)? as u64;
        for (at, value) in self.take(state, from.number, from_at, bytes, pos)? {
            self.write_at(state, to.number, to_at + at, value);
        }
        Ok(())
    }

    pub(super) fn fill(
        &mut self,
        state: &mut State,
        dst: Term,
        byte: Term,
        size: Term,
        pos: SrcPos,
    ) -> Step<()> {
        let byte = self.eval(state, byte, pos)?;
        let size = self.eval(state, size, pos)?;
        let none = self.terms.offset(0);
        let is_none = self.terms.eq(size, none);
        if self.decide(state, is_none)? {
            return Ok(());
        }
        let place = self.place(state, dst, size, true, pos)?;
        let Some(object) = self.object(state, place.number) else { return Ok(()) };
        let is_whole = object.size == size && self.terms.as_bv(place.offset) == Some(0);
        if is_whole && self.terms.as_bv(byte) == Some(0) {
            if let Some(object) = self.object_mut(state, place.number) {
                object.contents = Contents::new(Background::Zero);
            }
            return Ok(());
        }
        let bytes = self.concrete(state, size, pos)? as u64;
        let at = self.concrete(state, place.offset, pos)? as u64;
        if bytes > MAX_BYTES {
            return self.unsupported("a long fill", pos);
        }
        let step = if self.terms.as_bv(byte).is_some() { 8 } else { 1 };
        let mut done = 0;
        while done < bytes {
            let size = step.min(bytes - done);
            let value = joined(&mut self.terms, &vec![byte; size as usize]);
            if let Some(value) = value {
                self.write_at(state, place.number, at + done, value);
            }
            done += size;
        }
        Ok(())
    }
}
