//! Accesses to memory.

use ravelin_base::SrcPos;
use ravelin_cfa::{AllocKind, Sort};
use ravelin_posix::MutexKind;

use crate::contents;
use crate::inputs::Inputs;
use crate::machine::{FRAMES, Machine, Stop, TID};
use crate::objects::{Kind, Name, Site};
use crate::result::{Ending, Reason};
use crate::word::{object_of, offset_of, ones, pointer};

fn invalid(pos: SrcPos) -> Stop {
    Stop::Undefined(Ending::InvalidAccess, pos)
}

fn invalid_free(pos: SrcPos) -> Stop {
    Stop::Undefined(Ending::InvalidFree, pos)
}

impl Machine<'_, '_> {
    /// Checks an access of `length` bytes; the object and where in it.
    pub(crate) fn check(
        &self,
        pos: SrcPos,
        pointer: u64,
        length: u64,
        write: bool,
    ) -> Result<(u32, u64), Stop> {
        let object = object_of(pointer);
        if object == 0 {
            return Err(invalid(pos));
        }
        let info = self.objects.info(object);
        match info.kind {
            Kind::Function(_) => return Err(invalid(pos)),
            Kind::Constant(_) if write => return Err(invalid(pos)),
            Kind::Constant(_) | Kind::Global(_) | Kind::Local(_) | Kind::Heap | Kind::Stack => {}
        }
        let offset = i64::from(offset_of(pointer) as i32);
        let is_inside = u64::try_from(offset)
            .is_ok_and(|offset| offset <= info.size && length <= info.size - offset);
        let is_alive =
            self.contents(object).is_some_and(|words| contents::life(words) == contents::ALIVE);
        if is_inside && is_alive { Ok((object, offset as u64)) } else { Err(invalid(pos)) }
    }

    pub(crate) fn load(&mut self, pos: SrcPos, pointer: u64, sort: Sort) -> Result<u64, Stop> {
        let length = self.bytes_of(sort);
        let (object, at) = self.check(pos, pointer, length, false)?;
        let size = self.objects.info(object).size;
        let Some(words) = self.contents(object) else { return Err(invalid(pos)) };
        if sort == Sort::Ptr
            && let Some(stored) = contents::read_pointer(words, size, at, length)
        {
            return Ok(stored);
        }
        if contents::any_unset(words, size, at, length) {
            self.settle(pos, object, at, length, sort)?;
        }
        let Some(words) = self.contents(object) else { return Err(invalid(pos)) };
        let mut bits = contents::read(words, at, length);
        if contents::has_pointers(words) {
            let mut found = std::mem::take(&mut self.found_pointers);
            if let Some(words) = self.contents(object) {
                contents::pointers_in(words, size, at, length, self.pointer_bytes, &mut found);
            }
            for &(start, target) in &found {
                self.note(Reason::Address(pos));
                let address = self.stored_address(object, start, target);
                for index in 0..length {
                    if let Some(byte) = (at + index).checked_sub(start)
                        && byte < self.pointer_bytes
                    {
                        bits &= !(0xff << (8 * index));
                        bits |= (address >> (8 * byte) & 0xff) << (8 * index);
                    }
                }
            }
            self.found_pointers = found;
        }
        Ok(match sort {
            Sort::Bool => (bits != 0).into(),
            Sort::Bv(width) => bits & ones(width),
            Sort::Float(_) | Sort::Mem => bits,
            Sort::Ptr => self.pointer_to(pos, bits)?,
        })
    }

    /// The address of the pointer to `target` that is stored at `start`.
    fn stored_address(&self, object: u32, start: u64, target: u32) -> u64 {
        let offset = self
            .contents(object)
            .map_or(0, |words| contents::read(words, start, self.pointer_bytes));
        self.address(pointer(target, offset as u32))
    }

    /// Gives those of these bytes that have no value yet one.
    fn settle(
        &mut self,
        pos: SrcPos,
        object: u32,
        at: u64,
        length: u64,
        sort: Sort,
    ) -> Result<(), Stop> {
        let size = self.objects.info(object).size;
        let domain = Inputs::unset(sort);
        let value = self.draw_from(pos, &domain.values, domain.complete, sort)?;
        let value = if sort == Sort::Ptr { u64::from(offset_of(value)) } else { value };
        if let Some(words) = self.contents_mut(object) {
            for index in 0..length {
                if contents::is_unset(words, size, at + index) {
                    contents::write(words, size, at + index, 1, value >> (8 * index) & 0xff);
                }
            }
        } else {
            self.note(Reason::OpenValue(pos));
        }
        Ok(())
    }

    /// Forgets the pointers that are about to be overwritten; of those that are not wholly, the other
    /// bytes become those of an integer.
    fn clear_pointers(&mut self, pos: SrcPos, object: u32, at: u64, length: u64) {
        let size = self.objects.info(object).size;
        let mut found = std::mem::take(&mut self.found_pointers);
        if let Some(words) = self.contents(object) {
            contents::pointers_in(words, size, at, length, self.pointer_bytes, &mut found);
        }
        let bytes = self.pointer_bytes;
        for &(start, target) in &found {
            let whole = at <= start && start + bytes <= at + length;
            let address = self.stored_address(object, start, target);
            if !whole {
                self.note(Reason::Address(pos));
            }
            if let Some(words) = self.contents_mut(object) {
                contents::forget_pointer(words, size, start);
                contents::write(words, size, start, bytes, address);
            }
        }
        self.found_pointers = found;
    }

    pub(crate) fn store(
        &mut self,
        pos: SrcPos,
        pointer: u64,
        sort: Sort,
        value: u64,
    ) -> Result<(), Stop> {
        let length = self.bytes_of(sort);
        let (object, at) = self.check(pos, pointer, length, true)?;
        let size = self.objects.info(object).size;
        if self.contents(object).is_some_and(contents::has_pointers) {
            self.clear_pointers(pos, object, at, length);
        }
        let Some(words) = self.contents_mut(object) else { return Err(invalid(pos)) };
        if sort == Sort::Ptr {
            contents::write_pointer(words, size, at, length, value)
                .map_err(|_| Stop::Incomplete(Reason::Beyond("unaligned pointers", pos)))?;
        } else {
            contents::write(words, size, at, length, value);
        }
        Ok(())
    }

    pub(crate) fn fill(
        &mut self,
        pos: SrcPos,
        pointer: u64,
        byte: u64,
        length: u64,
    ) -> Result<(), Stop> {
        if length == 0 {
            return Ok(());
        }
        let (object, at) = self.check(pos, pointer, length, true)?;
        let size = self.objects.info(object).size;
        self.clear_pointers(pos, object, at, length);
        if let Some(words) = self.contents_mut(object) {
            let eight = (byte & 0xff) * 0x0101_0101_0101_0101;
            let mut done = 0;
            while done < length {
                let now = (length - done).min(8);
                contents::write(words, size, at + done, now, eight);
                done += now;
            }
        }
        Ok(())
    }

    /// Copies bytes, pointers with their objects, and bytes without value as such. Copies of these may
    /// later get values of their own, which allows more than there is.
    pub(crate) fn copy(
        &mut self,
        pos: SrcPos,
        dst: u64,
        src: u64,
        length: u64,
    ) -> Result<(), Stop> {
        if length == 0 {
            return Ok(());
        }
        let (from, at) = self.check(pos, src, length, false)?;
        let (to, start) = self.check(pos, dst, length, true)?;
        let (from_size, to_size) = (self.objects.info(from).size, self.objects.info(to).size);
        let bytes = self.pointer_bytes;
        let mut found = Vec::new();
        let (mut piece, mut unset) = (Vec::new(), Vec::new());
        if let Some(words) = self.contents(from) {
            contents::pointers_in(words, from_size, at, length, bytes, &mut found);
            for index in 0..length {
                piece.push(contents::read(words, at + index, 1));
                unset.push(contents::is_unset(words, from_size, at + index));
            }
        }
        let mut whole = Vec::new();
        for &(begin, target) in &found {
            if begin >= at && begin + bytes <= at + length {
                whole.push((begin - at, target));
                continue;
            }
            // Half a pointer is an integer.
            self.note(Reason::Address(pos));
            let address = self.stored_address(from, begin, target);
            for byte in 0..bytes {
                if let Some(index) = (begin + byte).checked_sub(at)
                    && index < length
                {
                    piece[index as usize] = address >> (8 * byte) & 0xff;
                }
            }
        }
        self.clear_pointers(pos, to, start, length);
        let Some(words) = self.contents_mut(to) else { return Err(invalid(pos)) };
        for (index, (&byte, &is_unset)) in (0..).zip(piece.iter().zip(&unset)) {
            if is_unset {
                contents::mark_unset(words, to_size, start + index);
            } else {
                contents::write(words, to_size, start + index, 1, byte);
            }
        }
        for (index, target) in whole {
            let offset = contents::read(words, start + index, bytes) as u32;
            contents::write_pointer(words, to_size, start + index, bytes, pointer(target, offset))
                .map_err(|_| Stop::Incomplete(Reason::Beyond("unaligned pointers", pos)))?;
        }
        Ok(())
    }

    pub(crate) fn allocate(
        &mut self,
        words: &[u64],
        (pos, site): (SrcPos, Site),
        size: u64,
        kind: AllocKind,
    ) -> Result<u64, Stop> {
        let (object_kind, depth, zero) = match kind {
            AllocKind::Heap => (Kind::Heap, 0, false),
            AllocKind::HeapZeroed => (Kind::Heap, 0, true),
            AllocKind::Stack => (Kind::Stack, words[FRAMES] as u32, false),
        };
        let name = Name { thread: words[TID] as u32, site, depth, size };
        let object = self.create(object_kind, name, 1, zero).map_err(|reason| at(reason, pos))?;
        Ok(pointer(object, 0))
    }

    pub(crate) fn free(&mut self, pos: SrcPos, pointer: u64) -> Result<(), Stop> {
        if pointer == 0 {
            return Ok(());
        }
        let object = self.check_free(pos, pointer)?;
        self.kill(object, contents::FREED);
        Ok(())
    }

    /// The live heap object to whose start a pointer leads.
    fn check_free(&self, pos: SrcPos, pointer: u64) -> Result<u32, Stop> {
        let object = object_of(pointer);
        let is_heap = object != 0 && self.objects.info(object).kind == Kind::Heap;
        let is_alive =
            self.contents(object).is_some_and(|words| contents::life(words) == contents::ALIVE);
        match is_heap && is_alive && offset_of(pointer) == 0 {
            true => Ok(object),
            false => Err(invalid_free(pos)),
        }
    }

    pub(crate) fn reallocate(
        &mut self,
        words: &[u64],
        place: (SrcPos, Site),
        old: u64,
        size: u64,
    ) -> Result<u64, Stop> {
        let new = self.allocate(words, place, size, AllocKind::Heap)?;
        if old != 0 {
            let object = self.check_free(place.0, old)?;
            let length = size.min(self.objects.info(object).size);
            self.copy(place.0, new, old, length)?;
            self.free(place.0, old)?;
        }
        Ok(new)
    }

    /// The kind of a mutex that no call initialised: glibc's static initialisers differ in the field
    /// `__kind` of `struct __pthread_mutex_s`.
    pub(crate) fn mutex_kind(&self, pos: SrcPos, mutex: u64) -> MutexKind {
        let offset = if self.pointer_bytes == 8 { 16 } else { 12 };
        let Ok(place) = self.moved(pos, mutex, offset) else { return MutexKind::Normal };
        let Ok((object, at)) = self.check(pos, place, 4, false) else { return MutexKind::Normal };
        let size = self.objects.info(object).size;
        match self.contents(object) {
            Some(words) if !contents::any_unset(words, size, at, 4) => {
                MutexKind::from_number(contents::read(words, at, 4).into())
            }
            // Smaller than glibc's, or without initialiser.
            Some(_) | None => MutexKind::Normal,
        }
    }
}

/// A reason that does not know its place, there.
pub(crate) fn at(reason: Reason, pos: SrcPos) -> Stop {
    Stop::Incomplete(match reason {
        Reason::Beyond(what, SrcPos::NONE) => Reason::Beyond(what, pos),
        reason => reason,
    })
}
