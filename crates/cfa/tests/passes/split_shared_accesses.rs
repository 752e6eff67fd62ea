use expect_test::{Expect, expect};

/// A program with threads; `body` is main's, `l0` its entry and `l1` its exit.
fn check(body: &str, after: Expect) {
    let before = format!(
        "program LP64 source
         entry main.p0
         global x.v0: bv32 signed = 0:bv32
         global y.v1: bv32 signed = 0:bv32
         global z.v2: bv32 signed = 0:bv32
         global p.v3: ptr = null
         object buf.o0: global size 16 align 4 = zero
         proc worker.p1(arg.v4) -> ptr {{ local arg.v4: ptr entry l0 exit l1
           l0 -> l1: return arg.v4 }}
         proc main.p0() {{
           local a.v5: bv32 signed local h.v6: bv64 local b.v7: bool
           entry l0 exit l1 {body} }}"
    );
    let mut program = super::program(&before);
    let names = ["split-shared-accesses"];
    ravelin_cfa::passes::run(&mut program, &names, &Default::default())
        .unwrap_or_else(|error| panic!("{error}"));
    // Only what is new in main is of interest.
    let text = super::text_of(&program);
    let (_, main) = text.split_once("  local b.v7: bool\n").expect("main is there");
    let (main, _) = main.split_once("}\n").expect("main ends");
    let lines = main.lines().map(|line| format!("{}\n", line.trim_start()));
    after.assert_eq(&lines.collect::<String>());
}

#[test]
fn assignments_over_globals_take_one_step_per_access() {
    check(
        "l0 -> l2: h.v6 := start worker.p1(null)
         l2 -> l3: x.v0 := bvadd(y.v1, z.v2)
         l3 -> l4: x.v0 := bvadd(x.v0, 1:bv32)
         l4 -> l5: a.v5 := bvmul(x.v0, bvadd(y.v1, a.v5))
         l5 -> l6: a.v5 := bvmul(x.v0, x.v0)
         l6 -> l1: return",
        expect![[r#"
              local y%.v8: bv32 signed
              local z%.v9: bv32 signed
              local x%.v10: bv32 signed
              entry l0
              exit l10
              l0 -> l1: h.v6 := start worker.p1(null)
              l1 -> l2: y%.v8 := y.v1
              l2 -> l3: z%.v9 := z.v2
              l3 -> l4: x.v0 := bvadd(y%.v8, z%.v9)
              l4 -> l5: x%.v10 := x.v0
              l5 -> l6: x.v0 := bvadd(x%.v10, 1:bv32)
              l6 -> l7: x%.v10 := x.v0
              l7 -> l8: a.v5 := bvmul(x%.v10, bvadd(y.v1, a.v5))
              l8 -> l9: a.v5 := bvmul(x.v0, x.v0)
              l9 -> l10: return
        "#]],
    );
}

#[test]
fn guards_of_a_location_share_one_read() {
    check(
        "l0 -> l2: h.v6 := start worker.p1(null)
         l2 -> l3: assume bvslt(x.v0, y.v1)
         l2 -> l4: assume bvsle(y.v1, x.v0)
         l3 -> l4: assume eq(z.v2, 0:bv32)
         l4 -> l1: return",
        expect![[r#"
              local x%.v8: bv32 signed
              local y%.v9: bv32 signed
              local z%.v10: bv32 signed
              entry l0
              exit l7
              l0 -> l1: h.v6 := start worker.p1(null)
              l1 -> l2: x%.v8 := x.v0
              l2 -> l3: y%.v9 := y.v1
              l3 -> l4: assume bvslt(x%.v8, y%.v9)
              l3 -> l6: assume bvsle(y%.v9, x%.v8)
              l4 -> l5: z%.v10 := z.v2
              l5 -> l6: assume eq(z%.v10, 0:bv32)
              l6 -> l7: return
        "#]],
    );
}

#[test]
fn accesses_to_memory_count() {
    check(
        "l0 -> l2: h.v6 := start worker.p1(p.v3)
         l2 -> l3: x.v0 := load p.v3
         l3 -> l4: store p.v3, x.v0
         l4 -> l5: store &buf.o0, 1:bv32
         l5 -> l6: x.v0 := mutex_lock(&buf.o0)
         l6 -> l1: return",
        expect![[r#"
              local p%.v8: ptr
              local x%.v9: bv32 signed
              entry l0
              exit l12
              l0 -> l1: p%.v8 := p.v3
              l1 -> l2: h.v6 := start worker.p1(p%.v8)
              l2 -> l3: p%.v8 := p.v3
              l3 -> l4: x%.v9 := load p%.v8
              l4 -> l5: x.v0 := x%.v9
              l5 -> l6: p%.v8 := p.v3
              l6 -> l7: x%.v9 := x.v0
              l7 -> l8: store p%.v8, x%.v9
              l8 -> l9: store &buf.o0, 1:bv32
              l9 -> l10: x%.v9 := mutex_lock(&buf.o0)
              l10 -> l11: x.v0 := x%.v9
              l11 -> l12: return
        "#]],
    );
}

#[test]
fn calls_and_returns_count() {
    check(
        "l0 -> l2: h.v6 := start worker.p1(null)
         l2 -> l3: p.v3 := call worker.p1(p.v3)
         l3 -> l4: call *[p.v3](x.v0, y.v1)
         l4 -> l5: print(&buf.o0, x.v0, y.v1)
         l5 -> l6: x.v0 := havoc input \"__VERIFIER_nondet_int\"
         l6 -> l1: return",
        expect![[r#"
              local p%.v8: ptr
              local x%.v9: bv32 signed
              entry l0
              exit l11
              l0 -> l1: h.v6 := start worker.p1(null)
              l1 -> l2: p%.v8 := p.v3
              l2 -> l3: p%.v8 := call worker.p1(p%.v8)
              l3 -> l4: p.v3 := p%.v8
              l4 -> l5: p%.v8 := p.v3
              l5 -> l6: x%.v9 := x.v0
              l6 -> l7: call *[p%.v8](x%.v9, y.v1)
              l7 -> l8: x%.v9 := x.v0
              l8 -> l9: print(&buf.o0, x%.v9, y.v1)
              l9 -> l10: x.v0 := havoc input "__VERIFIER_nondet_int"
              l10 -> l11: return
        "#]],
    );
}

#[test]
fn a_program_without_threads_stays() {
    let text = "\
program LP64 source
global x.v0: bv32 = 0:bv32
global y.v1: bv32 = 0:bv32

proc main.p0() {
  entry l0
  exit l1
  l0 -> l2: x.v0 := bvadd(x.v0, y.v1)
  l2 -> l1: return
}
";
    let mut program = super::program(text);
    ravelin_cfa::passes::split_shared_accesses(&mut program);
    assert_eq!(super::text_of(&program), text.replace("source", "single"));
}

/// The number of copies and fills in main, by length.
fn lengths(body: &str) -> Vec<u64> {
    let before = format!(
        "program LP64 source
         entry main.p0
         object buf.o0: global size 32 align 8 = zero
         object text.o1: constant size 32 align 1 = zero
         proc worker.p1(arg.v0) -> ptr {{ local arg.v0: ptr entry l0 exit l1
           l0 -> l1: return arg.v0 }}
         proc main.p0() {{
           local h.v1: bv64
           object own.o2: local size 32 align 8 = any
           entry l0 exit l1
           l0 -> l2: h.v1 := start worker.p1(null)
           l2 -> l3: scope_begin own.o2
           l3 -> l4: {body}
           l4 -> l1: return }}"
    );
    let mut program = super::program(&before);
    ravelin_cfa::passes::run(&mut program, &["split-shared-accesses"], &Default::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let mut found = Vec::new();
    program.for_each_label(|_, label| {
        if let ravelin_cfa::Op::Copy { size, .. } | ravelin_cfa::Op::Fill { size, .. } = label.op {
            found.extend(program.terms.as_bv(size).map(|size| size as u64));
        }
    });
    found
}

#[test]
fn short_copies_are_made_word_by_word() {
    // One side is private, or never changes.
    assert_eq!(lengths("copy &buf.o0, &own.o2, 15:bv64"), [8, 4, 2, 1]);
    assert_eq!(lengths("copy &own.o2, &buf.o0, 16:bv64"), [8, 8]);
    assert_eq!(lengths("copy &buf.o0, &text.o1, 8:bv64"), [8]);
    assert_eq!(lengths("fill &buf.o0, 7:bv8, 12:bv64"), [8, 4]);
    // Through an object of the thread.
    assert_eq!(lengths("copy &buf.o0, &buf.o0, 8:bv64"), [8, 8]);
    assert_eq!(lengths("copy &buf.o0, &buf.o0, 12:bv64"), [8, 4, 8, 4]);
    // No other thread sees it, or it is too long.
    assert_eq!(lengths("copy &own.o2, &text.o1, 15:bv64"), [15]);
    assert_eq!(lengths("copy &buf.o0, &own.o2, 17:bv64"), [17]);
}
