//! What edges touch, and what can still be touched, in small automata.

use ravelin_base::{Budget, EntityRef};
use ravelin_cfa::{Edge, Loc, Proc, Program, parse};
use ravelin_por::Tables;

const TEXT: &str = "program LP64 source
    entry main.p0
    global x.v0: bv32 = 0:bv32
    global y.v1: bv32 = 0:bv32
    object m.o0: global size 40 align 8 = zero
    object cell.o1: global size 4 align 4 = zero
    proc main.p0() -> bv32 {
        local a.v2: bv64
        local b.v3: bv64
        a.v2 := start left.p1()
        b.v3 := start right.p2()
        join a.v2
        join b.v3
        return 0:bv32
    }
    proc left.p1() {
        local t.v4: bv32
        t.v4 := x.v0
        mutex_lock(&m.o0)
        y.v1 := t.v4
        store &cell.o1, t.v4
        mutex_unlock(&m.o0)
        return
    }
    proc right.p2() {
        local u.v5: bv32
        u.v5 := x.v0
        mutex_lock(&m.o0)
        u.v5 := load &cell.o1
        y.v1 := u.v5
        mutex_unlock(&m.o0)
        x.v0 := u.v5
        return
    }";

/// The text with an edge for each line of a procedure.
fn with_edges(text: &str) -> String {
    let (mut out, mut steps, mut inside) = (String::new(), Vec::new(), false);
    for line in text.lines() {
        let line = line.trim();
        if inside && !line.starts_with("local") && line != "}" {
            steps.push(line);
            continue;
        }
        if line == "}" {
            out += &format!("entry l0\nexit l{}\n", steps.len());
            for (index, step) in steps.drain(..).enumerate() {
                out += &format!("l{index} -> l{}: {step}\n", index + 1);
            }
        }
        inside = inside && line != "}" || line.starts_with("proc");
        out += line;
        out.push('\n');
    }
    out
}

fn program() -> Program {
    parse(&with_edges(TEXT)).unwrap_or_else(|error| panic!("{error:?}"))
}

fn tables(program: &Program) -> Tables {
    let points_to =
        ravelin_pointsto::analyse(program, &Default::default(), &mut Budget::unlimited())
            .expect("no limit");
    Tables::new(program, &points_to)
}

/// The edges of a procedure in the order of the text.
fn edge(program: &Program, proc: usize, index: usize) -> (Proc, Edge) {
    let proc = Proc::new(proc);
    let mut loc = program.procs[proc].entry;
    for _ in 0..index {
        loc = program.procs[proc].edges[program.procs[proc].locs[loc].out[0]].target;
    }
    (proc, program.procs[proc].locs[loc].out[0])
}

fn source(program: &Program, proc: usize, index: usize) -> (Proc, Loc) {
    let (proc, edge) = edge(program, proc, index);
    (proc, program.procs[proc].edges[edge].source)
}

#[test]
fn steps_conflict_where_they_meet_and_one_writes() {
    let program = program();
    let tables = tables(&program);
    let step = |proc, index| {
        let (proc, edge) = edge(&program, proc, index);
        tables.step(proc, edge)
    };
    let (left, right) = (1, 2);
    assert!(!step(left, 0).conflicts_with(step(right, 0)), "reads commute");
    assert!(step(left, 0).conflicts_with(step(right, 5)), "a read and a write of x");
    assert!(step(left, 1).conflicts_with(step(right, 1)), "locks of one mutex");
    assert!(step(left, 1).conflicts_with(step(right, 4)), "lock and unlock");
    assert!(step(left, 3).conflicts_with(step(right, 2)), "store and load of one cell");
    assert!(!step(left, 3).conflicts_with(step(right, 3)), "different places");
    assert!(!step(0, 0).conflicts_with(step(right, 5)), "to start a thread touches nothing");
}

#[test]
fn the_future_is_that_of_calls_and_threads_too() {
    let program = program();
    let tables = tables(&program);
    let future = |proc, index| {
        let (proc, loc) = source(&program, proc, index);
        tables.futures().touched(proc, loc).clone()
    };
    let (proc, write_x) = edge(&program, 2, 5);
    let write_x = tables.step(proc, write_x);
    // Main can still start who writes x; once both run, it cannot.
    assert!(future(0, 0).conflicts_with(&future(1, 0)));
    let (proc, read_x) = edge(&program, 1, 0);
    assert!(future(0, 1).conflicts_with(tables.step(proc, read_x)));
    assert!(!future(0, 2).conflicts_with(tables.step(proc, read_x)));
    assert!(future(1, 0).conflicts_with(write_x));
    assert!(!future(1, 1).conflicts_with(write_x), "x was read");
}

#[test]
fn who_needs_a_held_mutex_gets_no_further() {
    let program = program();
    let tables = tables(&program);
    let object = program.objects.keys().next().expect("the mutex");
    let lock = tables.lock(object, 0).expect("it is known by name");
    let held = tables.futures_without(&program, 1 << lock);
    let (proc, loc) = source(&program, 2, 0);
    let (left, write_y) = edge(&program, 1, 2);
    let write_y = tables.step(left, write_y);
    assert!(tables.futures().touched(proc, loc).conflicts_with(write_y));
    assert!(!held.touched(proc, loc).conflicts_with(write_y));
    assert!(tables.futures().leaves(proc, loc) && !held.leaves(proc, loc));
    let (_, behind) = source(&program, 2, 2);
    assert!(held.touched(proc, behind).conflicts_with(write_y), "who is past it goes on");
}
