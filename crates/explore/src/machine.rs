//! The working state: one state laid out for execution, and the way from and to the store.
//!
//! Only what a step touches is unpacked, and only what it changed is packed again.

use ravelin_base::SrcPos;
use ravelin_cfa::{Init, ObjectKind, Proc, Sort, Term, VarKind};

use crate::code::Compiled;
use crate::contents;
use crate::objects::{Kind, Name, Objects, Site};
use crate::result::{Ending, Reason};
use crate::store::{ATOMIC, GLOBALS, MEMORY, SYNC, Store, THREADS};
use crate::sync::{self, SyncTable, Threads};
use crate::word::pointer;

/// Where the parts of an unpacked thread are.
pub(crate) const TID: usize = 0;
pub(crate) const STATUS: usize = 1;
pub(crate) const STATUS_A: usize = 2;
pub(crate) const STATUS_B: usize = 3;
pub(crate) const FRAMES: usize = 4;
/// Where the top frame begins.
pub(crate) const TOP: usize = 5;
/// How many threads it started, by place.
pub(crate) const STARTED: usize = 6;
/// Of a frame: procedure and next instruction, and where the frame below begins; then its places.
pub(crate) const FRAME_HEAD: usize = 2;

pub(crate) const RUNNING: u64 = 0;
/// In a wait on the condition variable A with the mutex B.
pub(crate) const WAITING: u64 = 1;
pub(crate) const WAITING_TIMED: u64 = 2;
/// After a wait, until the mutex A is free; then the wait returns B.
pub(crate) const REACQUIRING: u64 = 3;
/// Before the barrier A, which is not complete.
pub(crate) const AT_BARRIER: u64 = 4;
/// Behind a barrier, which returns B.
pub(crate) const PAST_BARRIER: u64 = 5;
/// Ended with the pointer A as its value.
pub(crate) const FINISHED: u64 = 6;
/// Ended, and its value was taken.
pub(crate) const JOINED: u64 = 7;

/// The number of a procedure and of an instruction share 32 bits, so that they are no pointers.
const PC_BITS: u32 = 20;
const MAX_PROCS: usize = 1 << 11;
pub(crate) const TID_BITS: u32 = 24;

/// Contents with these numbers are those of dead objects.
pub(crate) const DEAD_CONTENTS: u32 = 2;

/// Objects beyond this are not kept in states.
pub(crate) const MAX_OBJECT: u64 = 1 << 20;

/// How a step ends that does not lead to a state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stop {
    /// The run ends.
    End(Ending, SrcPos),
    /// C or POSIX says nothing about what comes now. The run counts as ended, as in the interpreter, but a
    /// compiled program might go on: even a null access need not be refused, where a compiler leaves it out.
    Undefined(Ending, SrcPos),
    /// An assumption failed: there is no such run.
    Assume,
    /// The thread has to wait.
    Blocked,
    /// The edge has to be a step of its own.
    Cut,
    /// The machine cannot go on.
    Incomplete(Reason),
}

/// Something that was chosen, for the schedule.
#[derive(Clone, Debug)]
pub(crate) enum Drawn {
    Value(i128),
    /// Which of these waiting threads a signal woke.
    Signalled(Threads, usize),
    /// Which of these threads, or the one behind them, is the serial one of a barrier.
    Serial(Threads, usize),
}

pub(crate) fn pc_word(proc: Proc, pc: u32) -> u64 {
    u64::from(proc.as_u32() << PC_BITS | pc)
}

pub(crate) fn proc_of(word: u64) -> Proc {
    Proc::from_u32((word >> PC_BITS) as u32)
}

pub(crate) fn pc_of(word: u64) -> u32 {
    word as u32 & ((1 << PC_BITS) - 1)
}

#[derive(Clone, Debug, Default)]
pub(crate) struct WorkThread {
    /// Its number in the store, if that is what it is.
    pub(crate) id: u32,
    pub(crate) words: Vec<u64>,
    pub(crate) is_loaded: bool,
    pub(crate) is_dirty: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) object: u32,
    pub(crate) contents: u32,
    /// Its buffer, if it was changed.
    pub(crate) buffer: Option<u32>,
}

#[derive(Debug)]
pub(crate) struct Machine<'c, 'p> {
    pub(crate) code: &'c Compiled<'p>,
    pub(crate) objects: Objects,
    pub(crate) store: Store,
    /// The contents of constants, by number.
    pub(crate) constants: Vec<Option<Box<[u64]>>>,
    pub(crate) pointer_bytes: u64,
    /// Where the values of thread-local variables, objects and the frames of a thread begin.
    pub(crate) tls: usize,
    pub(crate) tobs: usize,
    pub(crate) first_frame: usize,

    pub(crate) globals: Vec<u64>,
    globals_id: u32,
    pub(crate) globals_dirty: bool,
    pub(crate) sync: SyncTable,
    sync_id: u32,
    pub(crate) sync_dirty: bool,
    pub(crate) memory: Vec<Cell>,
    memory_id: u32,
    pub(crate) memory_dirty: bool,
    pub(crate) buffers: Vec<Vec<u64>>,
    pub(crate) used_buffers: usize,
    pub(crate) threads: Vec<WorkThread>,
    pub(crate) thread_count: usize,
    /// So many threads may be there at a time, and whether there would have been more.
    pub(crate) max_threads: usize,
    pub(crate) has_more_threads: bool,
    /// The thread in an atomic section, and how deep.
    pub(crate) atomic: Option<(u32, u32)>,

    pub(crate) temps: Vec<u64>,
    /// The choices of this step: which of how many.
    pub(crate) taken: Vec<(u32, u32)>,
    pub(crate) taken_at: usize,
    pub(crate) drawn: Vec<Drawn>,
    /// How many steps of the interpreter this step is.
    pub(crate) steps: u64,
    /// Why the result is not complete, if it is not.
    pub(crate) incomplete: Option<Reason>,
    /// Why the runs of the automaton may not be all that the program has, if they may not.
    pub(crate) doubt: Option<Reason>,
    /// The thread whose words are taken out.
    pub(crate) running: u32,
    /// How many edges of the step at hand are complete, outside of atomic sections.
    pub(crate) safe_edges: u64,
    /// Whether an open value must be drawn in a step of its own.
    pub(crate) cut_draws: bool,
    /// Whether what the thread has to wait for may be given up.
    pub(crate) may_time_out: bool,
    /// The threads that were started in this step, in order.
    pub(crate) started: Vec<u32>,
    pub(crate) scratch: Vec<u64>,
    vector: Vec<u32>,
    pub(crate) found_pointers: Vec<(u64, u32)>,
}

impl<'c, 'p> Machine<'c, 'p> {
    /// The machine in the state before the first step of `main`, and that state.
    pub(crate) fn new(code: &'c Compiled<'p>) -> Result<(Self, u32), Reason> {
        let program = code.program;
        let large = code.procs.len() > MAX_PROCS
            || code.procs.values().any(|proc| proc.insts.len() >= 1 << PC_BITS);
        if large {
            return Err(Reason::Beyond("a program of this size", SrcPos::NONE));
        }
        let tls = STARTED + code.start_sites as usize;
        let tobs = tls + code.slots.thread_locals.len();
        let first_frame = tobs + code.slots.thread_objects.len();
        let mut machine = Machine {
            code,
            objects: Objects::new(program.data_model),
            store: Store::default(),
            constants: Vec::new(),
            pointer_bytes: program.data_model.pointer_bytes(),
            tls,
            tobs,
            first_frame,
            globals: vec![0; code.slots.globals.len()],
            globals_id: 0,
            globals_dirty: true,
            sync: SyncTable::default(),
            sync_id: 0,
            sync_dirty: true,
            memory: Vec::new(),
            memory_id: 0,
            memory_dirty: true,
            buffers: Vec::new(),
            used_buffers: 0,
            threads: Vec::new(),
            thread_count: 0,
            max_threads: usize::MAX,
            has_more_threads: false,
            atomic: None,
            temps: vec![0; code.temps as usize],
            taken: Vec::new(),
            taken_at: 0,
            drawn: Vec::new(),
            steps: 0,
            incomplete: None,
            doubt: None,
            running: 0,
            safe_edges: 0,
            cut_draws: false,
            may_time_out: false,
            started: Vec::new(),
            scratch: Vec::new(),
            vector: Vec::new(),
            found_pointers: Vec::new(),
        };
        machine.store.contents.intern(&[contents::SCOPE_ENDED]);
        machine.store.contents.intern(&[contents::FREED]);
        if let Some(var) = code.open_global {
            machine.incomplete = Some(Reason::OpenValue(program.vars[var].pos));
        }
        machine.create_statics()?;
        for (index, &var) in code.slots.globals.iter().enumerate() {
            if let VarKind::Global { init: Some(init), .. } = program.vars[var].kind {
                machine.globals[index] = machine.closed(init)?;
            }
        }
        let Some(entry) = program.entry else {
            return Err(Reason::Beyond("a program without main", SrcPos::NONE));
        };
        machine.add_thread(0, entry, &[])?;
        let (state, _) = machine.commit();
        Ok((machine, state))
    }

    /// Objects first, contents after: an initial value may hold any object's address.
    fn create_statics(&mut self) -> Result<(), Reason> {
        let program = self.code.program;
        let too_large = || Reason::Beyond("objects of this size", SrcPos::NONE);
        self.constants.push(None);
        for &object in &self.code.slots.statics {
            let data = &program.objects[object];
            let (kind, size) = match data.kind {
                ObjectKind::Constant => (Kind::Constant(object), data.size),
                ObjectKind::Function(proc) => (Kind::Function(proc), 1),
                ObjectKind::Global | ObjectKind::ThreadLocal | ObjectKind::Local(_) => {
                    (Kind::Global(object), data.size)
                }
            };
            let site = Site::Object(object.as_u32());
            let name = Name { thread: 0, site, depth: 0, size };
            self.objects.place(kind, name, data.align.into()).ok_or_else(too_large)?;
            self.constants.push(None);
        }
        for (index, &object) in self.code.slots.statics.iter().enumerate() {
            let number = index as u32 + 1;
            let data = &program.objects[object];
            let constant = match data.kind {
                ObjectKind::Function(_) => continue,
                ObjectKind::Constant => true,
                ObjectKind::Global | ObjectKind::ThreadLocal | ObjectKind::Local(_) => false,
            };
            if data.size > MAX_OBJECT {
                return Err(too_large());
            }
            let mut words = Vec::new();
            self.initial(&mut words, data.size, &data.init)?;
            if constant {
                self.constants[number as usize] = Some(words.into());
            } else {
                let (contents, _) = self.store.contents.intern(&words);
                self.memory.push(Cell { object: number, contents, buffer: None });
            }
        }
        Ok(())
    }

    /// Initial contents.
    pub(crate) fn initial(
        &mut self,
        words: &mut Vec<u64>,
        size: u64,
        init: &Init,
    ) -> Result<(), Reason> {
        contents::create(words, size, !matches!(init, Init::Indeterminate));
        match init {
            Init::Indeterminate | Init::Zero => {}
            Init::Bytes(bytes) => {
                for (at, &byte) in bytes.iter().enumerate().take(size as usize) {
                    contents::write(words, size, at as u64, 1, byte.into());
                }
            }
            Init::Values(values) => {
                for &(at, term) in values {
                    let sort = self.code.program.terms.sort(term);
                    let bytes = self.bytes_of(sort);
                    if at.checked_add(bytes).is_none_or(|end| end > size) {
                        continue;
                    }
                    if crate::compile::is_wide(sort) {
                        return Err(Reason::Beyond("values of more than 64 bits", SrcPos::NONE));
                    }
                    let value = self.closed(term)?;
                    if sort == Sort::Ptr {
                        contents::write_pointer(words, size, at, self.pointer_bytes, value)
                            .map_err(|_| Reason::Beyond("unaligned pointers", SrcPos::NONE))?;
                    } else {
                        contents::write(words, size, at, bytes, value);
                    }
                }
            }
        }
        Ok(())
    }

    /// The value of a closed term.
    pub(crate) fn closed(&mut self, term: Term) -> Result<u64, Reason> {
        let mut none = Vec::new();
        self.evaluate_slowly(&mut none, 0, SrcPos::NONE, term)
            .map_err(|_| Reason::Beyond("an initial value of this kind", SrcPos::NONE))
    }

    /// How many bytes a value takes in memory.
    pub(crate) fn bytes_of(&self, sort: Sort) -> u64 {
        match sort {
            Sort::Bool => 1,
            Sort::Bv(width) => u64::from(width.div_ceil(8)),
            Sort::Float(kind) => u64::from(kind.bits() / 8),
            Sort::Ptr => self.pointer_bytes,
            // No value of a verified automaton is a memory.
            Sort::Mem => 0,
        }
    }

    pub(crate) fn note(&mut self, reason: Reason) {
        if self.incomplete.is_none() {
            self.incomplete = Some(reason);
        }
    }

    pub(crate) fn doubt(&mut self, reason: Reason) {
        if self.doubt.is_none() {
            self.doubt = Some(reason);
        }
    }

    /// Makes a stored state the working state.
    pub(crate) fn restore(&mut self, state: u32) {
        let mut vector = std::mem::take(&mut self.vector);
        vector.clear();
        vector.extend_from_slice(self.store.states.get(state));
        if self.globals_dirty || self.globals_id != vector[GLOBALS] {
            self.globals.clear();
            self.globals.extend_from_slice(self.store.globals.get(vector[GLOBALS]));
            (self.globals_id, self.globals_dirty) = (vector[GLOBALS], false);
        }
        if self.memory_dirty || self.memory_id != vector[MEMORY] {
            self.memory.clear();
            self.used_buffers = 0;
            let cells = self.store.memories.get(vector[MEMORY]).iter().map(|&word| Cell {
                object: (word >> 32) as u32,
                contents: word as u32,
                buffer: None,
            });
            self.memory.extend(cells);
            (self.memory_id, self.memory_dirty) = (vector[MEMORY], false);
        }
        if self.sync_dirty || self.sync_id != vector[SYNC] {
            sync::decode(&mut self.sync, self.store.syncs.get(vector[SYNC]));
            (self.sync_id, self.sync_dirty) = (vector[SYNC], false);
        }
        self.atomic = match vector[ATOMIC] {
            0 => None,
            word => Some(((word >> 8) - 1, word & 0xff)),
        };
        let ids = &vector[THREADS..];
        self.thread_count = ids.len();
        self.threads.resize_with(ids.len().max(self.threads.len()), WorkThread::default);
        for (thread, &id) in self.threads.iter_mut().zip(ids) {
            if thread.id != id || thread.is_dirty {
                *thread = WorkThread {
                    id,
                    words: std::mem::take(&mut thread.words),
                    ..WorkThread::default()
                };
            }
        }
        self.vector = vector;
    }

    /// Stores the working state; its number, and whether it is new.
    pub(crate) fn commit(&mut self) -> (u32, bool) {
        self.threads.truncate(self.thread_count);
        for position in 0..self.thread_count {
            if self.threads[position].is_dirty {
                self.pack(position);
            }
        }
        let any_dead = self.memory.iter().any(|cell| match cell.buffer {
            Some(buffer) => contents::life(&self.buffers[buffer as usize]) != contents::ALIVE,
            None => cell.contents < DEAD_CONTENTS,
        });
        if any_dead {
            self.bury();
        }
        if self.globals_dirty {
            self.globals_id = self.store.globals.intern(&self.globals).0;
            self.globals_dirty = false;
        }
        if self.memory_dirty {
            self.scratch.clear();
            for cell in &mut self.memory {
                if let Some(buffer) = cell.buffer.take() {
                    let words = &self.buffers[buffer as usize];
                    cell.contents = self.store.contents.intern(words).0;
                }
                self.scratch.push(u64::from(cell.object) << 32 | u64::from(cell.contents));
            }
            self.used_buffers = 0;
            self.memory_id = self.store.memories.intern(&self.scratch).0;
            self.memory_dirty = false;
        }
        if self.sync_dirty {
            sync::encode(&self.sync, &mut self.scratch);
            self.sync_id = self.store.syncs.intern(&self.scratch).0;
            self.sync_dirty = false;
        }
        let atomic = self.atomic.map_or(0, |(tid, depth)| (tid + 1) << 8 | depth.min(0xff));
        self.vector.clear();
        self.vector.extend([self.globals_id, self.memory_id, self.sync_id, atomic]);
        self.vector.extend(self.threads.iter().map(|thread| thread.id));
        self.store.states.intern(&self.vector)
    }

    /// A number below `count`.
    pub(crate) fn choose(&mut self, count: usize) -> usize {
        if self.taken_at == self.taken.len() {
            self.taken.push((0, count as u32));
        }
        self.taken_at += 1;
        self.taken[self.taken_at - 1].0 as usize
    }

    /// Turns to the next choices of this step; whether there are any.
    pub(crate) fn advance(&mut self) -> bool {
        while let Some((index, count)) = self.taken.pop() {
            if index + 1 < count {
                self.taken.push((index + 1, count));
                return true;
            }
        }
        false
    }

    /// The address of the thread-local object with this number in a thread.
    pub(crate) fn thread_object(&self, words: &[u64], index: u32) -> u64 {
        pointer(words[self.tobs + index as usize] as u32, 0)
    }
}
