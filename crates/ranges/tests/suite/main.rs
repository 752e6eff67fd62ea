//! Ranges against executions, and what they prove.

mod counters;
mod included;
mod large;
mod precision;
