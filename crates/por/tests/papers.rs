//! The examples of the papers: which actions depend on each other, and which values are observed.

use ravelin_base::{Budget, EntityRef};
use ravelin_cfa::{Edge, Loc, Proc, Program, Var, parse};
use ravelin_pointsto::{Division, ObjectName, PointsTo};
use ravelin_por::{Ahead, Bits, DataFlow, Tables};

fn read(text: &str) -> (Program, PointsTo) {
    let program = parse(text).unwrap_or_else(|error| panic!("{error:?}"));
    let points_to =
        ravelin_pointsto::analyse(&program, &Default::default(), &mut Budget::unlimited())
            .expect("no limit");
    (program, points_to)
}

/// Two threads write one variable, the first through a pointer; a third variable is there to point to, too
/// (000, listings 2.5 and 4.1).
const WRITERS: &str = "program LP64 source
entry main.p0
object x.o0: global size 4 align 4 = zero
object other.o1: global size 4 align 4 = zero
global p.v0: ptr = &x.o0
proc main.p0() -> bv32 {
local a.v1: bv64
local b.v2: bv64
local c.v3: bv32
entry l0
exit l6
l0 -> l1: a.v1 := start through.p1()
l1 -> l2: b.v2 := start direct.p2()
l2 -> l3: p.v0 := &other.o1
l3 -> l4: join a.v1
l4 -> l5: join b.v2
l5 -> l6: return 0:bv32
}
proc through.p1() {
local q.v4: ptr
entry l0
exit l3
l0 -> l1: q.v4 := p.v0
l1 -> l2: store q.v4, 1:bv32
l2 -> l3: return
}
proc direct.p2() {
entry l0
exit l2
l0 -> l1: store &x.o0, 2:bv32
l1 -> l2: return
}
";

#[test]
fn actions_through_pointers_depend_on_what_they_reach() {
    let (program, points_to) = read(WRITERS);
    let tables = Tables::new(&program, &points_to);
    let (through, direct) = (Proc::new(1), Proc::new(2));
    let alpha = tables.step(through, Edge::new(1));
    let beta = tables.step(direct, Edge::new(0));
    // Example 6: p may lead to x, and both write it.
    assert!(alpha.conflicts_with(beta) && beta.conflicts_with(alpha));
    // With the points-to graph of a state in which p leads to x they still do, and elsewhere not.
    let object = |number: usize| -> Bits {
        let name = ObjectName::Object(program.objects.keys().nth(number).expect("an object"));
        [points_to.target(name).expect("it is pointed to").index()].into_iter().collect()
    };
    assert!(tables.ambiguous(through, Edge::new(1)).is_some());
    assert!(alpha.narrowed_to(&object(0)).conflicts_with(beta));
    assert!(!alpha.narrowed_to(&object(1)).conflicts_with(beta));
    // Definition 15: without x in the precision they are independent.
    assert!(!alpha.conflicts_within(beta, &tables.mask([], [])));
    let regions = ravelin_pointsto::Regions::new(&program, &points_to, Division::default());
    let all: Vec<_> = regions.iter().map(|(region, _)| region).collect();
    assert!(alpha.conflicts_within(beta, &tables.mask([], all)));
    // Definition 8: reading the pointer and writing it are dependent.
    let (reads_p, writes_p) =
        (tables.step(through, Edge::new(0)), tables.step(Proc::new(0), Edge::new(2)));
    assert!(reads_p.conflicts_with(writes_p) && !reads_p.conflicts_with(beta));
    assert!(reads_p.conflicts_within(writes_p, &tables.mask([Var::new(0)], [])));
    assert!(!reads_p.conflicts_within(writes_p, &tables.mask([], [])));
}

/// The program of 004's figures 2.3, 3.1 and 3.5: one thread writes x and y and checks y, the other copies
/// x to y and writes x.
const OBSERVED: &str = "program LP64 source
entry main.p0
global x.v0: bv32 = 0:bv32
global y.v1: bv32 = 0:bv32
proc main.p0() -> bv32 {
local a.v2: bv64
local b.v3: bv64
entry l0
exit l5
l0 -> l1: a.v2 := start first.p1()
l1 -> l2: b.v3 := start second.p2()
l2 -> l3: join a.v2
l3 -> l4: join b.v3
l4 -> l5: return 0:bv32
}
proc first.p1() {
entry l0
exit l4
l0 -> l1: x.v0 := 1:bv32
l1 -> l2: y.v1 := 1:bv32
l2 -> l3: assume not(eq(y.v1, 1:bv32))
l2 -> l5: assume eq(y.v1, 1:bv32)
l3 -> l4: error reach_error
l5 -> l4: return
}
proc second.p2() {
entry l0
exit l3
l0 -> l1: y.v1 := x.v0
l1 -> l2: x.v0 := 0:bv32
l2 -> l3: return
}
";

/// The variables observed with the two threads at these locations.
fn observed(tracked: &[usize], first: usize, second: usize) -> Vec<usize> {
    let (program, points_to) = read(OBSERVED);
    let flow = DataFlow::new(&program, &points_to, Division::default());
    let vars = program.vars.len();
    let tracked: Bits = tracked.iter().copied().collect();
    let ties = tracked.iter().map(|place| [place].into_iter().collect()).collect();
    let observers = flow.observers(&tracked, ties);
    let first = Ahead::From(Proc::new(1), Loc::new(first));
    let second = Ahead::From(Proc::new(2), Loc::new(second));
    let outlook = flow.outlook(&observers, [first, second]);
    (0..vars).filter(|&var| observers.is_observed(&outlook, var)).collect()
}

#[test]
fn values_are_observed_while_conditions_may_depend_on_them() {
    const X: usize = 0;
    const Y: usize = 1;
    // Fig. 3.1, above: x flows into y, and y is checked.
    assert_eq!(observed(&[X, Y], 0, 0), [X, Y]);
    // Example 4 and fig. 3.2: after `y = x` nobody reads x, so that `x = 1` can be left open.
    assert_eq!(observed(&[X, Y], 0, 1), [Y]);
    assert_eq!(observed(&[X, Y], 1, 1), [Y]);
    // Fig. 3.1, below, and 3.6: nothing is known to flow through what is not tracked.
    assert_eq!(observed(&[Y], 0, 0), [Y]);
    assert_eq!(observed(&[X], 0, 0), [] as [usize; 0]);
    // Fig. 3.7: once y was checked, no condition is left, and `y = x` need not be evaluated.
    assert_eq!(observed(&[Y], 5, 0), [] as [usize; 0]);
    assert_eq!(observed(&[X, Y], 3, 0), [] as [usize; 0]);
}

#[test]
fn what_is_tracked_together_is_observed_together() {
    let (program, points_to) = read(OBSERVED);
    let flow = DataFlow::new(&program, &points_to, Division::default());
    let both: Bits = [0, 1].into_iter().collect();
    let ahead = [Ahead::From(Proc::new(1), Loc::new(1))];
    let observed = |ties: Vec<Bits>| -> Vec<usize> {
        let observers = flow.observers(&both, ties);
        let outlook = flow.outlook(&observers, ahead);
        both.iter().filter(|&var| observers.is_observed(&outlook, var)).collect()
    };
    assert_eq!(observed(Vec::new()), [1]);
    assert_eq!(observed(vec![both.clone()]), [0, 1]);
}
