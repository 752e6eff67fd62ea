//! The steps of threads.
//!
//! A step takes an edge, and then all edges that no other thread can notice or influence. It ends
//! before the next edge that one can; before one that asks for an open value, so that its choices are
//! few; and before one that would end the run: until then, others may still move.

use ravelin_base::SrcPos;
use ravelin_cfa::{FreeKind, Gap, Proc, SyncOp, no_model};
use ravelin_interp::MoveKind;
use ravelin_posix::ETIMEDOUT;

use crate::access::at;
use crate::blocking::Synced;
use crate::code::{Beyond, Inst, Nature, Place, ProcCode, RareInst, Src};
use crate::contents;
use crate::machine::{
    FRAME_HEAD, FRAMES, Machine, PAST_BARRIER, REACQUIRING, RUNNING, STATUS, STATUS_A, STATUS_B,
    Stop, TID, TOP, WAITING, WAITING_TIMED, pc_of, pc_word, proc_of,
};
use crate::objects::{Kind, Name, Site};
use crate::result::{Ending, Reason};
use crate::sync::Effect;
use crate::word::{object_of, pointer, signed};

/// A step that goes on by itself for longer ends where it is.
const MAX_EDGES: u64 = 10_000;

/// An atomic section cannot end where it is.
const MAX_ATOMIC_EDGES: u64 = 1_000_000;

/// The deepest nesting of calls in a thread.
const MAX_FRAMES: u64 = 2_000;

/// The files of library models have names that begin so.
const MODEL_PREFIX: char = '<';

/// Where a thread is in a step.
#[derive(Clone, Copy)]
pub(crate) struct At<'c> {
    pub(crate) proc: Proc,
    pub(crate) code: &'c ProcCode,
    pub(crate) pc: usize,
    pub(crate) base: usize,
}

impl At<'_> {
    pub(crate) fn pos(&self) -> SrcPos {
        self.code.infos[self.pc]
    }

    fn site(&self) -> Site {
        Site::Code(self.proc.as_u32(), self.pc as u32)
    }
}

pub(crate) fn undefined(pos: SrcPos) -> Stop {
    Stop::Undefined(Ending::Undefined, pos)
}

pub(crate) fn bits(result: i32) -> u64 {
    u64::from(result as u32)
}

impl<'c> Machine<'c, '_> {
    /// Makes a step of the thread at a position. A thread that cannot move stays as it is; after any
    /// other failure the working state is of no use.
    ///
    /// Choices are those in `taken`; what was drawn and how many steps of the interpreter it was is
    /// known afterwards.
    pub(crate) fn step(&mut self, position: usize, kind: MoveKind) -> Result<(), Stop> {
        self.step_up_to(position, kind, MAX_EDGES)
    }

    /// As [`Machine::step`], but ends after so many edges.
    pub(crate) fn step_up_to(
        &mut self,
        position: usize,
        kind: MoveKind,
        max_edges: u64,
    ) -> Result<(), Stop> {
        self.taken_at = 0;
        self.drawn.clear();
        self.started.clear();
        self.steps = 0;
        self.safe_edges = 0;
        self.cut_draws = false;
        self.may_time_out = false;
        let mut words = self.take_thread(position);
        let result = self.run(&mut words, kind, max_edges).map_err(|stop| match stop {
            Stop::Undefined(ending @ (Ending::InvalidAccess | Ending::InvalidFree), pos) => {
                Stop::Undefined(ending, self.outside_models(&words, pos))
            }
            stop => stop,
        });
        // Threads that were started may stand before it now.
        let position = (position..self.thread_count())
            .find(|&position| self.is_taken(position))
            .unwrap_or(position);
        self.put_thread(position, words);
        result
    }

    /// The position of an operation; if it is in the model of a library function, that of the function's call.
    #[cold]
    fn outside_models(&self, words: &[u64], pos: SrcPos) -> SrcPos {
        let program = self.code.program;
        let is_model =
            |pos: SrcPos| !pos.is_none() && program.name(pos.file).starts_with(MODEL_PREFIX);
        let (mut here, mut start) = (pos, words[TOP] as usize);
        for _ in 1..words[FRAMES] {
            if !is_model(here) {
                return here;
            }
            start = words[start + 1] as usize;
            let code = &self.code.procs[proc_of(words[start])];
            here = code.infos[(pc_of(words[start]) as usize).saturating_sub(1)];
        }
        if is_model(here) { pos } else { here }
    }

    pub(crate) fn top(&self, words: &[u64]) -> At<'c> {
        let start = words[TOP] as usize;
        let proc = proc_of(words[start]);
        let code: &'c ProcCode = &self.code.procs[proc];
        At { proc, code, pc: pc_of(words[start]) as usize, base: start + FRAME_HEAD }
    }

    fn run(&mut self, words: &mut Vec<u64>, kind: MoveKind, max_edges: u64) -> Result<(), Stop> {
        let mut at = self.top(words);
        let mut seen = false;
        let result = match words[STATUS] {
            RUNNING => return self.execute(words, at, kind, max_edges, seen),
            WAITING | WAITING_TIMED => {
                let result = match kind {
                    MoveKind::Timeout if words[STATUS] == WAITING_TIMED => ETIMEDOUT,
                    MoveKind::Spurious => 0,
                    MoveKind::Timeout | MoveKind::Step => return Err(Stop::Blocked),
                };
                self.sync.stop_waiting(words[STATUS_A], words[TID] as u32);
                self.sync_dirty = true;
                words[STATUS] = REACQUIRING;
                words[STATUS_A] = words[STATUS_B];
                words[STATUS_B] = bits(result);
                self.steps += 1;
                return Ok(());
            }
            REACQUIRING => {
                let mutex = words[STATUS_A];
                let pos = at.pos();
                self.check(pos, mutex, 1, false)?;
                let kind = self.mutex_kind(pos, mutex);
                let tid = words[TID] as u32;
                let lock = self.sync.perform(SyncOp::MutexLock, mutex, tid, 0, kind);
                match lock.map_err(|_| undefined(pos))? {
                    Effect::Done(_) => {}
                    _ => return Err(Stop::Blocked),
                }
                self.sync_dirty = true;
                seen = true;
                words[STATUS_B]
            }
            PAST_BARRIER => {
                // A step of its own: what comes behind the barrier is not the edge that the thread is on.
                seen = true;
                words[STATUS_B]
            }
            _ => return Err(Stop::Blocked),
        };
        words[STATUS] = RUNNING;
        words[STATUS_A] = 0;
        words[STATUS_B] = 0;
        if let Inst::Sync(sync) = &at.code.insts[at.pc]
            && let Some(place) = sync.dst
        {
            self.assign(words, at.base, place, result);
        }
        at.pc += 1;
        self.execute(words, at, MoveKind::Step, max_edges, seen)
    }

    #[inline]
    pub(crate) fn read(&self, words: &[u64], at: &At<'_>, src: Src) -> Result<u64, Stop> {
        Ok(match src {
            Src::Local(slot) => words[at.base + slot as usize],
            Src::Temp(index) => self.temps[index as usize],
            Src::Global(index) => self.globals[index as usize],
            Src::ThreadLocal(index) => words[self.tls + index as usize],
            Src::Const(value) => value,
            Src::LocalObject(slot) => match words[at.base + slot as usize] {
                0 => return Err(undefined(at.pos())),
                address => address,
            },
            Src::ThreadObject(index) => self.thread_object(words, index),
        })
    }

    #[inline]
    pub(crate) fn assign(&mut self, words: &mut [u64], base: usize, place: Place, value: u64) {
        match place {
            Place::Local(slot) => words[base + slot as usize] = value,
            Place::Global(index) => {
                self.globals[index as usize] = value;
                self.globals_dirty = true;
            }
            Place::ThreadLocal(index) => words[self.tls + index as usize] = value,
        }
    }

    /// Whether the end of the thread or of a frame can be noticed by anybody who does not wait for it.
    pub(crate) fn ends_visibly(&self, words: &[u64], nature: Nature) -> bool {
        let is_main = words[TID] == 0;
        if nature.returns && words[FRAMES] > 1 {
            // The objects of the frame end.
            let is_quiet = self.code.procs[proc_of(words[words[TOP] as usize])].is_quiet;
            return !is_quiet || self.has_stack_objects(words[TID] as u32);
        }
        if nature.exits || nature.returns && words[FRAMES] == 1 {
            let mut start = words[TOP] as usize;
            let mut is_quiet = self.code.slots.thread_objects.is_empty()
                && !self.has_stack_objects(words[TID] as u32)
                && (nature.exits || !is_main);
            for _ in 0..words[FRAMES] {
                is_quiet &= self.code.procs[proc_of(words[start])].is_quiet;
                start = words[start + 1] as usize;
            }
            return !is_quiet;
        }
        false
    }

    /// Executes from `at` on. `seen` says whether the step already did something visible.
    fn execute(
        &mut self,
        words: &mut Vec<u64>,
        mut at: At<'c>,
        kind: MoveKind,
        max_edges: u64,
        mut seen: bool,
    ) -> Result<(), Stop> {
        let mut edges = 0;
        // Where to stop, if the edge at hand is not to be taken.
        let mut start = at.pc;
        let set_pc = |words: &mut Vec<u64>, proc: Proc, pc: usize| {
            let top = words[TOP] as usize;
            words[top] = pc_word(proc, pc as u32);
        };
        loop {
            match &at.code.insts[at.pc] {
                Inst::Begin(nature) => {
                    if self.atomic.is_none() {
                        let visible = nature.visible || self.ends_visibly(words, *nature);
                        if edges > 0 && (visible && seen || nature.draws) {
                            set_pc(words, at.proc, start);
                            return Ok(());
                        }
                        // A choice is a step of its own, which nobody notices.
                        seen |= visible || nature.draws;
                    }
                }
                Inst::Unary { op, sort, a, to } => {
                    let a = self.read(words, &at, *a)?;
                    self.temps[*to as usize] = self.unary(at.pos(), *op, *sort, a)?;
                }
                Inst::LowAddress { a, mask, to } => {
                    let a = self.read(words, &at, *a)?;
                    self.temps[*to as usize] = self.low_address(at.pos(), a, *mask);
                }
                Inst::Binary { op, sort, sort_b, a, b, to } => {
                    let (a, b) = (self.read(words, &at, *a)?, self.read(words, &at, *b)?);
                    let value = self.binary(at.pos(), *op, (*sort, *sort_b), a, b)?;
                    self.temps[*to as usize] = value;
                }
                Inst::Select { cond, a, b, to } => {
                    let chosen = if self.read(words, &at, *cond)? != 0 { a } else { b };
                    self.temps[*to as usize] = self.read(words, &at, *chosen)?;
                }
                Inst::Slow { term, to } => {
                    let value = self.evaluate_slowly(words, at.base, at.pos(), *term)?;
                    self.temps[*to as usize] = value;
                }
                Inst::Guard { cond, otherwise } => {
                    if self.read(words, &at, *cond)? == 0 {
                        at.pc = *otherwise as usize;
                        continue;
                    }
                }
                Inst::Assume(cond) => {
                    if self.read(words, &at, *cond)? == 0 {
                        return Err(Stop::Assume);
                    }
                }
                Inst::Assign { dst, value } => {
                    let value = self.read(words, &at, *value)?;
                    self.assign(words, at.base, *dst, value);
                }
                Inst::MarkSet { bit } => mark_set(words, &at, *bit),
                Inst::Jump(target) => {
                    at.pc = *target as usize;
                    continue;
                }
                Inst::EndEdge { target } => {
                    at.pc = *target as usize;
                    start = at.pc;
                    edges += 1;
                    self.steps += 1;
                    if self.is_over(edges, max_edges, at.pos())? {
                        set_pc(words, at.proc, at.pc);
                        return Ok(());
                    }
                    continue;
                }
                Inst::Load { dst, sort, addr } => {
                    let pointer = self.read(words, &at, *addr)?;
                    let value = self.load(at.pos(), pointer, *sort)?;
                    self.assign(words, at.base, *dst, value);
                }
                Inst::Store { addr, value, sort } => {
                    let pointer = self.read(words, &at, *addr)?;
                    let value = self.read(words, &at, *value)?;
                    self.store(at.pos(), pointer, *sort, value)?;
                }
                Inst::Call(call) => {
                    let (callee, args) = self.prepare(words, &at, call)?;
                    if words[FRAMES] >= MAX_FRAMES {
                        let reason = Reason::Beyond("calls nested so deep", at.pos());
                        return Err(Stop::Incomplete(reason));
                    }
                    set_pc(words, at.proc, at.pc + 1);
                    self.enter(words, callee, &args);
                    at = self.top(words);
                    start = at.pc;
                    edges += 1;
                    self.steps += 1;
                    if self.is_over(edges, max_edges, at.pos())? {
                        return Ok(());
                    }
                    continue;
                }
                Inst::Return { value } => {
                    let value = match value {
                        Some((src, sort)) => Some((self.read(words, &at, *src)?, *sort)),
                        None => None,
                    };
                    if words[FRAMES] == 1 {
                        self.return_from_root(words, &at, value)?;
                        self.steps += 1;
                        return Ok(());
                    }
                    at = self.return_to_caller(words, &at, value)?;
                    continue;
                }
                Inst::Join { handle, dst } => {
                    let handle = self.read(words, &at, *handle)?;
                    match self.join(words, at.pos(), handle)? {
                        Some(value) => {
                            if let Some(place) = dst {
                                self.assign(words, at.base, *place, value);
                            }
                        }
                        None => return self.blocked(words, at.proc, start, edges),
                    }
                }
                Inst::Sync(sync) => match self.synchronise(words, &at, sync, kind)? {
                    Synced::Done => {}
                    Synced::Waits => {
                        set_pc(words, at.proc, at.pc);
                        self.steps += 1;
                        return Ok(());
                    }
                    Synced::Blocked => {
                        self.may_time_out = sync.op == SyncOp::MutexTimedLock && edges == 0;
                        return self.blocked(words, at.proc, start, edges);
                    }
                },
                Inst::ThreadExit { value } => {
                    let value = self.read(words, &at, *value)?;
                    self.end_thread(words, &at, value)?;
                    self.steps += 1;
                    return Ok(());
                }
                Inst::Havoc { dst, domain, sort } => {
                    let value = self.draw(at.pos(), *domain, *sort)?;
                    self.assign(words, at.base, *dst, value);
                }
                Inst::Rare(inst) => self.rare(words, &at, inst)?,
            }
            at.pc += 1;
        }
    }

    /// Counts an edge; whether the step ends with it.
    fn is_over(&mut self, edges: u64, max_edges: u64, pos: SrcPos) -> Result<bool, Stop> {
        if self.atomic.is_none() {
            self.safe_edges = edges;
            self.cut_draws = true;
            return Ok(edges >= max_edges);
        }
        if edges > MAX_ATOMIC_EDGES {
            return Err(Stop::Incomplete(Reason::Beyond("atomic sections of this length", pos)));
        }
        Ok(false)
    }

    /// A thread that has to wait before an edge: it stays there, if it did something before.
    fn blocked(
        &mut self,
        words: &mut [u64],
        proc: Proc,
        start: usize,
        edges: u64,
    ) -> Result<(), Stop> {
        if edges == 0 {
            return Err(Stop::Blocked);
        }
        let top = words[TOP] as usize;
        words[top] = pc_word(proc, start as u32);
        Ok(())
    }

    /// The instructions that do not matter for speed.
    fn rare(&mut self, words: &mut [u64], at: &At<'c>, inst: &RareInst) -> Result<(), Stop> {
        let pos = at.pos();
        let site = (pos, at.site());
        match inst {
            RareInst::Copy { dst, src, size } => {
                let dst = self.read(words, at, *dst)?;
                let src = self.read(words, at, *src)?;
                let size = self.read(words, at, *size)?;
                self.copy(pos, dst, src, size)?;
            }
            RareInst::Fill { dst, byte, size } => {
                let dst = self.read(words, at, *dst)?;
                let byte = self.read(words, at, *byte)?;
                let size = self.read(words, at, *size)?;
                self.fill(pos, dst, byte, size)?;
            }
            // That nothing changes is one of the behaviours it allows.
            RareInst::HavocMemory => self.note(Reason::OpenMemory(pos)),
            RareInst::ScopeBegin { slot, object } => {
                let slot = at.base + *slot as usize;
                self.end_local(words[slot]);
                let data = &self.code.program.objects[*object];
                let name = Name {
                    thread: words[TID] as u32,
                    site: Site::Object(object.as_u32()),
                    depth: words[FRAMES] as u32,
                    size: data.size,
                };
                let number = self
                    .create(Kind::Local(*object), name, data.align.into(), false)
                    .map_err(|reason| self::at(reason, pos))?;
                words[slot] = pointer(number, 0);
            }
            RareInst::ScopeEnd { slot } => {
                let slot = at.base + *slot as usize;
                self.end_local(words[slot]);
                words[slot] = 0;
            }
            RareInst::Alloc { dst, size, kind } => {
                let size = self.read(words, at, *size)?;
                let pointer = self.allocate(words, site, size, *kind)?;
                self.assign(words, at.base, *dst, pointer);
            }
            RareInst::Realloc { dst, addr, size } => {
                let old = self.read(words, at, *addr)?;
                let size = self.read(words, at, *size)?;
                let new = self.reallocate(words, site, old, size)?;
                self.assign(words, at.base, *dst, new);
            }
            RareInst::Free { addr, kind } => {
                let pointer = self.read(words, at, *addr)?;
                match kind {
                    FreeKind::Heap => self.free(pos, pointer)?,
                    FreeKind::Array => self.end_array(pointer),
                }
            }
            RareInst::Start(call) => self.start(words, at, call)?,
            RareInst::ThreadSelf { dst } => {
                let handle = words[TID] + 1;
                self.assign(words, at.base, *dst, handle);
            }
            RareInst::Inspect { dst, addr, fact } => {
                let pointer = self.read(words, at, *addr)?;
                let Some(value) = self.inspect(pointer, *fact) else {
                    let what = "facts about objects that are gone";
                    return Err(Stop::Incomplete(Reason::Beyond(what, pos)));
                };
                self.assign(words, at.base, *dst, value);
            }
            RareInst::AtomicBegin => {
                let depth = self.atomic.map_or(0, |(_, depth)| depth);
                if depth >= 0xff {
                    let reason = Reason::Beyond("atomic sections nested so deep", pos);
                    return Err(Stop::Incomplete(reason));
                }
                self.atomic = Some((words[TID] as u32, depth + 1));
            }
            RareInst::AtomicEnd => match self.atomic {
                Some((_, 1)) => self.atomic = None,
                Some((owner, depth)) => self.atomic = Some((owner, depth - 1)),
                None => return Err(undefined(pos)),
            },
            RareInst::Error(kind) => {
                let ending = Ending::Error(*kind);
                return Err(match ending.violation(self.code.program.checked) {
                    Some(_) => Stop::End(ending, pos),
                    None => self.end_program(words, at.pc, true, (ending, pos)),
                });
            }
            RareInst::Exit { status } => {
                let status = self.read(words, at, *status)?;
                let exit = Ending::Exit(signed(status, 32) as i32);
                return Err(self.end_program(words, at.pc, false, (exit, pos)));
            }
            RareInst::Abort => {
                return Err(self.end_program(words, at.pc, true, (Ending::Abort, pos)));
            }
            RareInst::Unsupported(Gap::NotModelled(what)) => {
                let what = self.code.program.name(*what).into();
                return Err(Stop::Incomplete(Reason::Unsupported { what, pos }));
            }
            RareInst::Unsupported(Gap::Undefined(what)) => {
                let what = self.code.program.name(*what).into();
                return Err(Stop::Incomplete(Reason::Stated { what, pos }));
            }
            RareInst::NoModel(function) => {
                let what = no_model(self.code.program.name(*function)).into();
                return Err(Stop::Incomplete(Reason::Unsupported { what, pos }));
            }
            RareInst::Beyond(what) => {
                let what = match what {
                    Beyond::WideValue => "values of more than 64 bits",
                    Beyond::GlobalResult => "calls whose result goes to a global variable",
                };
                return Err(Stop::Incomplete(Reason::Beyond(what, pos)));
            }
            RareInst::NoWayOn => return Err(undefined(pos)),
        }
        Ok(())
    }

    /// Ends the object in a place of a frame, if there is one that is alive.
    pub(crate) fn end_local(&mut self, address: u64) {
        let object = object_of(address);
        let is_alive = object != 0
            && self.contents(object).is_some_and(|words| contents::life(words) == contents::ALIVE);
        if is_alive {
            self.kill(object, contents::SCOPE_ENDED);
        }
    }
}

pub(crate) fn mark_set(words: &mut [u64], at: &At<'_>, bit: u32) {
    words[at.base + at.code.vars as usize + bit as usize / 64] &= !(1 << (bit % 64));
}
