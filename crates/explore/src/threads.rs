//! The threads of the working state.

use ravelin_base::SrcPos;
use ravelin_cfa::{Proc, VarKind};

use crate::machine::{
    FRAME_HEAD, FRAMES, Machine, STARTED, STATUS, STATUS_A, STATUS_B, TID, TID_BITS, TOP,
    WorkThread, pc_of, pc_word, proc_of,
};
use crate::objects::{Kind, Name, Site};
use crate::result::Reason;

impl Machine<'_, '_> {
    pub(crate) fn thread_count(&self) -> usize {
        self.thread_count
    }

    /// Number and status of the thread at a position.
    pub(crate) fn head(&self, position: usize) -> (u32, u64) {
        let thread = &self.threads[position];
        if thread.is_loaded {
            (thread.words[TID] as u32, thread.words[STATUS])
        } else {
            let word = self.store.threads.get(thread.id)[0];
            (word as u32 & ((1 << TID_BITS) - 1), word >> TID_BITS)
        }
    }

    /// What the status of the thread at a position says further.
    pub(crate) fn status_words(&self, position: usize) -> (u64, u64) {
        let thread = &self.threads[position];
        if thread.is_loaded {
            (thread.words[STATUS_A], thread.words[STATUS_B])
        } else {
            let packed = self.store.threads.get(thread.id);
            (packed[1], packed[2])
        }
    }

    pub(crate) fn position_of(&self, tid: u32) -> Option<usize> {
        (0..self.thread_count).find(|&position| self.head(position).0 == tid)
    }

    /// The position of another thread than the one that runs, whose words are taken out.
    pub(crate) fn other_position(&self, tid: u32) -> Option<usize> {
        (0..self.thread_count)
            .find(|&position| !self.is_taken(position) && self.head(position).0 == tid)
    }

    /// Whether the words of the thread are taken out.
    pub(crate) fn is_taken(&self, position: usize) -> bool {
        self.threads[position].is_loaded && self.threads[position].words.is_empty()
    }

    /// Whether `alloca` gave objects to a thread that are still there.
    pub(crate) fn has_stack_objects(&self, tid: u32) -> bool {
        self.memory.iter().any(|cell| {
            let info = self.objects.info(cell.object);
            info.kind == Kind::Stack && info.thread == tid
        })
    }

    /// The number of a thread's part in the store, while it is unchanged.
    pub(crate) fn thread_id(&self, position: usize) -> u32 {
        self.threads[position].id
    }

    /// Takes the words of a thread out, to be changed.
    pub(crate) fn take_thread(&mut self, position: usize) -> Vec<u64> {
        if !self.threads[position].is_loaded {
            self.unpack(position);
        }
        let thread = &mut self.threads[position];
        thread.is_dirty = true;
        self.running = thread.words[TID] as u32;
        std::mem::take(&mut thread.words)
    }

    /// Takes the words of a thread out, to be looked at.
    pub(crate) fn take_words(&mut self, position: usize) -> Vec<u64> {
        if !self.threads[position].is_loaded {
            self.unpack(position);
        }
        std::mem::take(&mut self.threads[position].words)
    }

    pub(crate) fn put_thread(&mut self, position: usize, words: Vec<u64>) {
        self.threads[position].words = words;
    }

    /// The words of another thread than the one that runs.
    pub(crate) fn other_thread(&mut self, position: usize) -> &mut Vec<u64> {
        if !self.threads[position].is_loaded {
            self.unpack(position);
        }
        let thread = &mut self.threads[position];
        thread.is_dirty = true;
        &mut thread.words
    }

    pub(crate) fn unpack(&mut self, position: usize) {
        let thread = &mut self.threads[position];
        let packed = self.store.threads.get(thread.id);
        let words = &mut thread.words;
        words.clear();
        words.resize(self.first_frame, 0);
        words[TID] = packed[0] & ((1 << TID_BITS) - 1);
        words[STATUS] = packed[0] >> TID_BITS;
        words[STATUS_A] = packed[1];
        words[STATUS_B] = packed[2];
        words[FRAMES] = packed[3];
        let shared = self.first_frame - STARTED;
        words[STARTED..].copy_from_slice(&packed[4..4 + shared]);
        let mut at = 4 + shared;
        for _ in 0..words[FRAMES] {
            let code = &self.code.procs[proc_of(packed[at])];
            let live = &code.live[pc_of(packed[at]) as usize];
            let start = words.len();
            let below = words[TOP];
            words.push(packed[at]);
            words.push(below);
            words[TOP] = start as u64;
            at += 1;
            let base = start + FRAME_HEAD;
            words.resize(base + code.slots(), 0);
            for &slot in live.iter() {
                words[base + slot as usize] = packed[at];
                at += 1;
            }
            let rest = code.slots() - code.vars as usize;
            let kept = base + code.vars as usize;
            words[kept..kept + rest].copy_from_slice(&packed[at..at + rest]);
            at += rest;
        }
        thread.is_loaded = true;
        thread.is_dirty = false;
    }

    pub(crate) fn pack(&mut self, position: usize) {
        let thread = &mut self.threads[position];
        let words = &thread.words;
        let packed = &mut self.scratch;
        packed.clear();
        packed.push(words[TID] | words[STATUS] << TID_BITS);
        packed.extend_from_slice(&words[STATUS_A..=FRAMES]);
        packed.extend_from_slice(&words[STARTED..self.first_frame]);
        let mut start = self.first_frame;
        for _ in 0..words[FRAMES] {
            let code = &self.code.procs[proc_of(words[start])];
            let live = &code.live[pc_of(words[start]) as usize];
            packed.push(words[start]);
            let base = start + FRAME_HEAD;
            packed.extend(live.iter().map(|&slot| words[base + slot as usize]));
            for mask in 0..code.masks as usize {
                let mut bits = words[base + code.vars as usize + mask];
                for (bit, slot) in code.unset.iter().enumerate().skip(64 * mask).take(64) {
                    if live.binary_search(slot).is_err() {
                        bits |= 1 << (bit % 64);
                    }
                }
                packed.push(bits);
            }
            let first_object = base + code.first_object();
            packed.extend_from_slice(&words[first_object..first_object + code.objects.len()]);
            start = base + code.slots();
        }
        thread.id = self.store.threads.intern(packed).0;
        thread.is_loaded = false;
        thread.is_dirty = false;
    }

    /// Adds a thread that is about to enter `routine`.
    pub(crate) fn add_thread(
        &mut self,
        tid: u32,
        routine: Proc,
        args: &[u64],
    ) -> Result<(), Reason> {
        let program = self.code.program;
        if self.thread_count >= self.max_threads {
            self.has_more_threads = true;
            return Err(Reason::TooManyThreads(self.max_threads));
        }
        if tid >= 1 << (TID_BITS - 1) {
            return Err(Reason::Beyond("so many threads", SrcPos::NONE));
        }
        // The thread that starts another may stand anywhere: its words are taken out.
        let mut position = self.thread_count;
        for before in (0..self.thread_count).rev() {
            if self.is_taken(before) {
                if self.running < tid {
                    break;
                }
            } else if self.head(before).0 < tid {
                break;
            }
            position = before;
        }
        let mut words = vec![0; self.first_frame];
        words[TID] = tid.into();
        for (index, &var) in self.code.slots.thread_locals.iter().enumerate() {
            if let VarKind::ThreadLocal { init: Some(init) } = program.vars[var].kind {
                words[self.tls + index] = self.closed(init)?;
            }
        }
        for (index, &object) in self.code.slots.thread_objects.iter().enumerate() {
            let data = &program.objects[object];
            let site = Site::Object(object.as_u32());
            let name = Name { thread: tid, site, depth: 0, size: data.size };
            let number = self.create(Kind::Local(object), name, data.align.into(), false)?;
            let mut initial = Vec::new();
            self.initial(&mut initial, data.size, &data.init)?;
            if let Some(contents) = self.contents_mut(number) {
                *contents = initial;
            }
            words[self.tobs + index] = number.into();
        }
        self.enter(&mut words, routine, args);
        let thread = WorkThread { id: u32::MAX, words, is_loaded: true, is_dirty: true };
        self.threads.truncate(self.thread_count);
        self.threads.insert(position, thread);
        self.thread_count += 1;
        Ok(())
    }

    /// Pushes a frame.
    pub(crate) fn enter(&self, words: &mut Vec<u64>, proc: Proc, args: &[u64]) {
        let code = &self.code.procs[proc];
        let start = words.len();
        words.push(pc_word(proc, code.entry));
        words.push(words[TOP]);
        words.resize(start + FRAME_HEAD + code.slots(), 0);
        let base = start + FRAME_HEAD;
        for (&arg, &(slot, _)) in args.iter().zip(&code.params) {
            words[base + slot as usize] = arg;
        }
        let masks = base + code.vars as usize;
        words[masks..masks + code.masks as usize].fill(u64::MAX);
        words[TOP] = start as u64;
        words[FRAMES] += 1;
    }
}
