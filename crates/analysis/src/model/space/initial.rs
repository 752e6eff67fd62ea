//! What objects hold when the program starts.

use std::rc::Rc;

use ravelin_cfa::{Init, ObjectKind, Op, Program, VarKind};
use ravelin_term::{BinOp, Object, Sort, Term, TermKind, TermPool, Var};
use rustc_hash::FxHashMap;

use super::regions::{ByteRange, MemoryRegion};
use super::{DYNAMIC, InputRole, Role, Space};

/// Initial contents of larger objects are not written down. What is read there before anything is written is found
/// out where it is read, if the address tells; otherwise it is left open, which is sound: it is any.
const MAX_INITIAL_BYTES: u64 = 1 << 14;

/// What is known of initial contents.
#[derive(Debug)]
pub(super) struct InitialContents {
    memory: FxHashMap<MemoryRegion, Term>,
    contents: FxHashMap<Object, Rc<[(u64, Term)]>>,
    /// Whether memory is taken for unwritten that holds something, perhaps pointers: after `realloc`,
    /// because initial contents are too large, or because another file defines them.
    pub(super) is_open: bool,
}

impl InitialContents {
    pub(super) fn of(program: &Program) -> Self {
        InitialContents {
            memory: FxHashMap::default(),
            contents: FxHashMap::default(),
            is_open: are_left_open(program),
        }
    }
}

impl Space<'_> {
    /// The value of a variable when the program starts; `None` if it may be any.
    pub fn initial_value(&mut self, var: Var) -> Option<Term> {
        if var == self.variables.next_object {
            return Some(self.terms.bv(32, u128::from(DYNAMIC)));
        }
        match self.variables.vars[var].role {
            Role::Program { var, .. } => match self.program.vars[var].kind {
                VarKind::Global { init, .. } | VarKind::ThreadLocal { init } => init,
                VarKind::Local(_) => None,
            },
            Role::Memory(region) => Some(self.initial_memory(region)),
            Role::NextObject
            | Role::Thread(..)
            | Role::Input(_)
            | Role::At { .. }
            | Role::Read(_) => None,
        }
    }

    /// A region of memory as it is when the program starts: globals have their initial contents, the rest is
    /// open.
    fn initial_memory(&mut self, region: MemoryRegion) -> Term {
        if let Some(&memory) = self.initial.memory.get(&region) {
            return memory;
        }
        let program = self.program;
        let start = self.variable(Role::Input(InputRole::Start(region)), Sort::Mem);
        let mut memory = self.read_var(start);
        if let MemoryRegion::State(state) = region {
            memory = self.initial_states(state, memory);
        }
        for object in program.objects.keys() {
            for (offset, value) in self.contents_in_region(object, region) {
                let address = self.terms.address(object);
                let address = self.terms.ptr_add_const(address, offset);
                memory = self.terms.write(memory, address, value);
            }
        }
        self.initial.memory.insert(region, memory);
        memory
    }

    /// The initial contents of an object that are kept in this memory, in pieces as they are accessed.
    pub fn initial_contents_in(&mut self, object: Object, memory: Var) -> Vec<(u64, Term)> {
        self.memory_region(memory)
            .map_or_else(Vec::new, |region| self.contents_in_region(object, region))
    }

    fn contents_in_region(&mut self, object: Object, region: MemoryRegion) -> Vec<(u64, Term)> {
        if !self.regions.of_object(object).contains(&region) {
            return Vec::new();
        }
        let whole = self.initial_contents(object);
        let size = self.program.objects[object].size;
        if whole.is_empty() || !self.regions.is_uniform(region) {
            return whole.to_vec();
        }
        let mut found = Vec::new();
        for ByteRange { offset, bytes } in self.regions.pieces_of_object(object, region, size) {
            let same = whole.binary_search_by_key(&offset, |&(at, _)| at).ok().map(|at| whole[at]);
            match same {
                Some((_, value))
                    if self.program.bytes_of(self.terms.sort(value)) == Some(u64::from(bytes)) =>
                {
                    found.push((offset, value));
                }
                _ => {
                    let sort = Sort::Bv(bytes * 8);
                    match initial_read(self, object, offset, sort) {
                        Some(value) => found.push((offset, value)),
                        None => self.initial.is_open = true,
                    }
                }
            }
        }
        found
    }

    /// The initial contents of an object as disjoint pieces, as far as they are known.
    pub fn initial_contents(&mut self, object: Object) -> Rc<[(u64, Term)]> {
        if let Some(contents) = self.initial.contents.get(&object) {
            return Rc::clone(contents);
        }
        let contents: Rc<[(u64, Term)]> = self.known_contents(object).into();
        self.initial.contents.insert(object, Rc::clone(&contents));
        contents
    }

    fn known_contents(&mut self, object: Object) -> Vec<(u64, Term)> {
        let data = &self.program.objects[object];
        let is_global = match data.kind {
            ObjectKind::Global | ObjectKind::Constant | ObjectKind::ThreadLocal => true,
            ObjectKind::Local(_) | ObjectKind::Function(_) => false,
        };
        if !is_global || data.size > MAX_INITIAL_BYTES {
            return Vec::new();
        }
        let mut pieces = Vec::new();
        match &data.init {
            Init::Indeterminate => {}
            Init::Zero => self.push_bytes(&mut pieces, 0, data.size, &|_| 0),
            Init::Bytes(bytes) => self.push_bytes(&mut pieces, 0, data.size, &|at| {
                bytes.get(at as usize).copied().unwrap_or(0)
            }),
            Init::Values(values) => {
                let mut at = 0;
                for &(offset, value) in values {
                    self.push_bytes(&mut pieces, at, offset, &|_| 0);
                    pieces.push((offset, value));
                    let size = self.program.bytes_of(self.terms.sort(value)).unwrap_or(0);
                    at = offset + size;
                }
                self.push_bytes(&mut pieces, at, data.size, &|_| 0);
            }
        }
        pieces
    }

    /// Pieces of up to eight aligned bytes from `start` to `end`.
    fn push_bytes(
        &mut self,
        pieces: &mut Vec<(u64, Term)>,
        start: u64,
        end: u64,
        byte: &dyn Fn(u64) -> u8,
    ) {
        let mut at = start;
        while at < end {
            let stop = ((at / 8 + 1) * 8).min(end);
            let value = (at..stop).rev().fold(0u128, |value, i| value << 8 | u128::from(byte(i)));
            pieces.push((at, self.terms.bv((stop - at) as u16 * 8, value)));
            at = stop;
        }
    }
}

impl Space<'_> {
    /// What a memory to which nothing was written holds at an address in a large global, and the condition under which
    /// it does; none if that is not known.
    pub fn large_initial_read(
        &mut self,
        memory: Var,
        pointer: Term,
        sort: Sort,
    ) -> Option<(Term, Term)> {
        if !self.is_start(memory) || self.region_of(memory).is_none() {
            return None;
        }
        let (object, offset) = in_object(&mut self.terms, pointer)?;
        let data = &self.program.objects[self.objects.program_objects.get(object).copied()?];
        if data.kind != ObjectKind::Global || data.size <= MAX_INITIAL_BYTES {
            return None;
        }
        let last = data.size.checked_sub(self.program.bytes_of(sort)?)?;
        let at = self.terms.as_bv(offset).and_then(|at| u64::try_from(at).ok());
        let value = match (&data.init, at) {
            (Init::Zero, _) => self.terms.zero(sort),
            (Init::Values(_) | Init::Bytes(_), Some(at)) if at <= last => {
                self.read_large(object, at, sort)?
            }
            (Init::Values(_) | Init::Bytes(_) | Init::Indeterminate, _) => return None,
        };
        let width = self.terms.pointer_bits();
        let last = self.terms.bv(width, last.into());
        let is_inside = self.terms.binary(BinOp::BvUle, offset, last);
        Some((is_inside, value))
    }

    /// The initial contents at an offset of a large object, which has so many bytes.
    fn read_large(&mut self, object: Object, at: u64, sort: Sort) -> Option<Term> {
        let end = at + self.program.bytes_of(sort)?;
        let mut pieces = Vec::new();
        match &self.program.objects[object].init {
            Init::Bytes(bytes) => self.push_bytes(&mut pieces, at, end, &|at| {
                bytes.get(at as usize).copied().unwrap_or(0)
            }),
            Init::Values(values) => {
                // All is zero first.
                self.push_bytes(&mut pieces, at, end, &|_| 0);
                let begins_before_end = values.partition_point(|&(offset, _)| offset < end);
                let near = &values[begins_before_end.saturating_sub(MAX_NEAR)..begins_before_end];
                for &(offset, value) in near {
                    let size = self.program.bytes_of(self.terms.sort(value))?;
                    if offset + size > at {
                        pieces.push((offset, value));
                    }
                }
            }
            Init::Zero | Init::Indeterminate => return None,
        }
        let nothing = self.variables.memories[0];
        let mut memory = self.read_var(nothing);
        let base = self.terms.address(object);
        for (offset, value) in pieces {
            let address = self.terms.ptr_add_const(base, offset);
            memory = self.terms.write(memory, address, value);
        }
        let address = self.terms.ptr_add_const(base, at);
        let value = self.terms.read(memory, address, sort);
        self.is_value(value).then_some(value)
    }
}

/// So many values of an initialiser that begin before an end may reach into the last sixteen bytes.
const MAX_NEAR: usize = 32;

/// The object that a pointer leads into, where its term says so, and the offset.
fn in_object(terms: &mut TermPool, pointer: Term) -> Option<(Object, Term)> {
    let (mut root, mut sum) = (pointer, terms.offset(0));
    loop {
        match terms.kind(root) {
            TermKind::Binary(BinOp::PtrAdd, base, offset) => {
                sum = terms.binary(BinOp::BvAdd, offset, sum);
                root = base;
            }
            TermKind::Address(object) => return Some((object, sum)),
            _ => return None,
        }
    }
}

/// What a read of an object gives before anything was written to it.
pub fn initial_read(
    space: &mut Space<'_>,
    object: Object,
    offset: u64,
    sort: Sort,
) -> Option<Term> {
    let contents = space.initial_contents(object);
    let nothing = space.variables.memories[0];
    let nothing = space.read_var(nothing);
    let base = space.terms.address(object);
    let end = offset.checked_add(space.program.bytes_of(sort)?)?;
    let mut memory = nothing;
    for &(at, value) in contents.iter() {
        let length = space.program.bytes_of(space.terms.sort(value))?;
        if at < end && offset < at + length {
            let address = space.terms.ptr_add_const(base, at);
            memory = space.terms.write(memory, address, value);
        }
    }
    let address = space.terms.ptr_add_const(base, offset);
    let value = space.terms.read(memory, address, sort);
    space.is_value(value).then_some(value)
}

/// Whether memory is taken for unwritten that holds something, perhaps pointers: after `realloc`, because
/// initial contents are too large, or because another file defines them.
fn are_left_open(program: &Program) -> bool {
    let mut found = program.objects.values().any(|data| match (data.kind, &data.init) {
        // Declared, but defined elsewhere: who does that may name this program's objects.
        (ObjectKind::Global | ObjectKind::ThreadLocal, Init::Indeterminate) => true,
        // Of other threads than main, what they begin with is not written anywhere.
        (ObjectKind::ThreadLocal, Init::Values(_)) => true,
        (_, Init::Values(_)) => data.size > MAX_INITIAL_BYTES,
        (_, Init::Indeterminate | Init::Zero | Init::Bytes(_)) => false,
    });
    program.for_each_label(|_, label| found |= matches!(label.op, Op::Realloc { .. }));
    found
}
