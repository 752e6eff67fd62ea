//! Copies and fills of lengths that are inputs, on random programs that the interpreter can search exhaustively.

use std::fmt::Write;

use ravelin_base::{Budget, DataModel};
use ravelin_cfa::Program;
use ravelin_interp::{ExploreConfig, Outcome, ValueRequest, all_outcomes};

use crate::support::{Answer, Generated, build_text, covering, on_all, seconds, seeds};

/// Lengths are taken modulo this: one more than the objects have bytes.
const LENGTHS: u64 = 9;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// A program with a few copies and fills, and an error that depends on what comes of them.
fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9) + 1);
    let element = ["unsigned char", "short", "int"][random.below(3) as usize];
    let count = 8 / [1, 2, 4]
        [["unsigned char", "short", "int"].iter().position(|it| *it == element).unwrap_or(0)];
    let list = |random: &mut Random| {
        (0..count).map(|_| random.below(3).to_string()).collect::<Vec<_>>().join(", ")
    };
    let mut text = String::from(
        "extern void *memcpy(void *, const void *, __SIZE_TYPE__);
extern void *memmove(void *, const void *, __SIZE_TYPE__);
extern void *memset(void *, int, __SIZE_TYPE__);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
",
    );
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        text,
        "    {element} a[{count}] = {{{}}}, b[{count}] = {{{}}};",
        list(&mut random),
        list(&mut random)
    );
    for round in 0..1 + random.below(3) {
        let _ = writeln!(text, "    unsigned n{round} = __VERIFIER_nondet_uchar();");
        let _ = match random.below(2) {
            0 => writeln!(text, "    n{round} %= {LENGTHS};"),
            _ => writeln!(text, "    if (n{round} >= {LENGTHS}) return 0;"),
        };
        let whole = random.below(3) == 0;
        let length = match whole {
            true => format!("n{round} / sizeof *a * sizeof *a"),
            false => format!("n{round}"),
        };
        let _ = match random.below(4) {
            0 => writeln!(text, "    memcpy(a, b, {length});"),
            1 => writeln!(text, "    memset(b, {}, {length});", random.below(3)),
            2 => writeln!(text, "    memmove((char *)a + 1, a, n{round} ? n{round} - 1 : 0);"),
            _ => writeln!(text, "    memcpy(b, a, {length});"),
        };
    }
    let mut condition = Vec::new();
    for _ in 0..1 + random.below(3) {
        let (array, at) = (["a", "b"][random.below(2) as usize], random.below(count));
        let operator = ["==", "!=", "<"][random.below(3) as usize];
        condition.push(format!("{array}[{at}] {operator} {}", random.below(3)));
    }
    let _ = writeln!(text, "    if ({}) reach_error();\n    return 0;\n}}", condition.join(" && "));
    text
}

fn reaches_error(program: &Program) -> Result<bool, String> {
    let config = ExploreConfig {
        budget: Budget::unlimited().with_steps(2_000_000),
        max_states: 300_000,
        ..ExploreConfig::default()
    };
    let domain = |_: &ValueRequest| Some((0..LENGTHS as i128).collect());
    let outcomes = all_outcomes(program, &config, &domain).map_err(|error| error.to_string())?;
    let is_plain = |outcome: &Outcome| matches!(outcome, Outcome::Error { .. } | Outcome::Exit(_));
    match outcomes.iter().find(|outcome| !is_plain(outcome)) {
        Some(other) => Err(other.display(program).to_string()),
        None => Ok(outcomes.iter().any(|outcome| matches!(outcome, Outcome::Error { .. }))),
    }
}

#[test]
fn copies_of_open_length_are_not_answered_wrongly() {
    let limit = seconds(2.0);
    let configs = covering();
    let results = on_all(&seeds(0..40, 0..400), |&seed| {
        let text = program(seed);
        let data_model = if seed.is_multiple_of(2) { DataModel::Ilp32 } else { DataModel::Lp64 };
        let program = build_text(&text, data_model);
        let has_error = reaches_error(&program).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let generated = Generated { seed, text: &text, data_model, program: &program, has_error };
        let (answer, wrong) = generated.judge(&configs[seed as usize % configs.len()], limit);
        (matches!(answer, Answer::Unknown(_)), wrong)
    });
    let wrong: Vec<String> = results.iter().filter_map(|(_, wrong)| wrong.clone()).collect();
    assert!(wrong.is_empty(), "WRONG VERDICTS\n{}", wrong.join("\n"));
    let unknown = results.iter().filter(|(is_unknown, _)| *is_unknown).count();
    println!("unknown {unknown} of {}", results.len());
    assert!(unknown * 2 < results.len(), "{unknown} of {} without answer", results.len());
}
