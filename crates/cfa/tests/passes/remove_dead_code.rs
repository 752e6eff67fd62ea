use expect_test::{Expect, expect};

fn check(before: &str, after: Expect) {
    super::check(&["remove-dead-code"], before, after);
}

#[test]
fn chains_of_unread_assignments_go_at_once() {
    check(
        "program LP64 source
         entry main.p0
         proc main.p0() -> bv32 { local a.v0: bv32 local b.v1: bv32 local r.v2: bv32
           entry l0 exit l1
           l0 -> l2: a.v0 := 1:bv32
           l2 -> l3: b.v1 := bvadd(a.v0, 1:bv32)
           l3 -> l4: r.v2 := 5:bv32
           l4 -> l5: a.v0 := havoc uninitialised
           l5 -> l6: r.v2 := 6:bv32
           l6 -> l1: return r.v2 }",
        expect![[r#"
            program LP64 source
            entry main.p0

            proc main.p0() -> bv32 {
              local r.v0: bv32
              entry l0
              exit l2
              l0 -> l1: r.v0 := 6:bv32
              l1 -> l2: return r.v0
            }
        "#]],
    );
}

#[test]
fn what_a_property_may_look_at_stays() {
    check(
        "program LP64 source
         entry main.p0
         global g.v0: bv32 = 0:bv32
         proc main.p0(p.v1) { local p.v1: ptr local a.v2: bv32 local q.v3: ptr local h.v4: bv64
           entry l0 exit l1
           l0 -> l2: a.v2 := load p.v1
           l2 -> l3: a.v2 := havoc input \"__VERIFIER_nondet_int\"
           l3 -> l4: a.v2 := bvsdiv(g.v0, g.v0)
           l4 -> l5: a.v2 := bvsdiv(g.v0, 2:bv32)
           l5 -> l6: q.v3 := alloc heap 4:bv64
           l6 -> l7: g.v0 := 3:bv32
           l7 -> l8: a.v2 := mutex_lock(p.v1)
           l8 -> l1: return }",
        expect![[r#"
            program LP64 source
            entry main.p0
            global g.v0: bv32 = 0:bv32

            proc main.p0(p.v1) {
              local p.v1: ptr
              local a.v2: bv32
              local q.v3: ptr
              entry l0
              exit l7
              l0 -> l1: a.v2 := load p.v1
              l1 -> l2: a.v2 := havoc input "__VERIFIER_nondet_int"
              l2 -> l3: a.v2 := bvsdiv(g.v0, g.v0)
              l3 -> l4: q.v3 := alloc heap 4:bv64
              l4 -> l5: g.v0 := 3:bv32
              l5 -> l6: mutex_lock(p.v1)
              l6 -> l7: return
            }
        "#]],
    );
}

#[test]
fn branches_without_a_difference_go() {
    check(
        "program LP64 source
         entry main.p0
         proc main.p0(c.v0) -> bv32 { local c.v0: bv32 local d.v1: bool local u.v2: bv32
           entry l0 exit l1
           l0 -> l2: d.v1 := eq(c.v0, 0:bv32)
           l2 -> l3: assume d.v1
           l2 -> l4: assume not(d.v1)
           l3 -> l5: u.v2 := 1:bv32
           l4 -> l5: skip
           l5 -> l1: return c.v0 }",
        expect![[r#"
            program LP64 source
            entry main.p0

            proc main.p0(c.v0) -> bv32 {
              local c.v0: bv32
              entry l0
              exit l1
              l0 -> l1: return c.v0
            }
        "#]],
    );
}

#[test]
fn empty_loops_keep_one_step_and_ends_go_to_the_exit() {
    check(
        "program LP64 source
         entry main.p0
         proc main.p0(c.v0) { local c.v0: bool entry l0 exit l1
           l0 -> l2: assume c.v0
           l0 -> l3: assume not(c.v0)
           l2 -> l4: skip
           l4 -> l5: empty
           l5 -> l2: assume true
           l3 -> l6: abort
           l6 -> l2: skip }",
        expect![[r#"
            program LP64 source
            entry main.p0

            proc main.p0(c.v0) {
              local c.v0: bool
              entry l0
              exit l2
              l0 -> l3: assume c.v0
              l0 -> l1: assume not(c.v0)
              l1 -> l2: abort
              l3 -> l3: skip
            }
        "#]],
    );
}

#[test]
fn unused_procedures_variables_and_objects_go() {
    check(
        "program LP64 source
         entry main.p1
         global unused.v0: bv32 = 0:bv32
         global used.v1: ptr = &table.o2
         object f.o0: function f.p0 size 1 align 1 = any
         object g.o1: function g.p2 size 1 align 1 = any
         object table.o2: global size 8 align 8 = { 0: &g.o1 }
         object other.o3: global size 8 align 8 = { 0: &f.o0 }
         proc f.p0() { local a.v2: bv32 entry l0 exit l1 l0 -> l1: return }
         proc main.p1() { local p.v3: ptr local q.v4: ptr local n.v5: bv32
           object dead.o4: local size 4 align 4 = any
           object live.o5: local size 4 align 4 = any
           entry l0 exit l1
           l0 -> l2: scope_begin dead.o4
           l2 -> l3: scope_begin live.o5
           l3 -> l4: p.v3 := load used.v1
           l4 -> l5: store &live.o5, 1:bv32
           l5 -> l6: call *[p.v3]()
           l6 -> l7: scope_end dead.o4
           l7 -> l8: scope_end live.o5
           l8 -> l1: return }
         proc g.p2() { entry l0 exit l1 l0 -> l2: call h.p3() l2 -> l1: return }
         proc h.p3() { entry l0 exit l1 l0 -> l1: return }
         proc i.p4() { entry l0 exit l1 l0 -> l2: call h.p3() l2 -> l1: return }",
        expect![[r#"
            program LP64 source
            entry main.p0
            global used.v0: ptr = &table.o1
            object g.o0: function g.p1 size 1 align 1 = any
            object table.o1: global size 8 align 8 = { 0: &g.o0 }

            proc main.p0() {
              local p.v1: ptr
              object live.o2: local size 4 align 4 = any
              entry l0
              exit l6
              l0 -> l1: scope_begin live.o2
              l1 -> l2: p.v1 := load used.v0
              l2 -> l3: store &live.o2, 1:bv32
              l3 -> l4: call *[p.v1]()
              l4 -> l5: scope_end live.o2
              l5 -> l6: return
            }

            proc g.p1() {
              entry l0
              exit l2
              l0 -> l1: call h.p2()
              l1 -> l2: return
            }

            proc h.p2() {
              entry l0
              exit l1
              l0 -> l1: return
            }
        "#]],
    );
}
