use expect_test::{Expect, expect};

fn check(before: &str, after: Expect) {
    super::check(&["drop-unused"], before, after);
}

#[test]
fn what_the_entry_reaches_stays() {
    check(
        "program LP64 source
         entry main.p1
         global a.v0: bv32 = 0:bv32
         global b.v1: bv32 = 0:bv32
         global c.v2: ptr = &routine.o0
         object routine.o0: function routine.p2 size 1 align 1 = any
         proc unused.p0() { entry l0 exit l1 l0 -> l2: a.v0 := 1:bv32 l2 -> l1: return }
         proc main.p1() { local h.v3: bv64 local d.v4: bv32 entry l0 exit l1
           l0 -> l2: h.v3 := start *[c.v2](null)
           l2 -> l3: d.v4 := 5:bv32
           l3 -> l1: return }
         proc routine.p2(q.v5) -> ptr { local q.v5: ptr entry l0 exit l1
           l0 -> l2: b.v1 := 1:bv32
           l2 -> l1: return null }",
        expect![[r#"
            program LP64 source
            entry main.p0
            global b.v0: bv32 = 0:bv32
            global c.v1: ptr = &routine.o0
            object routine.o0: function routine.p1 size 1 align 1 = any

            proc main.p0() {
              local h.v2: bv64
              local d.v3: bv32
              entry l0
              exit l1
              l0 -> l2: h.v2 := start *[c.v1](null)
              l2 -> l3: d.v3 := 5:bv32
              l3 -> l1: return
            }

            proc routine.p1(q.v4) -> ptr {
              local q.v4: ptr
              entry l0
              exit l1
              l0 -> l2: b.v0 := 1:bv32
              l2 -> l1: return null
            }
        "#]],
    );
}

#[test]
fn without_an_entry_all_procedures_stay() {
    check(
        "program LP64 source
         global a.v0: bv32 = 0:bv32
         global b.v1: bv32 = 0:bv32
         proc f.p0() { entry l0 exit l1 l0 -> l2: b.v1 := 1:bv32 l2 -> l1: return }",
        expect![[r#"
            program LP64 source
            global b.v0: bv32 = 0:bv32

            proc f.p0() {
              entry l0
              exit l1
              l0 -> l2: b.v0 := 1:bv32
              l2 -> l1: return
            }
        "#]],
    );
}
