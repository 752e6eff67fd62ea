//! Regions: no two accesses in different ones touch a common byte.

use ravelin_base::{Budget, DataModel};
use ravelin_cfa::{Op, Program};
use ravelin_frontend::source::with_deep_stack;
use ravelin_pointsto::{Analysis, Division, Options, PointsTo, Regions, TargetSet, analyse};
use ravelin_testkit::pointers::pointer_program;

fn build(text: &str, model: DataModel) -> Program {
    let built = with_deep_stack(|| ravelin_frontend::build_text("generated.c", text, model));
    built.expect("there is room for a stack").expect("the program is C").program
}

fn solve(program: &Program, analysis: Analysis) -> PointsTo {
    let options = Options { analysis, ..Options::default() };
    analyse(program, &options, &mut Budget::unlimited()).expect("the budget is unlimited")
}

/// The addresses of all loads and stores that are reached, and how many bytes each has.
fn accesses(program: &Program, result: &PointsTo) -> Vec<(TargetSet, u64)> {
    let mut found = Vec::new();
    program.for_each_label(|proc, label| {
        let (addr, sort) = match &label.op {
            Op::Load { dst, addr, .. } => (*addr, program.vars[*dst].sort),
            Op::Store { addr, value, .. } => (*addr, program.terms.sort(*value)),
            _ => return,
        };
        if result.is_reached(proc) {
            found.push((result.of_term(program, addr), program.bytes_of(sort).unwrap_or(1)));
        }
    });
    found
}

#[test]
fn accesses_that_may_overlap_share_a_region() {
    let (mut regions_found, mut separate) = (0, 0);
    for seed in 0..60 {
        let program = build(&pointer_program(seed), DataModel::Lp64);
        for analysis in [Analysis::Andersen, Analysis::Steensgaard] {
            let result = solve(&program, analysis);
            let regions = Regions::new(&program, &result, Division::default());
            regions_found += regions.len();
            let all = accesses(&program, &result);
            for (index, (a, bytes)) in all.iter().enumerate() {
                for (b, other) in &all[index..] {
                    let (x, y) =
                        (regions.of_access(a, Some(*bytes)), regions.of_access(b, Some(*other)));
                    if let (Some(x), Some(y)) = (x, y) {
                        let fits = result.may_alias(a, *bytes, b, *other);
                        assert!(x == y || !fits, "seed {seed}: {a:?} and {b:?}");
                        separate += usize::from(x != y);
                    }
                }
            }
        }
    }
    // A single region would pass.
    assert!(regions_found > 500, "only {regions_found} regions");
    assert!(separate > 10_000, "only {separate} pairs are apart");
}

#[test]
fn fields_and_elements_are_apart_where_accesses_agree() {
    let text = "
        struct S { int n; int *p; char tag[4]; } a, b;
        int x[8];
        union { int word; char bytes[4]; } u;
        int main(void) {
            int i = 0;
            struct S *s = &a;
            s->n = 1;
            s->p = x;
            s->tag[1] = 2;
            b.n = 2;
            for (i = 0; i < 8; i++) x[i] = s->n;
            u.word = 3;
            u.bytes[1] = 4;
            return *s->p + u.word + b.n;
        }";
    let program = build(text, DataModel::Lp64);
    let result = solve(&program, Analysis::Andersen);
    let regions = Regions::new(&program, &result, Division::default());
    // a.n, a.p, a.tag[1], b.n, x, u, and the function's result and locals are no memory.
    assert_eq!(regions.len(), 6);
    let mixed: Vec<usize> = regions
        .iter()
        .filter(|(_, data)| !data.is_uniform)
        .map(|(_, data)| data.cells.len())
        .collect();
    assert_eq!(mixed, [2], "only the union is read and written in different sizes");
}

#[test]
fn what_is_copied_stays_together() {
    let text = "
        struct S { int n; int m; char rest[200]; } a, b, c;
        struct { int n; int *m; } d;
        int main(void) {
            a.n = 1;
            b = a;
            c = b;
            d.n = 2;
            d.m = 0;
            return c.m + d.n;
        }";
    let program = build(text, DataModel::Lp64);
    let result = solve(&program, Analysis::Andersen);
    // a, b and c are one, though nobody reads or writes b but as a whole; d.n and d.m are two.
    let regions = Regions::new(&program, &result, Division::default());
    assert_eq!(regions.len(), 3);
    let by_type = Division { fields: false, types: true };
    // Pointers, and the rest.
    assert_eq!(Regions::new(&program, &result, by_type).len(), 2);
    let one = Division { fields: false, types: false };
    assert_eq!(Regions::new(&program, &result, one).len(), 1);
}

#[test]
fn only_what_is_handed_on_escapes() {
    let text = "
        extern int pthread_create(unsigned long *, void *, void *(*)(void *), void *);
        extern void *malloc(unsigned long);
        int *shared;
        void *run(void *p) { *(int *)p = 1; return p; }
        int main(void) {
            int given = 0, kept = 0, *q = &kept;
            int *stored = malloc(4), *own = malloc(4);
            unsigned long thread;
            shared = stored;
            *own = *q;
            pthread_create(&thread, 0, run, &given);
            return given + *own;
        }";
    let program = build(text, DataModel::Lp64);
    let result = solve(&program, Analysis::Andersen);
    let escaped = result.escaped(&program);
    let report = ravelin_pointsto::print::Report { program: &program, result: &result };
    let holders = report.holders();
    let escapes = |name: &str| {
        let (_, set) = holders
            .iter()
            .find(|(holder, _)| report.holder_name(*holder) == format!("main::{name}"))
            .expect("the pointer has a set");
        set.targets().any(|target| escaped[target])
    };
    assert!(escapes("stored") && !escapes("own") && !escapes("q"));
    let given = program.objects.iter().find(|(_, o)| program.name(o.name) == "given");
    let (given, _) = given.expect("its address is taken");
    let given = result.target(ravelin_pointsto::ObjectName::Object(given));
    assert!(given.is_some_and(|given| escaped[given]));
}
