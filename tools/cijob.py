#!/usr/bin/env python3
"""The lines of `script` of a job in the YAML that docs/ci.md has: cijob.py PAGE JOB"""
import re
import sys


def jobs(page):
    """{name: [line, …]}"""
    text = re.search(r"^```yaml\n(.*?)^```", page, re.M | re.S)[1]
    found, name, in_script = {}, None, False
    for line in text.splitlines():
        if re.match(r"[\w-]+:", line):
            name, in_script = line.split(":")[0], False
            found[name] = []
        elif re.match(r"  \w+:", line):
            in_script = line.strip() == "script:"
        elif in_script and line.startswith("    - "):
            found[name].append(line[6:])
    return found


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        print("\n".join(jobs(f.read())[sys.argv[2]]))


if __name__ == "__main__":
    main()
