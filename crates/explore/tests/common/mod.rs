//! Programs from C text, and the searches that must agree on them.

// Each test file uses a part of this.
#![allow(dead_code)]

use ravelin_base::DataModel;
use ravelin_cfa::{Program, passes};
use ravelin_explore::{Order, Reduction};
use ravelin_frontend::source::{SourceOptions, with_deep_stack};

/// Depth first without, with static and with dynamic reduction; then in another order.
pub const SEARCHES: [(Reduction, Order); 5] = [
    (Reduction::None, Order::DepthFirst),
    (Reduction::Static, Order::DepthFirst),
    (Reduction::Dynamic, Order::DepthFirst),
    (Reduction::None, Order::FewPreemptions),
    (Reduction::Static, Order::FewPreemptions),
];

/// The automaton of a text, as the front end makes it. A file name that ends in `.i` says that the text is
/// preprocessed.
#[track_caller]
pub fn build(name: &str, text: &str, data_model: DataModel) -> Program {
    let options = SourceOptions { data_model, ..SourceOptions::default() };
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join(name);
    std::fs::write(&path, text).expect("a file");
    let built = with_deep_stack(|| ravelin_frontend::build(&[path], &options))
        .expect("there is room for a stack");
    built.unwrap_or_else(|errors| panic!("{errors:?}\n{text}")).program
}

/// The automaton of a text after the default passes.
#[track_caller]
pub fn simplified(text: &str) -> Program {
    let mut program = build("program.c", text, DataModel::Lp64);
    passes::run(&mut program, passes::DEFAULT, &Default::default()).expect("passes run");
    program
}
