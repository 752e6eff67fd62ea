use expect_test::{Expect, expect};
use ravelin_cfa::passes::{BlockEncoding, PassConfig};

fn check(before: &str, after: Expect) {
    check_limit(64, before, after);
}

fn check_limit(max_labels: usize, before: &str, after: Expect) {
    let blocks = BlockEncoding::Sequential { max_labels };
    let config = PassConfig { blocks, ..PassConfig::default() };
    super::check_with(&["encode-large-blocks"], config, before, after);
}

const DIAMOND: &str = "program LP64 single
    global g.v0: bv32 = 0:bv32
    proc main.p0(c.v1) -> bv32 { local c.v1: bool local a.v2: bv32 entry l0 exit l1
      l0 -> l2: a.v2 := g.v0
      l2 -> l3: assume c.v1
      l2 -> l4: assume not(c.v1)
      l3 -> l5: a.v2 := bvadd(a.v2, 1:bv32)
      l5 -> l6: g.v0 := a.v2
      l4 -> l6: g.v0 := 0:bv32
      l6 -> l7: skip
      l7 -> l8: a.v2 := g.v0
      l8 -> l1: return a.v2 }";

#[test]
fn sequences_and_branches_become_one_edge() {
    check(
        DIAMOND,
        expect![[r#"
        program LP64 sequential
        global g.v0: bv32 = 0:bv32

        proc main.p0(c.v1) -> bv32 {
          local c.v1: bool
          local a.v2: bv32
          entry l0
          exit l1
          l0 -> l1: a.v2 := g.v0;
            choice {
              assume c.v1;
              a.v2 := bvadd(a.v2, 1:bv32);
              g.v0 := a.v2
            } or {
              assume not(c.v1);
              g.v0 := 0:bv32
            };
            a.v2 := g.v0;
            return a.v2
        }
    "#]],
    );
}

#[test]
fn blocks_grow_up_to_the_limit() {
    check_limit(
        3,
        DIAMOND,
        expect![[r#"
        program LP64 sequential
        global g.v0: bv32 = 0:bv32

        proc main.p0(c.v1) -> bv32 {
          local c.v1: bool
          local a.v2: bv32
          entry l0
          exit l3
          l0 -> l1: a.v2 := g.v0
          l1 -> l2: assume c.v1;
            a.v2 := bvadd(a.v2, 1:bv32);
            g.v0 := a.v2
          l1 -> l2: assume not(c.v1);
            g.v0 := 0:bv32
          l2 -> l3: a.v2 := g.v0;
            return a.v2
        }
    "#]],
    );
}

#[test]
fn loops_keep_their_heads() {
    check(
        "program LP64 single
         proc main.p0() -> bv32 { local i.v0: bv32 local j.v1: bv32 entry l0 exit l1
           l0 -> l2: i.v0 := 0:bv32
           l2 -> l3: j.v1 := 0:bv32
           l3 -> l4: assume bvslt(i.v0, 10:bv32)
           l3 -> l5: assume bvsle(10:bv32, i.v0)
           l4 -> l6: assume bvslt(i.v0, 5:bv32)
           l4 -> l7: assume bvsle(5:bv32, i.v0)
           l6 -> l8: j.v1 := bvadd(j.v1, 1:bv32)
           l7 -> l8: j.v1 := bvadd(j.v1, 2:bv32)
           l8 -> l3: i.v0 := bvadd(i.v0, 1:bv32)
           l5 -> l1: return j.v1 }",
        expect![[r#"
            program LP64 sequential

            proc main.p0() -> bv32 {
              local i.v0: bv32
              local j.v1: bv32
              entry l0
              exit l2
              l0 -> l1: i.v0 := 0:bv32;
                j.v1 := 0:bv32
              l1 -> l1: assume bvslt(i.v0, 10:bv32);
                choice {
                  assume bvslt(i.v0, 5:bv32);
                  j.v1 := bvadd(j.v1, 1:bv32)
                } or {
                  assume bvsle(5:bv32, i.v0);
                  j.v1 := bvadd(j.v1, 2:bv32)
                };
                i.v0 := bvadd(i.v0, 1:bv32)
              l1 -> l2: assume bvsle(10:bv32, i.v0);
                return j.v1
            }
        "#]],
    );
}

#[test]
fn calls_are_last_and_waits_first() {
    check(
        "program LP64 single
         object m.o0: global size 40 align 8 = zero
         proc f.p0() { local a.v0: bv32 entry l0 exit l1
           l0 -> l2: a.v0 := 1:bv32
           l2 -> l3: call f.p0()
           l3 -> l4: a.v0 := 2:bv32
           l4 -> l5: mutex_lock(&m.o0)
           l5 -> l6: a.v0 := 3:bv32
           l6 -> l7: mutex_unlock(&m.o0)
           l7 -> l1: return }",
        expect![[r#"
            program LP64 sequential
            object m.o0: global size 40 align 8 = zero

            proc f.p0() {
              local a.v0: bv32
              entry l0
              exit l3
              l0 -> l1: a.v0 := 1:bv32;
                call f.p0()
              l1 -> l2: a.v0 := 2:bv32
              l2 -> l3: mutex_lock(&m.o0);
                a.v0 := 3:bv32;
                mutex_unlock(&m.o0);
                return
            }
        "#]],
    );
}

#[test]
fn ways_that_meet_only_at_the_exit_stay_apart() {
    check(
        "program LP64 single
         proc f.p0(c.v0) { local c.v0: bool entry l0 exit l1
           l0 -> l2: assume c.v0
           l0 -> l3: assume not(c.v0)
           l2 -> l1: assume false
           l3 -> l1: return }",
        expect![[r#"
            program LP64 sequential

            proc f.p0(c.v0) {
              local c.v0: bool
              entry l0
              exit l1
              l0 -> l1: assume c.v0;
                assume false
              l0 -> l1: assume not(c.v0);
                return
            }
        "#]],
    );
}

/// Two threads; `body` is the worker's.
fn check_concurrent(body: &str, after: Expect) {
    let before = format!(
        "program LP64 single
         global x.v0: bv32 = 0:bv32
         global y.v1: bv32 = 0:bv32
         object m.o0: global size 40 align 8 = zero
         proc main.p0() {{ local h.v2: bv64 entry l0 exit l1
           l0 -> l2: h.v2 := start worker.p1(null)
           l2 -> l1: return }}
         proc worker.p1(arg.v3) -> ptr {{
           local arg.v3: ptr local a.v4: bv32 local b.v5: bv32 local c.v6: bool
           object own.o1: local size 4 align 4 = any
           entry l0 exit l1 {body} }}"
    );
    let mut program = super::program(&before);
    ravelin_cfa::passes::run(&mut program, &["encode-large-blocks"], &PassConfig::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let text = super::text_of(&program);
    let start = text.find("  entry l0").expect("main has an entry");
    let start = start + text[start + 1..].find("  entry l0").expect("the worker has one") + 1;
    after.assert_eq(&text[start..]);
}

#[test]
fn each_step_has_one_shared_access() {
    check_concurrent(
        "l0 -> l2: a.v4 := x.v0
         l2 -> l3: b.v5 := bvadd(a.v4, 1:bv32)
         l3 -> l4: x.v0 := b.v5
         l4 -> l5: a.v4 := 0:bv32
         l5 -> l6: b.v5 := y.v1
         l6 -> l7: scope_begin own.o1
         l7 -> l8: store &own.o1, b.v5
         l8 -> l9: b.v5 := load &own.o1
         l9 -> l10: y.v1 := b.v5
         l10 -> l1: return arg.v3",
        expect![[r#"
              entry l0
              exit l5
              l0 -> l1: a.v4 := x.v0;
                b.v5 := bvadd(a.v4, 1:bv32)
              l1 -> l2: x.v0 := b.v5;
                a.v4 := 0:bv32
              l2 -> l3: b.v5 := y.v1;
                scope_begin own.o1;
                store &own.o1, b.v5;
                b.v5 := load &own.o1
              l3 -> l4: y.v1 := b.v5
              l4 -> l5: return arg.v3
            }
        "#]],
    );
}

#[test]
fn nothing_that_may_stop_follows_a_visible_write() {
    check_concurrent(
        "l0 -> l2: x.v0 := 1:bv32
         l2 -> l3: assume eq(a.v4, 0:bv32)
         l3 -> l4: x.v0 := 2:bv32
         l4 -> l5: a.v4 := bvsdiv(a.v4, b.v5)
         l5 -> l6: x.v0 := 3:bv32
         l6 -> l7: a.v4 := 1:bv32
         l7 -> l8: assume c.v6
         l7 -> l9: assume not(c.v6)
         l8 -> l1: abort
         l9 -> l10: a.v4 := x.v0
         l10 -> l11: assume eq(a.v4, 1:bv32)
         l11 -> l1: error reach_error",
        expect![[r#"
              entry l0
              exit l4
              l0 -> l1: x.v0 := 1:bv32
              l1 -> l2: assume eq(a.v4, 0:bv32);
                x.v0 := 2:bv32
              l2 -> l3: a.v4 := bvsdiv(a.v4, b.v5);
                x.v0 := 3:bv32;
                a.v4 := 1:bv32
              l3 -> l4: assume c.v6;
                abort
              l3 -> l4: assume not(c.v6);
                a.v4 := x.v0;
                assume eq(a.v4, 1:bv32);
                error reach_error
            }
        "#]],
    );
}

#[test]
fn atomic_sections_and_locks_keep_their_borders() {
    check_concurrent(
        "l0 -> l2: a.v4 := 1:bv32
         l2 -> l3: atomic_begin
         l3 -> l4: b.v5 := x.v0
         l4 -> l5: a.v4 := b.v5
         l5 -> l6: x.v0 := a.v4
         l6 -> l7: atomic_end
         l7 -> l8: a.v4 := 2:bv32
         l8 -> l9: mutex_lock(&m.o0)
         l9 -> l10: a.v4 := 3:bv32
         l10 -> l11: x.v0 := a.v4
         l11 -> l12: mutex_unlock(&m.o0)
         l12 -> l13: a.v4 := 4:bv32
         l13 -> l1: return arg.v3",
        expect![[r#"
              entry l0
              exit l7
              l0 -> l1: a.v4 := 1:bv32
              l1 -> l2: atomic_begin;
                b.v5 := x.v0;
                a.v4 := b.v5;
                x.v0 := a.v4;
                atomic_end
              l2 -> l3: a.v4 := 2:bv32
              l3 -> l4: mutex_lock(&m.o0);
                a.v4 := 3:bv32
              l4 -> l5: x.v0 := a.v4
              l5 -> l6: mutex_unlock(&m.o0);
                a.v4 := 4:bv32
              l6 -> l7: return arg.v3
            }
        "#]],
    );
}

#[test]
fn a_choice_touches_one_shared_location_on_each_way() {
    check_concurrent(
        "l0 -> l2: assume c.v6
         l0 -> l3: assume not(c.v6)
         l2 -> l4: x.v0 := 1:bv32
         l3 -> l4: y.v1 := 1:bv32
         l4 -> l5: a.v4 := 0:bv32
         l5 -> l6: a.v4 := x.v0
         l6 -> l1: return arg.v3",
        expect![[r#"
              entry l0
              exit l2
              l0 -> l1: choice {
                  assume c.v6;
                  x.v0 := 1:bv32
                } or {
                  assume not(c.v6);
                  y.v1 := 1:bv32
                };
                a.v4 := 0:bv32
              l1 -> l2: a.v4 := x.v0;
                return arg.v3
            }
        "#]],
    );
}

#[test]
fn an_atomic_section_is_one_step() {
    // A stop inside a section happens before another thread can look.
    check_concurrent(
        "l0 -> l2: x.v0 := 1:bv32
         l2 -> l3: atomic_begin
         l3 -> l4: assume eq(x.v0, y.v1)
         l3 -> l5: assume not(eq(x.v0, y.v1))
         l4 -> l6: x.v0 := bvadd(x.v0, y.v1)
         l5 -> l6: y.v1 := 2:bv32
         l6 -> l7: assume eq(y.v1, 2:bv32)
         l7 -> l8: x.v0 := bvsdiv(y.v1, x.v0)
         l8 -> l9: atomic_end
         l9 -> l1: return arg.v3",
        expect![[r#"
              entry l0
              exit l3
              l0 -> l1: x.v0 := 1:bv32
              l1 -> l2: atomic_begin;
                choice {
                  assume eq(x.v0, y.v1);
                  x.v0 := bvadd(x.v0, y.v1)
                } or {
                  assume not(eq(x.v0, y.v1));
                  y.v1 := 2:bv32
                };
                assume eq(y.v1, 2:bv32);
                x.v0 := bvsdiv(y.v1, x.v0);
                atomic_end
              l2 -> l3: return arg.v3
            }
        "#]],
    );
}

#[test]
fn loops_waits_and_errors_cut_a_section() {
    check_concurrent(
        "l0 -> l2: atomic_begin
         l2 -> l3: x.v0 := 1:bv32
         l3 -> l4: assume bvult(a.v4, y.v1)
         l3 -> l5: assume not(bvult(a.v4, y.v1))
         l4 -> l6: x.v0 := y.v1
         l6 -> l3: y.v1 := x.v0
         l5 -> l7: x.v0 := 2:bv32
         l7 -> l8: mutex_lock(&m.o0)
         l8 -> l9: x.v0 := 3:bv32
         l9 -> l10: y.v1 := 3:bv32
         l10 -> l11: assume eq(x.v0, y.v1)
         l10 -> l12: assume not(eq(x.v0, y.v1))
         l11 -> l13: x.v0 := 4:bv32
         l12 -> l1: error reach_error
         l13 -> l14: atomic_end
         l14 -> l15: x.v0 := 5:bv32
         l15 -> l16: y.v1 := 5:bv32
         l16 -> l1: return arg.v3",
        expect![[r#"
              entry l0
              exit l7
              l0 -> l1: atomic_begin;
                x.v0 := 1:bv32
              l1 -> l1: assume bvult(a.v4, y.v1);
                x.v0 := y.v1;
                y.v1 := x.v0
              l1 -> l2: assume bvule(y.v1, a.v4);
                x.v0 := 2:bv32
              l2 -> l3: mutex_lock(&m.o0);
                x.v0 := 3:bv32;
                y.v1 := 3:bv32
              l3 -> l4: assume eq(x.v0, y.v1);
                x.v0 := 4:bv32;
                atomic_end
              l3 -> l7: assume not(eq(x.v0, y.v1));
                error reach_error
              l4 -> l5: x.v0 := 5:bv32
              l5 -> l6: y.v1 := 5:bv32
              l6 -> l7: return arg.v3
            }
        "#]],
    );
}
