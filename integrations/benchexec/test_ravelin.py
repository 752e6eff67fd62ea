"""Tests of the tool-info module and of make_tasks.py.

    RAVELIN=path/to/ravelin python3 test_ravelin.py

What needs a package, a program or a right that is missing is left out and named. With the variable
RAVELIN_REQUIRE_BENCHEXEC set, that is a failure.
"""

import bz2
import contextlib
import csv
import glob
import io
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MODULE = "integrations.benchexec.ravelin"
sys.dont_write_bytecode = True
sys.path.insert(0, ROOT)

from integrations.benchexec import make_tasks  # noqa: E402
from integrations.left_out import leave_out  # noqa: E402

try:
    import benchexec.model
    import benchexec.result
    import benchexec.util
    import yaml
    from benchexec.tools.template import (
        BaseTool2,
        ToolNotFoundException,
        UnsupportedFeatureException,
    )

    from integrations.benchexec import ravelin

    MISSING = None
except ImportError as error:
    if (error.name or "").split(".")[0] not in ("benchexec", "yaml"):
        raise
    MISSING = "no benchexec"

PROGRAM = os.environ.get("RAVELIN")


class WithBenchExec(unittest.TestCase):
    def setUp(self):
        if MISSING:
            leave_out(self, MISSING)
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = os.path.realpath(directory.name)
        self.tool = ravelin.Tool()

    def path(self, *names):
        path = os.path.join(self.directory, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def script(self, *names, body):
        path = self.path(*names)
        with open(path, "w") as file:
            file.write("#!/bin/sh\n" + body)
        os.chmod(path, 0o755)
        return path

    def locate(self):
        return self.tool.executable(BaseTool2.ToolLocator(tool_directory=self.directory))


class Program(WithBenchExec):
    def test_a_program_in_the_tool_directory_is_found(self):
        program = self.script("ravelin", body="echo ravelin 12.3.4")
        self.assertEqual(self.locate(), program)
        self.assertEqual(self.tool.version(program), "12.3.4")
        self.assertEqual(self.tool.environment(program), {})
        self.assertEqual(self.tool.program_files(program), [program])
        self.assertEqual(self.tool.name(), "Ravelin")

    def test_in_a_clone_it_is_what_was_built_with_its_solver(self):
        self.script("ravelin", body="exit 1")
        built = self.script("target", "release", "ravelin", body='echo "ravelin 1$LD_LIBRARY_PATH"')
        libraries = os.path.dirname(self.path(".deps", "z3", "lib", "libz3.so"))
        self.assertEqual(self.locate(), built)
        path = self.tool.environment(built)["newEnv"]["LD_LIBRARY_PATH"]
        self.assertEqual(path.split(":")[0], libraries)
        self.assertNotIn("", path.split(":"))
        self.assertEqual(self.tool.version(built), "1" + path)
        self.assertEqual(self.tool.program_files(built), [built, libraries])

    def test_a_clone_without_a_build_has_its_script(self):
        script = self.script("ravelin", body="exit 1")
        self.assertEqual(self.locate(), script)

    def test_other_programs_have_no_version(self):
        for body in ["echo other 1.2", "echo ravelin 1.2; exit 1", "true"]:
            with self.subTest(body):
                self.assertEqual(self.tool.version(self.script("ravelin", body=body)), "")
        self.assertEqual(self.tool.version(os.path.join(self.directory, "absent")), "")

    def test_no_program_is_an_error(self):
        with self.assertRaises(ToolNotFoundException):
            self.locate()


class CommandLine(WithBenchExec):
    def cmdline(self, options=(), files=("a.c",), prop=None, task_options=None, **limits):
        return benchexec.model.cmdline_for_run(
            self.tool,
            "bin/ravelin",
            list(options),
            list(files),
            None,
            prop,
            task_options,
            BaseTool2.ResourceLimits(**limits),
        )[1:]

    def test_little_is_passed_if_little_is_given(self):
        self.assertEqual(self.cmdline(), ["verify", "a.c"])
        self.assertEqual(self.cmdline(files=["a.c", "b.i"]), ["verify", "a.c", "b.i"])
        self.assertEqual(self.cmdline(task_options={}), ["verify", "a.c"])

    def test_a_task_of_the_competition(self):
        self.assertEqual(
            self.cmdline(
                prop="unreach-call.prp",
                task_options={"language": "C", "data_model": "LP64"},
                cputime=900,
                cputime_hard=960,
                memory=15_000_000_000,
            ),
            ["verify", "--property", "unreach-call.prp", "--data-model", "LP64"]
            + ["--timeout", "960", "--memory-limit", "12874", "a.c"],
        )

    def test_checks_replace_the_property(self):
        self.assertEqual(
            self.cmdline(options=["--check", "memory"], prop="unreach-call.prp"),
            ["verify", "--check", "memory", "a.c"],
        )

    def test_the_sooner_limit_is_passed(self):
        for limits, seconds in [
            ({"cputime": 60}, "60"),
            ({"cputime": 60, "cputime_hard": 70}, "70"),
            ({"cputime": 60, "cputime_hard": 70, "walltime": 30}, "30"),
            ({"cputime": 60, "cputime_hard": 60, "walltime": 90}, "60"),
            ({"walltime": 30}, "30"),
        ]:
            with self.subTest(limits):
                self.assertEqual(self.cmdline(**limits), ["verify", "--timeout", seconds, "a.c"])

    def test_memory_keeps_a_margin_and_is_never_nothing(self):
        for memory, megabytes in [(1000 * 1024 * 1024, "900"), (1000, "1")]:
            with self.subTest(memory):
                expected = ["verify", "--memory-limit", megabytes, "a.c"]
                self.assertEqual(self.cmdline(memory=memory), expected)

    def test_options_of_the_definition_replace_what_would_be_passed(self):
        for options in [["--timeout", "5"], ["--timeout=5"]]:
            with self.subTest(options):
                self.assertEqual(
                    self.cmdline(options, task_options={"data_model": "ILP32"}, cputime=60),
                    ["verify", *options, "--data-model", "ILP32", "a.c"],
                )

    def test_what_ravelin_does_not_read_is_refused(self):
        for options in [{"language": "Java"}, {"language": "C", "data_model": "LLP64"}]:
            with self.subTest(options), self.assertRaises(UnsupportedFeatureException):
                self.cmdline(task_options=options)
        task = BaseTool2.Task.without_files("name")
        with self.assertRaises(UnsupportedFeatureException):
            self.tool.cmdline("ravelin", [], task, BaseTool2.ResourceLimits())


TRUE = """\
Invariant ok.c:3:74 in main: i <= n
Verdict: TRUE
"""
FALSE = """\
Counterexample:
  bad.c:3  if (n == 77) reach_error();  // n = 77
  error call reached at bad.c:3:64
Replay: ravelin run bad.c --schedule '0x4;v=77'
Verdict: FALSE(unreach-call)
"""
REJECTED = """\
syn.c:1:11: error: '{' is never closed
Verdict: UNKNOWN(input rejected)
"""
USAGE = "error: unexpected argument '--bogus' found\n"
UNSUPPORTED = "Verdict: UNKNOWN(unsupported: a goto (computed) at <a>.c:7:3)\n"


class Results(WithBenchExec):
    def result(self, text, value=None, signal=None, reason=None):
        run = BaseTool2.Run(
            ["ravelin"],
            benchexec.util.ProcessExitCode.create(value=value, signal=signal),
            BaseTool2.RunOutput(text.splitlines(keepends=True)),
            reason,
        )
        return self.tool.determine_result(run)

    def test_recorded_outputs(self):
        for text, code, expected in [
            (TRUE, 0, "true"),
            (FALSE, 1, "false(unreach-call)"),
            (UNSUPPORTED, 2, "unknown"),
            ("Verdict: UNKNOWN(interrupted)\n", 2, "unknown"),
            ("Verdict: UNKNOWN(timeout)\n", 2, "TIMEOUT"),
            ("Verdict: UNKNOWN(timeout; unsupported: a.c:3:5 sin)\n", 2, "TIMEOUT"),
            ("Verdict: UNKNOWN(out of memory)\n", 2, "OUT OF MEMORY"),
            (REJECTED, 3, "ERROR (input rejected)"),
            (USAGE, 64, "ERROR (wrong usage)"),
            ("Verdict: UNKNOWN(internal error)\n", 70, "ERROR (internal error)"),
            (TRUE, 74, "ERROR (output not written)"),
        ]:
            with self.subTest(text=text, code=code):
                self.assertEqual(self.result(text, code), expected)

    def test_answers_are_of_the_right_category(self):
        unreach = benchexec.result.Property("p.prp", True, "unreach-call")
        for holds, text, code, category in [
            (True, TRUE, 0, benchexec.result.CATEGORY_CORRECT),
            (False, TRUE, 0, benchexec.result.CATEGORY_WRONG),
            (False, FALSE, 1, benchexec.result.CATEGORY_CORRECT),
            (True, FALSE, 1, benchexec.result.CATEGORY_WRONG),
            (True, UNSUPPORTED, 2, benchexec.result.CATEGORY_UNKNOWN),
            (True, REJECTED, 3, benchexec.result.CATEGORY_ERROR),
            (True, "Verdict: UNKNOWN(timeout)\n", 2, benchexec.result.CATEGORY_ERROR),
        ]:
            with self.subTest(holds=holds, text=text):
                expected = {"p.prp": benchexec.result.ExpectedResult(holds, None)}
                status = self.result(text, code)
                found = benchexec.result.get_result_category(expected, status, [unreach])
                self.assertEqual(found, category)

    def test_a_verdict_counts_only_with_its_exit_code(self):
        for text, code in [(TRUE, 1), (TRUE, 2), (FALSE, 0), (UNSUPPORTED, 0)]:
            with self.subTest(text=text, code=code):
                self.assertEqual(self.result(text, code), "ERROR (verdict and exit code differ)")
        self.assertEqual(self.result(UNSUPPORTED, 0, reason="cputime"), "unknown")

    def test_without_a_verdict_there_is_no_answer(self):
        for text in [
            "",
            "Verdict: TRUE?\n",
            "  Verdict: TRUE\n",
            "Verdict: TRUE(unreach-call)\n",
            "Verdict: FALSE\n",
            "Verdict: UNKNOWN(timeout\n",
        ]:
            for code in [0, 1, 2, 101]:
                with self.subTest(text=text, code=code):
                    self.assertEqual(self.result(text, code), "ERROR")

    def test_a_killed_run_has_no_answer(self):
        for text in ["", TRUE]:
            self.assertEqual(self.result(text, signal=signal.SIGKILL), "ERROR")

    def test_messages_may_follow_the_verdict_and_the_last_one_counts(self):
        self.assertEqual(self.result(TRUE + "stat states 4\n", 0), "true")
        self.assertEqual(self.result(TRUE + FALSE, 1), "false(unreach-call)")

    def test_columns(self):
        def value(text, identifier):
            output = BaseTool2.RunOutput(text.splitlines(keepends=True))
            return self.tool.get_value_from_output(output, identifier)

        self.assertEqual(
            value(UNSUPPORTED, "reason"),
            "unsupported: a goto (computed) at &lt;a&gt;.c:7:3",
        )
        self.assertEqual(value(FALSE, "reason"), "")
        self.assertEqual(value("", "reason"), "")
        stats = "stat states 4\nstat states_left 7\n" + TRUE
        self.assertEqual(value(stats, "states"), "4")
        self.assertEqual(value(stats, "merges"), "")


class SetLists(unittest.TestCase):
    """Of make_tasks.py, which needs no package."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def read(self, text):
        path = os.path.join(self.directory, "loops.csv")
        with open(path, "w") as file:
            file.write(text)
        return make_tasks.read_set(path)

    def test_columns_are_found_by_name(self):
        tasks = self.read("expected,task,data_model\ntrue, a.c ,ILP32\n\nfalse,b.c,LP64\n")
        self.assertEqual(tasks, [("a.c", "true", "ILP32"), ("b.c", "false", "LP64")])

    def test_what_is_malformed_is_told_with_its_place(self):
        for text, message in [
            ("", "loops.csv: no column 'task'"),
            ("task,data_model\n", "loops.csv: no column 'expected'"),
            ("task,expected,data_model\na.c,maybe,LP64\n", "line 2: 'maybe' is neither"),
            ("task,expected,data_model\n\na.c,true,LLP64\n", "line 3: no data model: 'LLP64'"),
            ("task,expected,data_model\na.c,true\n", "line 2: 3 fields expected"),
        ]:
            with self.subTest(text):
                with self.assertRaises(make_tasks.Malformed) as raised:
                    self.read(text)
                self.assertIn(message, str(raised.exception))

    def test_samples_are_those_of_xtask(self):
        self.assertEqual(make_tasks.sample(list(range(10)), 4), [0, 2, 5, 7])
        self.assertEqual(make_tasks.sample([0, 1, 2], 9), [0, 1, 2])

    def test_parts_are_the_whole(self):
        parts = [make_tasks.part(list(range(10)), index, 3) for index in (1, 2, 3)]
        self.assertEqual(parts, [[0, 3, 6, 9], [1, 4, 7], [2, 5, 8]])

    def make(self, rows, *options):
        path = os.path.join(self.directory, "loops.csv")
        with open(path, "w", newline="") as file:
            csv.writer(file).writerows([make_tasks.COLUMNS, *rows])
        arguments = [path, "--tasks", self.directory, "-o", self.directory, *options]
        return make_tasks.main(arguments)

    def test_programs_must_exist_and_names_differ(self):
        self.assertIn("no such program", self.make([("absent.c", "true", "LP64")]))
        open(os.path.join(self.directory, "a.c"), "w").close()
        self.assertIn("two tasks", self.make([("a.c", "true", "LP64")] * 2))
        self.assertIn("no tasks", self.make([]))

    def test_wrong_numbers_are_refused(self):
        for options in [["--sample", "0"], ["--part", "3/2"], ["--part", "0/2"], ["--part", "1"]]:
            with self.subTest(options), unittest.mock.patch("sys.stderr", io.StringIO()):
                with self.assertRaises(SystemExit):
                    self.make([], *options)


HOLDS = """\
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned sum = 0;
    for (unsigned i = 0; i < %d; i++)
        sum += n;
    if (sum != %d * n)
        reach_error();
    return 0;
}
"""
# Violated with n = 1.
VIOLATED = HOLDS.replace("sum != %d * n", "sum == %d")
# Holds only where long has 64 bits.
WIDE = """\
extern void reach_error(void);
int main(void) {
    if (sizeof(long) != 8)
        reach_error();
    return 0;
}
"""
COUNT = 20
# Seconds for all of them; on an idle machine they take ten.
LONGEST = 900


class WithBenchmark(WithBenchExec):
    """Makes a benchmark of programs in the folder 'programs', and runs it."""

    def make(self, rows, *options):
        with open(self.path("small.csv"), "w", newline="") as file:
            csv.writer(file).writerows([make_tasks.COLUMNS, *rows])
        self.output = os.path.join(self.directory, "out")
        made = subprocess.run(
            [sys.executable, os.path.join(HERE, "make_tasks.py"), self.path("small.csv")]
            + ["--tasks", self.path("programs"), "-o", self.output, *options],
            capture_output=True,
            text=True,
        )
        self.assertEqual(made.returncode, 0, made.stderr)
        self.definitions = sorted(glob.glob(os.path.join(self.output, "tasks", "*", "*.yml")))

    def run_all(self):
        """The results as BenchExec writes them: the columns of each task, by its definition's name."""
        if not PROGRAM:
            leave_out(self, "RAVELIN is not set")
        mode = self.working_mode()
        if mode is None:
            leave_out(self, "benchexec cannot run here")
        print(f"benchexec runs with: {' '.join(mode)}", file=sys.stderr)
        os.symlink(os.path.realpath(PROGRAM), self.path("tool", "ravelin"))
        log = self.python_module(
            "benchexec.benchexec",
            [*mode, "--tool-directory", self.path("tool"), "--rundefinition", "60s"]
            + ["--timelimit", "60s", "--memorylimit", "1GB", "--limitCores", "1"]
            + ["--outputpath", self.path("results", "")]
            + [os.path.join(self.output, "ravelin.xml")],
        )
        (results,) = glob.glob(self.path("results", "*.results.*.xml.bz2"))
        with bz2.open(results) as file:
            root = ElementTree.parse(file).getroot()
        self.assertEqual(root.get("toolmodule"), MODULE)
        self.assertRegex(root.get("version"), r"^\d")
        runs = {
            os.path.basename(run.get("name")): {
                column.get("title"): column.get("value") for column in run.iter("column")
            }
            for run in root.findall("run")
        }
        self.assertEqual(len(runs), COUNT, log)
        return runs

    def working_mode(self):
        """Options with which BenchExec can run something here, best isolation first, or None."""
        for mode in [
            ["--overlay-dir", "/", "--overlay-dir", "/tmp"],
            ["--read-only-dir", "/", "--read-only-dir", "/tmp", "--hidden-dir", "/home"],
            ["--read-only-dir", "/", "--read-only-dir", "/tmp"],
            ["--no-container"],
        ]:
            tried = subprocess.run(
                [sys.executable, "-m", "benchexec.runexecutor", *mode]
                + ["--timelimit", "10", "--memlimit", "1GB", "--output", self.path("probe.log")]
                + ["--", "test", "-e", self.definitions[0], "-a", "-x", os.path.realpath(PROGRAM)],
                capture_output=True,
                text=True,
            )
            if tried.returncode == 0 and "returnvalue=0" in tried.stdout:
                return mode
        return None

    def python_module(self, module, arguments):
        """Runs a module in a process group of its own; gives what it prints."""
        environment = {**os.environ, "PYTHONPATH": ROOT, "PYTHONDONTWRITEBYTECODE": "1"}
        with open(self.path("printed.log"), "w+") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                cwd=self.directory,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                code = process.wait(timeout=LONGEST)
            except subprocess.TimeoutExpired:
                code = None
            # BenchExec may leave behind the process in which it loaded the module. Waiting for the
            # end of its output, instead of a file, would then take for ever.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            log.seek(0)
            printed = log.read()
        self.assertEqual(code, 0, printed)
        return printed


class Benchmark(WithBenchmark):
    def setUp(self):
        super().setUp()
        rows = []
        for number in range(COUNT + 2):
            # A name that is also a pattern, which BenchExec must not expand.
            name = f"c/part{number % 2}/program[{number}].c"
            text, expected, data_model = [
                (HOLDS % (number, number), "true", "ILP32"),
                (VIOLATED % (number, number), "false", "LP64"),
                (WIDE, "true", "LP64"),
                (WIDE, "false", "ILP32"),
            ][number % 4]
            with open(self.path("programs", name), "w") as file:
                file.write(text)
            rows.append((name, expected, data_model))
        self.make(rows, "--sample", str(COUNT))

    def test_definitions_are_what_benchexec_reads(self):
        self.assertEqual(len(self.definitions), COUNT)
        with open(os.path.join(self.output, "small.set")) as file:
            patterns = [os.path.join(self.output, line.strip()) for line in file]
        self.assertEqual(sorted(sum(map(glob.glob, patterns), [])), self.definitions)
        with open(self.definitions[0]) as file:
            task = yaml.safe_load(file)
        self.assertEqual(task["format_version"], "2.0")
        self.assertEqual(task["options"], {"language": "C", "data_model": "ILP32"})
        files = benchexec.model.handle_files_from_task_definition(
            task["input_files"], self.definitions[0]
        )
        self.assertEqual(files, [self.path("programs", "c/part0/program[0].c")])
        (prop,) = task["properties"]
        self.assertIs(prop["expected_verdict"], True)
        path = os.path.join(os.path.dirname(self.definitions[0]), prop["property_file"])
        read = benchexec.result.Property.create(path)
        self.assertEqual((read.name, read.is_svcomp), ("unreach-call", True))

    def test_an_old_benchmark_is_replaced(self):
        with contextlib.redirect_stdout(io.StringIO()):
            make_tasks.main(
                [self.path("small.csv"), "--tasks", self.path("programs"), "-o", self.output]
                + ["--part", "1/2"]
            )
        found = glob.glob(os.path.join(self.output, "tasks", "*", "*.yml"))
        self.assertEqual(len(found), (COUNT + 2) // 2)

    def test_the_module_as_benchexec_sees_it(self):
        self.script("tool", "ravelin", body="echo ravelin 1.2.3")
        with open(self.path("true.log"), "w") as file:
            file.write(TRUE)
        told = self.python_module(
            "benchexec.test_tool_info",
            [MODULE, "--no-container", "--tool-directory", self.path("tool")]
            + ["--task-definition", self.definitions[0], "--tool-output", self.path("true.log")],
        )
        for expected in ["Name of tool: “Ravelin”", "Version: “1.2.3”", "'--data-model', 'ILP32'"]:
            self.assertIn(expected, told)
        self.assertIn("“true”", told)
        # An absolute tool directory gives an absolute path, and only that is warned of.
        warnings = [line for line in told.splitlines() if "WARNING" in line]
        self.assertEqual([w for w in warnings if "is absolute" not in w], [], told)

    def test_a_real_run(self):
        statuses = set()
        for name, columns in self.run_all().items():
            statuses.add(columns["status"])
            self.assertEqual(columns["category"], "correct", f"{name}: {columns}")
            self.assertIn("cputime", columns)
        self.assertEqual(statuses, {"true", "false(unreach-call)"})


# Programs of all topics, with and without threads; some are violated, and some have no answer.
FIXTURES = """
arrays/01-multi-dimensional concurrency/01-lost-update concurrency/07-trylock-busy
concurrency/103-semaphore-lets-two-in concurrency/109-fences control/01-switch-fallthrough
environment/01-what-is-not-given-stays floats/01-double-arithmetic functions/01-recursion gnu/01-typeof
heap/01-malloc-free heap/17-matrix-of-rows integers/01-promotions library/01-assert-passes
pointers/07-integer-round-trip strings/01-literals structs/01-by-value verifier/07-assume-after-error
verify/01-counter-to-constant verify/108-elements-that-overlap
""".split()


class Agreement(WithBenchmark):
    """BenchExec and `cargo xtask bench` must say the same of the same programs."""

    def setUp(self):
        super().setUp()
        rows = []
        for number, fixture in enumerate(FIXTURES):
            source = os.path.join(ROOT, "tests", "c", fixture + ".c")
            with open(source) as file:
                header = "".join(itertools.takewhile(lambda line: line.startswith("//"), file))
            (expected,) = re.findall(r"^// verdict: (TRUE|FALSE)$", header, re.MULTILINE)
            # Without options, what is expected holds for both.
            self.assertNotIn("// options", header, fixture)
            data_model = make_tasks.DATA_MODELS[number % 2]
            shutil.copyfile(source, self.path("programs", fixture + ".c"))
            rows.append((fixture + ".c", expected.lower(), data_model))
        self.make(rows)

    def test_both_measure_the_same(self):
        if not PROGRAM:
            leave_out(self, "RAVELIN is not set")
        xtask = os.path.join(os.path.dirname(os.path.realpath(PROGRAM)), "xtask")
        if not os.access(xtask, os.X_OK):
            leave_out(self, "no xtask beside ravelin")
        shown = {"true": "TRUE", "false(unreach-call)": "FALSE", "unknown": "UNKNOWN"}
        by_benchexec = {}
        for name, columns in self.run_all().items():
            self.assertNotEqual(columns["category"], "wrong", f"{name}: {columns}")
            task = name.removesuffix(".yml").replace("__", "/")
            by_benchexec[task] = shown.get(columns["status"], columns["status"])
        ran = subprocess.run(
            [xtask, "bench", "--tasks", self.path("programs"), "--set", self.path("small.csv")]
            + ["--timeout", "60", "--memory", "1000", "--ravelin", os.path.realpath(PROGRAM)]
            + ["-o", self.path("results.csv"), "--summary", self.path("summary.md")],
            capture_output=True,
            text=True,
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)
        with open(self.path("results.csv"), newline="") as file:
            by_xtask = {row["task"]: row["verdict"] for row in csv.DictReader(file)}
        self.assertEqual(by_benchexec, by_xtask)
        self.assertEqual(set(by_xtask.values()), {"TRUE", "FALSE", "UNKNOWN"})


class Definition(WithBenchExec):
    def test_the_definition_is_well_formed_and_names_what_exists(self):
        root = ElementTree.parse(os.path.join(HERE, "ravelin.xml")).getroot()
        self.assertEqual(root.get("tool"), MODULE)
        names = [run.get("name") for run in root.findall("rundefinition")]
        self.assertEqual(names, ["60s", "900s"])
        self.assertEqual(benchexec.util.parse_timespan_value(root.get("timelimit")), 900)
        self.assertEqual(root.findtext("tasks/propertyfile"), make_tasks.PROPERTY_FILE)
        for column in root.iter("column"):
            output = BaseTool2.RunOutput([UNSUPPORTED])
            self.assertTrue(self.tool.get_value_from_output(output, column.text))

    def test_options_exist(self):
        if not PROGRAM:
            leave_out(self, "RAVELIN is not set")
        told = subprocess.run(
            [PROGRAM, "verify", "--help"], capture_output=True, text=True, check=True
        ).stdout
        known = set(told.split())
        root = ElementTree.parse(os.path.join(HERE, "ravelin.xml")).getroot()
        used = [option.get("name") for option in root.iter("option")]
        task = BaseTool2.Task.with_files(
            ["a.c"], property_file="p.prp", options={"data_model": "LP64"}
        )
        limits = BaseTool2.ResourceLimits(cputime=1, memory=1)
        used += [
            word
            for word in self.tool.cmdline("ravelin", [], task, limits)
            if word.startswith("--")
        ]
        self.assertEqual(len(used), 5)
        self.assertEqual([option for option in used if option not in known], [])


if __name__ == "__main__":
    unittest.main()
