//! What C constructs become in the automaton: one example each, as text without positions.

use expect_test::{Expect, expect};
use ravelin_base::DataModel;
use ravelin_base::diagnostic::render;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&printed(text));
}

fn printed(text: &str) -> String {
    let built = ravelin_frontend::build_text("t.c", text, DataModel::Ilp32)
        .unwrap_or_else(|errors| panic!("{}", render(&errors)));
    ravelin_cfa::verify(&built.program).expect("the front end keeps the invariants");
    let text = built.program.to_string();
    let lines = text.lines();
    lines.map(|line| line.split(" @ ").next().unwrap_or(line).to_owned() + "\n").collect()
}

/// The functions of a program whose `main` does nothing.
fn check_functions(text: &str, expected: Expect) {
    let text = format!("{text}int main(void) {{ return 0; }}\n");
    let printed = printed(&text);
    let (_, body) = printed.split_once("\n\n").expect("a head");
    let (functions, _) = body.split_once("\nproc main").expect("main comes last");
    expected.assert_eq(functions);
}

#[test]
fn conditions_become_control_flow() {
    check_functions(
        "int f(int a, int b) { if (a > 0 && !(b < a)) return 1; return 0; }\n",
        expect![[r#"
            proc f.p0(a.v0, b.v1) -> bv32
              local a.v0: bv32 signed
              local b.v1: bv32 signed
              local %.v2: bv32 signed
              entry l0
              exit l4
              l0 -> l1: assume bvslt(0:bv32, a.v0)
              l0 -> l3: assume bvsle(a.v0, 0:bv32)
              l1 -> l3: assume bvslt(b.v1, a.v0)
              l1 -> l2: assume bvsle(a.v0, b.v1)
              l2 -> l4: return 1:bv32
              l3 -> l4: return 0:bv32
            }
        "#]],
    );
}

#[test]
fn conditions_as_values_are_terms_unless_they_do_something() {
    check_functions(
        "int g(void);\n\
         int f(int a, int b) { int pure = a && b; int calls = a && g(); return pure + calls; }\n",
        expect![[r#"
            proc f.p0(a.v0, b.v1) -> bv32
              local a.v0: bv32 signed
              local b.v1: bv32 signed
              local pure.v2: bv32 signed
              local calls.v3: bv32 signed
              local %.v4: bv32 signed
              local %.v5: bv32 signed
              local %.v6: bv32 signed
              entry l0
              exit l8
              l0 -> l1: pure.v2 := ite(and(not(eq(a.v0, 0:bv32)), not(eq(b.v1, 0:bv32))), 1:bv32, 0:bv32)
              l1 -> l3: assume not(eq(a.v0, 0:bv32))
              l1 -> l2: assume eq(a.v0, 0:bv32)
              l2 -> l6: %.v5 := 0:bv32
              l3 -> l4: external callbacks "g"()
              l4 -> l5: %.v4 := havoc extern "g"
              l5 -> l6: %.v5 := ite(eq(%.v4, 0:bv32), 0:bv32, 1:bv32)
              l6 -> l7: calls.v3 := %.v5
              l7 -> l8: return bvadd(pure.v2, calls.v3)
            }
        "#]],
    );
}

#[test]
fn globals_are_read_once_per_occurrence_when_there_are_threads() {
    check(
        "typedef unsigned long pthread_t;\n\
         int pthread_create(pthread_t *t, const void *a, void *(*f)(void *), void *x);\n\
         int x;\n\
         void *worker(void *arg) { x = x - x; return arg; }\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); return x; }\n",
        expect![[r#"
            program ILP32 source
            entry main.p1
            global x.v0: bv32 signed = 0:bv32
            object worker.o1: function worker.p0 size 1 align 16 = zero

            proc worker.p0(arg.v1) -> ptr
              local arg.v1: ptr
              local %.v2: bv32 signed
              local %.v3: bv32 signed
              local %.v4: ptr
              entry l0
              exit l4
              l0 -> l1: %.v2 := x.v0
              l1 -> l2: %.v3 := x.v0
              l2 -> l3: x.v0 := bvsub(%.v2, %.v3)
              l3 -> l4: return arg.v1
            }

            proc main.p1() -> bv32
              local %.v5: bv32
              local %.v6: bv32 signed
              object t.o0: local size 4 align 4 = any
              entry l0
              exit l7
              l0 -> l1: scope_begin t.o0
              l1 -> l2: atomic_begin
              l2 -> l3: %.v5 := start worker.p0(null)
              l3 -> l4: store &t.o0, %.v5
              l4 -> l5: atomic_end
              l5 -> l6: %.v6 := x.v0
              l6 -> l7: return %.v6
            }
        "#]],
    );
}

#[test]
fn pointers_move_by_bytes() {
    check_functions(
        "struct node { struct node *next; int value; };\n\
         int sum(struct node *n, int *a, unsigned i) { return n->next->value + a[i] + *(a - 1); }\n",
        expect![[r#"
            proc sum.p0(n.v0, a.v1, i.v2) -> bv32
              local n.v0: ptr
              local a.v1: ptr
              local i.v2: bv32
              local %.v3: ptr
              local %.v4: bv32 signed
              local %.v5: bv32 signed
              local %.v6: bv32 signed
              local %.v7: bv32 signed
              entry l0
              exit l5
              l0 -> l1: %.v3 := load n.v0
              l1 -> l2: %.v4 := load ptradd(%.v3, 4:bv32)
              l2 -> l3: %.v5 := load ptradd(a.v1, bvmul(i.v2, 4:bv32))
              l3 -> l4: %.v6 := load ptradd(a.v1, -4:bv32)
              l4 -> l5: return bvadd(%.v6, bvadd(%.v4, %.v5))
            }
        "#]],
    );
}

#[test]
fn a_bit_field_is_read_and_written_through_its_unit() {
    check_functions(
        "struct flags { unsigned a : 3; signed b : 5; };\n\
         int f(struct flags *p) { p->a = 5; return p->b; }\n",
        expect![[r#"
            proc f.p0(p.v0) -> bv32
              local p.v0: ptr
              local %.v1: bv8
              local %.v2: bv8
              local %.v3: bv32 signed
              entry l0
              exit l4
              l0 -> l1: %.v1 := load p.v0
              l1 -> l2: store p.v0, bvor(bvand(%.v1, -8:bv8), 5:bv8)
              l2 -> l3: %.v2 := load p.v0
              l3 -> l4: return sext[32](extract[7:3](%.v2))
            }
        "#]],
    );
}

#[test]
fn structs_are_copied_member_by_member() {
    check(
        "struct pair { int x; char *s; };\n\
         struct pair twice(struct pair p) { p.x *= 2; return p; }\n\
         int main(void) { struct pair p = { 1, 0 }; p = twice(p); return p.x; }\n",
        expect![[r#"
            program ILP32 source
            entry main.p1

            proc twice.p0(%result.v0, p.v1)
              local %result.v0: ptr
              local p.v1: ptr
              local %.v2: bv32
              local %.v3: ptr
              local %.v4: bv32 signed
              local %.v5: bv32
              local %.v6: ptr
              object p.o0: local record size 8 align 4 = any
              entry l0
              exit l12
              l0 -> l1: scope_begin p.o0
              l1 -> l2: %.v2 := load p.v1
              l2 -> l3: %.v3 := load ptradd(p.v1, 4:bv32)
              l3 -> l4: store &p.o0, %.v2
              l4 -> l5: store ptradd(&p.o0, 4:bv32), %.v3
              l5 -> l6: %.v4 := load &p.o0
              l6 -> l7: store &p.o0, bvmul(%.v4, 2:bv32)
              l7 -> l8: %.v5 := load &p.o0
              l8 -> l9: %.v6 := load ptradd(&p.o0, 4:bv32)
              l9 -> l10: store %result.v0, %.v5
              l10 -> l11: store ptradd(%result.v0, 4:bv32), %.v6
              l11 -> l12: return
            }

            proc main.p1() -> bv32
              local %.v7: bv32
              local %.v8: ptr
              local %.v9: bv32 signed
              object p.o1: local record size 8 align 4 = any
              object %.o2: local record size 8 align 4 = any
              entry l0
              exit l11
              l0 -> l1: scope_begin p.o1
              l1 -> l2: store &p.o1, 1:bv32
              l2 -> l3: store ptradd(&p.o1, 4:bv32), null
              l3 -> l4: scope_begin %.o2
              l4 -> l5: call twice.p0(&%.o2, &p.o1)
              l5 -> l6: %.v7 := load &%.o2
              l6 -> l7: %.v8 := load ptradd(&%.o2, 4:bv32)
              l7 -> l8: store &p.o1, %.v7
              l8 -> l9: store ptradd(&p.o1, 4:bv32), %.v8
              l9 -> l10: %.v9 := load &p.o1
              l10 -> l11: return %.v9
            }
        "#]],
    );
}

#[test]
fn a_switch_tests_its_cases_in_order() {
    check_functions(
        "int f(int x) { switch (x) { case 1: x = 5; case 2 ... 4: return x; default: break; } return 0; }\n",
        expect![[r#"
            proc f.p0(x.v0) -> bv32
              local x.v0: bv32 signed
              local %.v1: bv32 signed
              local %.v2: bv32 signed
              entry l0
              exit l6
              l0 -> l1: %.v1 := x.v0
              l1 -> l4: assume eq(%.v1, 1:bv32)
              l1 -> l2: assume not(eq(%.v1, 1:bv32))
              l2 -> l5: assume and(bvsle(%.v1, 4:bv32), bvsle(2:bv32, %.v1))
              l2 -> l3: assume not(and(bvsle(%.v1, 4:bv32), bvsle(2:bv32, %.v1)))
              l3 -> l6: return 0:bv32
              l4 -> l5: x.v0 := 5:bv32
              l5 -> l6: return x.v0
            }
        "#]],
    );
}

#[test]
fn jumps_end_the_objects_of_the_blocks_they_leave() {
    check(
        "void use(int *p) { *p = 1; }\n\
         int main(void) {\n\
             for (;;) { int inner; use(&inner); if (inner) goto out; }\n\
             out: return 0;\n\
         }\n",
        expect![[r#"
            program ILP32 source
            entry main.p1

            proc use.p0(p.v0)
              local p.v0: ptr
              entry l0
              exit l2
              l0 -> l1: store p.v0, 1:bv32
              l1 -> l2: return
            }

            proc main.p1() -> bv32
              local %.v1: bv32 signed
              object inner.o0: local size 4 align 4 = any
              entry l0
              exit l7
              l0 -> l1: scope_begin inner.o0
              l1 -> l2: call use.p0(&inner.o0)
              l2 -> l3: %.v1 := load &inner.o0
              l3 -> l5: assume not(eq(%.v1, 0:bv32))
              l3 -> l4: assume eq(%.v1, 0:bv32)
              l4 -> l0: scope_end inner.o0
              l5 -> l6: scope_end inner.o0
              l6 -> l7: return 0:bv32
            }
        "#]],
    );
}

#[test]
fn division_is_a_step_of_its_own() {
    check_functions(
        "int f(int a, int b) { return b != 0 && a / b > 2; }\n",
        expect![[r#"
            proc f.p0(a.v0, b.v1) -> bv32
              local a.v0: bv32 signed
              local b.v1: bv32 signed
              local %.v2: bv32 signed
              local %.v3: bv32 signed
              local %.v4: bv32 signed
              entry l0
              exit l5
              l0 -> l2: assume not(eq(b.v1, 0:bv32))
              l0 -> l1: assume eq(b.v1, 0:bv32)
              l1 -> l4: %.v3 := 0:bv32
              l2 -> l3: %.v2 := bvsdiv(a.v0, b.v1)
              l3 -> l4: %.v3 := ite(bvslt(2:bv32, %.v2), 1:bv32, 0:bv32)
              l4 -> l5: return %.v3
            }
        "#]],
    );
}

#[test]
fn a_call_before_a_static_definition_is_not_supported() {
    check(
        "static int f(int n) { return n ? g(n - 1) : 0; }\n\
         static int g(int n) { return n; }\n\
         int main(void) { return f(2); }\n",
        expect![[r#"
            program ILP32 source
            entry main.p3

            proc f.p0(n.v0) -> bv32
              local n.v0: bv32 signed
              local %.v1: bv32 signed
              local %.v2: bv32 signed
              local %.v3: bv32 signed
              entry l0
              exit l5
              l0 -> l2: assume not(eq(n.v0, 0:bv32))
              l0 -> l1: assume eq(n.v0, 0:bv32)
              l1 -> l4: %.v2 := 0:bv32
              l2 -> l6: call g.p1()
              l3 -> l4: %.v2 := %.v1
              l4 -> l5: return %.v2
              l6 -> l3: %.v1 := havoc unspecified
            }

            proc g.p1()
              entry l0
              exit l1
              l0 -> l2: unsupported "call of a function whose definition is another one"
              l2 -> l1: return
            }

            proc g.p2(n.v4) -> bv32
              local n.v4: bv32 signed
              local %.v5: bv32 signed
              entry l0
              exit l1
              l0 -> l1: return n.v4
            }

            proc main.p3() -> bv32
              local %.v6: bv32 signed
              entry l0
              exit l2
              l0 -> l1: %.v6 := call f.p0(2:bv32)
              l1 -> l2: return %.v6
            }
        "#]],
    );
}
