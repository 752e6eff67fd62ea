#!/usr/bin/env python3
"""Makes a benchmark for BenchExec from a set list of `cargo xtask bench`.

A set list is a CSV file with the columns task, expected and data_model. Into the output directory
go a task definition for every task, the property, a .set file with the names of the definitions,
and the benchmark definition ravelin.xml. The programs stay where they are.
"""

import argparse
import csv
import glob
import json
import os
import shutil
import sys
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
PROPERTY_FILE = os.path.join("properties", "unreach-call.prp")
PROPERTY = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
COLUMNS = ("task", "expected", "data_model")
ANSWERS = ("true", "false")
DATA_MODELS = ("ILP32", "LP64")

Task = namedtuple("Task", COLUMNS)


class Malformed(Exception):
    """A set list that cannot be used. The message names the file and the line."""


def read_set(path):
    """The tasks of a set list. Columns are found by name; blank lines have no meaning."""
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        header = [name.strip() for name in next(reader, [])]
        for name in COLUMNS:
            if name not in header:
                raise Malformed(f"{path}: no column '{name}'")
        tasks = []
        for row in reader:
            if not row:
                continue
            place = f"{path}: line {reader.line_num}"
            if len(row) != len(header):
                raise Malformed(f"{place}: {len(header)} fields expected")
            fields = dict(zip(header, (field.strip() for field in row)))
            task = Task(*(fields[name] for name in COLUMNS))
            if task.expected not in ANSWERS:
                raise Malformed(f"{place}: '{task.expected}' is neither 'true' nor 'false'")
            if task.data_model not in DATA_MODELS:
                raise Malformed(f"{place}: no data model: '{task.data_model}'")
            tasks.append(task)
    return tasks


def sample(tasks, size):
    """Tasks evenly spaced over the list: the same that `cargo xtask bench --sample` takes."""
    if size >= len(tasks):
        return tasks
    return [tasks[index * len(tasks) // size] for index in range(size)]


def part(tasks, index, count):
    """Every so manieth task, from the given one on. All parts together are the list."""
    return tasks[index - 1 :: count]


def definition(task, program, directory):
    """A task definition in `directory`, of format 2.0. Strings of JSON are strings of YAML."""

    def path(target):
        return json.dumps(os.path.relpath(target, directory))

    # BenchExec takes the name for a pattern.
    pattern = glob.escape(program)
    prop = os.path.join(directory, "..", "..", PROPERTY_FILE)
    return f"""format_version: "2.0"
input_files: {path(pattern)}
properties:
  - property_file: {path(prop)}
    expected_verdict: {task.expected}
options:
  language: C
  data_model: {task.data_model}
"""


def make(name, tasks, programs, output):
    """Writes the benchmark. Old definitions of the same set are replaced."""
    directory = os.path.join(output, "tasks", name)
    definitions = {}
    for task in tasks:
        program = os.path.join(programs, task.task)
        if not os.path.isfile(program):
            raise Malformed(f"{name}: no such program: {program}")
        file = task.task.replace("/", "__") + ".yml"
        if file in definitions:
            raise Malformed(f"{name}: two tasks would be called {file}")
        definitions[file] = definition(task, program, directory)
    os.makedirs(directory, exist_ok=True)
    for old in glob.glob(os.path.join(glob.escape(directory), "*.yml")):
        os.remove(old)
    for file, text in definitions.items():
        write(os.path.join(directory, file), text)
    names = (glob.escape(f"tasks/{name}/{file}") + "\n" for file in sorted(definitions))
    write(os.path.join(output, name + ".set"), "".join(names))
    os.makedirs(os.path.dirname(os.path.join(output, PROPERTY_FILE)), exist_ok=True)
    write(os.path.join(output, PROPERTY_FILE), PROPERTY)
    shutil.copyfile(os.path.join(HERE, "ravelin.xml"), os.path.join(output, "ravelin.xml"))


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def part_of(text):
    index, count = (positive(word) for word in text.split("/"))
    if index > count:
        raise ValueError
    return index, count


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", metavar="SET.csv", help="the set list")
    parser.add_argument(
        "--tasks", metavar="DIR", required=True, help="where the programs of the list are"
    )
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="where to write")
    parser.add_argument(
        "--sample", metavar="N", type=positive, help="only so many, spread evenly over the list"
    )
    parser.add_argument(
        "--part", metavar="I/N", type=part_of, help="only the I-th of N parts of equal size"
    )
    given = parser.parse_args(arguments)
    try:
        tasks = read_set(given.set)
        if given.sample:
            tasks = sample(tasks, given.sample)
        if given.part:
            tasks = part(tasks, *given.part)
        if not tasks:
            raise Malformed(f"{given.set}: no tasks")
        name = os.path.splitext(os.path.basename(given.set))[0]
        make(name, tasks, given.tasks, given.output)
    except (Malformed, OSError) as error:
        return f"make_tasks.py: {error}"
    print(f"{len(tasks)} tasks in {os.path.join(given.output, 'ravelin.xml')}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
