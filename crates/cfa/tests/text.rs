//! The text format: printed programs parse back, and no text makes the parser panic.

use expect_test::{Expect, expect};
use ravelin_cfa::{Assumed, SyncOp, external_functions, parse, verify};

const EVERY_CONSTRUCT: &str = include_str!("every_construct.xcfa");

/// A program of large blocks.
const BLOCKS: &str = "\
program ILP32 thread_local
entry main.p0
global x.v0: bv32 signed = 0:bv32

proc main.p0() {
  local a.v1: bv32 signed
  entry l0
  exit l1
  l0 -> l2: a.v1 := x.v0 @ a.c:1:1;
    choice {
      assume eq(a.v1, 0:bv32) @ a.c:2:1;
      a.v1 := 1:bv32 @ a.c:3:1
    } or {
      assume not(eq(a.v1, 0:bv32)) @ a.c:4:1;
      choice {
        assume bvslt(a.v1, 5:bv32) @ a.c:5:1
      } or {
        assume bvsle(5:bv32, a.v1) @ a.c:6:1
      }
    }
  l2 -> l1: x.v0 := a.v1 @ a.c:7:1;
    return @ a.c:8:1
}
";

fn check_round_trip(text: &str) {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(program.to_string(), text);
}

fn check_verifies(text: &str) {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}"));
    if let Err(violations) = verify(&program) {
        let messages: Vec<String> = violations.iter().map(ToString::to_string).collect();
        panic!("{}", messages.join("\n"));
    }
}

fn check_error(text: &str, expected: Expect) {
    match parse(text) {
        Ok(_) => panic!("the text should have been rejected"),
        Err(error) => expected.assert_eq(&error.to_string()),
    }
}

#[test]
fn every_construct_reads_back() {
    check_round_trip(EVERY_CONSTRUCT);
    check_verifies(EVERY_CONSTRUCT);
    check_round_trip(BLOCKS);
    check_verifies(BLOCKS);
}

#[test]
fn every_synchronisation_operation_reads_back() {
    for op in SyncOp::ALL {
        let info = op.info();
        let args: Vec<&str> = info
            .args
            .iter()
            .map(|arg| match arg {
                ravelin_cfa::sync::SyncArg::Object => "&m.o0",
                ravelin_cfa::sync::SyncArg::Number => "2:bv32",
            })
            .collect();
        let text = format!(
            "program LP64 source\nobject m.o0: global size 40 align 8 = zero\n\n\
             proc f.p0() {{\n  local r.v0: bv32\n  entry l0\n  exit l1\n  \
             l0 -> l2: r.v0 := {name}({args}) @ a.c:1:1\n  l2 -> l3: {name}({args}) @ a.c:1:1\n  \
             l3 -> l1: return @ a.c:1:1\n}}\n",
            name = info.name,
            args = args.join(", "),
        );
        check_round_trip(&text);
        check_verifies(&text);
    }
}

#[test]
fn every_function_without_body_reads_back() {
    for assumed in Assumed::ALL {
        let name = assumed.name();
        let text = format!(
            "program LP64 source\nentry f.p0\nobject m.o0: global size 40 align 8 = zero\n\n\
             proc f.p0() {{\n  entry l0\n  exit l1\n  \
             l0 -> l2: external {name} \"do it\"(&m.o0, null) @ a.c:2:1\n  \
             l2 -> l1: return @ a.c:3:1\n}}\n\n\
             proc unused.p1() {{\n  entry l0\n  exit l1\n  \
             l0 -> l2: external havoc \"never\"() @ a.c:1:1\n  \
             l2 -> l1: return @ a.c:1:1\n}}\n",
        );
        check_round_trip(&text);
        check_verifies(&text);
        let program = parse(&text).expect("a program");
        let found = external_functions(&program);
        let told: Vec<_> = found.iter().map(|it| (program.name(it.name), it.pos.line)).collect();
        match assumed {
            Assumed::ThroughPointer => assert_eq!(told, []),
            _ => assert_eq!(told, [("do it", 2)]),
        }
    }
}

#[test]
fn operands_keep_their_order_whatever_was_built_before() {
    // The second label builds y + x first, the third x + y: one term, one text.
    let text = "\
program LP64 source
global x.v0: bv32 = 0:bv32
global y.v1: bv32 = 0:bv32

proc f.p0() {
  entry l0
  exit l1
  l0 -> l2: x.v0 := bvmul(y.v1, bvadd(y.v1, 1:bv32))
  l2 -> l3: x.v0 := bvadd(bvmul(y.v1, y.v1), x.v0)
  l3 -> l1: x.v0 := bvadd(x.v0, bvmul(y.v1, y.v1))
}
";
    let once = parse(text).expect("parses").to_string();
    let twice = parse(&once).expect("parses").to_string();
    assert_eq!(once, twice);
}

#[test]
fn large_shared_terms_stay_small_as_text() {
    let mut text = String::from(
        "program LP64 source\n\nproc f.p0() {\n  local x.v0: bv32\n  entry l0\n  exit l1\n  \
         l0 -> l2: x.v0 := let $0 = bvmul(x.v0, x.v0)",
    );
    for number in 1..60 {
        let inner = number - 1;
        text.push_str(&format!(", ${number} = bvmul(${inner}, ${inner})"));
    }
    text.push_str(" in bvmul($59, $59)\n  l2 -> l1: return\n}\n");
    check_round_trip(&text);
}

#[test]
fn deep_terms_need_no_deep_stack() {
    let depth = 100_000;
    let text = format!(
        "program LP64 source\n\nproc f.p0() {{\n  local x.v0: bv32\n  entry l0\n  exit l1\n  \
         l0 -> l2: x.v0 := {}x.v0{}\n  l2 -> l1: return\n}}\n",
        "bvmul(x.v0, ".repeat(depth),
        ")".repeat(depth),
    );
    let run = move || check_round_trip(&text);
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(run);
    thread.expect("a thread").join().expect("no stack overflow");
}

#[test]
fn messages_say_where_and_what() {
    check_error("", expect!["1:1: expected 'program', found the end of the text"]);
    check_error(
        "program P64 source",
        expect!["1:9: unknown data model 'P64': ILP32 or LP64 expected"],
    );
    check_error("program LP64 source\nentry main.p0", expect!["2:7: p0 is not declared"]);
    check_error(
        "program LP64 source\nglobal x.v1: bv32 = 0:bv32",
        expect!["2:27: there are 1 vs, but no v0"],
    );
    let in_body = |label: &str| {
        format!(
            "program LP64 source\nproc f.p0() {{ local a.v0: bv32 local b.v1: bool\n\
             entry l0 exit l1\nl0 -> l1: {label}\n}}"
        )
    };
    check_error(
        &in_body("a.v0 := bvadd(a.v0, b.v1)"),
        expect!["4:19: the operator does not apply to bv32, bool"],
    );
    check_error(&in_body("b.v0 := 0:bv32"), expect!["4:11: v0 is called 'a' before"]);
    check_error(&in_body("a.v0 := 300:bv8"), expect!["4:19: 300 is no constant of sort bv8"]);
    check_error(&in_body("a.v0 := c.v2"), expect!["4:19: v2 is not declared"]);
    check_error(&in_body("c.v2 := 1:bv32"), expect!["4:11: v2 is not declared"]);
    check_error(&in_body("jump"), expect!["4:11: expected an operation, found 'jump'"]);
    check_error(&in_body("assume \"a"), expect!["4:18: unfinished string"]);
    check_error(
        &in_body("return\nl0 -> l900: skip"),
        expect!["3:1: the numbers of locations have holes"],
    );
}

/// A small deterministic generator (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }
}

/// Every text that parses must verify or be rejected, and print back; nothing may panic.
fn check_any_text(text: &str) {
    if let Ok(program) = parse(text) {
        let _ = verify(&program);
        let once = program.to_string();
        let again = parse(&once).unwrap_or_else(|error| panic!("{error}\n{once}"));
        assert_eq!(again.to_string(), once);
    }
}

#[test]
fn no_truncation_panics() {
    let ends = (0..EVERY_CONSTRUCT.len()).filter(|&end| EVERY_CONSTRUCT.is_char_boundary(end));
    for end in ends {
        check_any_text(&EVERY_CONSTRUCT[..end]);
    }
}

#[test]
fn no_mutation_panics() {
    let alphabet: Vec<char> = "0189abelopv$.:;,@&*-=(){}[]\"\\ \n%ü\u{0}".chars().collect();
    let sources: Vec<Vec<char>> =
        [EVERY_CONSTRUCT, BLOCKS].map(|text| text.chars().collect()).into();
    let mut random = Random(0x5eed);
    for round in 0..4_000 {
        let mut text = sources[round % sources.len()].clone();
        for _ in 0..=random.below(3) {
            let at = random.below(text.len());
            match random.below(4) {
                0 => {
                    text.remove(at);
                }
                1 => text.insert(at, alphabet[random.below(alphabet.len())]),
                2 => text[at] = alphabet[random.below(alphabet.len())],
                _ => {
                    let end = (at + random.below(40)).min(text.len());
                    let copy: Vec<char> = text[at..end].to_vec();
                    let to = random.below(text.len());
                    text.splice(to..to, copy);
                }
            }
        }
        check_any_text(&text.into_iter().collect::<String>());
    }
}
