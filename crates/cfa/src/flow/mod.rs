//! Data-flow analyses that the passes share. Each analyses one procedure and stores its facts in
//! side tables.

pub mod constants;
pub mod facts;
pub mod liveness;
pub mod locals;
pub mod loops;
