use expect_test::{Expect, expect};

fn check(before: &str, after: Expect) {
    super::check(&["propagate-constants"], before, after);
}

#[test]
fn values_go_into_terms_and_decide_guards() {
    check(
        "program LP64 source
         proc main.p0() -> bv32 { local i.v0: bv32 local j.v1: bv32 entry l0 exit l1
           l0 -> l2: i.v0 := 1:bv32
           l2 -> l3: assume bvslt(i.v0, 2:bv32)
           l2 -> l4: assume bvsle(2:bv32, i.v0)
           l3 -> l5: j.v1 := bvadd(i.v0, 4:bv32)
           l4 -> l5: j.v1 := 7:bv32
           l5 -> l1: return j.v1 }",
        expect![[r#"
            program LP64 source

            proc main.p0() -> bv32 {
              local i.v0: bv32
              local j.v1: bv32
              entry l0
              exit l4
              l0 -> l1: i.v0 := 1:bv32
              l1 -> l2: skip
              l2 -> l3: j.v1 := 5:bv32
              l3 -> l4: return 5:bv32
            }
        "#]],
    );
}

#[test]
fn a_value_must_be_the_same_along_all_ways() {
    check(
        "program LP64 source
         proc main.p0(c.v0) -> bv32 { local c.v0: bool local i.v1: bv32 local j.v2: bv32
           entry l0 exit l1
           l0 -> l2: j.v2 := 3:bv32
           l2 -> l3: assume c.v0
           l2 -> l4: assume not(c.v0)
           l3 -> l5: i.v1 := 1:bv32
           l4 -> l5: i.v1 := 2:bv32
           l5 -> l1: return bvadd(i.v1, j.v2) }",
        expect![[r#"
            program LP64 source

            proc main.p0(c.v0) -> bv32 {
              local c.v0: bool
              local i.v1: bv32
              local j.v2: bv32
              entry l0
              exit l5
              l0 -> l1: j.v2 := 3:bv32
              l1 -> l3: assume c.v0
              l1 -> l2: assume not(c.v0)
              l2 -> l4: i.v1 := 2:bv32
              l3 -> l4: i.v1 := 1:bv32
              l4 -> l5: return bvadd(i.v1, 3:bv32)
            }
        "#]],
    );
}

#[test]
fn loops_keep_what_changes_in_them() {
    check(
        "program LP64 source
         proc main.p0() -> bv32 { local i.v0: bv32 local n.v1: bv32 entry l0 exit l1
           l0 -> l2: i.v0 := 0:bv32
           l2 -> l3: n.v1 := 10:bv32
           l3 -> l4: assume bvslt(i.v0, n.v1)
           l3 -> l5: assume bvsle(n.v1, i.v0)
           l4 -> l3: i.v0 := bvadd(i.v0, 1:bv32)
           l5 -> l1: return i.v0 }",
        expect![[r#"
            program LP64 source

            proc main.p0() -> bv32 {
              local i.v0: bv32
              local n.v1: bv32
              entry l0
              exit l4
              l0 -> l1: i.v0 := 0:bv32
              l1 -> l2: n.v1 := 10:bv32
              l2 -> l5: assume bvslt(i.v0, 10:bv32)
              l2 -> l3: assume bvsle(10:bv32, i.v0)
              l3 -> l4: return i.v0
              l5 -> l2: i.v0 := bvadd(i.v0, 1:bv32)
            }
        "#]],
    );
}

#[test]
fn an_uninitialised_local_has_no_value() {
    check(
        "program LP64 source
         proc main.p0(c.v0) -> bv32 { local c.v0: bool local i.v1: bv32 entry l0 exit l1
           l0 -> l2: assume c.v0
           l0 -> l3: assume not(c.v0)
           l2 -> l3: i.v1 := 1:bv32
           l3 -> l1: return i.v1 }",
        expect![[r#"
            program LP64 source

            proc main.p0(c.v0) -> bv32 {
              local c.v0: bool
              local i.v1: bv32
              entry l0
              exit l3
              l0 -> l1: assume c.v0
              l0 -> l2: assume not(c.v0)
              l1 -> l2: i.v1 := 1:bv32
              l2 -> l3: return i.v1
            }
        "#]],
    );
}

#[test]
fn equalities_of_guards_are_learned_but_not_for_addresses() {
    check(
        "program LP64 source
         object o.o0: global size 4 align 4 = zero
         proc main.p0(i.v0, p.v1) -> bv32 { local i.v0: bv32 local p.v1: ptr local b.v2: bv32
           entry l0 exit l1
           l0 -> l2: assume eq(i.v0, 5:bv32)
           l2 -> l3: assume eq(p.v1, &o.o0)
           l3 -> l4: b.v2 := load p.v1
           l4 -> l1: return bvadd(i.v0, b.v2) }",
        expect![[r#"
            program LP64 source
            object o.o0: global size 4 align 4 = zero

            proc main.p0(i.v0, p.v1) -> bv32 {
              local i.v0: bv32
              local p.v1: ptr
              local b.v2: bv32
              entry l0
              exit l4
              l0 -> l1: assume eq(i.v0, 5:bv32)
              l1 -> l2: assume eq(p.v1, &o.o0)
              l2 -> l3: b.v2 := load p.v1
              l3 -> l4: return bvadd(b.v2, 5:bv32)
            }
        "#]],
    );
}

#[test]
fn globals_are_constant_if_nobody_writes_them() {
    check(
        "program LP64 source
         global n.v0: bv32 = 4:bv32
         global m.v1: bv32 = 4:bv32
         global e.v2: bv32 = any
         thread_local t.v3: ptr = null
         proc main.p0() -> ptr { entry l0 exit l1
           l0 -> l2: m.v1 := bvadd(n.v0, m.v1)
           l2 -> l3: m.v1 := e.v2
           l3 -> l1: return t.v3 }",
        expect![[r#"
            program LP64 source
            global n.v0: bv32 = 4:bv32
            global m.v1: bv32 = 4:bv32
            global e.v2: bv32 = any
            thread_local t.v3: ptr = null

            proc main.p0() -> ptr {
              entry l0
              exit l3
              l0 -> l1: m.v1 := bvadd(m.v1, 4:bv32)
              l1 -> l2: m.v1 := e.v2
              l2 -> l3: return null
            }
        "#]],
    );
}

#[test]
fn an_assumption_that_fails_ends_the_execution() {
    check(
        "program LP64 source
         proc main.p0() { local i.v0: bv32 entry l0 exit l1
           l0 -> l2: i.v0 := 1:bv32
           l2 -> l3: assume eq(i.v0, 0:bv32)
           l3 -> l1: error reach_error }",
        expect![[r#"
            program LP64 source

            proc main.p0() {
              local i.v0: bv32
              entry l0
              exit l2
              l0 -> l1: i.v0 := 1:bv32
              l1 -> l2: assume false
            }
        "#]],
    );
}

#[test]
fn calls_do_not_change_locals_but_their_results_are_unknown() {
    check(
        "program LP64 source
         proc f.p0() -> bv32 { entry l0 exit l1 l0 -> l1: return 3:bv32 }
         proc main.p1() -> bv32 { local i.v0: bv32 local j.v1: bv32 entry l0 exit l1
           l0 -> l2: i.v0 := 1:bv32
           l2 -> l3: j.v1 := 1:bv32
           l3 -> l4: j.v1 := call f.p0()
           l4 -> l1: return bvadd(i.v0, j.v1) }",
        expect![[r#"
            program LP64 source

            proc f.p0() -> bv32 {
              entry l0
              exit l1
              l0 -> l1: return 3:bv32
            }

            proc main.p1() -> bv32 {
              local i.v0: bv32
              local j.v1: bv32
              entry l0
              exit l4
              l0 -> l1: i.v0 := 1:bv32
              l1 -> l2: j.v1 := 1:bv32
              l2 -> l3: j.v1 := call f.p0()
              l3 -> l4: return bvadd(j.v1, 1:bv32)
            }
        "#]],
    );
}
