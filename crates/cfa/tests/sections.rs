//! Locations definitely inside an atomic section.

use ravelin_base::EntityRef;
use ravelin_cfa::sections::Sections;
use ravelin_cfa::{Loc, Proc, parse};

/// The depths at the locations of `main`.
fn depths(main: &str, others: &str) -> Vec<u32> {
    let text = format!(
        "program LP64 source
         global x.v0: bv32 = 0:bv32
         proc main.p0(c.v1) {{ local c.v1: bool local f.v2: ptr entry l0 exit l1 {main} }}
         {others}"
    );
    let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let sections = Sections::of(&program);
    let main = Proc::new(0);
    let depths = sections.inside(main);
    program.procs[main].locs.keys().map(|loc: Loc| depths[loc]).collect()
}

#[test]
fn sections_nest_and_end() {
    let main = "l0 -> l2: atomic_begin l2 -> l3: atomic_begin l3 -> l4: atomic_end
                l4 -> l5: atomic_end l5 -> l1: return";
    assert_eq!(depths(main, ""), [0, 0, 1, 2, 1, 0]);
}

#[test]
fn ways_that_meet_have_the_least_depth() {
    let main = "l0 -> l2: assume c.v1 l0 -> l3: assume not(c.v1) l2 -> l4: atomic_begin
                l4 -> l3: x.v0 := 1:bv32 l3 -> l5: atomic_end l5 -> l1: return";
    assert_eq!(depths(main, ""), [0, 0, 0, 0, 1, 0]);
}

#[test]
fn a_call_of_what_may_end_the_section_ends_it() {
    let main = "l0 -> l2: atomic_begin l2 -> l3: call g.p1() l3 -> l4: x.v0 := 1:bv32
                l4 -> l1: return";
    let closed = "proc g.p1() { entry l0 exit l1 l0 -> l2: atomic_begin l2 -> l3: atomic_end
                  l3 -> l1: return }";
    assert_eq!(depths(main, closed), [0, 1, 1, 1, 1]);
    let returns_inside = "proc g.p1() { entry l0 exit l1 l0 -> l2: atomic_begin l2 -> l1: return }";
    assert_eq!(depths(main, returns_inside), [0, 1, 1, 1, 1]);
    let ends = "proc g.p1() { entry l0 exit l1 l0 -> l2: atomic_end l2 -> l3: atomic_begin
                l3 -> l1: return }";
    assert_eq!(depths(main, ends), [0, 0, 1, 0, 0]);
    // Recursion, over another procedure.
    let far = "proc g.p1() { entry l0 exit l1 l0 -> l2: call h.p2() l2 -> l1: return }
               proc h.p2() { local d.v3: bool entry l0 exit l1 l0 -> l2: assume d.v3
               l0 -> l3: assume not(d.v3) l2 -> l4: call g.p1() l4 -> l1: return
               l3 -> l5: atomic_end l5 -> l1: return }";
    assert_eq!(depths(main, far), [0, 0, 1, 0, 0]);
}

#[test]
fn a_call_through_a_pointer_may_be_of_any_function_with_an_address() {
    let main = "l0 -> l2: atomic_begin l2 -> l3: call *[f.v2]() l3 -> l4: x.v0 := 1:bv32
                l4 -> l1: return";
    let ends = "proc g.p1() { entry l0 exit l1 l0 -> l2: atomic_end l2 -> l1: return }";
    assert_eq!(depths(main, ends), [0, 1, 1, 1, 1]);
    let known = format!("object g.o0: function g.p1 size 1 align 1 = any {ends}");
    assert_eq!(depths(main, &known), [0, 0, 1, 0, 0]);
}
