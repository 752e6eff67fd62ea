"""Tests of verify-each, the GitHub Action and the hook of pre-commit.

    RAVELIN=path/to/ravelin python3 test_files.py

What needs a package or a program that is missing is left out and named. With the variable
RAVELIN_REQUIRE_BENCHEXEC set, that is a failure.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from left_out import leave_out

try:
    import yaml
except ImportError:
    yaml = None

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.environ.get("RAVELIN")
VERIFY_EACH = os.path.join(HERE, "verify-each")
MERGE_SARIF = os.path.join(HERE, "merge-sarif")
OWN_OPTIONS = {"--", "--link", "--fail-on-unknown"}

# Stands for Ravelin: tells its arguments, and answers by the name of the last file.
FAKE = """\
#!/bin/sh
echo "called: $*"
for file; do :; done
case $file in
*true*) echo "Verdict: TRUE" ;;
*false*) echo "Verdict: FALSE(unreach-call)"; exit 1 ;;
*unknown*) echo "Verdict: UNKNOWN(timeout)"; exit 2 ;;
*rejected*) echo "Verdict: UNKNOWN(input rejected)"; exit 3 ;;
*liar*) echo "Verdict: TRUE"; exit 1 ;;
*silent*) ;;
*) exit 70 ;;
esac
"""


def load(*names):
    with open(os.path.join(HERE, *names), encoding="utf-8") as file:
        return yaml.safe_load(file)


class WithDirectory(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name
        self.fake = os.path.join(self.directory, "fake")
        with open(self.fake, "w") as file:
            file.write(FAKE)
        os.chmod(self.fake, 0o755)

    def run_with(self, command, **variables):
        """Without what a workflow around this test may have set."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("GITHUB_")}
        return subprocess.run(
            command,
            cwd=self.directory,
            env={**kept, "RAVELIN": self.fake, **variables},
            capture_output=True,
            text=True,
        )


class VerifyEach(WithDirectory):
    def verify(self, *arguments, **variables):
        return self.run_with([VERIFY_EACH, *arguments], **variables)

    def test_each_file_is_a_program(self):
        done = self.verify("--timeout", "5", "--", "a true.c", "b-true.c")
        self.assertEqual(done.returncode, 0, done.stderr)
        calls = [line for line in done.stdout.splitlines() if line.startswith("called")]
        expected = ["called: verify --timeout 5 -- a true.c", "called: verify --timeout 5 -- b-true.c"]
        self.assertEqual(calls, expected)
        self.assertIn("holds=2 violated=0 unknown=0 failed=0", done.stdout)

    def test_linked_files_are_one_program(self):
        done = self.verify("--link", "--", "a.c", "true.c")
        self.assertIn("called: verify -- a.c true.c\n", done.stdout)
        self.assertIn("holds=1 violated=0 unknown=0 failed=0", done.stdout)

    def test_what_fails_and_what_does_not(self):
        for arguments, code, counts in [
            (["--", "true.c"], 0, "holds=1 violated=0 unknown=0 failed=0"),
            (["--", "false.c", "true.c"], 1, "holds=1 violated=1 unknown=0 failed=0"),
            (["--", "unknown.c"], 0, "holds=0 violated=0 unknown=1 failed=0"),
            (["--fail-on-unknown", "--", "unknown.c"], 1, "holds=0 violated=0 unknown=1 failed=0"),
            (["--fail-on-unknown", "--", "true.c"], 0, "holds=1 violated=0 unknown=0 failed=0"),
            (["--", "rejected.c"], 1, "holds=0 violated=0 unknown=0 failed=1"),
            (["--", "liar.c"], 1, "holds=0 violated=0 unknown=0 failed=1"),
            (["--", "silent.c"], 1, "holds=0 violated=0 unknown=0 failed=1"),
            (["--", "crash.c"], 1, "holds=0 violated=0 unknown=0 failed=1"),
        ]:
            with self.subTest(arguments):
                done = self.verify(*arguments)
                self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (code, counts))

    def test_an_absent_program_is_a_failure(self):
        done = self.verify("--", "true.c", RAVELIN=os.path.join(self.directory, "absent"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("failed=1", done.stdout)

    def test_wrong_usage(self):
        for arguments in [[], ["a.c"], ["--"], ["--timeout", "5", "--"], ["--sarif"]]:
            with self.subTest(arguments):
                self.assertEqual(self.verify(*arguments).returncode, 64)

    def test_annotations_and_counts_for_a_workflow(self):
        output = os.path.join(self.directory, "output")
        done = self.verify(
            "--", "a,false.c", "unknown.c", GITHUB_ACTIONS="true", GITHUB_OUTPUT=output
        )
        self.assertIn("::error file=a%2Cfalse.c::FALSE(unreach-call)\n", done.stdout)
        self.assertIn("::warning file=unknown.c::UNKNOWN(timeout)\n", done.stdout)
        token = re.search(r"^::stop-commands::(\S+)\ncalled", done.stdout, re.MULTILINE)
        self.assertIn(f"Verdict: FALSE(unreach-call)\n::{token[1]}::\n::error", done.stdout)
        with open(output) as file:
            self.assertEqual(file.read(), "holds=0\nviolated=1\nunknown=1\nfailed=0\n")


class MergeSarif(WithDirectory):
    def merge(self, *programs):
        """Of names and documents, or None where there is no file."""
        words = [MERGE_SARIF, "all.sarif"]
        for number, (name, document) in enumerate(programs):
            path = os.path.join(self.directory, f"{number}.sarif")
            if document is not None:
                with open(path, "w") as file:
                    json.dump(document, file)
            words += [name, path]
        done = self.run_with([sys.executable, *words])
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.directory, "all.sarif")) as file:
            document = json.load(file)
        self.assertEqual(document["version"], "2.1.0")
        (run,) = document["runs"]
        return run

    def document(self, results=(), notes=(), successful=True):
        notes = [{"level": "warning", "message": {"text": note}} for note in notes]
        invocation = {"executionSuccessful": successful, "toolExecutionNotifications": notes}
        run = {
            "tool": {"driver": {"name": "Ravelin", "rules": [{"id": "r"}]}},
            "columnKind": "utf16CodeUnits",
            "invocations": [invocation],
            "results": list(results),
        }
        return {"version": "2.1.0", "runs": [run]}

    def test_one_run_has_the_findings_of_all(self):
        run = self.merge(
            ("a.c", self.document(results=[{"ruleId": "r", "n": 1}])),
            ("b.c", self.document(notes=["No answer: timeout"])),
            ("c.c", self.document(results=[{"ruleId": "r", "n": 2}])),
        )
        self.assertEqual([result["n"] for result in run["results"]], [1, 2])
        self.assertEqual(run["tool"]["driver"]["rules"], [{"id": "r"}])
        self.assertEqual(run["columnKind"], "utf16CodeUnits")
        (invocation,) = run["invocations"]
        self.assertIs(invocation["executionSuccessful"], True)
        (note,) = invocation["toolExecutionNotifications"]
        self.assertEqual(note["message"]["text"], "b.c: No answer: timeout")

    def test_what_is_missing_is_told(self):
        run = self.merge(("a.c", None), ("b.c", {"runs": "x"}))
        (invocation,) = run["invocations"]
        self.assertIs(invocation["executionSuccessful"], False)
        texts = [note["message"]["text"] for note in invocation["toolExecutionNotifications"]]
        self.assertEqual(texts, ["a.c: no answer", "b.c: no answer"])
        self.assertEqual(run["results"], [])


class Files(WithDirectory):
    def setUp(self):
        super().setUp()
        if yaml is None:
            leave_out(self, "no yaml")

    def action(self, **inputs):
        """Runs the last step of the action, as GitHub would."""
        action = load("github", "action.yml")
        values = {name: spec.get("default", "") for name, spec in action["inputs"].items()}
        unknown = set(inputs) - set(values)
        self.assertEqual(unknown, set())
        values.update(inputs)
        step = action["runs"]["steps"][-1]
        variables = {}
        for name, template in step["env"].items():
            read = re.fullmatch(r"\$\{\{ inputs\.([a-z-]+) \}\}", template)
            variables[name] = values.pop(read[1])
        self.assertEqual(values, {}, "inputs without effect")
        script = os.path.join(self.directory, "step.sh")
        with open(script, "w") as file:
            file.write(step["run"])
        variables["GITHUB_ACTION_PATH"] = os.path.join(HERE, "github")
        return self.run_with(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", script], **variables
        )

    def test_the_action_is_a_composite_of_bash_steps(self):
        action = load("github", "action.yml")
        self.assertEqual(action["runs"]["using"], "composite")
        for step in action["runs"]["steps"]:
            self.assertEqual(step["shell"], "bash")
            self.assertNotIn("${{", step["run"], "inputs must not be part of a command")
        for name, spec in action["inputs"].items():
            self.assertTrue(spec["description"])
            self.assertEqual("default" in spec, not spec.get("required"), name)
            self.assertIsInstance(spec.get("default", ""), str)
        with open(VERIFY_EACH) as file:
            (line,) = re.findall(r"^counts=.*", file.read(), re.MULTILINE)
        counts = set(re.findall(r"(\w+)=\$", line))
        self.assertEqual(set(action["outputs"]), counts)
        for name, spec in action["outputs"].items():
            self.assertEqual(spec["value"], "${{ steps.verify.outputs.%s }}" % name)
        self.assertEqual(action["runs"]["steps"][-1]["id"], "verify")

    def test_the_action_passes_its_inputs(self):
        done = self.action(files="a true.c\n\n  b-true.c\n", ravelin=self.fake)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("called: verify --data-model LP64 --timeout 60 -- a true.c\n", done.stdout)
        self.assertIn("holds=2", done.stdout)
        given = {
            "files": "a.c\ntrue.c",
            "link": "true",
            "data-model": "ILP32",
            "timeout": "7",
            "memory-limit": "100",
            "check": "leak",
            "ravelin": self.fake,
        }
        done = self.action(**given)
        self.assertIn(" --timeout 7 --memory-limit 100 --check leak -- a.c true.c\n", done.stdout)
        done = self.action(**{**given, "property": "p.prp"})
        self.assertIn(
            "called: verify --data-model ILP32 --timeout 7 --memory-limit 100 --property p.prp"
            " -- a.c true.c\n",
            done.stdout,
        )

    def test_the_action_fails_when_it_should(self):
        for inputs, code in [
            ({"files": "false.c"}, 1),
            ({"files": "unknown.c"}, 0),
            ({"files": "unknown.c", "fail-on-unknown": "true"}, 1),
            ({"files": "$(touch injected)-true.c"}, 0),
            ({"files": ""}, 64),
        ]:
            with self.subTest(inputs):
                done = self.action(**inputs, ravelin=self.fake)
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.directory, "injected")))

    def test_the_example_uses_inputs_that_exist(self):
        workflow = load("github", "example-workflow.yml")
        (job,) = workflow["jobs"].values()
        used = [step for step in job["steps"] if "integrations/github@" in step["uses"]]
        self.assertEqual(len(used), 1)
        inputs = load("github", "action.yml")["inputs"]
        self.assertLessEqual(set(used[0]["with"]), set(inputs))
        self.assertIn("files", used[0]["with"])
        (upload,) = [step for step in job["steps"] if "/upload-sarif@" in step["uses"]]
        self.assertEqual(upload["with"]["sarif_file"], used[0]["with"]["sarif"])
        self.assertIn("failure()", upload["if"], "findings make the step before fail")
        self.assertEqual(workflow["permissions"]["security-events"], "write")

    def hooks(self):
        (manifest,) = load("pre-commit", ".pre-commit-hooks.yaml")
        (repository,) = load("pre-commit", "example-config.yaml")["repos"]
        (example,) = repository["hooks"]
        return [manifest, example]

    def test_hooks_call_verify_each_and_end_their_options(self):
        for hook in self.hooks():
            self.assertTrue(hook["entry"].endswith("integrations/verify-each"))
            self.assertEqual(hook["id"], "ravelin")
            self.assertTrue(hook["require_serial"])
            self.assertTrue(re.search(hook["files"], "verify/queue.c"))
            self.assertFalse(re.search(hook["files"], "verify/queue.h"))
            done = self.run_with([VERIFY_EACH, *hook["args"], "true.c", "false.c"])
            self.assertEqual(done.returncode, 1)
            self.assertIn("called: verify --data-model LP64 --timeout 30 -- true.c", done.stdout)
        self.assertTrue(os.access(os.path.join(HERE, "..", self.hooks()[0]["entry"]), os.X_OK))

    def test_options_exist(self):
        if not PROGRAM:
            leave_out(self, "RAVELIN is not set")
        told = subprocess.run(
            [PROGRAM, "verify", "--help"], capture_output=True, text=True, check=True
        ).stdout
        used = set()
        for hook in self.hooks():
            used.update(word for word in hook["args"] if word.startswith("-"))
        step = load("github", "action.yml")["runs"]["steps"][-1]
        used.update(re.findall(r"(?<=[( ])--[a-z-]+", step["run"]))
        used -= OWN_OPTIONS
        self.assertLessEqual({"--data-model", "--timeout", "--memory-limit", "--property", "--check"}, used)
        self.assertEqual(used - set(told.split()), set())

    def test_a_real_program(self):
        if not PROGRAM:
            leave_out(self, "RAVELIN is not set")
        for name, condition in [("holds.c", "n > n"), ("wrong.c", "n == 77")]:
            with open(os.path.join(self.directory, name), "w") as file:
                file.write(
                    "extern void reach_error(void);\n"
                    "extern int __VERIFIER_nondet_int(void);\n"
                    "int main(void) {\n"
                    "    int n = __VERIFIER_nondet_int();\n"
                    f"    if ({condition}) reach_error();\n"
                    "}\n"
                )
        program = os.path.abspath(shutil.which(PROGRAM))
        done = self.action(files="holds.c\nwrong.c\nabsent.c", ravelin=program, sarif="out.sarif")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("holds=1 violated=1 unknown=0 failed=1", done.stdout)
        with open(os.path.join(self.directory, "out.sarif")) as file:
            (run,) = json.load(file)["runs"]
        (finding,) = run["results"]
        (place,) = finding["locations"]
        self.assertEqual(place["physicalLocation"]["artifactLocation"]["uri"], "wrong.c")
        self.assertEqual(finding["ruleId"], run["tool"]["driver"]["rules"][0]["id"])
        (note,) = run["invocations"][0]["toolExecutionNotifications"]
        self.assertIn("absent.c: No answer: input rejected: ", note["message"]["text"])


if __name__ == "__main__":
    unittest.main()
