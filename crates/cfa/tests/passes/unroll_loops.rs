use expect_test::{Expect, expect};
use ravelin_cfa::passes::{PassConfig, UnrollConfig};

fn check(bound: usize, before: &str, after: Expect) {
    let unroll = UnrollConfig { bound, ..UnrollConfig::default() };
    let config = PassConfig { unroll, ..PassConfig::default() };
    super::check_with(&["unroll-loops", "remove-dead-code"], config, before, after);
}

const THREE_ROUNDS: &str = "program LP64 source
    entry main.p0
    global g.v0: bv32 = 0:bv32
    proc main.p0() -> bv32 { local i.v1: bv32 entry l0 exit l1
      l0 -> l2: i.v1 := 0:bv32
      l2 -> l3: assume bvslt(i.v1, 3:bv32)
      l2 -> l4: assume bvsle(3:bv32, i.v1)
      l3 -> l5: g.v0 := bvadd(g.v0, i.v1)
      l5 -> l2: i.v1 := bvadd(i.v1, 1:bv32)
      l4 -> l1: return i.v1 }";

#[test]
fn a_counting_loop_becomes_a_sequence() {
    check(
        3,
        THREE_ROUNDS,
        expect![[r#"
        program LP64 source
        entry main.p0
        global g.v0: bv32 = 0:bv32

        proc main.p0() -> bv32 {
          entry l0
          exit l4
          l0 -> l1: g.v0 := g.v0
          l1 -> l2: g.v0 := bvadd(g.v0, 1:bv32)
          l2 -> l3: g.v0 := bvadd(g.v0, 2:bv32)
          l3 -> l4: return 3:bv32
        }
    "#]],
    );
}

#[test]
fn too_many_rounds_leave_the_loop() {
    check(
        2,
        THREE_ROUNDS,
        expect![[r#"
        program LP64 source
        entry main.p0
        global g.v0: bv32 = 0:bv32

        proc main.p0() -> bv32 {
          local i.v1: bv32
          entry l0
          exit l3
          l0 -> l1: i.v1 := 0:bv32
          l1 -> l4: assume bvslt(i.v1, 3:bv32)
          l1 -> l2: assume bvsle(3:bv32, i.v1)
          l2 -> l3: return i.v1
          l4 -> l5: g.v0 := bvadd(g.v0, i.v1)
          l5 -> l1: i.v1 := bvadd(i.v1, 1:bv32)
        }
    "#]],
    );
}

#[test]
fn an_inner_loop_may_depend_on_the_outer_one() {
    check(
        4,
        "program LP64 source
         entry main.p0
         global g.v0: bv32 = 0:bv32
         proc main.p0() { local i.v1: bv32 local j.v2: bv32 entry l0 exit l1
           l0 -> l2: i.v1 := 0:bv32
           l2 -> l3: assume bvslt(i.v1, 3:bv32)
           l2 -> l4: assume bvsle(3:bv32, i.v1)
           l3 -> l5: j.v2 := 0:bv32
           l5 -> l6: assume bvslt(j.v2, i.v1)
           l5 -> l7: assume bvsle(i.v1, j.v2)
           l6 -> l8: g.v0 := bvadd(g.v0, bvmul(i.v1, j.v2))
           l8 -> l5: j.v2 := bvadd(j.v2, 1:bv32)
           l7 -> l2: i.v1 := bvadd(i.v1, 1:bv32)
           l4 -> l1: return }",
        expect![[r#"
            program LP64 source
            entry main.p0
            global g.v0: bv32 = 0:bv32

            proc main.p0() {
              entry l0
              exit l4
              l0 -> l1: g.v0 := g.v0
              l1 -> l2: g.v0 := g.v0
              l2 -> l3: g.v0 := bvadd(g.v0, 2:bv32)
              l3 -> l4: return
            }
        "#]],
    );
}

#[test]
fn loops_without_a_known_bound_stay() {
    check(
        8,
        "program LP64 source
         entry main.p0
         global g.v0: bv32 = 0:bv32
         proc main.p0(n.v1) { local n.v1: bv32 local i.v2: bv32 entry l0 exit l1
           l0 -> l2: i.v2 := 0:bv32
           l2 -> l3: assume bvslt(i.v2, n.v1)
           l2 -> l4: assume bvsle(n.v1, i.v2)
           l3 -> l2: i.v2 := bvadd(i.v2, 1:bv32)
           l4 -> l4: g.v0 := 1:bv32 }",
        expect![[r#"
            program LP64 source
            entry main.p0
            global g.v0: bv32 = 0:bv32

            proc main.p0(n.v1) {
              local n.v1: bv32
              local i.v2: bv32
              entry l0
              exit l4
              l0 -> l1: i.v2 := 0:bv32
              l1 -> l3: assume bvslt(i.v2, n.v1)
              l1 -> l2: assume bvsle(n.v1, i.v2)
              l2 -> l2: g.v0 := 1:bv32
              l3 -> l1: i.v2 := bvadd(i.v2, 1:bv32)
            }
        "#]],
    );
}

#[test]
fn leaving_early_stays_possible() {
    check(
        8,
        "program LP64 source
         entry main.p0
         proc main.p0(g.v0) { local g.v0: bv32 local i.v1: bv32 entry l0 exit l1
           l0 -> l2: i.v1 := 0:bv32
           l2 -> l3: assume bvslt(i.v1, 2:bv32)
           l2 -> l4: assume bvsle(2:bv32, i.v1)
           l3 -> l5: assume eq(g.v0, i.v1)
           l3 -> l6: assume not(eq(g.v0, i.v1))
           l5 -> l1: error reach_error
           l6 -> l2: i.v1 := bvadd(i.v1, 1:bv32)
           l4 -> l1: return }",
        expect![[r#"
            program LP64 source
            entry main.p0

            proc main.p0(g.v0) {
              local g.v0: bv32
              entry l0
              exit l4
              l0 -> l3: assume eq(g.v0, 0:bv32)
              l0 -> l1: assume not(eq(g.v0, 0:bv32))
              l1 -> l3: assume eq(g.v0, 1:bv32)
              l1 -> l2: assume not(eq(g.v0, 1:bv32))
              l2 -> l4: return
              l3 -> l4: error reach_error
            }
        "#]],
    );
}
