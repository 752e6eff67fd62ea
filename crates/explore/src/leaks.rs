//! Memory that is left when a program ends. The module of the same name in `ravelin-interp` says what counts.

use ravelin_base::SrcPos;
use ravelin_cfa::{ErrorKind, Proc, Property, Sort};
use rustc_hash::FxHashSet;

use crate::contents;
use crate::machine::{
    FINISHED, FRAME_HEAD, FRAMES, Machine, STATUS, STATUS_A, Stop, TOP, pc_of, proc_of,
};
use crate::objects::{Kind, Site};
use crate::result::Ending;
use crate::word::{object_of, offset_of};

/// Library models allocate with positions in this file what the C library has for itself.
const OWN_MEMORY: &str = "<ravelin>/own.c";

impl Machine<'_, '_> {
    /// The end of the program in a step of the thread with these words, which is before `pc`; `is_abort` says whether
    /// it is no regular end.
    pub(crate) fn end_program(
        &mut self,
        words: &[u64],
        pc: usize,
        is_abort: bool,
        (ending, pos): (Ending, SrcPos),
    ) -> Stop {
        let checked = self.code.program.checked;
        let tracks = checked.contains(Property::ValidMemtrack);
        let frees = checked.contains(Property::ValidMemcleanup) && !is_abort;
        if !tracks && !frees {
            return Stop::End(ending, pos);
        }
        let blocks = self.blocks();
        let mut kind = None;
        if tracks && !blocks.is_empty() {
            let tracked = self.tracked(Some((words, pc)));
            let lost = blocks.iter().any(|block| !tracked.contains(block));
            kind = lost.then_some(ErrorKind::LostMemory);
        }
        if frees && !blocks.is_empty() {
            kind = kind.or(Some(ErrorKind::UnfreedMemory));
        }
        Stop::End(kind.map_or(ending, Ending::Error), pos)
    }

    /// Whether memory is lost in the working state, between two steps.
    pub(crate) fn has_lost_memory(&mut self) -> bool {
        let blocks = self.blocks();
        if blocks.is_empty() {
            return false;
        }
        let tracked = self.tracked(None);
        blocks.iter().any(|block| !tracked.contains(block))
    }

    /// The live blocks of the heap.
    fn blocks(&self) -> Vec<u32> {
        let is_block = |&object: &u32| {
            self.objects.info(object).kind == Kind::Heap
                && !self.is_own(object)
                && self.contents(object).is_some_and(|it| contents::life(it) == contents::ALIVE)
        };
        self.memory.iter().map(|cell| cell.object).filter(is_block).collect()
    }

    /// Whether a block is memory that the C library has for itself.
    fn is_own(&self, object: u32) -> bool {
        let Site::Code(proc, pc) = self.objects.info(object).site else { return false };
        let pos = self.code.procs[Proc::from_u32(proc)].infos[pc as usize];
        !pos.is_none() && self.code.program.name(pos.file) == OWN_MEMORY
    }

    /// The blocks that are tracked. A thread in a step is given by its words and where it is.
    fn tracked(&mut self, running: Option<(&[u64], usize)>) -> FxHashSet<u32> {
        let mut found = Vec::new();
        let program = self.code.program;
        for (index, &var) in self.code.slots.globals.iter().enumerate() {
            self.target(program.vars[var].sort, self.globals[index], &mut found);
        }
        if let Some((words, pc)) = running {
            self.add_thread_roots(words, Some(pc), &mut found);
        }
        for position in 0..self.thread_count() {
            if self.is_taken(position) {
                continue;
            }
            if !self.threads[position].is_loaded {
                self.unpack(position);
            }
            let other = std::mem::take(&mut self.threads[position].words);
            self.add_thread_roots(&other, None, &mut found);
            self.threads[position].words = other;
        }
        for index in 0..self.memory.len() {
            let object = self.memory[index].object;
            if self.objects.info(object).kind != Kind::Heap {
                self.add_contents(object, &mut found);
            }
        }
        let mut tracked = FxHashSet::default();
        while let Some(object) = found.pop() {
            if self.objects.info(object).kind == Kind::Heap && tracked.insert(object) {
                self.add_contents(object, &mut found);
            }
        }
        tracked
    }

    fn add_thread_roots(&self, words: &[u64], pc: Option<usize>, found: &mut Vec<u32>) {
        let program = self.code.program;
        for (index, &var) in self.code.slots.thread_locals.iter().enumerate() {
            self.target(program.vars[var].sort, words[self.tls + index], found);
        }
        // The value with which it ended, until somebody takes it.
        if words[STATUS] == FINISHED {
            self.target(Sort::Ptr, words[STATUS_A], found);
        }
        let mut start = words[TOP] as usize;
        for depth in 0..words[FRAMES] {
            let proc = proc_of(words[start]);
            let here = if depth == 0 { pc } else { None };
            let pc = here.unwrap_or(pc_of(words[start]) as usize);
            let live = &self.code.procs[proc].live[pc];
            for (slot, &var) in self.code.slots.frames[proc].vars.iter().enumerate() {
                if !program.is_temporary(var) || live.binary_search(&(slot as u32)).is_ok() {
                    let value = words[start + FRAME_HEAD + slot];
                    self.target(program.vars[var].sort, value, found);
                }
            }
            start = words[start + 1] as usize;
        }
    }

    /// The object that a value leads to, or that a number is an address in.
    fn target(&self, sort: Sort, value: u64, found: &mut Vec<u32>) {
        let object = match sort {
            Sort::Ptr if object_of(value) != 0 => {
                let object = object_of(value);
                let offset = i64::from(offset_of(value) as i32);
                let size = self.objects.info(object).size;
                let is_inside = u64::try_from(offset).is_ok_and(|offset| offset <= size);
                is_inside.then_some(object)
            }
            Sort::Ptr => None,
            Sort::Bv(_) => self.objects.find(value),
            Sort::Bool | Sort::Float(_) | Sort::Mem => None,
        };
        found.extend(object);
    }

    fn add_contents(&self, object: u32, found: &mut Vec<u32>) {
        let Some(words) = self.contents(object) else { return };
        if contents::life(words) != contents::ALIVE {
            return;
        }
        let (size, bytes) = (self.objects.info(object).size, self.pointer_bytes);
        let mut pointers = Vec::new();
        contents::pointers_in(words, size, 0, size, bytes, &mut pointers);
        for &(at, target) in &pointers {
            let offset = contents::read(words, at, bytes) as u32;
            self.target(Sort::Ptr, crate::word::pointer(target, offset), found);
        }
        let mut at = 0;
        while at + bytes <= size {
            if pointers.binary_search_by_key(&at, |&(start, _)| start).is_err() {
                let number = contents::read(words, at, bytes);
                if number != 0 {
                    self.target(Sort::Bv(64), number, found);
                }
            }
            at += bytes;
        }
    }
}
