//! Memory that is private to a thread, and effects that others can see.

use ravelin_base::EntityRef;
use ravelin_cfa::sharing::Sharing;
use ravelin_cfa::{Object, Program, parse};

fn program_with(label: &str) -> Program {
    let text = format!(
        "program LP64 source
         global x.v0: bv32 = 0:bv32
         global p.v1: ptr = null
         object shared.o0: global size 8 align 8 = zero
         object text.o1: constant size 2 align 1 = bytes \"6100\"
         object tls.o2: thread_local size 8 align 8 = zero
         proc callee.p1(a.v2) {{ local a.v2: ptr entry l0 exit l1 l0 -> l1: return }}
         proc main.p0() {{
           local q.v3: ptr local i.v4: bv64 local n.v5: bv32 local m.v6: bv8
           object own.o3: local size 8 align 8 = any
           entry l0 exit l1 l0 -> l2: {label} l2 -> l1: return }}"
    );
    parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn is_private(label: &str, object: usize) -> bool {
    let mut program = program_with(label);
    let address = program.terms.address(Object::new(object));
    Sharing::of(&program).is_private(&program, address)
}

#[test]
fn direct_accesses_keep_an_object_private() {
    for label in [
        "n.v5 := load &own.o3",
        "store ptradd(&own.o3, i.v4), n.v5",
        "fill &own.o3, 0:bv8, 8:bv64",
        "copy &shared.o0, &own.o3, 8:bv64",
        "scope_begin own.o3",
    ] {
        assert!(is_private(label, 3), "{label}");
    }
    assert!(is_private("skip", 2), "a thread-local object");
    assert!(!is_private("skip", 0), "a global object");
}

#[test]
fn an_address_that_goes_anywhere_is_shared() {
    for label in [
        "q.v3 := &own.o3",
        "p.v1 := ptradd(&own.o3, 4:bv64)",
        "store &own.o3, &own.o3",
        "store ptradd(q.v3, ptrtoint(&own.o3)), n.v5",
        "n.v5 := load ite(eq(i.v4, 0:bv64), &own.o3, q.v3)",
        "call callee.p1(&own.o3)",
        "call *[q.v3](&own.o3)",
        "havoc_memory(&own.o3)",
        "mutex_lock(&own.o3)",
        "assume eq(q.v3, &own.o3)",
    ] {
        assert!(!is_private(label, 3), "{label}");
    }
}

#[test]
fn shared_locations_are_counted() {
    for (label, count, visible) in [
        ("skip", 0, false),
        ("i.v4 := 1:bv64", 0, false),
        ("n.v5 := x.v0", 1, false),
        ("x.v0 := n.v5", 1, true),
        ("x.v0 := bvadd(x.v0, 1:bv32)", 2, true),
        ("n.v5 := load p.v1", 2, false),
        ("n.v5 := load q.v3", 1, false),
        ("n.v5 := load &own.o3", 0, false),
        ("store &own.o3, n.v5", 0, false),
        ("store &tls.o2, n.v5", 0, false),
        ("store &shared.o0, n.v5", 1, true),
        ("m.v6 := load &text.o1", 0, false),
        ("free q.v3", 1, true),
        ("q.v3 := alloc heap 4:bv64", 0, false),
        ("scope_end own.o3", 0, false),
        ("i.v4 := start callee.p1(null)", 1, true),
        ("join i.v4", 1, true),
        ("mutex_unlock(q.v3)", 1, true),
        ("p.v1 := call *[q.v3]()", 2, true),
        ("q.v3 := call *[q.v3]()", 0, false),
        ("print(&text.o1, x.v0)", 1, false),
        ("havoc_memory(q.v3)", 1, true),
        ("atomic_begin", 0, false),
        ("atomic_end", 0, true),
    ] {
        let program = program_with(label);
        let sharing = Sharing::of(&program);
        let main = program.procs.values().next().expect("main is first");
        let op = &main.edges.values().next().expect("the label").labels[0].op;
        assert_eq!(sharing.count_op(&program, op), count, "{label}");
        assert_eq!(sharing.is_visible(&program, op), visible, "{label}");
    }
}
