//! What objects hold when the program starts.

use std::rc::Rc;

use ravelin_cfa::{Init, ObjectKind, Op, Program};
use ravelin_term::{Object, Sort, Term, Var};

use super::parts::{Part, Piece};
use super::{Role, Space};

/// Initial contents beyond so many bytes per object are left open, which is sound: they are any.
const MAX_INITIAL_BYTES: u64 = 1 << 14;

impl Space<'_> {
    /// A part of memory as it is when the program starts: globals have their initial contents, the rest is
    /// open.
    pub(super) fn initial_memory(&mut self, part: Part) -> Term {
        if let Some(&memory) = self.initial_memory.get(&part) {
            return memory;
        }
        let program = self.program;
        let start = self.variable(Role::Start(part), Sort::Mem);
        let mut memory = self.read_var(start);
        for object in program.objects.keys() {
            for (offset, value) in self.contents_in_part(object, part) {
                let address = self.terms.address(object);
                let address = self.terms.ptr_add_const(address, offset);
                memory = self.terms.write(memory, address, value);
            }
        }
        self.initial_memory.insert(part, memory);
        memory
    }

    /// The initial contents of an object that are kept in this memory, in pieces as they are accessed.
    pub fn initial_contents_in(&mut self, object: Object, memory: Var) -> Vec<(u64, Term)> {
        self.part_of(memory).map_or_else(Vec::new, |part| self.contents_in_part(object, part))
    }

    fn contents_in_part(&mut self, object: Object, part: Part) -> Vec<(u64, Term)> {
        if !self.parts.of_object(object).contains(&part) {
            return Vec::new();
        }
        let whole = self.initial_contents(object);
        let size = self.program.objects[object].size;
        if whole.is_empty() || !self.parts.is_uniform(part) {
            return whole.to_vec();
        }
        let mut found = Vec::new();
        for Piece { offset, bytes } in self.parts.pieces_of_object(object, part, size) {
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
                        None => self.leaves_contents_open = true,
                    }
                }
            }
        }
        found
    }

    /// The initial contents of an object as disjoint pieces, as far as they are known.
    pub fn initial_contents(&mut self, object: Object) -> Rc<[(u64, Term)]> {
        if let Some(contents) = self.initial_contents.get(&object) {
            return Rc::clone(contents);
        }
        let contents: Rc<[(u64, Term)]> = self.known_contents(object).into();
        self.initial_contents.insert(object, Rc::clone(&contents));
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

/// What a read of an object gives before anything was written to it.
pub fn initial_read(
    space: &mut Space<'_>,
    object: Object,
    offset: u64,
    sort: Sort,
) -> Option<Term> {
    let contents = space.initial_contents(object);
    let nothing = space.memories[0];
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
/// initial contents are too large, or because they are given elsewhere.
pub(super) fn are_left_open(program: &Program) -> bool {
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
