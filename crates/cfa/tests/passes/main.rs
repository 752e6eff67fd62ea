//! Each pass, before and after, in the text format.

mod drop_unused;
mod encode_large_blocks;
mod inline_calls;
mod pipeline;
mod propagate_constants;
mod remove_dead_code;
mod split_shared_accesses;
mod unroll_loops;

use expect_test::Expect;
use ravelin_base::SrcPos;
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_cfa::print::{Positions, write_program};
use ravelin_cfa::{Label, Op, Program, parse};

/// Parses a text without positions; each label gets one, because the verifier requires it.
fn program(text: &str) -> Program {
    let mut program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let file = program.names.intern("t.c");
    let mut line = 0;
    for procedure in program.procs.values_mut() {
        for edge in procedure.edges.values_mut() {
            for label in &mut edge.labels {
                line += 1;
                place(label, SrcPos { file, line, column: 1 });
            }
        }
    }
    program
}

fn place(label: &mut Label, pos: SrcPos) {
    label.pos = pos;
    if let Op::Choice(branches) = &mut label.op {
        branches.iter_mut().flatten().for_each(|label| place(label, pos));
    }
}

fn text_of(program: &Program) -> String {
    let mut text = String::new();
    write_program(&mut text, program, Positions::Hidden).expect("strings take all writes");
    text
}

/// Runs passes with the default settings, and compares the output.
fn check(names: &[&str], before: &str, after: Expect) {
    check_with(names, PassConfig::default(), before, after);
}

fn check_with(names: &[&str], config: PassConfig, before: &str, after: Expect) {
    let mut program = program(before);
    passes::run(&mut program, names, &config).unwrap_or_else(|error| panic!("{error}"));
    after.assert_eq(&text_of(&program));
}
