//! The variables and objects that analyses speak of: *instances*.
//!
//! A local of a recursive procedure has an instance in every frame, and a predicate or a value
//! belongs to one of them; taking two for one would be unsound. The locals of the first frame and
//! the globals are their own instances, so a program without calls left needs no renaming at all.
//!
//! - `variables`: what each variable of the analysis stands for; `instances`: what the program's variables and
//!   objects are in a frame;
//! - `regions`: memory divided so that each access touches one region; `pointers`: where pointers lead;
//!   `strengthen`: the same by an analysis of one's choice, `inspected`: facts about what they lead to, as far as they
//!   never change; `object_state`: the others;
//! - `lifetimes`: what is live, and what ends when; `dangling`: pointers that outlive their objects; `ends`: objects that
//!   stay;
//! - `initial`: what memory holds when the program starts.

mod dangling;
mod ends;
mod initial;
mod inspected;
mod instances;
mod lifetimes;
mod object_state;
mod pointers;
mod regions;
mod strengthen;
mod variables;

use ravelin_base::Budget;
use ravelin_cfa::Program;
use ravelin_pointsto::Division;
use ravelin_por::ProgramFacts;
use ravelin_term::{BinOp, Object, Term, TermKind, TermPool};
use rustc_hash::FxHashMap;

pub(crate) use dangling::{Dangling, exposed};
pub(crate) use ends::Ends;
pub use initial::initial_read;
pub use instances::{Activation, Thread};
pub use object_state::{StateMemory, life_of};
pub use regions::{ByteRange, Freed, MemoryRegion, MemoryRegions, byte_ranges};
pub use variables::{InputRole, ReadRole, Role, ThreadRole};

use initial::InitialContents;
use instances::ObjectInstances;
use lifetimes::Lifetimes;
use object_state::ObjectStates;
use strengthen::Strengthening;
use variables::Variables;

/// The dynamic objects' numbers have this bit, those of named objects do not.
pub const DYNAMIC: u32 = 0x8000_0000;

/// Numbers from here on are those of objects that the program did not make but may be given a pointer to.
pub const ENVIRONMENT: u32 = ravelin_term::FOREIGN_OBJECTS;

/// A program with the terms, variables and objects that analyses make.
#[derive(Debug)]
pub struct Space<'p> {
    pub program: &'p Program,
    /// Whether the program starts threads.
    pub has_threads: bool,
    pub terms: TermPool,
    variables: Variables,
    objects: ObjectInstances,
    /// The program's terms behind what frames see of them.
    origins: FxHashMap<Term, Term>,
    regions: MemoryRegions,
    strengthening: Strengthening,
    lifetimes: Lifetimes,
    ends: Ends,
    initial: InitialContents,
    object_states: ObjectStates,
    /// Whether nothing is known of memory: what is read may be anything.
    pub forgets_memory: bool,
}

impl<'p> Space<'p> {
    /// Memory is divided as far as pointers allow.
    pub fn new(program: &'p Program) -> Self {
        let facts = ProgramFacts::new(program, Budget::unlimited());
        Space::with(program, MemoryRegions::new(&facts, Division::default()))
    }

    /// With memory divided like this.
    pub fn with(program: &'p Program, regions: MemoryRegions) -> Self {
        let mut space = Space {
            program,
            has_threads: program.is_concurrent(),
            terms: program.terms.clone(),
            variables: Variables::of(program, &regions),
            objects: ObjectInstances::of(program),
            origins: FxHashMap::default(),
            lifetimes: Lifetimes::of(program, regions.points_to()),
            ends: Ends::of(program, regions.points_to()),
            regions,
            strengthening: Strengthening::default(),
            initial: InitialContents::of(program),
            object_states: ObjectStates::default(),
            forgets_memory: false,
        };
        space.keep_object_states();
        space
    }

    /// The object number and offset of a constant pointer.
    pub fn constant_pointer(&self, term: Term) -> Option<(u32, u64)> {
        constant_pointer(&self.terms, term)
    }

    /// The constant pointer to this offset of an object.
    pub fn pointer(&mut self, number: u32, offset: u64) -> Term {
        if number & DYNAMIC != 0 {
            let number = self.terms.bv(32, u128::from(number));
            let offset = self.terms.offset(offset);
            self.terms.binary(BinOp::PtrMake, number, offset)
        } else {
            let address = self.terms.address(Object::from_u32(number - 1));
            self.terms.ptr_add_const(address, offset)
        }
    }

    /// Whether a term is a value: a literal or a constant pointer.
    pub fn is_value(&self, term: Term) -> bool {
        self.terms.is_literal(term) || self.constant_pointer(term).is_some()
    }
}

/// The object number and offset of a constant pointer into an object.
pub fn constant_pointer(terms: &TermPool, term: Term) -> Option<(u32, u64)> {
    match terms.kind(term) {
        TermKind::Address(object) => Some((object.as_u32() + 1, 0)),
        TermKind::Binary(BinOp::PtrAdd, base, offset) => match terms.kind(base) {
            TermKind::Address(object) => Some((object.as_u32() + 1, terms.as_bv(offset)? as u64)),
            _ => None,
        },
        TermKind::Binary(BinOp::PtrMake, number, offset) => {
            Some((terms.as_bv(number)? as u32, terms.as_bv(offset)? as u64))
        }
        _ => None,
    }
}
