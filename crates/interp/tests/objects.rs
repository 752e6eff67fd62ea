//! Memory: lifetimes, bounds, contents, pointers as integers.

mod common;

use common::{outcome_text, program, run_seed, status};
use ravelin_interp::{MemoryFault, Outcome, RandomChooser, RunConfig, run};

/// `main` with some objects and locals around the given lines.
fn with_objects(lines: &str) -> String {
    format!(
        "program LP64 source
        entry main.p0
        object g.o0: global size 16 align 4 = zero
        object k.o1: constant size 4 align 1 = bytes \"01020304\"
        object f.o2: function other.p1 size 1 align 1 = any
        object table.o3: global size 24 align 8 = {{ 0: 5:bv32, 8: &g.o0, 16: ptradd(&k.o1, 2:bv64) }}
        object big.o4: global size 1073741824 align 4 = zero
        proc main.p0() -> bv32 {{
            local p.v0: ptr
            local q.v1: ptr
            local i.v2: bv32 signed
            local j.v3: bv32 signed
            local n.v4: bv64
            local b.v5: bv8
            object l.o5: local size 8 align 4 = any
            object m.o6: local size 8 align 4 = any
            {lines}
        }}
        proc other.p1() {{
            return
        }}"
    )
}

fn check(lines: &str, expected: i32) {
    assert_eq!(status(&with_objects(lines)), expected, "{lines}");
}

fn fails(lines: &str, expected: &str) {
    let text = outcome_text(&with_objects(lines));
    let text = text.split(" at t.c").next().unwrap_or_default();
    assert_eq!(text, expected, "{lines}");
}

#[test]
fn initial_contents() {
    check("i.v2 := load &k.o1\nreturn i.v2", 0x0403_0201);
    check("i.v2 := load &table.o3\nreturn i.v2", 5);
    check("p.v0 := load ptradd(&table.o3, 16:bv64)\nb.v5 := load p.v0\nreturn zext[32](b.v5)", 3);
    let through = "p.v0 := load ptradd(&table.o3, 8:bv64)
        store p.v0, 9:bv32
        i.v2 := load &g.o0
        return i.v2";
    check(through, 9);
}

#[test]
fn invalid_accesses() {
    fails(
        "i.v2 := load null\nreturn i.v2",
        "invalid memory: read of 4 bytes through a null pointer",
    );
    fails(
        "store ptradd(&g.o0, 13:bv64), 1:bv32\nreturn 0:bv32",
        "invalid memory: write of 4 bytes out of bounds",
    );
    fails(
        "store ptradd(&g.o0, -1:bv64), 1:bv8\nreturn 0:bv32",
        "invalid memory: write of 1 byte out of bounds",
    );
    fails(
        "store &k.o1, 1:bv8\nreturn 0:bv32",
        "invalid memory: write of 1 byte in constant memory",
    );
    fails("b.v5 := load &f.o2\nreturn 0:bv32", "invalid memory: read of 1 byte in a function");
    fails(
        "i.v2 := load inttoptr(77777:bv64)\nreturn i.v2",
        "invalid memory: read of 4 bytes through a pointer to no object",
    );
    let dangling = "scope_begin l.o5
        p.v0 := &l.o5
        store p.v0, 3:bv32
        scope_end l.o5
        i.v2 := load p.v0
        return i.v2";
    fails(dangling, "invalid memory: read of 4 bytes after the lifetime of the object");
    let again = "scope_begin l.o5
        p.v0 := &l.o5
        scope_begin l.o5
        store p.v0, 3:bv32
        return 0:bv32";
    fails(again, "invalid memory: write of 4 bytes after the lifetime of the object");
    fails("p.v0 := &l.o5\nreturn 0:bv32", "undefined: object outside of its scope");
}

#[test]
fn heap_objects() {
    let lists = "p.v0 := alloc heap 8:bv64
        q.v1 := alloc heap_zeroed 8:bv64
        store p.v0, q.v1
        i.v2 := load q.v1
        free p.v0
        free q.v1
        free null
        return i.v2";
    check(lists, 0);
    let after = |op: &str| format!("p.v0 := alloc heap 8:bv64\nfree p.v0\n{op}\nreturn 0:bv32");
    let text = outcome_text(&with_objects(&after("free p.v0")));
    assert_eq!(
        text,
        "invalid memory: free of freed memory at t.c:19:1: heap block of 8 bytes allocated at t.c:17:1, freed at t.c:18:1"
    );
    let text = outcome_text(&with_objects(&after("store p.v0, 1:bv8")));
    assert_eq!(
        text,
        "invalid memory: write of 1 byte in freed memory at t.c:19:1: offset 0 of heap block of 8 bytes allocated at t.c:17:1, freed at t.c:18:1"
    );
    fails("free &g.o0\nreturn 0:bv32", "invalid memory: free of memory that was not allocated");
    let inside = "p.v0 := alloc heap 8:bv64\nfree ptradd(p.v0, 4:bv64)\nreturn 0:bv32";
    let text = outcome_text(&with_objects(inside));
    assert!(text.starts_with("invalid memory: free of a pointer into an object"), "{text}");
}

#[test]
fn realloc_moves_the_contents() {
    let grow = "p.v0 := alloc heap 4:bv64
        store p.v0, 77:bv32
        q.v1 := realloc p.v0, 8:bv64
        store ptradd(q.v1, 4:bv64), 1:bv32
        i.v2 := load q.v1
        p.v0 := realloc null, 4:bv64
        return i.v2";
    check(grow, 77);
    let stale = "p.v0 := alloc heap 4:bv64
        q.v1 := realloc p.v0, 8:bv64
        store p.v0, 1:bv32
        return 0:bv32";
    let text = outcome_text(&with_objects(stale));
    assert!(text.starts_with("invalid memory: write of 4 bytes in freed memory"), "{text}");
}

#[test]
fn stack_allocations_end_with_their_frame() {
    let text = "program LP64 source
        entry main.p0
        proc main.p0() -> bv32 {
            local p.v0: ptr
            local i.v1: bv32
            p.v0 := call make.p1()
            i.v1 := load p.v0
            return i.v1
        }
        proc make.p1() -> ptr {
            local q.v2: ptr
            q.v2 := alloc stack 4:bv64
            store q.v2, 1:bv32
            return q.v2
        }";
    let outcome = outcome_text(text);
    assert_eq!(
        outcome,
        "invalid memory: read of 4 bytes after the lifetime of the object at t.c:7:1: \
        offset 0 of stack object of 4 bytes made at t.c:12:1, its lifetime ended at t.c:14:1"
    );
}

#[test]
fn copies_and_fills() {
    check("copy &g.o0, &k.o1, 4:bv64\ni.v2 := load &g.o0\nreturn i.v2", 0x0403_0201);
    check("fill &g.o0, 7:bv8, 3:bv64\ni.v2 := load &g.o0\nreturn i.v2", 0x0007_0707);
    check("copy null, null, 0:bv64\nfill null, 1:bv8, 0:bv64\nreturn 1:bv32", 1);
    let pointers = "store &g.o0, &k.o1
        copy ptradd(&g.o0, 8:bv64), &g.o0, 8:bv64
        p.v0 := load ptradd(&g.o0, 8:bv64)
        i.v2 := load p.v0
        return i.v2";
    check(pointers, 0x0403_0201);
}

#[test]
fn pointers_go_through_integers_and_bytes() {
    check(
        "n.v4 := ptrtoint(&g.o0)\np.v0 := inttoptr(bvadd(n.v4, 4:bv64))
        store p.v0, 8:bv32\ni.v2 := load ptradd(&g.o0, 4:bv64)\nreturn i.v2",
        8,
    );
    let bytes = "store &g.o0, &k.o1
        n.v4 := load &g.o0
        store ptradd(&g.o0, 8:bv64), n.v4
        p.v0 := load ptradd(&g.o0, 8:bv64)
        i.v2 := load p.v0
        return i.v2";
    check(bytes, 0x0403_0201);
    check("n.v4 := ptrdiff(ptradd(&g.o0, 12:bv64), &g.o0)\nreturn extract[31:0](n.v4)", 12);
    check("p.v0 := &g.o0\nq.v1 := ptradd(p.v0, 4:bv64)
        return ite(ptrlt(p.v0, q.v1), ite(eq(p.v0, ptradd(q.v1, -4:bv64)), 1:bv32, 2:bv32), 3:bv32)", 1);
    // Distinct objects have distinct addresses, also just behind the one.
    check(
        "p.v0 := ptradd(&g.o0, 16:bv64)\nq.v1 := &k.o1
        return ite(eq(p.v0, q.v1), 1:bv32, ite(eq(q.v1, null), 2:bv32, 3:bv32))",
        3,
    );
}

#[test]
fn large_objects_cost_what_is_used() {
    let far = "store ptradd(&big.o4, 1073741820:bv64), 6:bv32
        i.v2 := load ptradd(&big.o4, 1073741820:bv64)
        j.v3 := load ptradd(&big.o4, 500000000:bv64)
        fill &big.o4, 1:bv8, 1073741824:bv64
        store &big.o4, 0:bv8
        copy ptradd(&big.o4, 536870912:bv64), &big.o4, 8192:bv64
        b.v5 := load ptradd(&big.o4, 536870913:bv64)
        return bvadd(i.v2, bvadd(j.v3, zext[32](b.v5)))";
    check(far, 7);
}

#[test]
fn indeterminate_bytes_keep_the_value_they_are_read_with() {
    let lines = "scope_begin l.o5
        scope_begin m.o6
        copy &m.o6, &l.o5, 8:bv64
        i.v2 := load &l.o5
        j.v3 := load &m.o6
        if eq(i.v2, j.v3) goto same
        return 1:bv32
        same:
        j.v3 := load &l.o5
        return ite(eq(i.v2, j.v3), 2:bv32, 3:bv32)";
    let program = program(&with_objects(lines));
    let mut drawn = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let run = run_seed(&program, seed);
        assert_eq!(run.outcome, Outcome::Exit(2), "{}", run.schedule);
        assert_eq!(run.schedule.values().len(), 1);
        drawn.insert(run.schedule.values()[0]);
    }
    assert!(drawn.len() > 3);
}

#[test]
fn long_doubles_and_pointers_have_their_sizes() {
    let text = |model: &str, size: u64| {
        format!(
            "program {model} source
            entry main.p0
            object a.o0: global size {size} align 4 = zero
            global p.v0: ptr = &a.o0
            global d.v1: f80 = 0x3fff8000000000000000:f80
            proc main.p0() -> bv32 {{
                local e.v2: f80
                store &a.o0, d.v1
                e.v2 := load &a.o0
                store &a.o0, p.v0
                return ftos[32](e.v2)
            }}"
        )
    };
    assert_eq!(status(&text("ILP32", 10)), 1);
    assert_eq!(status(&text("LP64", 10)), 1);
    let text = outcome_text(&text("LP64", 9));
    assert!(text.contains("write of 10 bytes out of bounds"), "{text}");
}

#[test]
fn objects_of_recursive_frames_are_distinct() {
    let text = "program LP64 source
        entry main.p0
        proc main.p0() -> bv32 {
            local r.v0: bv32
            r.v0 := call down.p1(5:bv32, null)
            return r.v0
        }
        proc down.p1(n.v1, up.v2) -> bv32 {
            local n.v1: bv32
            local up.v2: ptr
            local r.v3: bv32
            local mine.v4: bv32
            object cell.o0: local size 4 align 4 = any
            scope_begin cell.o0
            store &cell.o0, n.v1
            if eq(n.v1, 0:bv32) goto base
            r.v3 := call down.p1(bvsub(n.v1, 1:bv32), &cell.o0)
            mine.v4 := load &cell.o0
            return bvadd(r.v3, mine.v4)
            base:
            r.v3 := load up.v2
            return r.v3
        }";
    // 5 + 4 + 3 + 2 + 1, and 1 read through the pointer to the frame above.
    assert_eq!(status(text), 16);
}

#[test]
fn a_dangling_pointer_stays_one_in_long_runs() {
    // More objects die than the layout keeps apart; addresses come back, the first object does not.
    let lines = "scope_begin l.o5
        p.v0 := &l.o5
        scope_end l.o5
        i.v2 := 0:bv32
        again:
        if bvsle(300000:bv32, i.v2) goto done
        scope_begin l.o5
        store &l.o5, i.v2
        scope_end l.o5
        i.v2 := bvadd(i.v2, 1:bv32)
        goto again
        done:
        j.v3 := load p.v0
        return j.v3";
    let program = program(&with_objects(lines));
    let run = run(&program, &mut RandomChooser::new(1), &RunConfig::default());
    let expected = MemoryFault::ScopeEnded;
    let found =
        matches!(&run.outcome, Outcome::InvalidMemory { access, .. } if access.fault == expected);
    assert!(found, "{:?}", run.outcome);
}
