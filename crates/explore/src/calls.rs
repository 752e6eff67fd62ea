//! Calls, returns, and the beginning and end of threads.

use ravelin_base::SrcPos;
use ravelin_cfa::{Proc, Sort};
use smallvec::SmallVec;

use crate::access;
use crate::code::{CallInst, CalleeCode, Inst};
use crate::machine::{
    FINISHED, FRAME_HEAD, FRAMES, JOINED, Machine, STARTED, STATUS, STATUS_A, Stop, TID, TOP,
    proc_of,
};
use crate::objects::Kind;
use crate::result::{Ending, Reason};
use crate::step::{At, mark_set, undefined};
use crate::word::{object_of, offset_of, ones, pointer, signed};

impl<'c> Machine<'c, '_> {
    /// Finds the callee, and the arguments as its parameters want them.
    pub(crate) fn prepare(
        &mut self,
        words: &mut [u64],
        at: &At<'c>,
        call: &CallInst,
    ) -> Result<(Proc, SmallVec<[u64; 6]>), Stop> {
        let pos = at.pos();
        let callee = match call.callee {
            CalleeCode::Direct(proc) => proc,
            CalleeCode::Pointer(src) => {
                let pointer = self.read(words, at, src)?;
                match self.objects.info(object_of(pointer)).kind {
                    Kind::Function(proc) if offset_of(pointer) == 0 => proc,
                    _ => return Err(Stop::Undefined(Ending::InvalidAccess, pos)),
                }
            }
        };
        let params = &self.code.procs[callee].params;
        let mut args = SmallVec::new();
        for (&(src, sort), &(_, wanted)) in call.args.iter().zip(params) {
            let value = self.read(words, at, src)?;
            args.push(self.coerce(pos, value, sort, wanted)?);
        }
        if args.len() < params.len() {
            // They have no value, and whether they are read is not known.
            self.note(Reason::OpenValue(pos));
        }
        Ok((callee, args))
    }

    /// A value as one of another sort, as the registers of the calling convention would pass it.
    pub(crate) fn coerce(
        &mut self,
        pos: SrcPos,
        value: u64,
        from: Sort,
        to: Sort,
    ) -> Result<u64, Stop> {
        if from == to {
            return Ok(value);
        }
        let integer = match from {
            Sort::Bool | Sort::Bv(_) => value,
            Sort::Ptr => self.unary(pos, ravelin_term::UnOp::PtrToInt, from, value)?,
            Sort::Float(_) | Sort::Mem => return Err(undefined(pos)),
        };
        match to {
            Sort::Bool => Ok((integer != 0).into()),
            Sort::Bv(width) => Ok(integer & ones(width)),
            Sort::Ptr => self.pointer_to(pos, integer),
            Sort::Float(_) | Sort::Mem => Err(undefined(pos)),
        }
    }

    pub(crate) fn start(
        &mut self,
        words: &mut [u64],
        at: &At<'c>,
        call: &CallInst,
    ) -> Result<(), Stop> {
        let (routine, args) = self.prepare(words, at, call)?;
        let counter = STARTED + call.site as usize;
        let occurrence = words[counter] as u32;
        words[counter] += 1;
        let tid = self.objects.thread(words[TID] as u32, call.site, occurrence);
        self.add_thread(tid, routine, &args).map_err(|reason| access::at(reason, at.pos()))?;
        self.started.push(tid);
        if let Some(dst) = call.dst {
            self.assign(words, at.base, dst.place, u64::from(tid) + 1);
        }
        Ok(())
    }

    /// Takes off the top frame and ends its objects.
    pub(crate) fn drop_frame(&mut self, words: &mut Vec<u64>) {
        let start = words[TOP] as usize;
        let code = &self.code.procs[proc_of(words[start])];
        let first = start + FRAME_HEAD + code.first_object();
        for &address in &words[first..first + code.objects.len()] {
            self.end_local(address);
        }
        self.end_stack_objects(words[TID] as u32, words[FRAMES] as u32);
        words[TOP] = words[start + 1];
        words[FRAMES] -= 1;
        words.truncate(start);
    }

    pub(crate) fn return_to_caller(
        &mut self,
        words: &mut Vec<u64>,
        at: &At<'c>,
        value: Option<(u64, Sort)>,
    ) -> Result<At<'c>, Stop> {
        self.drop_frame(words);
        let caller = self.top(words);
        let result = match &caller.code.insts[caller.pc - 1] {
            Inst::Call(call) => call.dst,
            _ => None,
        };
        if let Some(dst) = result {
            match value {
                Some((value, sort)) => {
                    let value = self.coerce(at.pos(), value, sort, dst.sort)?;
                    self.assign(words, caller.base, dst.place, value);
                }
                // C11 6.9.1p12: only using the value of a function that returned none is undefined.
                None => {
                    self.note(Reason::OpenValue(at.pos()));
                    self.assign(words, caller.base, dst.place, 0);
                }
            }
            if let Some(bit) = dst.bit {
                mark_set(words, &caller, bit);
            }
        }
        Ok(caller)
    }

    /// The end of `main` is that of the program, the end of another thread's routine is that of the
    /// thread.
    pub(crate) fn return_from_root(
        &mut self,
        words: &mut Vec<u64>,
        at: &At<'c>,
        value: Option<(u64, Sort)>,
    ) -> Result<(), Stop> {
        if words[TID] == 0 {
            let status = match value {
                Some((value, Sort::Bv(width))) => signed(value, width) as i32,
                Some(_) | None => 0,
            };
            // The end of `main` takes its objects and variables.
            if self.code.program.checks_leaks() {
                self.drop_frame(words);
            }
            return Err(self.end_program(words, at.pc, false, (Ending::Exit(status), at.pos())));
        }
        let value = match value {
            // The int of a C11 thread comes back from the pointer that join gives.
            Some((value, Sort::Bv(width))) => {
                let wide = signed(value, width) as u64;
                self.pointer_to(at.pos(), wide)?
            }
            Some((value, Sort::Ptr)) => value,
            Some((_, Sort::Bool | Sort::Float(_) | Sort::Mem)) | None => 0,
        };
        self.end_thread(words, at, value)
    }

    /// Ends the thread, and the program with it if it is the last one.
    pub(crate) fn end_thread(
        &mut self,
        words: &mut Vec<u64>,
        at: &At<'c>,
        value: u64,
    ) -> Result<(), Stop> {
        while words[FRAMES] > 0 {
            self.drop_frame(words);
        }
        for &number in &words[self.tobs..self.first_frame] {
            self.end_local(pointer(number as u32, 0));
        }
        words[STARTED..].fill(0);
        words[STATUS] = FINISHED;
        words[STATUS_A] = value;
        if self.atomic.is_some_and(|(owner, _)| u64::from(owner) == words[TID]) {
            self.atomic = None;
        }
        let has_ended = |position: usize| {
            self.is_taken(position) || matches!(self.head(position).1, FINISHED | JOINED)
        };
        if self.code.program.checks_leaks() && (0..self.thread_count()).all(has_ended) {
            return Err(self.end_program(words, at.pc, false, (Ending::Exit(0), at.pos())));
        }
        Ok(())
    }

    /// The value of an ended thread; `None` while it runs.
    pub(crate) fn join(
        &mut self,
        words: &[u64],
        pos: SrcPos,
        handle: u64,
    ) -> Result<Option<u64>, Stop> {
        let tid = handle.checked_sub(1).and_then(|tid| u32::try_from(tid).ok());
        let tid = tid.ok_or_else(|| undefined(pos))?;
        if u64::from(tid) == words[TID] {
            return Err(undefined(pos));
        }
        let position = self.other_position(tid).ok_or_else(|| undefined(pos))?;
        match self.head(position).1 {
            FINISHED => {
                let other = self.other_thread(position);
                let value = other[STATUS_A];
                other[STATUS] = JOINED;
                other[STATUS_A] = 0;
                Ok(Some(value))
            }
            JOINED => Err(undefined(pos)),
            _ => Ok(None),
        }
    }
}
