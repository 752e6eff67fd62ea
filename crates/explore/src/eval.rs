//! The values of operations, and of terms whose order of evaluation matters.

use std::cmp::Ordering;

use ravelin_base::SrcPos;
use ravelin_cfa::Sort;
use ravelin_term::{BinOp, FloatKind, Term, TermKind, TermPool, UnOp, bin_ops, term_kinds};
use rustc_hash::FxHashMap;

use crate::code::{ObjectSlot, Place};
use crate::float;
use crate::machine::{Drawn, FRAME_HEAD, Machine, Stop, proc_of};
use crate::objects::Kind;
use crate::result::{Ending, Reason};
use crate::word::{self, Trap, object_of, offset_of, ones, pointer};

/// Deeper terms are beyond the evaluator, which recurses.
const MAX_DEPTH: usize = 500;

/// Addresses below this and above its negation are never those of objects.
const EDGE_OF_SPACE: u64 = 4096;

/// Why a term has no value.
enum Fail {
    Trap(Trap),
    Stop(Stop),
}

impl From<Stop> for Fail {
    fn from(stop: Stop) -> Self {
        Fail::Stop(stop)
    }
}

pub(crate) fn trapped(trap: Trap, pos: SrcPos) -> Stop {
    match trap {
        Trap::DivisionByZero => Stop::Undefined(Ending::DivisionByZero, pos),
        Trap::DivisionOverflow => Stop::Undefined(Ending::DivisionOverflow, pos),
        Trap::NotInScope => Stop::Undefined(Ending::Undefined, pos),
    }
}

/// Where glibc's `malloc` puts blocks, in both data models.
const HEAP_ALIGNMENT: u64 = 16;

/// The pointer and the mask, if a conjunction is one of an address and a constant.
pub(crate) fn low_address(terms: &TermPool, a: Term, b: Term) -> Option<(Term, u64)> {
    let mask = terms.as_bv(b).and_then(|mask| u64::try_from(mask).ok())?;
    match terms.kind(a) {
        TermKind::Unary(UnOp::PtrToInt, pointer) => Some((pointer, mask)),
        _ => None,
    }
}

fn float_kind(sort: Sort) -> FloatKind {
    match sort {
        Sort::Float(kind) => kind,
        // The pool admits no other sorts.
        Sort::Bool | Sort::Bv(_) | Sort::Ptr | Sort::Mem => FloatKind::F64,
    }
}

impl Machine<'_, '_> {
    fn pointer_bits(&self) -> u16 {
        8 * self.pointer_bytes as u16
    }

    /// The address of a pointer.
    pub(crate) fn address(&self, pointer: u64) -> u64 {
        let offset = i64::from(offset_of(pointer) as i32) as u64;
        let base = self.objects.info(object_of(pointer)).base;
        base.wrapping_add(offset) & ones(self.pointer_bits())
    }

    /// As [`Machine::address`], where the program gets to see it.
    fn shown_address(&mut self, pos: SrcPos, pointer: u64) -> u64 {
        if object_of(pointer) != 0 {
            self.note(Reason::Address(pos));
        }
        self.address(pointer)
    }

    /// Some of the low bits of the address of a pointer, which the alignment of its object may decide.
    pub(crate) fn low_address(&mut self, pos: SrcPos, pointer: u64, mask: u64) -> u64 {
        if object_of(pointer) == 0 {
            return self.address(pointer) & mask;
        }
        let alignment = match self.objects.info(object_of(pointer)).kind {
            Kind::Global(object) | Kind::Constant(object) | Kind::Local(object) => {
                self.code.program.alignment(object).into()
            }
            Kind::Heap => HEAP_ALIGNMENT,
            Kind::Function(_) | Kind::Stack => 1,
        };
        match mask < alignment {
            true => self.address(pointer) & mask,
            false => self.shown_address(pos, pointer) & mask,
        }
    }

    /// The pointer to an address: into the object whose range it is in, if any.
    pub(crate) fn pointer_to(&mut self, pos: SrcPos, address: u64) -> Result<u64, Stop> {
        let address = address & ones(self.pointer_bits());
        if let Some(object) = self.objects.find(address) {
            let info = self.objects.info(object);
            let is_there = match info.kind {
                Kind::Function(_) => true,
                Kind::Global(_) | Kind::Constant(_) | Kind::Local(_) | Kind::Heap | Kind::Stack => {
                    self.contents(object).is_some()
                }
            };
            let offset = (address - info.base) as u32;
            // Whether an object is there at all is a matter of addresses.
            self.note(Reason::Address(pos));
            if is_there {
                return Ok(pointer(object, offset));
            }
        }
        let fits = self.pointer_bytes == 4 || i32::try_from(address as i64).is_ok();
        if fits {
            Ok(pointer(0, address as u32))
        } else {
            Err(Stop::Incomplete(Reason::Beyond("such integers as pointers", pos)))
        }
    }

    /// A pointer moved by a number of bytes, which may be negative in two's complement.
    pub(crate) fn moved(&self, pos: SrcPos, from: u64, by: u64) -> Result<u64, Stop> {
        let (object, offset) = (object_of(from), offset_of(from));
        if self.pointer_bytes == 4 {
            return Ok(pointer(object, offset.wrapping_add(by as u32)));
        }
        let offset = i64::from(offset as i32).wrapping_add(by as i64);
        match i32::try_from(offset) {
            Ok(offset) => Ok(pointer(object, offset as u32)),
            Err(_) => Err(Stop::Incomplete(Reason::Beyond("pointers so far from objects", pos))),
        }
    }

    /// Whether a pointer is into its object or just past its end.
    fn is_inside(&self, pointer: u64) -> bool {
        let offset = i64::from(offset_of(pointer) as i32);
        offset >= 0 && offset as u64 <= self.objects.info(object_of(pointer)).size
    }

    fn equal_pointers(&mut self, pos: SrcPos, a: u64, b: u64) -> bool {
        if a == b {
            return true;
        }
        let (first, second) = (object_of(a), object_of(b));
        if first == second {
            return false;
        }
        // Objects are apart, and none is at either end of the address space.
        let apart = |object_pointer: u64, other: u64| {
            self.is_inside(object_pointer)
                && if object_of(other) == 0 {
                    let address = self.address(other);
                    address.wrapping_add(EDGE_OF_SPACE) & ones(self.pointer_bits())
                        < 2 * EDGE_OF_SPACE
                } else {
                    self.is_inside(other)
                }
        };
        let apart = if first == 0 { apart(b, a) } else { apart(a, b) };
        if apart {
            return false;
        }
        self.note(Reason::Address(pos));
        self.address(a) == self.address(b)
    }

    pub(crate) fn unary(&mut self, pos: SrcPos, op: UnOp, sort: Sort, a: u64) -> Result<u64, Stop> {
        let width = sort.width().unwrap_or(1);
        if let Some(value) = word::unary(op, width, a) {
            return Ok(value);
        }
        Ok(match op {
            UnOp::PtrToInt => self.shown_address(pos, a),
            UnOp::IntToPtr => self.pointer_to(pos, a)?,
            UnOp::SToF(to) => float::from_signed(a, width, to),
            UnOp::UToF(to) => float::from_unsigned(a, to),
            _ => float::unary(op, float_kind(sort), a),
        })
    }

    pub(crate) fn binary(
        &mut self,
        pos: SrcPos,
        op: BinOp,
        (sort, sort_b): (Sort, Sort),
        a: u64,
        b: u64,
    ) -> Result<u64, Stop> {
        self.compute(pos, op, (sort, sort_b), a, b).map_err(|fail| match fail {
            Fail::Trap(trap) => trapped(trap, pos),
            Fail::Stop(stop) => stop,
        })
    }

    #[inline]
    fn compute(
        &mut self,
        pos: SrcPos,
        op: BinOp,
        (sort, sort_b): (Sort, Sort),
        a: u64,
        b: u64,
    ) -> Result<u64, Fail> {
        let width = sort.width().unwrap_or(1);
        if let Some(value) = word::arithmetic(op, width, a, b) {
            return Ok(value);
        }
        let compare = |holds: fn(Ordering) -> bool| {
            u64::from(float::compare(float_kind(sort), a, b).is_some_and(holds))
        };
        Ok(match op {
            BinOp::Eq if sort == Sort::Ptr => self.equal_pointers(pos, a, b).into(),
            BinOp::Eq => (a == b).into(),
            BinOp::BvUdiv | BinOp::BvSdiv | BinOp::BvUrem | BinOp::BvSrem => {
                word::divide(op, width, a, b).map_err(Fail::Trap)?
            }
            BinOp::Concat => a << sort_b.width().unwrap_or(1) | b,
            bin_ops!(float_arithmetic) => float::arithmetic(op, float_kind(sort), a, b),
            BinOp::FEq => compare(Ordering::is_eq),
            BinOp::FLt => compare(Ordering::is_lt),
            BinOp::FLe => compare(Ordering::is_le),
            BinOp::PtrAdd => {
                let moved = self.moved(pos, a, b)?;
                let program = self.code.program;
                if program.tracks_memory() && object_of(moved) != 0 && !self.is_inside(moved) {
                    // It tracks nothing now, and may do so again: what is lost does not stay lost.
                    self.doubt(Reason::Beyond("pointers out of their objects", pos));
                }
                moved
            }
            BinOp::PtrDiff | BinOp::PtrLt | BinOp::PtrLe => {
                if object_of(a) != object_of(b) {
                    self.note(Reason::Address(pos));
                }
                let (a, b) = (self.address(a), self.address(b));
                match op {
                    BinOp::PtrDiff => a.wrapping_sub(b) & ones(self.pointer_bits()),
                    BinOp::PtrLt => (a < b).into(),
                    _ => (a <= b).into(),
                }
            }
            // `word::arithmetic` has done these, and verified automata have no `PtrMake`.
            bin_ops!(logic, bv_arithmetic, bv_order) | BinOp::PtrMake => a,
        })
    }

    /// The value of a term in a frame, computed in the order of the interpreter: that is the order in
    /// which open values are drawn, and what is not needed cannot trap.
    pub(crate) fn evaluate_slowly(
        &mut self,
        words: &mut Vec<u64>,
        base: usize,
        pos: SrcPos,
        term: Term,
    ) -> Result<u64, Stop> {
        let mut evaluation =
            Evaluation { machine: self, words, base, pos, known: FxHashMap::default() };
        evaluation.term(term, 0).map_err(|fail| match fail {
            Fail::Trap(trap) => trapped(trap, pos),
            Fail::Stop(stop) => stop,
        })
    }

    /// One of the values of a domain.
    pub(crate) fn draw(&mut self, pos: SrcPos, domain: u32, sort: Sort) -> Result<u64, Stop> {
        let code = self.code;
        let domain = &code.domains[domain as usize];
        self.draw_from(pos, &domain.values, domain.complete, sort)
    }

    pub(crate) fn draw_from(
        &mut self,
        pos: SrcPos,
        values: &[u64],
        complete: bool,
        sort: Sort,
    ) -> Result<u64, Stop> {
        if self.cut_draws {
            return Err(Stop::Cut);
        }
        if !complete {
            self.note(Reason::OpenValue(pos));
        }
        let index = if values.len() > 1 { self.choose(values.len()) } else { 0 };
        let value = values.get(index).copied().unwrap_or(0);
        let shown = if sort == Sort::Ptr { self.address(value) } else { value };
        self.drawn.push(Drawn::Value(shown.into()));
        Ok(value)
    }
}

struct Evaluation<'a, 'c, 'p> {
    machine: &'a mut Machine<'c, 'p>,
    words: &'a mut Vec<u64>,
    base: usize,
    pos: SrcPos,
    known: FxHashMap<Term, u64>,
}

impl Evaluation<'_, '_, '_> {
    fn is_leaf(&self, term: Term) -> bool {
        self.machine.code.program.terms.children(term).next().is_none()
    }

    fn term(&mut self, term: Term, depth: usize) -> Result<u64, Fail> {
        if depth > MAX_DEPTH {
            let reason = Reason::Beyond("expressions of this depth", self.pos);
            return Err(Stop::Incomplete(reason).into());
        }
        if self.is_leaf(term) {
            return self.leaf(term);
        }
        if let Some(&value) = self.known.get(&term) {
            return Ok(value);
        }
        let code = self.machine.code;
        let terms = &code.program.terms;
        let value = match terms.kind(term) {
            TermKind::Unary(op, a) => {
                let value = self.term(a, depth + 1)?;
                self.machine.unary(self.pos, op, terms.sort(a), value)?
            }
            TermKind::Binary(BinOp::BvAnd, a, b) if low_address(terms, a, b).is_some() => {
                let (pointer, mask) = low_address(terms, a, b).unwrap_or((a, 0));
                let pointer = self.term(pointer, depth + 1)?;
                self.machine.low_address(self.pos, pointer, mask)
            }
            TermKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                let decides = u64::from(op == BinOp::Or);
                match self.term(a, depth + 1) {
                    Ok(value) if value == decides => decides,
                    Ok(_) => self.term(b, depth + 1)?,
                    Err(Fail::Trap(trap)) => match self.term(b, depth + 1)? {
                        value if value == decides => decides,
                        _ => return Err(Fail::Trap(trap)),
                    },
                    Err(stop) => return Err(stop),
                }
            }
            TermKind::Binary(op, a, b) => {
                // What is more than a variable comes first.
                let (a_is_leaf, b_is_leaf) = (self.is_leaf(a), self.is_leaf(b));
                let first = if a_is_leaf { None } else { Some(self.term(a, depth + 1)?) };
                let second = if b_is_leaf { None } else { Some(self.term(b, depth + 1)?) };
                let first = match first {
                    Some(value) => value,
                    None => self.leaf(a)?,
                };
                let second = match second {
                    Some(value) => value,
                    None => self.leaf(b)?,
                };
                let sorts = (terms.sort(a), terms.sort(b));
                self.machine.compute(self.pos, op, sorts, first, second)?
            }
            TermKind::Ite(cond, a, b) => {
                let holds = self.term(cond, depth + 1)? != 0;
                self.term(if holds { a } else { b }, depth + 1)?
            }
            term_kinds!(leaves) | TermKind::Read(..) | TermKind::Write(..) => self.leaf(term)?,
        };
        self.known.insert(term, value);
        Ok(value)
    }

    fn leaf(&mut self, term: Term) -> Result<u64, Fail> {
        let code = self.machine.code;
        Ok(match code.program.terms.kind(term) {
            TermKind::Bool(value) => value.into(),
            TermKind::Bv(bits) | TermKind::Float(bits) => bits as u64,
            TermKind::Var(var) => match code.slots.places[var] {
                Place::Global(index) => self.machine.globals[index as usize],
                Place::ThreadLocal(index) => self.words[self.machine.tls + index as usize],
                Place::Local(slot) => {
                    if let Some(bit) = code.unset_bits[var] {
                        let proc = proc_of(self.words[self.base - FRAME_HEAD]);
                        let vars = code.procs[proc].vars as usize;
                        let mask = self.base + vars + bit as usize / 64;
                        if self.words[mask] >> (bit % 64) & 1 == 1 {
                            let domain = code.unset_domains[var];
                            let sort = code.program.vars[var].sort;
                            let value = self.machine.draw(self.pos, domain, sort)?;
                            self.words[self.base + slot as usize] = value;
                            self.words[mask] &= !(1 << (bit % 64));
                        }
                    }
                    self.words[self.base + slot as usize]
                }
            },
            TermKind::Address(object) => match code.slots.object_slots[object] {
                ObjectSlot::Static(number) => pointer(number, 0),
                ObjectSlot::ThreadLocal(index) => self.machine.thread_object(self.words, index),
                ObjectSlot::Local(index) => {
                    let proc = proc_of(self.words[self.base - FRAME_HEAD]);
                    let first = code.procs[proc].first_object();
                    match self.words[self.base + first + index as usize] {
                        0 => return Err(Fail::Trap(Trap::NotInScope)),
                        address => address,
                    }
                }
            },
            term_kinds!(inner) | TermKind::Null => 0,
        })
    }
}
