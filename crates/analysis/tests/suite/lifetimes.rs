//! Local objects that begin again, as allocations: executions stay the same, and no proof is wrong.
//!
//! The programs are random: blocks in loops and recursive calls, whose variables' addresses are kept, used, compared and
//! asked about (`inspect`) inside and after their blocks.

use std::collections::BTreeSet;
use std::fmt::Write;

use fastrand::Rng;
use ravelin_analysis::config::Config;
use ravelin_analysis::renew_locals;
use ravelin_base::DataModel;
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_cfa::{HavocKind, Op, Program};
use ravelin_interp::{ExploreConfig, Outcome, ValueOrigin, ValueRequest, all_outcomes};

use crate::support::{
    Answer, CORNERS, Generated, VARIANT_COUNT, build_text, configuration, decide, on_all, prepare,
    seconds, seeds,
};

const PROGRAMS: u64 = 200;

#[test]
fn locals_that_begin_again_behave_the_same_as_allocations() {
    let mut changed = 0;
    let mut undefined = 0;
    for seed in 0..PROGRAMS {
        let text = generate(seed);
        let program = build_text(&text, DataModel::Lp64);
        let (plain, renewed) = (simplified(&program, |_| ()), simplified(&program, renew_locals));
        let expected = outcomes(&plain);
        assert_eq!(outcomes(&renewed), expected, "seed {seed}\n{text}");
        changed += u64::from(allocations(&renewed) > allocations(&plain));
        undefined += u64::from(expected.contains("invalid memory"));
    }
    assert!(changed > PROGRAMS / 4, "only {changed} programs were changed");
    assert!(undefined > PROGRAMS / 10, "only {undefined} programs use what has ended");
}

/// A local is only aligned as its type asks, though executions here put it where `malloc` would.
#[test]
fn locals_that_begin_again_keep_their_alignment() {
    let answer = |made: &str| {
        let text = format!(
            "extern void reach_error(void); extern void *malloc(__SIZE_TYPE__); void *kept;
            int main(void) {{ for (int i = 0; i < 2; i++) {{ {made} kept = c;
                if ((__UINTPTR_TYPE__)c % 4 != 0) reach_error(); }} return 0; }}"
        );
        let program = prepare(&build_text(&text, DataModel::Lp64), &Config::default());
        assert!(allocations(&program) > 0, "nothing is allocated:\n{text}");
        decide(&program, &Config::default(), seconds(5.0))
    };
    assert_ne!(answer("char local[1]; char *c = local;"), Answer::True);
    assert_eq!(answer("char *c = malloc(1);"), Answer::True);
}

/// An error that an execution reaches is not missed; where executions use what has ended, anything may follow, and
/// only a proof that takes no account of it is wrong.
#[test]
fn programs_with_locals_that_begin_again_are_not_answered_wrongly() {
    let answers = on_all(&seeds(0..PROGRAMS / 8, 0..PROGRAMS), |&seed| {
        let text = generate(seed);
        let data_model = DataModel::Lp64;
        let program = build_text(&text, data_model);
        let has_error = outcomes(&simplified(&program, |_| ())).contains("error");
        let generated = Generated { seed, text: &text, data_model, program: &program, has_error };
        let judge = |round: usize| {
            let number = seed as usize;
            let corner = (7 * number + 17 * round) % CORNERS;
            let config = configuration(corner, (number + 6 * round) % VARIANT_COUNT);
            let (answer, wrong) = generated.judge(&config, seconds(0.5));
            assert_eq!(wrong, None, "WRONG VERDICT");
            answer
        };
        (0..3).map(judge).collect::<Vec<Answer>>()
    });
    let count = |it: Answer| answers.iter().flatten().filter(|answer| **answer == it).count();
    let (proved, refuted) = (count(Answer::True), count(Answer::False));
    assert!(proved > 5 && refuted > 1, "{proved} proofs, {refuted} counterexamples");
}

/// The automaton after the passes that simplify and this one.
fn simplified(program: &Program, change: impl FnOnce(&mut Program)) -> Program {
    let mut program = program.clone();
    let run = |program: &mut Program, names| passes::run(program, names, &PassConfig::default());
    run(&mut program, passes::SIMPLIFYING).expect("passes run");
    change(&mut program);
    run(&mut program, passes::STEP_MAKING).expect("the automaton keeps its invariants");
    program
}

fn allocations(program: &Program) -> usize {
    let mut count = 0;
    program.for_each_label(|_, label| count += usize::from(matches!(label.op, Op::Alloc { .. })));
    count
}

/// How the executions of a program end.
fn outcomes(program: &Program) -> BTreeSet<&'static str> {
    let inputs = |request: &ValueRequest| match request.origin {
        ValueOrigin::Havoc(HavocKind::Input(_)) => Some(vec![0, 1]),
        _ => Some(vec![0]),
    };
    let found = all_outcomes(program, &ExploreConfig::default(), &inputs);
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    found
        .iter()
        .map(|outcome| match outcome {
            Outcome::Exit(_) => "exit",
            Outcome::Error { .. } => "error",
            Outcome::InvalidMemory { .. } => "invalid memory",
            Outcome::Leak { .. } => "leak",
            other => panic!("{}", other.display(program)),
        })
        .collect()
}

/// A program that keeps addresses of locals in `kept`.
fn generate(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = String::from(
        "extern void reach_error(void);\n\
         extern _Bool __VERIFIER_nondet_bool(void);\n\
         extern void *malloc(unsigned long), free(void *);\n\
         static int g = 1, total;\n\
         static int *kept = &g, *spare = &g;\n\
         static void visit(int n) {\n    int x = n, y[2] = {n, 1};\n",
    );
    body(&mut rng, &mut text, "    ", 1);
    text.push_str("    if (n > 0) visit(n - 1);\n");
    body(&mut rng, &mut text, "    ", 1);
    text.push_str("}\nint main(void) {\n    for (int i = 0; i < 3; i++) {\n");
    text.push_str("        int x = i, y[2] = {i, 2};\n");
    body(&mut rng, &mut text, "        ", 2);
    text.push_str("        if (i == 1) visit(1);\n    }\n");
    let (place, sum) = (["total", "*kept", "*spare", "g"][rng.usize(..4)], rng.u8(..6));
    writeln!(text, "    if ({place} == {sum}) reach_error();\n    return 0;\n}}").expect("writes");
    text
}

fn body(rng: &mut Rng, text: &mut String, indent: &str, depth: u8) {
    for _ in 0..rng.u8(1..4) {
        let statement = match rng.u8(..18) {
            0 => "kept = &x;",
            1 => "spare = &y[1];",
            2 => "kept = spare;",
            3 => "*kept = 2;",
            4 => "total = (total + *kept) & 7;",
            5 => "total = (total + x + y[1]) & 7;",
            6 => "if (kept == &x) total ^= 1;",
            7 => "kept = spare = &g;",
            8 => "if (__VERIFIER_nondet_bool()) kept = &x; else kept = &g;",
            9 => "if (*spare == 2) *kept = 3;",
            10 => "if (__CPROVER_r_ok(kept, sizeof(int))) total ^= 2;",
            11 => "if (__CPROVER_OBJECT_SIZE(kept) == 8) total ^= 4;",
            12 => "if (__CPROVER_same_object(kept, spare)) total ^= 1;",
            13 => "if (__CPROVER_POINTER_OFFSET(spare) == 4) total ^= 2;",
            14 => "kept = malloc(4); *kept = total & 3;",
            15 => "if (kept != &x && kept != &g) { free(kept); kept = &g; }",
            _ if depth > 0 => {
                let deeper = format!("{indent}    ");
                let head = ["do {", "if (total & 1) {"][rng.usize(..2)];
                let end = if head == "do {" { "} while (0);" } else { "}" };
                writeln!(text, "{indent}{head}\n{deeper}int x = 1, y[2] = {{total, 3}};")
                    .expect("writes");
                body(rng, text, &deeper, depth - 1);
                writeln!(text, "{indent}{end}").expect("writes");
                continue;
            }
            _ => "x = y[0];",
        };
        writeln!(text, "{indent}{statement}").expect("writes");
    }
}
