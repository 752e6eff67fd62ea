//! `ravelin replay` of witnesses that others write, by hand or with bad intent: what is not so is not confirmed, and
//! what cannot be looked at is not taken for granted.

mod support;

use std::fmt::Write;

use support::{Ran, Workbench};

const REACHABILITY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

/// What is written into the metadata of a witness.
struct Form {
    kind: &'static str,
    version: &'static str,
    specification: &'static str,
    data_model: &'static str,
}

const VIOLATION: Form = Form {
    kind: "violation_sequence",
    version: "2.2",
    specification: REACHABILITY,
    data_model: "LP64",
};

const CORRECTNESS: Form = Form { kind: "invariant_set", ..VIOLATION };

fn yaml(form: &Form, content: &str) -> String {
    let Form { kind, version, specification, data_model } = form;
    format!(
        "- entry_type: {kind}
  metadata:
    format_version: '{version}'
    uuid: 5f0e3f6c-8c4e-4dd1-8e2b-000000000000
    creation_time: 2025-01-01T00:00:00+01:00
    producer: {{name: Somebody, version: '3'}}
    task: {{input_files: [p.c], input_file_hashes: {{}}, specification: '{specification}',
      data_model: {data_model}, language: C}}
  content:
{content}"
    )
}

/// A segment that follows a waypoint at a line and column, with further fields.
fn follow(kind: &str, (line, column): (u32, u32), more: &str) -> String {
    format!(
        "  - segment:
    - waypoint: {{type: {kind}, action: follow, location: {{file_name: p.c, line: {line}, column: {column}}}{more}}}\n"
    )
}

fn constraint(value: &str) -> String {
    format!(", constraint: {{value: '{value}', format: c_expression}}")
}

fn invariant(kind: &str, (line, column): (u32, u32), value: &str) -> String {
    format!(
        "  - invariant: {{type: {kind}, location: {{file_name: p.c, line: {line}, column: {column}}}, \
         value: '{value}', format: c_expression}}\n"
    )
}

/// What an edge says.
type Data<'a> = &'a [(&'a str, &'a str)];

/// An automaton of nodes and edges, with what they say.
fn graphml(kind: &str, nodes: &[(&str, &str)], edges: &[(&str, &str, Data<'_>)]) -> String {
    let mut text = format!(
        "<graphml><graph><data key=\"witness-type\">{kind}</data><data key=\"programfile\">p.c</data>
         <data key=\"specification\">{REACHABILITY}</data><data key=\"architecture\">64bit</data>\n"
    );
    for (id, data) in nodes {
        let _ = writeln!(text, "<node id=\"{id}\">{data}</node>");
    }
    for (from, to, data) in edges {
        let _ = write!(text, "<edge source=\"{from}\" target=\"{to}\">");
        for (key, value) in *data {
            let value = value.replace('&', "&amp;").replace('<', "&lt;");
            let _ = write!(text, "<data key=\"{key}\">{value}</data>");
        }
        text += "</edge>\n";
    }
    text + "</graph></graphml>\n"
}

/// A way of these edges to the violation.
fn chain(edges: &[&[(&str, &str)]]) -> String {
    let names: Vec<String> = (0..=edges.len()).map(|number| format!("n{number}")).collect();
    let node = |(number, name)| {
        let data = match number {
            0 => "<data key=\"entry\">true</data>",
            _ if number == edges.len() => "<data key=\"violation\">true</data>",
            _ => "",
        };
        (name, data)
    };
    let nodes: Vec<(&str, &str)> = names.iter().map(String::as_str).enumerate().map(node).collect();
    let edges: Vec<_> =
        names.windows(2).zip(edges).map(|(ends, data)| (&*ends[0], &*ends[1], *data)).collect();
    graphml("violation_witness", &nodes, &edges)
}

fn replay(program: &str, witness: &str) -> Ran {
    let bench = Workbench::new();
    bench.file("p.c", program).file("w", witness);
    bench.run(&["replay", "w", "p.c", "--timeout", "60"])
}

#[track_caller]
fn check(program: &str, witness: &str, last_line: &str) {
    let ran = replay(program, witness);
    assert_eq!(ran.last_line(), last_line, "{witness}\n{}", ran.stderr);
}

#[track_caller]
fn check_refused(program: &str, witness: &str, why: &str) {
    let ran = replay(program, witness);
    assert_eq!(ran.code, Some(3), "{witness}\n{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains(why), "{why}: {}", ran.stderr);
}

const CONFIRMED: &str = "Witness: confirmed";
const REJECTED: &str = "Witness: rejected";

/// The error is never reached: `y` is 0 or 1.
const RIGHT: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int y = __VERIFIER_nondet_int() > 0;
    if (y == 7)
        reach_error();
    return 0;
}
";

#[test]
fn expressions_that_do_something_are_refused() {
    let target = follow("target", (6, 9), "");
    for (value, why) in [
        ("(y = 7)", "an assignment"),
        ("y++ < 9 && (y=7)", "an increment"),
        ("1) { y = 7; } if (1", "not one C expression"),
        ("({ reach_error(); 1; })", "a statement"),
        ("__VERIFIER_nondet_int() == 3", "a call"),
        ("__ravelin_at = 1", "not about the program"),
    ] {
        let assumption = follow("assumption", (5, 5), &constraint(value));
        check_refused(RIGHT, &yaml(&VIOLATION, &(assumption + &target)), why);
    }
    let assigned = follow("function_return", (4, 35), &constraint("(\\result = 3) == 3"));
    check_refused(RIGHT, &yaml(&VIOLATION, &(assigned + &target)), "an assignment");
    let assumption = follow("assumption", (5, 5), &constraint("y == 1"));
    check(RIGHT, &yaml(&VIOLATION, &(assumption + &target)), REJECTED);
}

/// The error is reached with 9, and the loop ends with 5 or more.
const NINE: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
typedef int number;
int main(void) {
    number i = __VERIFIER_nondet_int();
    while (i < 5)
        i++;
    if (i == ERROR_AT)
        reach_error();
    return 0;
}
";

#[test]
fn invariants_do_not_change_the_program_they_are_of() {
    let program = NINE.replace("ERROR_AT", "9");
    for (value, why) in [
        ("(i = 5)", "an assignment"),
        ("1)); return 0; ((1", "not one C expression"),
        ("({ while (1); 1; })", "a statement"),
        ("({ __builtin_abort(); 1; })", "a statement"),
        ("(reach_error)() || 1", "a call"),
    ] {
        let said = invariant("location_invariant", (8, 5), value);
        check_refused(&program, &yaml(&CORRECTNESS, &said), why);
    }
    // C says nothing of what follows a division by zero.
    let divided = invariant("location_invariant", (8, 5), "1 / (i - 9) || 1");
    let unknown = "Witness: unknown('1 / (i - 9) || 1' divides by what may be zero)";
    check(&program, &yaml(&CORRECTNESS, &divided), unknown);
    let program = NINE.replace("ERROR_AT", "3");
    let said = invariant("location_invariant", (8, 5), "(number)(i) / 5 >= 1");
    check(&program, &yaml(&CORRECTNESS, &said), CONFIRMED);
    let said = invariant("location_invariant", (8, 5), "(number)(i) / 5 >= 2");
    check(&program, &yaml(&CORRECTNESS, &said), REJECTED);
}

/// The error is reached with 7, where `p` is null, `q` is freed and `i` is outside of the array.
const SEVEN: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(__SIZE_TYPE__);
extern void free(void *);
int main(void) {
    int n = __VERIFIER_nondet_int(), x = 1, i = 0, a[2] = {0, 0}, none;
    int *p = &x, *q = malloc(sizeof *q);
    if (n == 7) { p = 0; free(q); i = 2; }
    if (n == 7)
        reach_error();
    return 0;
}
";

/// Of an execution in which an invariant cannot be evaluated, nothing is known that could confirm a witness.
#[test]
fn an_invariant_that_cannot_be_evaluated_is_none() {
    for value in
        ["*(int *)0 == 0 || 1", "*p == *p", "n != 7 || *p == *p", "a[i] == a[i]", "*q == *q"]
    {
        let said = invariant("location_invariant", (9, 5), value);
        let Ran { stdout, .. } = replay(SEVEN, &yaml(&CORRECTNESS, &said));
        let unknown = "Witness: unknown(undefined behaviour: ";
        assert!(stdout.contains(unknown), "{value}: {stdout}");
    }
    // These have values, or any.
    for value in
        ["none == none", "(1 << (n == 7 ? 40 : 0)) || 1", "n + 2147483647 < n || 1", "p == p"]
    {
        let said = invariant("location_invariant", (9, 5), value);
        check(SEVEN, &yaml(&CORRECTNESS, &said), REJECTED);
    }
}

const LABELS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), n = 0;
    switch (x) {
    case 1: n = 5; break;
    case 2: n = 6; break;
    case 3 ... 7: break;
    default: goto end;
    }
    if (n != 6) goto end;
    reach_error();
end: ;
    return n;
}
";

#[test]
fn who_jumps_to_a_label_comes_to_what_is_looked_at_there() {
    let target = follow("target", (12, 5), "");
    for (kind, place, value, expected) in [
        ("assumption", (7, 5), "x == 2", CONFIRMED),
        ("assumption", (7, 5), "x == 1", REJECTED),
        ("assumption", (6, 5), "1", REJECTED),
        ("branching", (5, 5), "2", CONFIRMED),
        ("branching", (5, 5), "default", REJECTED),
    ] {
        let passed = follow(kind, place, &constraint(value));
        check(LABELS, &yaml(&VIOLATION, &(passed + &target)), expected);
    }
    // What goes to no case, and not to the range either, is other than 1 to 7.
    let program = LABELS.replace("default: goto end;", "default: if (x == -4) reach_error();");
    let passed = follow("branching", (5, 5), &constraint("default"));
    let target = follow("target", (9, 26), "");
    check(&program, &yaml(&VIOLATION, &(passed + &target)), CONFIRMED);
    let program = program.replace("-4", "5");
    let passed = follow("branching", (5, 5), &constraint("default"));
    check(&program, &yaml(&VIOLATION, &(passed + &target)), REJECTED);
    let program = LABELS.replace("if (n != 6) goto end;", "goto end;");
    for (place, value, expected) in [
        ((6, 5), "x == 1", CONFIRMED),
        ((6, 5), "x == 8", REJECTED),
        ((9, 5), "x > 2 || x < 1", CONFIRMED),
        ((9, 5), "x > 2", REJECTED),
        ((13, 1), "n <= 6", CONFIRMED),
        ((13, 1), "n <= 5", REJECTED),
    ] {
        let said = invariant("location_invariant", place, value);
        check(&program, &yaml(&CORRECTNESS, &said), expected);
    }
}

const POINTERS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void boom(void) { reach_error(); }
static int skip(void) { return 0; }
static int fail(void) { boom(); return 1; }
int main(void) {
    int (*f)(void) = skip;
    if (__VERIFIER_nondet_int() == 1)
        f = fail;
    int z = f();
    if (z == 2)
        boom();
    return z;
}
";

#[test]
fn errors_behind_pointers_count_where_they_happen() {
    for (place, expected) in [((10, 5), CONFIRMED), ((12, 9), REJECTED), ((13, 5), REJECTED)] {
        check(POINTERS, &yaml(&VIOLATION, &follow("target", place, "")), expected);
    }
    // A pointer to the error itself could be called from anywhere.
    let program =
        POINTERS.replace("boom(); return 1;", "return 1;").replace("= fail", "= reach_error");
    let unknown = "Witness: unknown(the program does more with 'reach_error' than to call it)";
    check(&program, &yaml(&VIOLATION, &follow("target", (12, 9), "")), unknown);
    let alias = "static int fail(void) __attribute__((alias(\"reach_error\")));";
    let program = POINTERS.replace("static int fail(void) { boom(); return 1; }", alias);
    check(&program, &yaml(&VIOLATION, &follow("target", (12, 9), "")), unknown);
}

/// The call in line 12 returns early, so what happens in line 17 does not happen in it.
const LEFT: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void check(int holds) {
    if (!holds)
        reach_error();
}
void also_check(int holds) {
    return check(holds);
}
int early(int x) {
    for (;;) {
        { check(x != 3); return x; }
    }
}
int main(void) {
    int x = early(__VERIFIER_nondet_int());
    also_check(x == 4 || x == 3);
    return 0;
}
";

#[test]
fn who_has_left_a_statement_is_not_inside_any_more() {
    check(LEFT, &yaml(&VIOLATION, &follow("target", (12, 9), "")), CONFIRMED);
    check(LEFT, &yaml(&VIOLATION, &follow("target", (16, 5), "")), CONFIRMED);
    let program = LEFT.replace("x != 3", "1");
    check(&program, &yaml(&VIOLATION, &follow("target", (12, 9), "")), REJECTED);
    check(&program, &yaml(&VIOLATION, &follow("target", (17, 5), "")), CONFIRMED);
    check(&program, &yaml(&VIOLATION, &follow("target", (8, 5), "")), CONFIRMED);
}

const PICKS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int pick(void) {
    int v = __VERIFIER_nondet_int();
    return v;
}
int main(void) {
    int a = pick(), b = pick();
    if (a == 3 && b == 4)
        reach_error();
    return 0;
}
";

#[test]
fn a_return_comes_after_the_call() {
    let target = follow("target", (10, 9), "");
    let returned = follow("function_return", (8, 18), "");
    for (value, expected) in [("v == 4", CONFIRMED), ("v == 3", REJECTED)] {
        let after = follow("assumption", (5, 5), &constraint(value));
        check(PICKS, &yaml(&VIOLATION, &format!("{returned}{after}{target}")), expected);
    }
}

#[test]
fn assumptions_in_graphml_hold_all_together() {
    let line = |line| [("startline", line)];
    let assumed = |value| [("startline", "8"), ("assumption", value)];
    for (value, expected) in [
        ("a == 3; b == 4;", CONFIRMED),
        ("a == 5 || a == 3; b == 4 || b == 7;", CONFIRMED),
        ("a == 3; b == 5 || b == 6;", REJECTED),
        ("a = 3;", CONFIRMED),
        ("a = 4;", REJECTED),
    ] {
        check(PICKS, &chain(&[&assumed(value), &line("10")]), expected);
    }
    check_refused(PICKS, &chain(&[&assumed("a = b;"), &line("10")]), "an assignment");
    check_refused(
        PICKS,
        &chain(&[&assumed("1) || (1; a == 9;"), &line("10")]),
        "not one C expression",
    );
}

#[test]
fn an_error_without_line_comes_after_all_else() {
    let value = |value| [("startline", "8"), ("assumption", value)];
    check(PICKS, &chain(&[&value("a == 3;"), &[]]), CONFIRMED);
    check(PICKS, &chain(&[&value("a == 4;"), &[]]), REJECTED);
    let nowhere = "Witness: unknown('assumption' is 'a == 4;', of no line)";
    check(PICKS, &chain(&[&[("assumption", "a == 4;")], &[]]), nowhere);
}

/// Of one call in a line it is known whose result is meant.
#[test]
fn results_of_the_only_call() {
    let value = |line, value| [("startline", line), ("assumption", value)];
    check(PICKS, &chain(&[&value("4", "\\result == 3;"), &[("startline", "10")]]), CONFIRMED);
    check(
        PICKS,
        &chain(&[&value("4", "\\result == 5;"), &value("4", "\\result == 6;"), &[]]),
        REJECTED,
    );
    let unknown = "Witness: unknown(which call of line 8 has the result is not said)";
    check(PICKS, &chain(&[&value("8", "\\result == 3;"), &[("startline", "10")]]), unknown);
}

const OWN_ABORT: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int aborts;
void abort(void) { aborts++; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 4) {
        int abort = 3;
        reach_error();
        return abort;
    }
    return 0;
}
";

#[test]
fn names_of_the_program_do_not_matter() {
    let target = follow("target", (9, 9), "");
    let result = |value: u32| {
        let value = constraint(&format!("\\result == {value}"));
        yaml(&VIOLATION, &(follow("function_return", (6, 35), &value) + &target))
    };
    check(OWN_ABORT, &result(4), CONFIRMED);
    check(OWN_ABORT, &result(5), REJECTED);
    let program = OWN_ABORT.replace("aborts", "__ravelin_at");
    let unknown = "Witness: unknown(names of the program begin with '__ravelin_')";
    check(&program, &result(5), unknown);
    // The error function may be declared otherwise.
    let program =
        NINE.replace("ERROR_AT", "3").replace("void reach_error(void)", "int reach_error()");
    let said = |value| yaml(&CORRECTNESS, &invariant("loop_invariant", (6, 5), value));
    check(&program, &said("i < 5 || i >= 5"), CONFIRMED);
    check(&program, &said("i < 5"), REJECTED);
}

#[test]
fn witnesses_of_other_questions_are_not_answered() {
    let wrong = NINE.replace("ERROR_AT", "9");
    let target = follow("target", (9, 9), "");
    check(&wrong, &yaml(&VIOLATION, &target), CONFIRMED);
    for specification in [
        "CHECK( init(main()), LTL(G ! overflow) )",
        "G valid-free",
        "CHECK( init(main()), LTL(G ! call(f())) )",
    ] {
        let text = yaml(&Form { specification, ..VIOLATION }, &target);
        check(&wrong, &text, "Witness: unknown(property not supported yet)");
        let graph = chain(&[&[("startline", "9")]]).replace(REACHABILITY, specification);
        check(&wrong, &graph, "Witness: unknown(property not supported yet)");
    }
    let refused = |form: Form, why| check_refused(&wrong, &yaml(&form, &target), why);
    refused(Form { specification: "hello", ..VIOLATION }, "its specification is 'hello'");
    refused(Form { data_model: "LP128", ..VIOLATION }, "unknown data model 'LP128'");
    refused(Form { version: "7.5", ..VIOLATION }, "version '7.5' of the format is not known");
    let graph = chain(&[&[("startline", "9")]]);
    check(&wrong, &graph, CONFIRMED);
    check_refused(&wrong, &graph.replace("64bit", "16bit"), "unknown architecture '16bit'");
    check_refused(&wrong, &graph.replace("</graphml>", ""), "it breaks off");
    let contract = "  - invariant: {type: function_contract, location: {file_name: p.c, line: 3}, \
                    requires: '1', ensures: '1', format: c_expression}\n";
    check_refused(&wrong, &yaml(&CORRECTNESS, contract), "'function_contract' are not supported");
}

#[test]
fn invariants_of_no_place_are_not_confirmed() {
    let right = NINE.replace("ERROR_AT", "3");
    let entry = ("a", "<data key=\"entry\">true</data>");
    let of = |value: &str| format!("<data key=\"invariant\">{value}</data>");
    let (no, yes) = (of("1 == 0"), of("( 1 )"));
    let unknown = "Witness: unknown(the invariant '1 == 0' is of no line)";
    let kind = "correctness_witness";
    let at_entry = |data: &str| {
        let data = format!("{}{data}", entry.1);
        graphml(kind, &[("a", &data)], &[])
    };
    check(&right, &at_entry(&no), unknown);
    check(&right, &at_entry(&yes), CONFIRMED);
    let entered = |data: &[(&str, &str)]| graphml(kind, &[entry, ("b", &no)], &[("a", "b", data)]);
    check(&right, &entered(&[("enterLoopHead", "true")]), unknown);
    check(&right, &entered(&[("enterLoopHead", "true"), ("startline", "6")]), REJECTED);
}

const THREADS: &str = "\
typedef unsigned long thrd_t;
extern int thrd_create(thrd_t *, int (*)(void *), void *);
extern int thrd_join(thrd_t, int *);
extern void reach_error(void);
int last;
int one(void *arg) {
    last = 1;
    return 0;
}
int two(void *arg) {
    last = 2;
    return 0;
}
int main(void) {
    thrd_t a, b;
    thrd_create(&a, one, 0);
    thrd_create(&b, two, 0);
    thrd_join(a, 0);
    thrd_join(b, 0);
    if (last == 1)
        reach_error();
    return 0;
}
";

#[test]
fn threads_are_those_that_the_program_starts() {
    let of = |thread: u32, more: &str| format!(", thread_id: {thread}{more}");
    let target = |thread| follow("target", (21, 9), &of(thread, ""));
    for (first, second, thread, expected) in [
        ((12, 2), (7, 1), 0, CONFIRMED),
        ((8, 1), (11, 2), 0, REJECTED),
        ((11, 1), (7, 2), 0, REJECTED),
        ((11, 2), (7, 1), 1, REJECTED),
        ((11, 2), (7, 5), 0, REJECTED),
    ] {
        let step = |(line, thread)| follow("assumption", (line, 5), &of(thread, &constraint("1")));
        let steps = step(first) + &step(second) + &target(thread);
        check(THREADS, &yaml(&VIOLATION, &steps), expected);
    }
    // Without threads, all is done by the main thread.
    let wrong = NINE.replace("ERROR_AT", "9");
    for (thread, value, expected) in [(0, 9, CONFIRMED), (0, 3, REJECTED), (5, 9, REJECTED)] {
        let value = constraint(&format!("i == {value}"));
        let steps = follow("assumption", (8, 5), &of(thread, &value));
        let steps = steps + &follow("target", (9, 9), &of(thread, ""));
        check(&wrong, &yaml(&VIOLATION, &steps), expected);
    }
    let created = |line, name| [("startline", line), ("threadId", "m"), ("createThread", name)];
    let (first, second) = (created("16", "x"), created("17", "y"));
    let at = |line, thread| [("startline", line), ("threadId", thread)];
    let way = |thread| chain(&[&first, &second, &at("11", "y"), &at("7", thread), &at("21", "m")]);
    check(THREADS, &way("x"), CONFIRMED);
    check(THREADS, &way("m"), REJECTED);
    check_refused(THREADS, &way("z"), "the thread 'z' was not created");
}

#[test]
fn files_of_the_same_name_are_told_apart() {
    let bench = Workbench::new();
    let part = |name: &str, value: u32| {
        format!(
            "extern void reach_error(void);\nint {name}(int x) {{\n    if (x == {value})\n        \
             reach_error();\n    return 0;\n}}\n"
        )
    };
    std::fs::create_dir(bench.path("a")).expect("a directory");
    std::fs::create_dir(bench.path("b")).expect("a directory");
    let main = "extern int __VERIFIER_nondet_int(void); int f(int); int g(int);\n\
                int main(void) { f(1); return g(__VERIFIER_nondet_int()); }\n";
    bench.file("a/p.c", part("f", 5)).file("b/p.c", part("g", 6)).file("main.c", main);
    for (file, expected) in
        [("a/p.c", REJECTED), ("b/p.c", CONFIRMED), ("./b/p.c", CONFIRMED), ("/x/b/p.c", CONFIRMED)]
    {
        let target = follow("target", (4, 9), "").replace("p.c", file);
        bench.file("w", yaml(&VIOLATION, &target));
        let ran = bench.run(&["replay", "w", "main.c", "a/p.c", "b/p.c", "--timeout", "60"]);
        assert_eq!(ran.last_line(), expected, "{file}: {}", ran.stderr);
    }
}
