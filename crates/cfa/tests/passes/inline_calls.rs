use expect_test::{Expect, expect};

/// Runs the pass and removes what inlining leaves behind.
fn check(before: &str, after: Expect) {
    super::check(&["inline-calls", "remove-dead-code"], before, after);
}

#[test]
fn parameters_results_and_objects_become_the_callers() {
    super::check(
        &["inline-calls"],
        "program LP64 source
         entry main.p0
         global g.v0: bv32 = 0:bv32
         proc main.p0() -> bv32 { local r.v1: bv32 entry l0 exit l1
           l0 -> l2: r.v1 := call f.p1(g.v0, 2:bv32)
           l2 -> l1: return r.v1 }
         proc f.p1(a.v2, b.v3) -> bv32 { local a.v2: bv32 local b.v3: bv32 local u.v4: bv32
           object o.o0: local size 4 align 4 = any
           entry l0 exit l1
           l0 -> l2: scope_begin o.o0
           l2 -> l3: store &o.o0, a.v2
           l3 -> l4: a.v2 := load &o.o0
           l4 -> l5: assume eq(u.v4, 0:bv32)
           l4 -> l6: assume not(eq(u.v4, 0:bv32))
           l5 -> l1: return bvadd(a.v2, b.v3)
           l6 -> l1: abort }",
        expect![[r#"
            program LP64 source
            entry main.p0
            global g.v0: bv32 = 0:bv32

            proc main.p0() -> bv32 {
              local r.v1: bv32
              local a.v5: bv32
              local b.v6: bv32
              local u.v7: bv32
              object o.o1: local size 4 align 4 = any
              entry l0
              exit l14
              l0 -> l1: empty
              l1 -> l2: a.v5 := g.v0
              l2 -> l3: b.v6 := 2:bv32
              l3 -> l4: u.v7 := havoc uninitialised
              l4 -> l5: empty
              l5 -> l6: scope_begin o.o1
              l6 -> l7: store &o.o1, a.v5
              l7 -> l8: a.v5 := load &o.o1
              l8 -> l10: assume eq(u.v7, 0:bv32)
              l8 -> l9: assume not(eq(u.v7, 0:bv32))
              l9 -> l14: abort
              l10 -> l11: r.v1 := bvadd(a.v5, b.v6)
              l11 -> l12: scope_end o.o1
              l12 -> l13: empty
              l13 -> l14: return r.v1
            }

            proc f.p1(a.v2, b.v3) -> bv32 {
              local a.v2: bv32
              local b.v3: bv32
              local u.v4: bv32
              object o.o0: local size 4 align 4 = any
              entry l0
              exit l6
              l0 -> l1: scope_begin o.o0
              l1 -> l2: store &o.o0, a.v2
              l2 -> l3: a.v2 := load &o.o0
              l3 -> l5: assume eq(u.v4, 0:bv32)
              l3 -> l4: assume not(eq(u.v4, 0:bv32))
              l4 -> l6: abort
              l5 -> l6: return bvadd(a.v2, b.v3)
            }
        "#]],
    );
}

#[test]
fn chains_of_calls_vanish_as_a_whole() {
    check(
        "program LP64 source
         entry main.p0
         global g.v0: bv32 = 0:bv32
         proc main.p0() { entry l0 exit l1
           l0 -> l2: call f.p1()
           l2 -> l3: call f.p1()
           l3 -> l1: return }
         proc f.p1() { entry l0 exit l1
           l0 -> l2: call h.p2(1:bv32)
           l2 -> l1: return }
         proc h.p2(i.v1) { local i.v1: bv32 entry l0 exit l1
           l0 -> l2: g.v0 := bvadd(g.v0, i.v1)
           l2 -> l1: return }",
        expect![[r#"
            program LP64 source
            entry main.p0
            global g.v0: bv32 = 0:bv32

            proc main.p0() {
              local i.v1: bv32
              local i.v2: bv32
              entry l0
              exit l5
              l0 -> l1: i.v1 := 1:bv32
              l1 -> l2: g.v0 := bvadd(g.v0, i.v1)
              l2 -> l3: i.v2 := 1:bv32
              l3 -> l4: g.v0 := bvadd(g.v0, i.v2)
              l4 -> l5: return
            }
        "#]],
    );
}

#[test]
fn recursion_frames_with_alloca_and_other_uses_stay() {
    check(
        "program LP64 source
         entry main.p0
         global g.v0: bv32 = 0:bv32
         object t.o0: function t.p4 size 1 align 1 = any
         proc main.p0() { local h.v1: bv64 entry l0 exit l1
           l0 -> l2: call even.p1()
           l2 -> l3: call frame.p3()
           l3 -> l4: call *[&t.o0]()
           l4 -> l5: h.v1 := start t.p4()
           l5 -> l1: return }
         proc even.p1() { entry l0 exit l1
           l0 -> l2: assume eq(g.v0, 0:bv32)
           l0 -> l3: assume not(eq(g.v0, 0:bv32))
           l2 -> l1: return
           l3 -> l4: call odd.p2()
           l4 -> l1: return }
         proc odd.p2() { entry l0 exit l1
           l0 -> l2: g.v0 := bvsub(g.v0, 1:bv32)
           l2 -> l3: call even.p1()
           l3 -> l1: return }
         proc frame.p3() { local p.v2: ptr entry l0 exit l1
           l0 -> l2: p.v2 := alloc stack 4:bv64
           l2 -> l3: store p.v2, 1:bv32
           l3 -> l1: return }
         proc t.p4() { entry l0 exit l1
           l0 -> l2: g.v0 := 1:bv32
           l2 -> l1: return }",
        expect![[r#"
            program LP64 source
            entry main.p0
            global g.v0: bv32 = 0:bv32
            object t.o0: function t.p4 size 1 align 1 = any

            proc main.p0() {
              local h.v1: bv64
              entry l0
              exit l5
              l0 -> l1: call even.p1()
              l1 -> l2: call frame.p3()
              l2 -> l3: call *[&t.o0]()
              l3 -> l4: h.v1 := start t.p4()
              l4 -> l5: return
            }

            proc even.p1() {
              entry l0
              exit l4
              l0 -> l3: assume eq(g.v0, 0:bv32)
              l0 -> l1: assume not(eq(g.v0, 0:bv32))
              l1 -> l2: call odd.p2()
              l2 -> l4: return
              l3 -> l4: return
            }

            proc odd.p2() {
              entry l0
              exit l3
              l0 -> l1: g.v0 := bvadd(g.v0, -1:bv32)
              l1 -> l2: call even.p1()
              l2 -> l3: return
            }

            proc frame.p3() {
              local p.v2: ptr
              entry l0
              exit l3
              l0 -> l1: p.v2 := alloc stack 4:bv64
              l1 -> l2: store p.v2, 1:bv32
              l2 -> l3: return
            }

            proc t.p4() {
              entry l0
              exit l2
              l0 -> l1: g.v0 := 1:bv32
              l1 -> l2: return
            }
        "#]],
    );
}

#[test]
fn a_procedure_that_never_returns_leaves_nothing_after_it() {
    check(
        "program LP64 source
         entry main.p0
         proc main.p0() { entry l0 exit l1
           l0 -> l2: call fail.p1()
           l2 -> l3: call fail.p1()
           l3 -> l1: return }
         proc fail.p1() { entry l0 exit l1
           l0 -> l1: error reach_error }",
        expect![[r#"
            program LP64 source
            entry main.p0

            proc main.p0() {
              entry l0
              exit l1
              l0 -> l1: error reach_error
            }
        "#]],
    );
}

#[test]
fn large_procedures_are_inlined_only_where_they_are_called_once() {
    let mut body = String::new();
    for loc in 2..32 {
        body.push_str(&format!("l{loc} -> l{}: g.v0 := bvadd(g.v0, 1:bv32)\n", loc + 1));
    }
    let text = |calls: &str| {
        format!(
            "program LP64 source
             entry main.p0
             global g.v0: bv32 = 0:bv32
             proc main.p0() {{ entry l0 exit l1 {calls} }}
             proc f.p1() {{ entry l0 exit l1 l0 -> l2: skip {body} l32 -> l1: return }}"
        )
    };
    let count = |calls: &str| {
        let mut program = super::program(&text(calls));
        let names = ["inline-calls", "remove-dead-code"];
        ravelin_cfa::passes::run(&mut program, &names, &Default::default())
            .unwrap_or_else(|error| panic!("{error}"));
        program.procs.len()
    };
    assert_eq!(count("l0 -> l2: call f.p1() l2 -> l1: return"), 1);
    assert_eq!(count("l0 -> l2: call f.p1() l2 -> l3: call f.p1() l3 -> l1: return"), 2);
}
