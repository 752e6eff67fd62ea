//! Functions of libraries, asked about in one line each.

mod callbacks;
mod glibc;
