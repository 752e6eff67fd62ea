//! Each test breaks one invariant, and the verifier must name it.

use ravelin_base::{EntityRef, SrcPos};
use ravelin_cfa::verify::{Rule, is_negation, verify};
use ravelin_cfa::{Edge, Loc, Op, Program, parse};
use ravelin_term::BinOp;

/// A small correct program of one procedure, with one of everything.
fn program_with(body: &str, blocks: &str) -> Program {
    let text = format!(
        "program LP64 {blocks}\nentry main.p0\n\
         global x.v0: bv32 signed = 0:bv32\nglobal y.v1: bv32 signed = 0:bv32\n\
         object buf.o0: global size 16 align 4 = zero\n\
         proc other.p1(q.v7) -> ptr {{\n\
           local q.v7: ptr local z.v8: bv32\n\
           object far.o2: local size 4 align 4 = any\n\
           entry l0 exit l1\n  l0 -> l1: return q.v7 @ t.c:1:1\n}}\n\
         proc main.p0() -> bv32 {{\n\
           local a.v2: bv32 local p.v3: ptr local h.v4: bv64 local b.v5: bool\n\
           local n.v6: bv7 local c.v9: bv8\n\
           object loc.o1: local size 4 align 4 = any\n\
           entry l0 exit l1\n{body}\n}}\n"
    );
    let mut program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    give_positions(&mut program);
    program
}

/// Puts a position on every label that has none.
fn give_positions(program: &mut Program) {
    let file = program.names.intern("t.c");
    for procedure in program.procs.values_mut() {
        for edge in procedure.edges.values_mut() {
            for label in &mut edge.labels {
                place_label(label, SrcPos { file, line: 1, column: 1 });
            }
        }
    }
}

fn place_label(label: &mut ravelin_cfa::Label, pos: SrcPos) {
    label.pos = pos;
    if let Op::Choice(branches) = &mut label.op {
        branches.iter_mut().flatten().for_each(|label| place_label(label, pos));
    }
}

fn check_holds(program: &Program) {
    if let Err(violations) = verify(program) {
        panic!("{violations:?}");
    }
}

/// The verifier reports exactly one violation, of this rule, with these words in it.
fn check_broken(program: &Program, rule: Rule, words: &str) {
    let violations = verify(program).expect_err("the invariant is broken");
    let message = violations[0].to_string();
    assert_eq!(violations.len(), 1, "{violations:?}");
    assert_eq!(violations[0].rule, rule, "{message}");
    assert!(message.contains(words), "{message}");
}

fn check_body(body: &str, rule: Rule, words: &str) {
    check_broken(&program_with(body, "source"), rule, words);
}

const RETURN: &str = "l2 -> l1: return a.v2";

#[test]
fn the_base_program_is_correct() {
    check_holds(&program_with("l0 -> l1: return a.v2", "source"));
    check_holds(&program_with(
        &format!("l0 -> l2: h.v4 := start other.p1(null) {RETURN}"),
        "single",
    ));
}

#[test]
fn automata_have_no_terms_about_memory() {
    let body = "l0 -> l1: return a.v2";
    let mut program = program_with(body, "source");
    check_holds(&program);
    program.vars[ravelin_term::Var::new(7)].sort = ravelin_term::Sort::Mem;
    let violations = verify(&program).expect_err("a variable holds a memory");
    assert!(violations.iter().any(|found| found.to_string().contains("memory is for")));

    let mut program = program_with(body, "source");
    let terms = &mut program.terms;
    let (number, offset) = (terms.bv(32, 1 << 31), terms.offset(0));
    terms.binary(BinOp::PtrMake, number, offset);
    check_broken(&program, Rule::Terms, "ptrmake is for the terms of analyses");
}

#[test]
fn operands_have_their_sorts() {
    for (label, words) in [
        ("assume a.v2", "the assumption must be bool"),
        ("a.v2 := p.v3", "the value must be bv32"),
        ("b.v5 := load p.v3", "bool cannot be loaded"),
        ("n.v6 := load p.v3", "bv7 cannot be loaded"),
        ("a.v2 := load a.v2", "the address must be ptr"),
        ("store p.v3, b.v5", "bool cannot be stored"),
        ("store a.v2, a.v2", "the address must be ptr"),
        ("copy p.v3, p.v3, a.v2", "the size must be bv64"),
        ("copy h.v4, p.v3, h.v4", "the destination must be ptr"),
        ("copy p.v3, h.v4, h.v4", "the source must be ptr"),
        ("fill p.v3, a.v2, h.v4", "the byte must be bv8"),
        ("fill p.v3, c.v9, a.v2", "the size must be bv64"),
        ("fill a.v2, c.v9, h.v4", "the destination must be ptr"),
        ("havoc_memory(p.v3, a.v2)", "a pointer must be ptr"),
        ("a.v2 := alloc heap h.v4", "v2 must be ptr"),
        ("p.v3 := alloc heap a.v2", "the size must be bv64"),
        ("p.v3 := realloc a.v2, h.v4", "the address must be ptr"),
        ("p.v3 := realloc p.v3, a.v2", "the size must be bv64"),
        ("a.v2 := realloc p.v3, h.v4", "v2 must be ptr"),
        ("free a.v2", "the address must be ptr"),
        ("call other.p1()", "takes 1 arguments, not 0"),
        ("call other.p1(a.v2)", "an argument must be ptr"),
        ("a.v2 := call other.p1(null)", "another sort"),
        ("call *[a.v2]()", "the callee must be ptr"),
        ("a.v2 := start other.p1(null)", "v2 must be bv64"),
        ("h.v4 := start other.p1()", "takes 1 arguments, not 0"),
        ("join a.v2", "the handle must be bv64"),
        ("a.v2 := join h.v4", "v2 must be ptr"),
        ("a.v2 := thread_self", "v2 must be bv64"),
        ("mutex_init(p.v3)", "mutex_init takes 2 arguments"),
        ("mutex_lock(a.v2)", "the object must be ptr"),
        ("sem_init(p.v3, p.v3)", "the number must be bv32"),
        ("cond_wait(p.v3, a.v2)", "the object must be ptr"),
        ("p.v3 := mutex_lock(p.v3)", "v3 must be bv32"),
        ("print(a.v2)", "the format must be ptr"),
        ("print()", "without a format"),
        ("external through_pointer \"f\"()", "through no pointer"),
    ] {
        check_body(&format!("l0 -> l2: {label} {RETURN}"), Rule::Sorts, words);
    }
    for (label, words) in [
        ("thread_exit a.v2", "the thread's value must be ptr"),
        ("exit h.v4", "the status must be bv32"),
        ("return h.v4", "the result must be bv32"),
        ("return", "a return without a value"),
    ] {
        check_body(&format!("l0 -> l1: {label}"), Rule::Sorts, words);
    }
}

#[test]
fn a_void_procedure_returns_no_value_and_a_call_gets_none() {
    let text = "program LP64 source
        proc f.p0() { local a.v0: bv32 entry l0 exit l1
          l0 -> l2: a.v0 := call f.p0() @ t.c:1:1
          l2 -> l1: return a.v0 @ t.c:1:1 }";
    let violations = verify(&parse(text).expect("parses")).expect_err("broken twice");
    let rules: Vec<Rule> = violations.iter().map(|violation| violation.rule).collect();
    assert_eq!(rules, [Rule::Sorts, Rule::Sorts]);
}

#[test]
fn locals_stay_in_their_procedure() {
    check_body(&format!("l0 -> l2: a.v2 := z.v8 {RETURN}"), Rule::Ownership, "another procedure");
    check_body(&format!("l0 -> l2: z.v8 := a.v2 {RETURN}"), Rule::Ownership, "v8 is another");
    check_body(
        &format!("l0 -> l2: p.v3 := &far.o2 {RETURN}"),
        Rule::Ownership,
        "another procedure",
    );
    check_body(
        &format!("l0 -> l2: scope_begin far.o2 {RETURN}"),
        Rule::Ownership,
        "no local object",
    );
    check_body(&format!("l0 -> l2: scope_end buf.o0 {RETURN}"), Rule::Ownership, "no local object");
}

#[test]
fn graphs_have_guards_and_ends() {
    check_body("l0 -> l2: skip", Rule::Graph, "no edge leaves");
    check_body("l0 -> l1: return a.v2 l1 -> l0: skip", Rule::Graph, "exit location has outgoing");
    let fork = |first: &str, second: &str| format!("l0 -> l2: {first} l0 -> l2: {second} {RETURN}");
    check_holds(&program_with(&fork("assume b.v5", "assume not(b.v5)"), "source"));
    check_holds(&program_with(
        &fork("assume bvslt(a.v2, x.v0)", "assume bvsle(x.v0, a.v2)"),
        "source",
    ));
    check_body(&fork("assume b.v5", "skip"), Rule::Graph, "does not begin with an assumption");
    check_body(&fork("assume b.v5", "assume b.v5"), Rule::Graph, "not the other's negation");
    check_body(
        &fork("assume bvslt(a.v2, x.v0)", "assume bvslt(x.v0, a.v2)"),
        Rule::Graph,
        "not the other's negation",
    );
}

#[test]
fn procedures_end_with_a_return_or_the_like() {
    for end in [
        "return a.v2",
        "thread_exit p.v3",
        "error reach_error",
        "exit a.v2",
        "abort",
        "unsupported \"asm\"",
        "assume false",
    ] {
        check_holds(&program_with(&format!("l0 -> l1: {end}"), "source"));
    }
    check_body("l0 -> l1: skip", Rule::Ends, "does not end with a return");
    check_body("l0 -> l1: assume b.v5", Rule::Ends, "does not end with a return");
    check_body(&format!("l0 -> l2: return a.v2 {RETURN}"), Rule::Ends, "not the last label");
    check_holds(&program_with(&format!("l0 -> l2: abort {RETURN}"), "source"));
    let program = program_with("l0 -> l1: abort; return a.v2", "sequential");
    check_broken(&program, Rule::Ends, "something follows");
}

#[test]
fn labels_have_positions() {
    let mut program = program_with("l0 -> l2: skip l2 -> l1: return a.v2", "source");
    let main = program.entry.expect("an entry");
    program.procs[main].edges[Edge::new(0)].labels[0].pos = SrcPos::NONE;
    check_holds(&program);
    program.procs[main].edges[Edge::new(1)].labels[0].pos = SrcPos::NONE;
    check_broken(&program, Rule::Positions, "no position");
}

#[test]
fn references_exist() {
    let mut program = program_with("l0 -> l1: return a.v2", "source");
    let main = program.entry.expect("an entry");
    let good = program.clone();
    program.procs[main].edges[Edge::new(0)].target = Loc::new(7);
    let violations = verify(&program).expect_err("the target does not exist");
    assert_eq!(violations[0].rule, Rule::References);
    program = good.clone();
    program.procs[main].locs[Loc::new(0)].out.push(Edge::new(0));
    check_broken(&program, Rule::References, "listed twice");
    program = good.clone();
    program.procs[main].edges[Edge::new(0)].source = Loc::new(1);
    let violations = verify(&program).expect_err("the edge is listed elsewhere");
    assert!(violations.iter().all(|violation| violation.rule == Rule::References));
    program = good.clone();
    program.entry = Some(ravelin_cfa::Proc::new(9));
    check_broken(&program, Rule::References, "p9 does not exist");
    program = good.clone();
    program.terms.address(ravelin_cfa::Object::new(99));
    check_broken(&program, Rule::References, "o99 does not exist");
    program = good.clone();
    program.terms.var(ravelin_cfa::Var::new(99), ravelin_cfa::Sort::Bool);
    check_broken(&program, Rule::References, "v99 does not exist");
    program = good.clone();
    program.terms.var(ravelin_cfa::Var::new(0), ravelin_cfa::Sort::Bool);
    check_broken(&program, Rule::Terms, "reads v0 as bool");
    program = good.clone();
    program.procs[main].exit = Loc::new(9);
    let violations = verify(&program).expect_err("the exit does not exist");
    assert_eq!(violations[0].rule, Rule::References);
    program = good;
    program.procs[main].params.push(ravelin_cfa::Var::new(0));
    check_broken(&program, Rule::Ownership, "no local of the procedure");
}

#[test]
fn initial_values_are_closed_and_fit() {
    let declare = |declaration: &str| {
        parse(&format!("program LP64 source\nglobal g.v0: bv32 = 0:bv32\n{declaration}"))
            .unwrap_or_else(|error| panic!("{error}"))
    };
    let object = |init: &str| declare(&format!("object o.o0: global size 8 align 8 = {init}"));
    check_holds(&object("{ 0: 1:bv32, 4: 2:bv32 }"));
    check_broken(&object("{ 0: 1:bv64, 4: 2:bv32 }"), Rule::Terms, "overlap");
    check_broken(&object("{ 4: 1:bv32, 0: 2:bv32 }"), Rule::Terms, "do not ascend");
    check_broken(&object("{ 6: 1:bv32 }"), Rule::Terms, "outside the object");
    check_broken(&object("{ 0: true }"), Rule::Terms, "no size in bytes");
    check_broken(&object("{ 0: g.v0 }"), Rule::Terms, "not closed");
    check_broken(&object("bytes \"000000000000000000\""), Rule::Terms, "more initial bytes");
    let align = declare("object o.o0: global size 8 align 3 = zero");
    check_broken(&align, Rule::Terms, "no power of two");
    let tls = "object t.o0: thread_local size 8 align 8 = zero\n";
    check_broken(&declare(&format!("{tls}global p.v1: ptr = &t.o0")), Rule::Terms, "not closed");
    check_broken(&declare("global h.v1: bv32 = g.v0"), Rule::Terms, "not closed");
    check_broken(&declare("global h.v1: bv32 = 0:bv8"), Rule::Terms, "another sort");
}

#[test]
fn blocks_hold_no_more_than_they_say() {
    let start = "l2 -> l3: h.v4 := start other.p1(null) l3 -> l1: return a.v2";
    let two =
        |labels: &str, blocks: &str| program_with(&format!("l0 -> l2: {labels} {start}"), blocks);
    check_broken(&two("skip; skip", "source"), Rule::Blocks, "more than one label");
    check_holds(&two("x.v0 := y.v1", "source"));
    for (labels, holds) in [
        ("a.v2 := x.v0", true),
        ("x.v0 := a.v2", true),
        ("x.v0 := y.v1", false),
        ("x.v0 := bvadd(x.v0, 1:bv32)", false),
        ("a.v2 := bvadd(x.v0, y.v1)", false),
        ("a.v2 := bvmul(x.v0, x.v0)", true),
        ("a.v2 := load &buf.o0", true),
        ("x.v0 := load &buf.o0", false),
        ("store &buf.o0, x.v0", false),
        ("x.v0 := load &loc.o1", true),
        ("copy &buf.o0, &loc.o1, 4:bv64", true),
        ("mutex_lock(&buf.o0)", true),
        ("x.v0 := mutex_lock(&buf.o0)", false),
        ("print(&buf.o0, x.v0)", true),
    ] {
        let program = two(labels, "single");
        match holds {
            true => check_holds(&program),
            false => check_broken(&program, Rule::Blocks, "more than one shared location"),
        }
    }
    check_holds(&two("a.v2 := x.v0; b.v5 := eq(a.v2, 0:bv32)", "thread_local"));
    check_broken(&two("a.v2 := x.v0; y.v1 := a.v2", "thread_local"), Rule::Blocks, "shared");
    check_broken(&two("skip; mutex_lock(&buf.o0)", "thread_local"), Rule::Blocks, "may wait");
    check_broken(
        &two("call other.p1(null); a.v2 := 1:bv32", "thread_local"),
        Rule::Blocks,
        "closes a block",
    );
    check_broken(&two("atomic_end; a.v2 := 1:bv32", "thread_local"), Rule::Blocks, "closes");
    check_holds(&two("a.v2 := 1:bv32; atomic_end", "thread_local"));
    check_holds(&two("a.v2 := x.v0; assume b.v5", "thread_local"));
    for stop in ["assume b.v5", "a.v2 := bvsdiv(a.v2, a.v2)", "store &loc.o1, 1:bv32"] {
        let program = two(&format!("x.v0 := a.v2; {stop}"), "thread_local");
        check_broken(&program, Rule::Blocks, "may stop after what others can see");
    }
    check_broken(&two("skip", "sequential"), Rule::Blocks, "several threads");
    let choice = |second: &str| {
        two(&format!("choice {{ assume b.v5; x.v0 := 1:bv32 }} or {{ {second} }}"), "thread_local")
    };
    check_holds(&choice("assume not(b.v5); y.v1 := 1:bv32"));
    check_broken(&choice("skip"), Rule::Graph, "does not begin with an assumption");
    check_broken(&choice("assume b.v5"), Rule::Graph, "negation");
}

#[test]
fn negations_are_recognised() {
    let mut program = program_with("l0 -> l1: return a.v2", "source");
    let terms = &mut program.terms;
    let (a, b) = (ravelin_cfa::Var::new(2), ravelin_cfa::Var::new(5));
    let a = terms.var(a, ravelin_cfa::Sort::Bv(32));
    let five = terms.bv(32, 5);
    let mut conditions = vec![terms.var(b, ravelin_cfa::Sort::Bool), terms.bool(true)];
    for op in [BinOp::Eq, BinOp::BvUlt, BinOp::BvUle, BinOp::BvSlt, BinOp::BvSle] {
        conditions.push(terms.binary(op, a, five));
        conditions.push(terms.binary(op, five, a));
    }
    for &condition in &conditions {
        let negation = terms.not(condition);
        assert!(is_negation(terms, condition, negation) && is_negation(terms, negation, condition));
        for &other in &conditions {
            assert_eq!(is_negation(terms, condition, other), other == negation);
        }
    }
}

#[test]
fn many_violations_are_cut_off() {
    let mut body = String::new();
    for loc in 0..300 {
        let source = if loc == 0 { 0 } else { loc + 1 };
        body.push_str(&format!("l{source} -> l{}: assume a.v2\n", loc + 2));
    }
    body.push_str("l301 -> l1: return a.v2");
    let violations = verify(&program_with(&body, "source")).expect_err("all are broken");
    assert_eq!(violations.len(), ravelin_cfa::verify::MAX_VIOLATIONS);
}
