//! Traces of programs with threads, of executions by their schedules.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use ravelin_cfa::{Program, passes};
use ravelin_evidence::{Execution, trace};
use ravelin_frontend::source::{SourceOptions, with_deep_stack};
use ravelin_interp::{Outcome, Replay, RunConfig};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");

/// The program as `ravelin run` has it.
fn program(path: &str) -> Program {
    let built = with_deep_stack(|| {
        ravelin_frontend::build(&[Path::new(ROOT).join(path)], &SourceOptions::default())
    });
    let mut program = built.expect("room for a stack").expect("fixtures are accepted").program;
    passes::run(&mut program, &["split-shared-accesses"], &Default::default()).expect("passes run");
    program
}

fn record(path: &str, schedule: &str) -> Execution {
    let program = program(path);
    let mut replay = Replay::new(schedule.parse().expect("a schedule"));
    let config = RunConfig { trace: true, ..RunConfig::default() };
    let run = ravelin_interp::run(&program, &mut replay, &config);
    assert!(!replay.diverged() && replay.is_finished(), "{schedule}");
    Execution::new(program, run)
}

fn render(execution: &Execution) -> String {
    render_within(execution, trace::DEFAULT_WIDTH)
}

fn render_within(execution: &Execution, room: usize) -> String {
    let line = |file: &str, line: u32| {
        let text = fs::read_to_string(file).ok()?;
        text.lines().nth(line as usize - 1).map(str::to_owned)
    };
    trace::render(execution, &line, room).replace(ROOT, "")
}

fn check(path: &str, schedule: &str, expected: Expect) {
    let execution = record(path, schedule);
    let outcome = execution.outcome.display(&execution.program);
    assert!(matches!(execution.outcome, Outcome::Error { .. }), "{outcome}");
    let text = render(&execution);
    // The last line names a file, whose name has any length; a list cuts nothing.
    if text.contains('│') {
        for line in text.lines().filter(|line| !line.contains(path)) {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
    // A line without indentation, so that the others keep theirs.
    expected.assert_eq(&format!("{schedule}\n{text}"));
}

#[test]
fn race_on_a_counter() {
    check(
        "examples/lost_update.c",
        "0x11,2,1,2x2,1x2,0x14",
        expect![[r#"
            0x11,2,1,2x2,1x2,0x14
              examples/lost_update.c
              line  main                         │ increment 1                  │ increment 2
                25  pthread_t first, second;     │                              │
                27  pthread_create(&first, NULL… │                              │
                      starts increment 1         │                              │
                28  pthread_create(&second, NUL… │                              │
                      starts increment 2         │                              │
                29  pthread_join(first, NULL);   │                              │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                20                               │                              │ counter++;  R counter = 0
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                20                               │ counter++;  R counter = 0    │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                20                               │                              │ counter++;  W counter = 1
                21                               │                              │ return NULL;  ends
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                20                               │ counter++;  W counter = 1    │
                21                               │ return NULL;  ends           │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                29  pthread_join(first, NULL);   │                              │
                      joins increment 1          │                              │
                30  pthread_join(second, NULL);  │                              │
                      joins increment 2          │                              │
                32  assert(counter == 2);        │                              │
                      R counter = 1              │                              │
              assertion failed at examples/lost_update.c:32:13 in main
        "#]],
    );
}

#[test]
fn locks_and_their_owners() {
    let schedule = "0x11,1,2x4,1x2,2x2,1x4,0x14";
    check(
        "tests/c/concurrency/101-wrong-lock.c",
        schedule,
        expect![[r#"
            0x11,1,2x4,1x2,2x2,1x4,0x14
              tests/c/concurrency/101-wrong-lock.c
              line  main                         │ deposit                      │ withdraw
                29  pthread_t one, two;          │                              │
                30  pthread_create(&one, NULL,…  │                              │
                      starts deposit             │                              │
                31  pthread_create(&two, NULL,…  │                              │
                      starts withdraw            │                              │
                32  pthread_join(one, NULL);     │                              │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                12                               │ pthread_mutex_lock(&left);   │
                                                 │   locks left                 │
              ── left held by deposit ──────────────────────────────────────────────────────────────────────────
                21                               │                              │ pthread_mutex_lock(&right);
                                                 │                              │   locks right
                22                               │                              │ int before = balance;
                                                 │                              │   R balance = 10,
                                                 │                              │   before = 10
                23                               │                              │ pthread_mutex_unlock(&right…
                                                 │                              │   unlocks right
              ── left held by deposit ──────────────────────────────────────────────────────────────────────────
                13                               │ pthread_mutex_lock(&right);  │
                                                 │   locks right                │
                14                               │ balance = balance + 5;       │
                                                 │   R balance = 10             │
              ── left held by deposit; right held by deposit ───────────────────────────────────────────────────
                24                               │                              │ balance = before - 3;
                                                 │                              │   W balance = 7
                25                               │                              │ return unused;  ends
              ── left held by deposit; right held by deposit ───────────────────────────────────────────────────
                14                               │ balance = balance + 5;       │
                                                 │   W balance = 15             │
                15                               │ pthread_mutex_unlock(&right… │
                                                 │   unlocks right              │
                16                               │ pthread_mutex_unlock(&left); │
                                                 │   unlocks left               │
                17                               │ return unused;  ends         │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                32  pthread_join(one, NULL);     │                              │
                      joins deposit              │                              │
                33  pthread_join(two, NULL);     │                              │
                      joins withdraw             │                              │
                34  assert(balance == 12);       │                              │
                      R balance = 15             │                              │
              assertion failed at tests/c/concurrency/101-wrong-lock.c:34:13 in main
        "#]],
    );
}

#[test]
fn condition_variable_that_wakes_the_second() {
    let schedule = "0x10,1x4,0x7,2x9,1x6";
    check(
        "tests/c/concurrency/102-wait-without-loop.c",
        schedule,
        expect![[r#"
            0x10,1x4,0x7,2x9,1x6
              tests/c/concurrency/102-wait-without-loop.c
              line  main                         │ consumer 1                   │ consumer 2
                23  pthread_t first, second;     │                              │
                24  pthread_create(&first, NULL… │                              │
                      starts consumer 1          │                              │
                25  pthread_create(&second, NUL… │                              │
                      starts consumer 2          │                              │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                13                               │ pthread_mutex_lock(&lock);   │
                                                 │   locks lock                 │
                14                               │ if (items == 0)  R items = 0 │
                15                               │ pthread_cond_wait(&filled,…  │
                                                 │   unlocks lock,              │
                                                 │   waits for filled           │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                26  pthread_mutex_lock(&lock);   │                              │
                      locks lock                 │                              │
                27  items++;                     │                              │
                      R items = 0, W items = 1   │                              │
                28  pthread_cond_signal(&filled… │                              │
                      signals filled, wakes      │                              │
                      consumer 1                 │                              │
                29  pthread_mutex_unlock(&lock); │                              │
                      unlocks lock               │                              │
                30  pthread_join(first, NULL);   │                              │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                13                               │                              │ pthread_mutex_lock(&lock);
                                                 │                              │   locks lock
                14                               │                              │ if (items == 0)  R items = 1
                16                               │                              │ items--;
                                                 │                              │   R items = 1, W items = 0
                17                               │                              │ assert(items >= 0);
                                                 │                              │   R items = 0
                18                               │                              │ pthread_mutex_unlock(&lock);
                                                 │                              │   unlocks lock
                19                               │                              │ return unused;  ends
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                15                               │ pthread_cond_wait(&filled,…  │
                                                 │   locks lock                 │
                16                               │ items--;                     │
                                                 │   R items = 0, W items = -1  │
                17                               │ assert(items >= 0);          │
                                                 │   R items = -1               │
              lock held by consumer 1
              assertion failed at tests/c/concurrency/102-wait-without-loop.c:17:13 in consumer 1
        "#]],
    );
}

#[test]
fn condition_variable_that_wakes_without_reason() {
    let schedule = "0x10,2x4,2s,2x6";
    check(
        "tests/c/concurrency/102-wait-without-loop.c",
        schedule,
        expect![[r#"
            0x10,2x4,2s,2x6
              tests/c/concurrency/102-wait-without-loop.c
              line  main                                         │ consumer 2
                23  pthread_t first, second;                     │
                24  pthread_create(&first, NULL, consumer, NULL… │
                      starts consumer 1                          │
                25  pthread_create(&second, NULL, consumer, NUL… │
                      starts consumer 2                          │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                13                                               │ pthread_mutex_lock(&lock);  locks lock
                14                                               │ if (items == 0)  R items = 0
                15                                               │ pthread_cond_wait(&filled, &lock);
                                                                 │   unlocks lock, waits for filled,
                                                                 │   wakes up without a signal, locks lock
                16                                               │ items--;  R items = 0, W items = -1
                17                                               │ assert(items >= 0);  R items = -1
              lock held by consumer 2
              assertion failed at tests/c/concurrency/102-wait-without-loop.c:17:13 in consumer 2
        "#]],
    );
}

#[test]
fn semaphore() {
    let schedule = "0x6,1x6,0x3,1,0x4";
    check(
        "tests/c/concurrency/103-semaphore-lets-two-in.c",
        schedule,
        expect![[r#"
            0x6,1x6,0x3,1,0x4
              tests/c/concurrency/103-semaphore-lets-two-in.c
              line  main                                         │ visitor
                22  pthread_t other;                             │
                23  sem_init(&gate, 0, 2);                       │
                24  pthread_create(&other, NULL, visitor, NULL); │
                      starts visitor                             │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                13                                               │ sem_wait(&gate);  takes one from gate
                14                                               │ inside = inside + 1;
                                                                 │   R inside = 0, W inside = 1
                15                                               │ assert(inside == 1);  R inside = 1
                16                                               │ inside = inside - 1;  R inside = 1
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                25  visitor(NULL);                               │
                13    sem_wait(&gate);  takes one from gate      │
                14    inside = inside + 1;  R inside = 1         │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                16                                               │ inside = inside - 1;  W inside = 0
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                14    inside = inside + 1;  W inside = 2         │
                15    assert(inside == 1);  R inside = 2         │
              assertion failed at tests/c/concurrency/103-semaphore-lets-two-in.c:15:13 in main
        "#]],
    );
}

#[test]
fn threads_started_in_a_loop() {
    let schedule = "0x20,1,2x3,1x2,0x18";
    check(
        "tests/c/concurrency/104-started-in-a-loop.c",
        schedule,
        expect![[r#"
            0x20,1,2x3,1x2,0x18
              tests/c/concurrency/104-started-in-a-loop.c
              line  main                         │ worker 1                     │ worker 2
                18  pthread_t threads[COUNT];    │                              │
                20  for (i = 0; i < COUNT - 1;…  │                              │
                      W i = 0, R i = 0           │                              │
                21  pthread_create(&threads[i],… │                              │
                      R i = 0, starts worker 1   │                              │
                20  for (i = 0; i < COUNT - 1;…  │                              │
                      R i = 0, W i = 1, R i = 1  │                              │
                22  pthread_create(&threads[COU… │                              │
                      starts worker 2            │                              │
                23  for (int j = 0; j < COUNT;…  │                              │
                      j = 0                      │                              │
                24  pthread_join(threads[j], NU… │                              │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                13                               │ seen[*(int *)number] = 1;    │
                                                 │   R i = 1                    │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                13                               │                              │ seen[*(int *)number] = 1;
                                                 │                              │   R i = 1, W seen+4 = 1
                14                               │                              │ return NULL;  ends
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                13                               │ seen[*(int *)number] = 1;    │
                                                 │   W seen+4 = 1               │
                14                               │ return NULL;  ends           │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                24  pthread_join(threads[j], NU… │                              │
                      joins worker 1             │                              │
                23  for (int j = 0; j < COUNT;…  │                              │
                      j = 1                      │                              │
                24  pthread_join(threads[j], NU… │                              │
                      joins worker 2             │                              │
                23  for (int j = 0; j < COUNT;…  │                              │
                      j = 2                      │                              │
                25  assert(seen[0] && seen[1]);  │                              │
                      R seen = 0                 │                              │
              assertion failed at tests/c/concurrency/104-started-in-a-loop.c:25:13 in main
        "#]],
    );
}

#[test]
fn struct_behind_pointers() {
    let schedule = "0x13,1x2,2x4,1x2,0x6,2x2";
    check(
        "tests/c/concurrency/105-struct-behind-pointers.c",
        schedule,
        expect![[r#"
            0x13,1x2,2x4,1x2,0x6,2x2
              tests/c/concurrency/105-struct-behind-pointers.c
              line  main                         │ sender                       │ receiver
                29  struct message *message = c… │                              │
                      message = &heap:29         │                              │
                30  pthread_t one, two;          │                              │
                31  pthread_create(&one, NULL,…  │                              │
                      starts sender              │                              │
                32  pthread_create(&two, NULL,…  │                              │
                      starts receiver            │                              │
                33  pthread_join(one, NULL);     │                              │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                15                               │ struct message *message = a… │
                                                 │   message = &heap:29         │
                16                               │ message->ready = 1;          │
                                                 │   W heap:29+4 = 1            │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                22                               │                              │ struct message *message = a…
                                                 │                              │   message = &heap:29
                23                               │                              │ if (message->ready)
                                                 │                              │   R heap:29+4 = 1
                24                               │                              │ assert(message->length == 7…
                                                 │                              │   R heap:29 = 0
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                17                               │ message->length = 7;         │
                                                 │   W heap:29 = 7              │
                18                               │ return NULL;  ends           │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                33  pthread_join(one, NULL);     │                              │
                      joins sender               │                              │
                34  pthread_join(two, NULL);     │                              │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                24                               │                              │ assert(message->length == 7…
              assertion failed at tests/c/concurrency/105-struct-behind-pointers.c:24:17 in receiver
        "#]],
    );
}

#[test]
fn more_threads_than_columns() {
    let schedule = "0x36,5x7,4x7,3x7,2x7,1x7,0x42";
    check(
        "tests/c/concurrency/106-six-threads.c",
        schedule,
        expect![[r#"
            0x36,5x7,4x7,3x7,2x7,1x7,0x42
              tests/c/concurrency/106-six-threads.c
              main      20  pthread_t threads[5];
              main      21  for (long i = 0; i < 5; i++)  // i = 0
              main      22  pthread_create(&threads[i], NULL, step, (void *)(i + 1));  // starts step 1
              main      21  for (long i = 0; i < 5; i++)  // i = 1
              main      22  pthread_create(&threads[i], NULL, step, (void *)(i + 1));  // starts step 2
              main      21  for (long i = 0; i < 5; i++)  // i = 2
              main      22  pthread_create(&threads[i], NULL, step, (void *)(i + 1));  // starts step 3
              main      21  for (long i = 0; i < 5; i++)  // i = 3
              main      22  pthread_create(&threads[i], NULL, step, (void *)(i + 1));  // starts step 4
              main      21  for (long i = 0; i < 5; i++)  // i = 4
              main      22  pthread_create(&threads[i], NULL, step, (void *)(i + 1));  // starts step 5
              main      21  for (long i = 0; i < 5; i++)  // i = 5
              main      23  for (int i = 0; i < 5; i++)  // i = 0
              main      24  pthread_join(threads[i], NULL);
              ──────────────────────────────────────────────────────────────────────────────────────────────────
              step 5    12  pthread_mutex_lock(&lock);  // locks lock
              step 5    13  if (turn == (int)(long)number)  // R turn = 5
              step 5    14  turn = turn - 1;  // R turn = 5, W turn = 4
              step 5    15  pthread_mutex_unlock(&lock);  // unlocks lock
              step 5    16  return NULL;  // ends
              ──────────────────────────────────────────────────────────────────────────────────────────────────
              step 4    12  pthread_mutex_lock(&lock);  // locks lock
              step 4    13  if (turn == (int)(long)number)  // R turn = 4
              step 4    14  turn = turn - 1;  // R turn = 4, W turn = 3
              step 4    15  pthread_mutex_unlock(&lock);  // unlocks lock
              step 4    16  return NULL;  // ends
              ──────────────────────────────────────────────────────────────────────────────────────────────────
              step 3    12  pthread_mutex_lock(&lock);  // locks lock
              step 3    13  if (turn == (int)(long)number)  // R turn = 3
              step 3    14  turn = turn - 1;  // R turn = 3, W turn = 2
              step 3    15  pthread_mutex_unlock(&lock);  // unlocks lock
              step 3    16  return NULL;  // ends
              ──────────────────────────────────────────────────────────────────────────────────────────────────
              step 2    12  pthread_mutex_lock(&lock);  // locks lock
              step 2    13  if (turn == (int)(long)number)  // R turn = 2
              step 2    14  turn = turn - 1;  // R turn = 2, W turn = 1
              step 2    15  pthread_mutex_unlock(&lock);  // unlocks lock
              step 2    16  return NULL;  // ends
              ──────────────────────────────────────────────────────────────────────────────────────────────────
              step 1    12  pthread_mutex_lock(&lock);  // locks lock
              step 1    13  if (turn == (int)(long)number)  // R turn = 1
              step 1    14  turn = turn - 1;  // R turn = 1, W turn = 0
              step 1    15  pthread_mutex_unlock(&lock);  // unlocks lock
              step 1    16  return NULL;  // ends
              ──────────────────────────────────────────────────────────────────────────────────────────────────
              main      24  pthread_join(threads[i], NULL);  // joins step 1
              main      23  for (int i = 0; i < 5; i++)  // i = 1
              main      24  pthread_join(threads[i], NULL);  // joins step 2
              main      23  for (int i = 0; i < 5; i++)  // i = 2
              main      24  pthread_join(threads[i], NULL);  // joins step 3
              main      23  for (int i = 0; i < 5; i++)  // i = 3
              main      24  pthread_join(threads[i], NULL);  // joins step 4
              main      23  for (int i = 0; i < 5; i++)  // i = 4
              main      24  pthread_join(threads[i], NULL);  // joins step 5
              main      23  for (int i = 0; i < 5; i++)  // i = 5
              main      25  assert(turn != 0);  // R turn = 0
              assertion failed at tests/c/concurrency/106-six-threads.c:25:13 in main
        "#]],
    );
}

#[test]
fn rounds_private_steps_and_inputs() {
    let schedule = "0x5,1x42,0x6;v=111";
    check(
        "tests/c/concurrency/107-long-way-to-an-input.c",
        schedule,
        expect![[r#"
            0x5,1x42,0x6;v=111
              tests/c/concurrency/107-long-way-to-an-input.c
              line  main                                         │ writer
                35  pthread_t thread;                            │
                36  pthread_create(&thread, NULL, writer, NULL); │
                      starts writer                              │
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                26                                               │ int sum = 0;  sum = 0
                27                                               │ for (int i = 0; i < 9; i++)  i = 0
                28                                               │ sum += i;  sum = 0
                27                                               │ for (int i = 0; i < 9; i++)  i = 1
                28                                               │ sum += i;  sum = 1
                                                                 │ … 6 more rounds …
                27                                               │ for (int i = 0; i < 9; i++)  i = 8
                28                                               │ sum += i;  sum = 36
                27                                               │ for (int i = 0; i < 9; i++)  i = 9
                                                                 │ … 9 more steps …
                21                                               │   int i = h + 1;  i = 111
                22                                               │   return i;
                29                                               │ key = scrambled(sum);  W key = 111
              ──────────────────────────────────────────────────────────────────────────────────────────────────
                37  int guess = __VERIFIER_nondet_int();         │
                      nondet_int() = 111, guess = 111            │
                38  if (guess != 0 && guess == key)  R key = 111 │
                39  reach_error();                               │
              error call reached at tests/c/concurrency/107-long-way-to-an-input.c:39:9 in main
        "#]],
    );
}

/// An execution in which only main moves has the trace of a single thread.
#[test]
fn threads_that_do_not_move_have_no_columns() {
    let execution = record("tests/c/concurrency/107-long-way-to-an-input.c", "0x11;v=5");
    assert!(!render(&execution).contains('│'));
}

/// Columns fill the room that there is; where it is too narrow for them, there is a list.
#[test]
fn columns_are_as_wide_as_the_room() {
    let execution = record("examples/lost_update.c", "0x11,2,1,2x2,1x2,0x14");
    let widest = |room: usize| {
        let text = render_within(&execution, room);
        let lines = text.lines().filter(|line| !line.contains("examples/"));
        (lines.map(|line| line.chars().count()).max(), text.contains(" │ "))
    };
    assert_eq!(widest(140), (Some(140), true));
    assert_eq!(widest(trace::DEFAULT_WIDTH), (Some(trace::DEFAULT_WIDTH), true));
    assert!(!widest(60).1);
}
