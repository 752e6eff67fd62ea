//! The analyses against executions, against each other, and against the examples of papers.

mod included;
mod numbers;
mod observe;
mod papers;
mod regions;
