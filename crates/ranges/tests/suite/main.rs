//! Ranges against executions, and what they prove.

mod included;
mod large;
mod precision;
