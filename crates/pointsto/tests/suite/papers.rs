//! The worked examples of the papers on which the analyses stand, with their results.

use std::collections::BTreeSet;

use ravelin_base::{Budget, DataModel};
use ravelin_cfa::{Op, Program};
use ravelin_pointsto::print::Report;
use ravelin_pointsto::{Analysis, Fields, ObjectName, Offset, Options, PointsTo, Structs, analyse};

const ANDERSEN: Options = Options {
    analysis: Analysis::Andersen,
    fields: Fields::Sensitive,
    structs: Structs::ByVariable,
    context: 0,
    indices_wrap: true,
};
const STEENSGAARD: Options = Options { analysis: Analysis::Steensgaard, ..ANDERSEN };
const FLOW: Options = Options { analysis: Analysis::FlowSensitive, ..ANDERSEN };

fn build(text: &str) -> Program {
    let built = ravelin_frontend::build_text("example.c", text, DataModel::Lp64);
    built.expect("the example is C").program
}

fn solve(program: &Program, options: Options) -> PointsTo {
    analyse(program, &options, &mut Budget::unlimited()).expect("the budget is unlimited")
}

/// A set in words: only places, without the names of procedures.
fn places(report: &Report<'_>, set: &ravelin_pointsto::TargetSet) -> String {
    assert!(!set.is_unknown());
    let names: BTreeSet<String> = set
        .places()
        .iter()
        .map(|&(target, offset)| report.place_name(target, offset))
        .map(|name| name.rsplit("::").next().unwrap_or_default().to_owned())
        .collect();
    names.into_iter().collect::<Vec<_>>().join(" ")
}

/// Checks lines of the form `p -> i j`: what the variable or the cell may point to at any time.
fn check(text: &str, options: Options, expected: &str) {
    let program = build(text);
    let result = solve(&program, options);
    let report = Report { program: &program, result: &result };
    let holders = report.holders();
    let mut found = String::new();
    for line in expected.split(", ") {
        let (name, _) = line.split_once(" ->").expect("a line has an arrow");
        let set = holders.iter().find_map(|(holder, set)| {
            let full = report.holder_name(*holder);
            (full.rsplit("::").next() == Some(name)).then_some(set)
        });
        let names = set.map(|set| places(&report, set)).unwrap_or_default();
        found += &format!("{name} -> {names}, ");
    }
    assert_eq!(found.trim_end_matches(", "), expected, "{options:?}");
}

/// As [`check`], under the flow-sensitive analysis, before the return from `main`.
fn check_at_end(text: &str, expected: &str) {
    let program = build(text);
    let result = solve(&program, FLOW);
    let report = Report { program: &program, result: &result };
    let main = program
        .procs
        .iter()
        .find(|(_, procedure)| program.name(procedure.name) == "main")
        .expect("there is a main");
    let end = main
        .1
        .edges
        .values()
        .find(|edge| matches!(edge.labels[0].op, Op::Return { .. }))
        .expect("main returns")
        .source;
    let mut found = String::new();
    for line in expected.split(", ") {
        let (name, _) = line.split_once(" ->").expect("a line has an arrow");
        let var = program.vars.iter().find(|(_, data)| program.name(data.name) == name);
        let set = match var {
            Some((var, _)) => result.of_var_at(var, main.0, end),
            None => {
                let object = program.objects.iter().find(|(_, o)| program.name(o.name) == name);
                let (object, _) = object.expect("there is a variable of this name");
                let target = result.target(ObjectName::Object(object)).expect("it is known");
                result.of_cell_at(target, Offset::ZERO, main.0, end)
            }
        };
        found += &format!("{name} -> {}, ", places(&report, &set));
    }
    assert_eq!(found.trim_end_matches(", "), expected);
}

/// Code sample 12 of 002: a constraint of each kind.
const ALL_CONSTRAINTS: &str = "
    int main(void) {
        void *i, *p, *q; void **r, **s, **t;
        i = 0;
        p = &i;
        r = &p;
        s = &q;
        *s = p;
        s = *r;
        t = r;
        return s == t;
    }";

#[test]
fn inclusion_keeps_the_direction() {
    check(ALL_CONSTRAINTS, ANDERSEN, "p -> i, r -> p, q -> i, s -> i q, t -> p");
}

#[test]
fn unification_does_not() {
    check(ALL_CONSTRAINTS, STEENSGAARD, "p -> i q, r -> p, s -> i q, q -> i q, t -> p");
}

#[test]
fn flow_sensitivity_gives_the_actual_values() {
    check_at_end(ALL_CONSTRAINTS, "p -> i, r -> p, s -> i, q -> i, t -> p");
}

/// Code sample 13 of 002, with its two graphs.
const TWO_LEVELS: &str = "
    int main(void) {
        int i, j, *p, *q, **r, **s;
        i = j = 0;
        p = &i;
        q = &j;
        r = &p;
        s = &q;
        *r = q;
        *s = *r;
        r = s;
        return **r;
    }";

#[test]
fn two_levels_of_pointers() {
    check(TWO_LEVELS, ANDERSEN, "p -> i j, q -> i j, r -> p q, s -> q");
    check(TWO_LEVELS, STEENSGAARD, "p -> i j, q -> i j, r -> p q, s -> p q");
    check_at_end(TWO_LEVELS, "p -> j, q -> j, r -> q, s -> q");
}

/// Code sample 14 of 002: `*q` is ambiguous after the second assignment to q, but not with an eye to order.
const SECOND_ASSIGNMENT: &str = "
    int id(int r) { return r; }
    int main(void) {
        int i = 0, j = 1, *p = &i, *q = &j;
        *p = 2;
        *q = *p;
        int k = 42;
        q = &k;
        i = *q;
        *p = k;
        *q = id(k);
        return 0;
    }";

#[test]
fn a_second_assignment() {
    check(SECOND_ASSIGNMENT, ANDERSEN, "p -> i, q -> j k");
    check(SECOND_ASSIGNMENT, STEENSGAARD, "p -> i, q -> j k");
    check_at_end(SECOND_ASSIGNMENT, "p -> i, q -> k");
}

/// Code sample 15 of 002: both analyses see through three levels.
#[test]
fn a_high_degree_of_indirection() {
    let text = include_str!("../../../../docs/papers/indirection.c");
    let expected = "p1 -> x, p2 -> p1, p3 -> p2, q3 -> p2, q2 -> p1, q1 -> x";
    check(text, ANDERSEN, expected);
    check(text, STEENSGAARD, expected);
}

/// Code samples 8 and 9 of 002: a pointer to a function; an assignment that undoes another.
#[test]
fn functions_and_order() {
    let text = "
        int id(int n) { return n; }
        int main(void) {
            int i = 0, j = 1, *p, *q, (*call)(int);
            call = &id;
            p = &i;
            q = &j;
            *q = call(*p);
            p = &j;
            return *p;
        }";
    check(text, ANDERSEN, "call -> id, q -> j, p -> i j");
    check_at_end(text, "p -> j, q -> j, call -> id");
}

/// Code sample 10 of 002: what one call returns is not what another returns.
#[test]
fn contexts_tell_calls_apart() {
    let text = "
        int *id(int *r) { return r; }
        int *twice(int *t) { return id(t); }
        int main(void) {
            int i = 0, j = 0, k = 0, *p, *q, *u, *v;
            p = id(&i);
            q = id(&j);
            u = twice(&k);
            v = twice(&i);
            return *p + *q + *u + *v;
        }";
    check(text, ANDERSEN, "p -> i j k, q -> i j k, u -> i j k, v -> i j k");
    let depth = |context| Options { context, ..ANDERSEN };
    check(text, depth(1), "p -> i, q -> j, u -> i k, v -> i k");
    check(text, depth(2), "p -> i, q -> j, u -> k, v -> i");
    let unified = Options { context: 1, ..STEENSGAARD };
    check(text, unified, "q -> j");
}

/// Code sample 11 of 002, and its paragraph on structs by type.
#[test]
fn fields_and_types_of_structs() {
    let text = "
        struct S { int *p; int *q; } st;
        int main(void) {
            int i = 0, j = 0, *a, *b;
            struct S other, *ptr = &st, *second = &other;
            ptr->p = &i;
            ptr->q = &j;
            second->p = second->q = 0;
            a = st.p;
            b = st.q;
            return *a + *b;
        }";
    check(text, ANDERSEN, "st -> i, st+8 -> j, a -> i, b -> j, ptr -> st, second -> other");
    let insensitive = Options { fields: Fields::Insensitive, ..ANDERSEN };
    check(text, insensitive, "a -> i j, b -> i j");
    check(text, Options { fields: Fields::Insensitive, ..STEENSGAARD }, "a -> i j, b -> i j");
    let by_type = Options { structs: Structs::ByType, ..ANDERSEN };
    check(text, by_type, "ptr -> struct[16], second -> struct[16], a -> i, b -> j");
}

/// The struct of 002, 3.3.5, which has one member: by type, both variables are one; integers are not.
#[test]
fn structs_with_one_member() {
    let text = "
        struct Person { int age; } p1, p2;
        int i, j;
        int main(void) {
            struct Person *ptr1 = &p1, *ptr2 = &p2;
            int *a = &i, *b = &j;
            return ptr1->age + ptr2->age + *a + *b;
        }";
    check(text, ANDERSEN, "ptr1 -> p1, ptr2 -> p2, a -> i, b -> j");
    let by_type = Options { structs: Structs::ByType, ..ANDERSEN };
    check(text, by_type, "ptr1 -> struct[4], ptr2 -> struct[4], a -> i, b -> j");
}

/// Fig. 1 and 2 of 001: one of two variables, of two blocks of the heap, of two elements.
#[test]
fn one_of_two() {
    let text = "
        extern _Bool __VERIFIER_nondet_bool(void);
        int main(void) {
            int a = 0, b = 0;
            _Bool cond = __VERIFIER_nondet_bool();
            int *c = cond ? &a : &b, *d = !cond ? &a : &b;
            *c = 1;
            *d = 2;
            return a == 1 || b == 1;
        }";
    for options in [ANDERSEN, STEENSGAARD] {
        check(text, options, "c -> a b, d -> a b");
    }
    check_at_end(text, "c -> a b, d -> a b");
    let heap = "
        extern _Bool __VERIFIER_nondet_bool(void);
        extern void *malloc(unsigned long);
        int main(void) {
            int *a = malloc(sizeof *a);
            int *b = malloc(sizeof *b);
            _Bool cond = __VERIFIER_nondet_bool();
            int *c = cond ? a : b, *d = !cond ? a : b;
            *c = 1;
            *d = 2;
            return *a == 1 || *b == 1;
        }";
    let expected = "a -> allocated@main:5:22, b -> allocated@main:6:22, \
                    c -> allocated@main:5:22 allocated@main:6:22, \
                    d -> allocated@main:5:22 allocated@main:6:22";
    check(heap, ANDERSEN, expected);
    let array = "
        extern _Bool __VERIFIER_nondet_bool(void);
        int main(void) {
            int arr[2] = {0, 0}, *e;
            _Bool cond = __VERIFIER_nondet_bool();
            int c = cond ? 0 : 1, d = !cond ? 0 : 1;
            arr[c] = 1;
            arr[d] = 2;
            e = &arr[c];
            return *e;
        }";
    check(array, ANDERSEN, "e -> arr+0(mod 4)");
}

/// Section 4.2 of 003: the struct around a field is found again.
#[test]
fn container_of_a_field() {
    let text = "
        extern void *malloc(unsigned long);
        struct B { int a; int b; };
        int main(void) {
            struct B *p, *q; int *x, *y;
            p = malloc(sizeof(struct B));
            p->b = 1;
            x = &p->b;
            q = (struct B *)((char *)x - __builtin_offsetof(struct B, b));
            y = &q->b;
            return *y;
        }";
    let expected = "p -> allocated@main:6:17, x -> allocated@main:6:17+4, \
                    q -> allocated@main:6:17, y -> allocated@main:6:17+4";
    for options in [ANDERSEN, STEENSGAARD] {
        check(text, options, expected);
    }
}

/// Examples 4 and 5 of 000, as far as they are about points-to sets.
#[test]
fn exact_graphs() {
    let text = "
        int main(void) {
            int i = 1, *p = &i, *q = &i, **u = &q;
            return *p + **u;
        }";
    for options in [ANDERSEN, STEENSGAARD] {
        check(text, options, "i -> , p -> i, q -> i, u -> q");
    }
    check_at_end(text, "p -> i, q -> i, u -> q");
}
