"""How BenchExec runs Ravelin and reads its answers."""

import html
import os
import re
import subprocess

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.template import UnsupportedFeatureException

# Where a clone of the repository has the program, and from there its solver.
BUILT_PROGRAM = os.path.join("target", "release", "ravelin")
SOLVER_LIBRARIES = os.path.join("..", "..", ".deps", "z3", "lib")

DATA_MODELS = ("ILP32", "LP64")

# Ravelin may pass its limit by 5 % before it stops. BenchExec also counts files that are kept in
# memory and the preprocessor.
MEMORY_SHARE = 0.9
BYTES_PER_MEGABYTE = 1024 * 1024

VERDICT = re.compile(r"Verdict: (TRUE|FALSE|UNKNOWN)(?:\((.*)\))?$")
EXIT_CODES = {"TRUE": 0, "FALSE": 1, "UNKNOWN": 2}
FAILURES = {
    3: "input rejected",
    64: "wrong usage",
    70: "internal error",
    74: "output not written",
}
EXHAUSTED = {"timeout": result.RESULT_TIMEOUT, "out of memory": "OUT OF MEMORY"}


class Tool(benchexec.tools.template.BaseTool2):
    """
    Ravelin, a software model checker for C.

    The tool directory is a clone in which Ravelin was built, or any directory with the program.
    Limits, property file and data model are passed on. An option in the benchmark definition
    replaces what would be passed. Columns: `reason` is why the answer is unknown; with the option
    `--stats`, the name of a statistic is its value.
    """

    REQUIRED_PATHS = [SOLVER_LIBRARIES]

    def name(self):
        return "Ravelin"

    def executable(self, tool_locator):
        """In a clone this is the program itself, not the script that may build it first."""
        found = tool_locator.find_executable("ravelin")
        built = os.path.join(os.path.dirname(found), BUILT_PROGRAM)
        return built if os.access(built, os.X_OK) else found

    def version(self, executable):
        """The second word of `ravelin --version`. Empty if there is none."""
        variables = {**os.environ, **self.environment(executable).get("newEnv", {})}
        try:
            process = subprocess.run(
                [executable, "--version"],
                env=variables,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
            )
        except OSError:
            return ""
        found = re.match(r"ravelin (\d\S*)", process.stdout)
        return found[1] if found and process.returncode == 0 else ""

    def environment(self, executable):
        """Lets the program find a libz3 that was fetched into the clone."""
        libraries = os.path.normpath(
            os.path.join(os.path.dirname(executable), SOLVER_LIBRARIES)
        )
        if not os.path.isdir(libraries):
            return {}
        others = os.environ.get("LD_LIBRARY_PATH")
        path = f"{libraries}:{others}" if others else libraries
        return {"newEnv": {"LD_LIBRARY_PATH": path}}

    def cmdline(self, executable, options, task, rlimits):
        passed = {
            "--property": task.property_file,
            "--data-model": _data_model(task.options or {}),
            "--timeout": _seconds(rlimits),
            "--memory-limit": _megabytes(rlimits),
        }
        arguments = [executable, "verify", *options]
        if _is_given("--check", options):
            del passed["--property"]
        for option, value in passed.items():
            if value is not None and not _is_given(option, options):
                arguments += [option, str(value)]
        return [*arguments, *task.input_files]

    def determine_result(self, run):
        """Believes a verdict only if the exit code says the same."""
        if run.exit_code.signal is not None:
            return result.RESULT_ERROR  # BenchExec adds which signal it was.
        code = run.exit_code.value
        if code in FAILURES:
            return f"{result.RESULT_ERROR} ({FAILURES[code]})"
        verdict = _last_verdict(run.output)
        if verdict is None:
            return result.RESULT_ERROR  # BenchExec adds the exit code.
        answer, detail = verdict
        if EXIT_CODES[answer] != code:
            if run.was_terminated:
                return result.RESULT_UNKNOWN  # BenchExec says why it ended the run.
            return f"{result.RESULT_ERROR} (verdict and exit code differ)"
        if answer == "TRUE":
            return result.RESULT_TRUE_PROP
        if answer == "FALSE":
            return f"{result.RESULT_FALSE_PROP}({detail})"
        # Only the bare word counts as unknown, so the reason is left to a column.
        # What was met on the way may follow: 'timeout; unsupported: …'.
        return EXHAUSTED.get((detail or "").split(";")[0], result.RESULT_UNKNOWN)

    def get_value_from_output(self, output, identifier):
        if identifier == "reason":
            answer, detail = _last_verdict(output) or (None, None)
            return html.escape(detail or "") if answer == "UNKNOWN" else ""
        start = f"stat {identifier} "
        for line in reversed(output):
            if line.startswith(start):
                return line[len(start) :].strip()
        return ""


def _data_model(options):
    """The data model that a task definition names, or None."""
    language = options.get("language", "C")
    if language != "C":
        raise UnsupportedFeatureException(f"Ravelin does not read {language}")
    data_model = options.get("data_model")
    if data_model is not None and data_model not in DATA_MODELS:
        raise UnsupportedFeatureException(
            f"Ravelin does not know the data model {data_model}"
        )
    return data_model


def _seconds(rlimits):
    """The sooner of the limits, as Ravelin goes by the clock."""
    limits = [rlimits.cputime_hard or rlimits.cputime, rlimits.walltime]
    return min((limit for limit in limits if limit is not None), default=None)


def _megabytes(rlimits):
    if rlimits.memory is None:
        return None
    return max(1, int(rlimits.memory * MEMORY_SHARE) // BYTES_PER_MEGABYTE)


def _is_given(option, options):
    return any(word == option or word.startswith(option + "=") for word in options)


def _last_verdict(output):
    """The answer and what stands in its parentheses, or None. Messages may follow it in the log."""
    for line in reversed(output):
        found = VERDICT.match(line)
        # Only TRUE stands alone.
        if found and (found[1] == "TRUE") == (found[2] is None):
            return found[1], found[2]
    return None
