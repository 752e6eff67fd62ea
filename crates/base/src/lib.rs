//! The foundation of all other crates: typed indices, interned names, source positions,
//! diagnostics, the data model of the target and the resource budget.

pub mod budget;
pub mod data_model;
pub mod deadline;
pub mod diagnostic;
mod entities;
pub mod interner;
pub mod liveness;
pub mod source;

pub use budget::{Budget, Exhausted};
pub use cranelift_entity::packed_option::ReservedValue;
pub use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, entity_impl};
pub use data_model::DataModel;
pub use deadline::Deadline;
pub use diagnostic::{Diagnostic, Severity};
pub use interner::{Interner, Symbol};
pub use liveness::{LiveSlots, SlotEffect};
pub use source::{SourceMap, Span, SrcPos};
