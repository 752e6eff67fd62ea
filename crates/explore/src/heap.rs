//! The objects of the working state.

use ravelin_base::SrcPos;
use ravelin_cfa::{Life, ObjectFact};

use crate::contents;
use crate::machine::{Cell, DEAD_CONTENTS, MAX_OBJECT, Machine};
use crate::objects::{Kind, Name};
use crate::result::Reason;
use crate::word::{object_of, offset_of, signed};

impl Machine<'_, '_> {
    fn cell(&self, object: u32) -> Option<usize> {
        self.memory.binary_search_by_key(&object, |cell| cell.object).ok()
    }

    /// The contents of an object, if it is there.
    #[inline]
    pub(crate) fn contents(&self, object: u32) -> Option<&[u64]> {
        if let Some(Some(constant)) = self.constants.get(object as usize) {
            return Some(constant);
        }
        let cell = &self.memory[self.cell(object)?];
        Some(match cell.buffer {
            Some(buffer) => &self.buffers[buffer as usize],
            None => self.store.contents.get(cell.contents),
        })
    }

    /// The contents of an object, to be changed. Constants cannot be.
    pub(crate) fn contents_mut(&mut self, object: u32) -> Option<&mut Vec<u64>> {
        let index = self.cell(object)?;
        self.memory_dirty = true;
        let buffer = match self.memory[index].buffer {
            Some(buffer) => buffer,
            None => {
                let buffer = self.used_buffers;
                if self.buffers.len() == buffer {
                    self.buffers.push(Vec::new());
                }
                self.used_buffers += 1;
                let words = &mut self.buffers[buffer];
                words.clear();
                let contents = self.memory[index].contents;
                if contents != u32::MAX {
                    words.extend_from_slice(self.store.contents.get(contents));
                }
                self.memory[index].buffer = Some(buffer as u32);
                buffer as u32
            }
        };
        Some(&mut self.buffers[buffer as usize])
    }

    /// A fact about the object of a pointer; `None` if it was forgotten.
    pub(crate) fn inspect(&self, pointer: u64, fact: ObjectFact) -> Option<u64> {
        let object = object_of(pointer);
        if fact == ObjectFact::Offset {
            return Some(self.offset_in_object(pointer));
        }
        if object == 0 {
            return Some(0);
        }
        let info = self.objects.info(object);
        let life = match info.kind {
            Kind::Function(_) => return Some(0),
            Kind::Constant(_) => Life::Constant,
            Kind::Global(_) | Kind::Local(_) | Kind::Stack => Life::Named,
            Kind::Heap => Life::Heap,
        };
        let is_alive = contents::life(self.contents(object)?) == contents::ALIVE;
        Some(match fact {
            ObjectFact::Offset => self.offset_in_object(pointer),
            ObjectFact::Size => info.size,
            ObjectFact::Life if is_alive => life as u64,
            ObjectFact::Life => Life::None as u64,
        })
    }

    /// Where a pointer leads, from the first byte of its object, as a word of an address's width.
    fn offset_in_object(&self, pointer: u64) -> u64 {
        match self.pointer_bytes {
            4 => offset_of(pointer).into(),
            _ => signed(offset_of(pointer).into(), 32) as u64,
        }
    }

    /// A new object, without a value or zero.
    pub(crate) fn create(
        &mut self,
        kind: Kind,
        name: Name,
        align: u64,
        zero: bool,
    ) -> Result<u32, Reason> {
        let too_large = || Reason::Beyond("objects of this size", SrcPos::NONE);
        if name.size > MAX_OBJECT {
            return Err(too_large());
        }
        let memory = &self.memory;
        let is_free =
            |number: u32| memory.binary_search_by_key(&number, |cell| cell.object).is_err();
        let number = self.objects.instance(kind, name, align, is_free).ok_or_else(too_large)?;
        let index = self.memory.partition_point(|cell| cell.object < number);
        self.memory.insert(index, Cell { object: number, contents: u32::MAX, buffer: None });
        if let Some(words) = self.contents_mut(number) {
            contents::create(words, name.size, zero);
        }
        Ok(number)
    }

    /// Ends the life of an object, and of what synchronises in it.
    pub(crate) fn kill(&mut self, object: u32, life: u64) {
        if let Some(words) = self.contents_mut(object) {
            contents::dead(words, life);
        }
        if !self.sync.is_empty() && self.sync.forget(|key| object_of(key) == object) {
            self.sync_dirty = true;
        }
    }

    /// Ends the objects that `alloca` gave to the frame at this depth of a thread.
    pub(crate) fn end_stack_objects(&mut self, tid: u32, depth: u32) {
        let mut index = 0;
        while let Some(cell) = self.memory.get(index) {
            let (object, info) = (cell.object, self.objects.info(cell.object));
            let ends = info.kind == Kind::Stack && info.thread == tid && info.depth == depth;
            if ends
                && self
                    .contents(object)
                    .is_some_and(|words| contents::life(words) == contents::ALIVE)
            {
                self.kill(object, contents::SCOPE_ENDED);
            }
            index += 1;
        }
    }

    /// Ends a variable-length array with its block.
    pub(crate) fn end_array(&mut self, pointer: u64) {
        let object = object_of(pointer);
        let is_alive =
            self.contents(object).is_some_and(|words| contents::life(words) == contents::ALIVE);
        if is_alive && self.objects.info(object).kind == Kind::Stack {
            self.kill(object, contents::SCOPE_ENDED);
        }
    }

    /// Forgets dead objects to which no pointer leads any more, so that their names can be used again.
    pub(crate) fn bury(&mut self) {
        let mut index = 0;
        while let Some(cell) = self.memory.get(index) {
            let object = cell.object;
            let dead = match cell.buffer {
                Some(buffer) => contents::life(&self.buffers[buffer as usize]) != contents::ALIVE,
                None => cell.contents < DEAD_CONTENTS,
            };
            if dead && !self.is_referenced(object) {
                self.memory.remove(index);
                self.memory_dirty = true;
            } else {
                index += 1;
            }
        }
    }

    /// Whether something in the state may be a pointer to the object. All threads are packed.
    fn is_referenced(&self, object: u32) -> bool {
        let leads_there = |&word: &u64| object_of(word) == object;
        self.globals.iter().any(leads_there)
            || self.sync.keys().any(|key| object_of(key) == object)
            || (0..self.thread_count).any(|position| {
                let packed = self.store.threads.get(self.threads[position].id);
                packed.iter().any(leads_there)
            })
            || self.memory.iter().any(|cell| {
                let words = match cell.buffer {
                    Some(buffer) => &self.buffers[buffer as usize],
                    None => self.store.contents.get(cell.contents),
                };
                contents::has_pointers(words)
                    && contents::targets(words, self.objects.info(cell.object).size)
                        .any(|target| target == object)
            })
    }
}
