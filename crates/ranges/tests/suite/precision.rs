//! What must be proved of small programs: that accesses are inside of their objects, and that sums do not overflow.

use ravelin_base::{Budget, DataModel};
use ravelin_cfa::{Label, ObjectFact, Op, Program, Term};
use ravelin_pointsto::{Options, Position, analyse};
use ravelin_ranges::Ranges;
use ravelin_term::{BinOp, TermKind, UnOp};

use crate::included::inspect_accesses;

const HEADER: &str =
    "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
    void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);";

/// How many accesses are proved to be inside of live objects, of how many; and how many sums and differences of
/// signed numbers are proved not to overflow, of how many.
fn proved(text: &str) -> [(usize, usize); 2] {
    let text = format!("{HEADER}\n{text}");
    let built = ravelin_frontend::build_text("test.c", &text, DataModel::Lp64).expect("it is C");
    let mut program = built.program;
    inspect_accesses(&mut program);
    let mut checks: Vec<(Position, Term, usize)> = Vec::new();
    for proc in program.procs.keys().collect::<Vec<_>>() {
        for edge in program.procs[proc].edges.keys().collect::<Vec<_>>() {
            let position = Position { proc, edge, label: 0 };
            let label = program.procs[proc].edges[edge].labels[0].clone();
            if let Op::Load { .. } | Op::Store { .. } = label.op {
                let check = access_check(&mut program, position, &label);
                checks.push((position, check, 0));
            }
            if let Op::Assign { dst, value } = label.op
                && program.vars[dst].signed
                && let Some(check) = overflow_check(&mut program, value)
            {
                checks.push((position, check, 1));
            }
        }
    }
    let mut budget = Budget::unlimited();
    let points_to = analyse(&program, &Options::default(), &mut budget).expect("no limit");
    let ranges = Ranges::of(&program, &points_to, &mut budget).expect("no limit");
    let mut counts = [(0, 0); 2];
    for (position, check, kind) in checks {
        let holds = ranges.holds(&program, position, check);
        if !holds {
            let label = &program.procs[position.proc].edges[position.edge].labels[0];
            let term = ravelin_cfa::print::term(&program, check);
            println!("{position:?} {}: {term}", ravelin_cfa::print::op(&program, &label.op));
        }
        counts[kind].0 += usize::from(holds);
        counts[kind].1 += 1;
    }
    counts
}

/// That the object is alive and has the bytes, from the results of the inspections before.
fn access_check(program: &mut Program, position: Position, label: &Label) -> Term {
    let bytes = match &label.op {
        Op::Load { dst, .. } => program.bytes_of(program.vars[*dst].sort),
        Op::Store { value, .. } => program.bytes_of(program.terms.sort(*value)),
        _ => None,
    };
    let bytes = bytes.expect("the value has bytes");
    let procedure = &program.procs[position.proc];
    let mut found = Vec::new();
    let mut at = procedure.edges[position.edge].source;
    for fact in ObjectFact::ALL.iter().rev() {
        let before = procedure.edges.values().find(|edge| edge.target == at).expect("inspections");
        let Op::Inspect { dst, fact: inspected, .. } = before.labels[0].op else {
            panic!("no inspection");
        };
        assert_eq!(inspected, *fact);
        found.push(dst);
        at = before.source;
    }
    let [life, size, offset] = [0, 1, 2].map(|index| program.read(found[index]));
    let terms = &mut program.terms;
    let width = terms.pointer_bits();
    let (length, two) = (terms.bv(width, bytes.into()), terms.bv(width, 1));
    let room = terms.binary(BinOp::BvSub, size, length);
    let is_alive = terms.binary(BinOp::BvUle, two, life);
    let is_inside = terms.binary(BinOp::BvUle, offset, room);
    let is_large = terms.binary(BinOp::BvUle, length, size);
    let check = terms.binary(BinOp::And, is_inside, is_large);
    terms.binary(BinOp::And, is_alive, check)
}

/// That a sum or difference is the one of wide numbers.
fn overflow_check(program: &mut Program, value: Term) -> Option<Term> {
    let TermKind::Binary(op @ (BinOp::BvAdd | BinOp::BvSub | BinOp::BvMul), a, b) =
        program.terms.kind(value)
    else {
        return None;
    };
    let terms = &mut program.terms;
    let [a, b] = [a, b].map(|side| terms.unary(UnOp::SignExt(64), side));
    let wide = terms.binary(op, a, b);
    let (least, most) = (terms.bv(64, i32::MIN as i64 as u128), terms.bv(64, i32::MAX as u128));
    let above = terms.binary(BinOp::BvSle, least, wide);
    let below = terms.binary(BinOp::BvSle, wide, most);
    Some(terms.binary(BinOp::And, above, below))
}

/// All accesses and all signed sums of `main` are proved.
fn all(body: &str) {
    let [accesses, sums] = proved(&format!("int main(void) {{ {body} return 0; }}"));
    assert_eq!(accesses.0, accesses.1, "accesses in {body}");
    assert_eq!(sums.0, sums.1, "sums in {body}");
}

#[test]
fn arrays_in_loops() {
    all("int a[10]; for (int i = 0; i < 10; i++) a[i] = i;");
    all("int a[10]; int i = 0; while (i < 10) { a[i] = i; ++i; } a[i - 1] = 0;");
    all("int a[8][9]; for (int i = 0; i < 8; i++) for (int j = 0; j < 9; j++) a[i][j] = i + j;");
    all("char b[100]; for (int i = 99; i >= 0; i--) b[i] = 1;");
    all("char b[100]; unsigned i = 100; while (i > 0) { i--; b[i] = 1; }");
    all("int a[10]; for (int i = 0; i != 10; i++) a[i] = 0;");
}

#[test]
fn strides_and_alignment() {
    all("int a[10]; for (int i = 0; i < 10; i += 2) { a[i] = 0; a[i + 1] = 1; }");
    all("int a[30]; for (int i = 0; i < 30; i += 3) { a[i] = 0; a[i + 2] = 1; }");
    all("int a[16]; for (int *p = a; p != a + 16; p++) *p = 1;");
}

#[test]
fn indices_that_are_cut_to_size() {
    all("int a[10]; unsigned n = __VERIFIER_nondet_uint(); a[n % 10] = 1;");
    all("int a[16]; int n = __VERIFIER_nondet_int(); a[n & 15] = 1;");
    all(
        "int a[10]; int n = __VERIFIER_nondet_int(); if (n < 0) n = 0; if (n > 9) n = 9; a[n] = 1;",
    );
    all("int a[10]; int n = __VERIFIER_nondet_int(); a[n < 0 ? 0 : n > 9 ? 9 : n] = 1;");
    all("int a[10]; int n = __VERIFIER_nondet_int(); int ok = n >= 0 && n < 10; if (ok) a[n] = 1;");
    all("char a[256]; unsigned char c = (unsigned char)__VERIFIER_nondet_int(); a[c] = 1;");
    all(
        "int a[10]; int n = __VERIFIER_nondet_int(); switch (n) { case 1: case 2: case 9: a[n] = 1; }",
    );
}

#[test]
fn sizes_that_are_computed() {
    all("int n = __VERIFIER_nondet_int(); if (n <= 0 || n > 1000) return 0; int *a = malloc(n * sizeof(int));
         for (int i = 0; i < n; i++) a[i] = i;");
    all("unsigned n = __VERIFIER_nondet_uint(); if (n > 1000) return 0; int *a = malloc(n * sizeof(int));
         for (unsigned i = 0; i < n; i++) a[i] = 1;");
    all("int n = __VERIFIER_nondet_int(); if (n <= 0) return 0; char *a = malloc(n);
         int i = 0; while (i < n) { a[i] = 1; i++; } a[n - 1] = 0;");
    all("int n = __VERIFIER_nondet_int(); if (n <= 0 || n > 100) return 0; int *a = malloc(n * sizeof(int));
         for (int i = 0; i < n; i++) for (int j = i; j < n; j++) a[j] = a[i];");
    all("int n = __VERIFIER_nondet_int(); if (n <= 1 || n > 100) return 0; int *a = malloc(n * sizeof(int));
         for (int i = 0; i < n - 1; i++) a[i] = a[i + 1]; free(a);");
}

#[test]
fn loops_with_two_variables() {
    all("int a[10]; for (int i = 0, j = 9; i < j; i++, j--) { a[i] = 1; a[j] = 2; }");
    all("int n = __VERIFIER_nondet_int(); if (n <= 0 || n > 100) return 0; int *a = malloc(n * sizeof(int));
         int i = 0, j = n - 1; while (i < j) { a[i] = 1; a[j] = 2; i++; j--; }");
}

#[test]
fn counters_that_move_together() {
    all("int a[10]; int c = 0; for (int i = 0; i < 10; i++)
         if (__VERIFIER_nondet_int()) { a[c] = i; c = c + 1; }");
    all("char a[20], b[20]; char *p = a; int n = 0;
         while (p != a + 20) { if (*p) { b[n] = 1; n = n + 1; } p++; }");
    all("char s[8] = \"a:b:c\"; int c = 0; for (int i = 0; i < 8; i++) { if (!s[i]) break; c = c + 1; }
         char b[9]; b[c] = 0;");
    // Against each other: sums are bounded.
    all("int x = 0, i = 0; while (i < 10) { i = i + 1;
         if (__VERIFIER_nondet_int()) x = x + 1; else x = x - 1; }");
    all("int n = __VERIFIER_nondet_int(); if (n < 0) return 0; int left = n, done = 0;
         while (left > 0) { left = left - 1; done = done + 1; }");
    all("int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), s;
         if (a < 0 || b < 0 || a > 100 - b) return 0; int x[101]; x[a] = 1; x[a + b] = 1;");
}

#[test]
fn sums_of_bounded_numbers() {
    all("int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), s;
         if (a > 0 && a < 1000 && b > -1000 && b < 0) { s = a + b; s = a - b; s = a * b; }");
    all("int n = __VERIFIER_nondet_int(), s = 0; for (int i = 0; i < n; i++) s = i;");
    all(
        "int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), s; if (a >= b && b >= 0) s = a - b;",
    );
    all("int a = __VERIFIER_nondet_int(), s; if (a < 2147483647) s = a + 1;");
}

#[test]
fn what_is_wrong_is_not_proved() {
    let main = |body: &str| proved(&format!("int main(void) {{ {body} return 0; }}"));
    assert_eq!(main("int a[10]; for (int i = 0; i <= 10; i++) a[i] = 0;")[0], (0, 1));
    assert_eq!(main("int *p = malloc(4); free(p); *p = 1;")[0], (0, 1));
    assert_eq!(main("int *p; { int x = 0; p = &x; } *p = 1;")[0], (1, 2));
    assert_eq!(main("int n = __VERIFIER_nondet_int(); char *p = malloc(n); p[0] = 1;")[0], (0, 1));
    assert_eq!(main("int n = __VERIFIER_nondet_int(), s; s = n + 1;")[1], (0, 1));
    assert_eq!(
        main("int a[10], c = 0; for (int i = 0; i < 9; i++) { a[c] = 0; c = c + 2; }")[0],
        (0, 1)
    );
    assert_eq!(
        main("unsigned char c = 0; int a[200]; for (int i = 0; i < 300; i++) { a[c] = 0; c++; }")
            [0],
        (0, 1)
    );
    assert_eq!(main("int *p = 0; if (__VERIFIER_nondet_int()) p = malloc(8); *p = 1;")[0], (0, 1));
    assert_eq!(
        main(
            "unsigned n = __VERIFIER_nondet_uint(); int *a = malloc(n * 4u); for (unsigned i = 0; i < n; i++) a[i] = 1;"
        )[0],
        (0, 1)
    );
}
