//! Values, control flow, calls and what ends a run, in one thread.

mod common;

use common::{outcome, outcome_text, program, run_seed, status};
use ravelin_base::{Budget, DataModel, SrcPos};
use ravelin_cfa::{Label, Op, Procedure, Program, Sort, VarData, VarKind};
use ravelin_interp::{
    Interpreter, Limit, Outcome, RandomChooser, RunConfig, Undefined, Value, WriteTarget,
};

/// The status of `main` returning a term.
fn returned(term: &str) -> i32 {
    status(&format!(
        "program LP64 source
        entry main.p0
        global x.v0: bv32 signed = 7:bv32
        global y.v1: bv32 signed = -3:bv32
        global d.v2: f64 = 1.5:f64
        global z.v3: bv32 = 0:bv32
        proc main.p0() -> bv32 {{
            return {term}
        }}"
    ))
}

#[test]
fn terms_are_evaluated_and_only_what_is_needed() {
    assert_eq!(returned("bvadd(x.v0, y.v1)"), 4);
    assert_eq!(returned("bvsdiv(x.v0, y.v1)"), -2);
    assert_eq!(returned("bvsrem(y.v1, x.v0)"), -3);
    assert_eq!(returned("bvudiv(y.v1, x.v0)"), (0xffff_fffdu32 / 7) as i32);
    assert_eq!(returned("extract[31:0](sext[64](y.v1))"), -3);
    assert_eq!(returned("ftos[32](fmul(d.v2, stof[f64](x.v0)))"), 10);
    assert_eq!(returned("extract[31:0](ftobits(ftof[f32](d.v2)))"), 0x3fc0_0000);
    assert_eq!(returned("ite(eq(z.v3, 0:bv32), 5:bv32, bvsdiv(x.v0, z.v3))"), 5);
    let lazy = "ite(and(not(eq(z.v3, 0:bv32)), bvslt(0:bv32, bvsdiv(x.v0, z.v3))), 1:bv32, 2:bv32)";
    assert_eq!(returned(lazy), 2);
    let lazy = "ite(or(eq(z.v3, 0:bv32), bvslt(0:bv32, bvsdiv(x.v0, z.v3))), 1:bv32, 2:bv32)";
    assert_eq!(returned(lazy), 1);
}

#[test]
fn conjunctions_do_not_depend_on_the_order_that_the_pool_gives_them() {
    // Terms that exist already come first in a conjunction; both orders must do.
    let quotient = "bvslt(0:bv32, bvsdiv(x.v0, z.v3))";
    let guard = "not(eq(z.v3, 0:bv32))";
    for first in [quotient, guard] {
        for conjunction in
            [format!("and({quotient}, {guard})"), format!("and({guard}, {quotient})")]
        {
            let term = format!("ite({conjunction}, 1:bv32, ite({first}, 2:bv32, 3:bv32))");
            if first == guard {
                assert_eq!(returned(&term), 3, "{term}");
            }
            assert_eq!(returned(&format!("ite({conjunction}, 1:bv32, 4:bv32)")), 4);
        }
    }
    // Where the other operand does not decide, the division counts; so it does inside a division.
    let failing = |term: &str| {
        outcome(&format!(
            "program LP64 source
            entry main.p0
            global x.v0: bv32 signed = 7:bv32
            global z.v1: bv32 = 0:bv32
            proc main.p0() -> bv32 {{
                return {term}
            }}"
        ))
    };
    let quotient = "bvslt(0:bv32, bvsdiv(x.v0, z.v1))";
    for term in [
        format!("ite(and({quotient}, eq(z.v1, 0:bv32)), 1:bv32, 2:bv32)"),
        format!("ite(or({quotient}, bvult(0:bv32, z.v1)), 1:bv32, 2:bv32)"),
        format!(
            "ite(and({quotient}, and(bvslt(bvsrem(x.v0, z.v1), 3:bv32), eq(x.v0, 7:bv32))), 1:bv32, 2:bv32)"
        ),
    ] {
        let outcome = failing(&term);
        let expected = Undefined::DivisionByZero;
        assert!(matches!(outcome, Outcome::Undefined { what, .. } if what == expected), "{term}");
    }
    let nested = format!(
        "ite(and(and({quotient}, bvult(0:bv32, z.v1)), bvslt(bvsrem(x.v0, z.v1), 3:bv32)), 1:bv32, 2:bv32)"
    );
    assert_eq!(failing(&nested), Outcome::Exit(2));
}

#[test]
fn division_by_zero_ends_the_run() {
    let text = |divisor: &str, dividend: &str| {
        format!(
            "program ILP32 source
            entry main.p0
            global a.v0: bv32 signed = {dividend}:bv32
            global b.v1: bv32 signed = {divisor}:bv32
            proc main.p0() -> bv32 {{
                return bvsdiv(a.v0, b.v1)
            }}"
        )
    };
    assert_eq!(outcome_text(&text("0", "1")), "undefined: division by zero at t.c:6:1");
    assert_eq!(outcome_text(&text("-1", "2147483648")), "undefined: division overflow at t.c:6:1");
    assert_eq!(status(&text("-1", "-5")), 5);
}

#[test]
fn loops_and_branches() {
    let text = "program LP64 source
        entry main.p0
        proc main.p0() -> bv32 {
            local i.v0: bv32 signed
            local s.v1: bv32 signed
            i.v0 := 0:bv32
            s.v1 := 0:bv32
            again:
            if bvsle(10:bv32, i.v0) goto done
            s.v1 := bvadd(s.v1, i.v0)
            i.v0 := bvadd(i.v0, 1:bv32)
            goto again
            done:
            return s.v1
        }";
    assert_eq!(status(text), 45);
}

#[test]
fn recursion_has_a_frame_per_call() {
    let text = "program LP64 source
        entry main.p0
        proc main.p0() -> bv32 {
            local r.v0: bv32
            r.v0 := call factorial.p1(10:bv32)
            return r.v0
        }
        proc factorial.p1(n.v1) -> bv32 {
            local n.v1: bv32
            local r.v2: bv32
            if eq(n.v1, 0:bv32) goto base
            r.v2 := call factorial.p1(bvsub(n.v1, 1:bv32))
            return bvmul(n.v1, r.v2)
            base:
            return 1:bv32
        }";
    assert_eq!(status(text), 3_628_800);
    let program = program(&text.replace("eq(n.v1, 0:bv32)", "bvult(bvor(n.v1, 1:bv32), 1:bv32)"));
    let run = run_seed(&program, 1);
    assert_eq!(run.outcome, Outcome::OutOfBudget(Limit::Stack));
}

#[test]
fn blocks_with_choices_are_one_step() {
    let (taken, other) = (build_choice(3), build_choice(4));
    for (program, expected) in [(taken, 11), (other, 21)] {
        let run = run_seed(&program, 1);
        assert_eq!(run.outcome, Outcome::Exit(expected));
        assert_eq!(run.steps, 2);
        assert_eq!(run.trace[0].writes.len(), 3);
    }
}

/// `a := 1; (x == 3 ? a := 10 : a := 20); a := a + 1; return a` with the first three as one edge.
fn build_choice(x: u128) -> Program {
    let mut program = Program::new(DataModel::Lp64);
    let name = program.names.intern("main");
    let pos = SrcPos { file: name, line: 1, column: 1 };
    let procedure = Procedure::new(name, pos);
    let main = program.procs.push(procedure);
    let bv32 = Sort::Bv(32);
    let init = program.terms.bv(32, x);
    let mut var = |kind| program.vars.push(VarData { name, sort: bv32, signed: true, kind, pos });
    let x = var(VarKind::Global { init: Some(init), atomic: false });
    let a = var(VarKind::Local(main));
    let (read_x, read_a) = (program.read(x), program.read(a));
    let terms = &mut program.terms;
    let numbers = [1, 3, 10, 20].map(|number| terms.bv(32, number));
    let [one, three, ten, twenty] = numbers;
    let is_three = terms.eq(read_x, three);
    let is_not = terms.not(is_three);
    let sum = terms.binary(ravelin_term::BinOp::BvAdd, read_a, one);
    let label = |op| Label::new(op, pos);
    let assign = |value| label(Op::Assign { dst: a, value });
    let branches = vec![
        vec![label(Op::Assume(is_three)), assign(ten)],
        vec![label(Op::Assume(is_not)), assign(twenty)],
    ];
    let procedure = &mut program.procs[main];
    procedure.result = Some(bv32);
    let middle = procedure.add_loc();
    let labels = [assign(one), label(Op::Choice(branches)), assign(sum)];
    procedure.add_edge(procedure.entry, middle, labels);
    let exit = procedure.exit;
    procedure.add_edge(middle, exit, [label(Op::Return { value: Some(read_a) })]);
    program.entry = Some(main);
    program.blocks = ravelin_cfa::Blocks::Sequential;
    ravelin_cfa::verify(&program).unwrap();
    program
}

/// A program that returns a term made by `build` from a variable.
fn term_program(
    build: impl FnOnce(&mut Program, ravelin_cfa::Term) -> ravelin_cfa::Term,
) -> Program {
    let mut program = Program::new(DataModel::Lp64);
    let name = program.names.intern("main");
    let pos = SrcPos { file: name, line: 1, column: 1 };
    let main = program.procs.push(Procedure::new(name, pos));
    let init = Some(program.terms.bv(32, 3));
    let kind = VarKind::Global { init, atomic: false };
    let x = program.vars.push(VarData { name, sort: Sort::Bv(32), signed: true, kind, pos });
    let read = program.read(x);
    let value = build(&mut program, read);
    let procedure = &mut program.procs[main];
    procedure.result = Some(Sort::Bv(32));
    let (entry, exit) = (procedure.entry, procedure.exit);
    procedure.add_edge(entry, exit, [Label::new(Op::Return { value: Some(value) }, pos)]);
    program.entry = Some(main);
    program
}

#[test]
fn terms_may_be_deep() {
    use ravelin_term::BinOp;
    const DEPTH: u32 = 100_000;
    let program = term_program(|program, x| {
        let mut term = x;
        for index in 0..DEPTH {
            let op = if index % 2 == 0 { BinOp::BvMul } else { BinOp::BvXor };
            term = program.terms.binary(op, term, x);
        }
        term
    });
    let expected = (0..DEPTH)
        .fold(3i32, |value, i| if i % 2 == 0 { value.wrapping_mul(3) } else { value ^ 3 });
    assert_eq!(run_seed(&program, 1).outcome, Outcome::Exit(expected));
    // And nested in conditions.
    let program = term_program(|program, x| {
        let mut term = x;
        for _ in 0..DEPTH {
            let is_x = program.terms.eq(term, x);
            let next = program.terms.binary(BinOp::BvXor, term, x);
            term = program.terms.ite(is_x, next, x);
        }
        term
    });
    assert_eq!(run_seed(&program, 1).outcome, Outcome::Exit(3));
}

#[test]
fn shared_subterms_are_computed_once() {
    // A tree of 2^200 nodes as a graph of 200.
    let program = term_program(|program, x| {
        let mut term = x;
        for _ in 0..100 {
            let square = program.terms.binary(ravelin_term::BinOp::BvMul, term, term);
            let is_odd = program.terms.eq(square, x);
            let other = program.terms.binary(ravelin_term::BinOp::BvXor, square, x);
            term = program.terms.ite(is_odd, square, other);
        }
        term
    });
    let mut expected = 3u32;
    for _ in 0..100 {
        let square = expected.wrapping_mul(expected);
        expected = if square == 3 { square } else { square ^ 3 };
    }
    assert_eq!(run_seed(&program, 1).outcome, Outcome::Exit(expected as i32));
}

#[test]
fn ends_of_a_run() {
    let ending = |op: &str| {
        outcome_text(&format!(
            "program LP64 source
            entry main.p0
            proc main.p0() -> bv32 {{
                {op}
            }}"
        ))
    };
    assert_eq!(ending("return -1:bv32"), "exit -1");
    assert_eq!(ending("exit 300:bv32"), "exit 300");
    assert_eq!(ending("abort"), "aborted at t.c:4:1");
    assert_eq!(ending("error reach_error"), "error call reached at t.c:4:1");
    assert_eq!(ending("error assert_failed"), "assertion failed at t.c:4:1");
    assert_eq!(ending("unsupported \"goto *\""), "unsupported: goto * at t.c:4:1");
    assert_eq!(ending("assume false\nreturn 0:bv32"), "assumption failed at t.c:4:1");
    assert_eq!(
        ending("atomic_end\nreturn 0:bv32"),
        "undefined: end of an atomic block that did not begin at t.c:4:1"
    );
}

#[test]
fn function_pointers_lead_to_their_function_only() {
    let text = |pointer: &str| {
        format!(
            "program LP64 source
            entry main.p0
            object twice.o0: function twice.p1 size 1 align 1 = any
            object data.o1: global size 4 align 4 = zero
            global p.v0: ptr = {pointer}
            proc main.p0() -> bv32 {{
                local r.v1: bv32
                r.v1 := call *[p.v0](21:bv32)
                return r.v1
            }}
            proc twice.p1(n.v2) -> bv32 {{
                local n.v2: bv32
                return bvmul(n.v2, 2:bv32)
            }}"
        )
    };
    assert_eq!(status(&text("&twice.o0")), 42);
    assert_eq!(
        outcome_text(&text("null")),
        "invalid memory: call through a null pointer at t.c:8:1"
    );
    assert_eq!(
        outcome_text(&text("&data.o1")),
        "invalid memory: call through a pointer to no function at t.c:8:1: offset 0 of 'data' of 4 bytes"
    );
    assert_eq!(
        outcome_text(&text("ptradd(&twice.o0, 1:bv64)")),
        "invalid memory: call through a pointer to no function at t.c:8:1: offset 1 of 'twice' of 1 byte"
    );
}

#[test]
fn calls_through_pointers_of_another_type() {
    let text = |argument: &str| {
        format!(
            "program LP64 source
            entry main.p0
            object f.o0: function f.p1 size 1 align 1 = any
            proc main.p0() -> bv32 {{
                local r.v0: bv32
                r.v0 := call *[&f.o0]({argument})
                return r.v0
            }}
            proc f.p1(n.v1) -> bv64 {{
                local n.v1: bv32
                return zext[64](bvadd(n.v1, 1:bv32))
            }}"
        )
    };
    // Registers are as wide as they are: the upper half is not looked at.
    assert_eq!(status(&text("4294967301:bv64")), 6);
    assert_eq!(status(&text("5:bv32, 6:bv32")), 6);
    let mismatch = outcome(&text("1.0:f64"));
    assert!(matches!(mismatch, Outcome::Undefined { what: Undefined::CallMismatch, .. }));
}

#[test]
fn a_missing_result_is_any_value() {
    let text = "program LP64 source
        entry main.p0
        object f.o0: function f.p1 size 1 align 1 = any
        proc main.p0() -> bv32 {
            local r.v0: bv32
            r.v0 := call *[&f.o0]()
            return r.v0
        }
        proc f.p1() {
            return
        }";
    let program = program(text);
    let statuses: std::collections::BTreeSet<_> =
        (0..30).map(|seed| run_seed(&program, seed).outcome).collect();
    assert!(statuses.len() > 3, "{statuses:?}");
}

#[test]
fn inputs_come_from_the_chooser_and_are_in_the_schedule() {
    let text = "program LP64 source
        entry main.p0
        proc main.p0() -> bv32 {
            local n.v0: bv32 signed
            local c.v1: bv8
            n.v0 := havoc input \"__VERIFIER_nondet_int\"
            c.v1 := havoc input \"__VERIFIER_nondet_uchar\"
            return bvadd(n.v0, zext[32](c.v1))
        }";
    let program = program(text);
    let mut replay = ravelin_interp::Replay::new(";v=-5,255".parse().unwrap());
    let run = ravelin_interp::run(&program, &mut replay, &RunConfig::default());
    assert_eq!(run.outcome, Outcome::Exit(250));
    assert_eq!(run.schedule.to_string(), "0x3;v=-5,255");
    for seed in 0..100 {
        run_seed(&program, seed);
    }
}

#[test]
fn a_trace_tells_what_each_step_wrote() {
    let text = "program LP64 source
        entry main.p0
        object cell.o0: global size 8 align 4 = zero
        proc main.p0() -> bv32 {
            local n.v0: bv32 signed
            n.v0 := 5:bv32
            store ptradd(&cell.o0, 4:bv64), n.v0
            return n.v0
        }";
    let program = program(text);
    let run = run_seed(&program, 1);
    assert_eq!(run.trace.len(), 3);
    let lines: Vec<_> = run.trace.iter().map(|event| event.pos.line).collect();
    assert_eq!(lines, [6, 7, 8]);
    let write = &run.trace[0].writes[0];
    assert_eq!(write.value, Value::Bv { width: 32, bits: 5 });
    assert!(matches!(write.target, WriteTarget::Var(_)));
    assert_eq!(run.trace[1].writes[0].target, WriteTarget::Memory("'cell'+4".into()));
    assert!(run.trace.iter().all(|event| event.edge.is_some()));
}

#[test]
fn printf_goes_to_the_output() {
    let text = "program ILP32 source
        entry main.p0
        object format.o0: constant size 12 align 1 = bytes \"256420257320256325250a00\"
        object text.o1: constant size 3 align 1 = bytes \"686900\"
        proc main.p0() -> bv32 {
            print(&format.o0, -7:bv32, &text.o1, 33:bv32)
            print(&text.o1)
            return 0:bv32
        }";
    let run = run_seed(&program(text), 1);
    assert_eq!(String::from_utf8(run.output).unwrap(), "-7 hi !%\nhi");
    let wrong = outcome_text(&text.replace("-7:bv32, ", ""));
    assert_eq!(wrong, "undefined: printf arguments that do not fit the format at t.c:6:1");
}

#[test]
fn budgets_end_a_run() {
    let text = "program LP64 source
        entry main.p0
        proc main.p0() -> bv32 {
            local p.v0: ptr
            again:
            p.v0 := alloc heap 65536:bv64
            goto again
        }";
    let program = program(text);
    let interpreter = Interpreter::new(&program);
    let run = |config| interpreter.run(&mut RandomChooser::new(1), &config).outcome;
    let budget = Budget::unlimited().with_steps(1000);
    let config = RunConfig { budget, ..RunConfig::default() };
    assert_eq!(run(config), Outcome::OutOfBudget(Limit::Steps));
    let config = RunConfig { max_memory: 1 << 20, ..RunConfig::default() };
    assert_eq!(run(config), Outcome::OutOfBudget(Limit::Memory));
}
