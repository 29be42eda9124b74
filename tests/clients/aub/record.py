#!/usr/bin/env python3
"""Takes the place of `pergola` for a test's runner: what it runs is recorded as AUB files.

usage: record.py run [OPTIONS] -- PROGRAM...
REAL_PERGOLA names the program that does it, RECORDED a directory that gets one for each recording: its files, `about` and, when the
program has ended, `done` (both JSON). With RECORD_EVERY=N only every N-th program is run at all.
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading

REAL, RECORDED = os.environ["REAL_PERGOLA"], os.environ["RECORDED"]
BATCHES = re.compile(rb"^pergola: .* hangs? in (\d+) batch(?:es)?(?:, (\d+) of which did not end)?$", re.M)


def write(place, name, value):
    with open(os.path.join(place, name + ".part"), "w", encoding="utf-8") as f:
        json.dump(value, f)
    os.rename(f.name, os.path.join(place, name))


def is_wanted():
    """The first, and every N-th behind it."""
    every = int(os.environ.get("RECORD_EVERY", "1"))
    calls = os.open(os.path.join(RECORDED, "calls"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    os.write(calls, b".")
    number = os.lseek(calls, 0, os.SEEK_CUR)
    os.close(calls)
    return (number - 1) % every == 0


def pass_on(source, seen):
    """What the program says is for the test's runner; the last line is read here as well."""
    while data := os.read(source, 65536):
        os.write(2, data)
        seen.append(data)


def main():
    arguments = sys.argv[1:]
    if not arguments or arguments[0] != "run" or "--" not in arguments:
        os.execv(REAL, [REAL] + arguments)
    if not is_wanted():
        return 0
    at = arguments.index("--")
    place = tempfile.mkdtemp(dir=RECORDED)
    write(place, "about", {"options": arguments[1:at], "program": arguments[at + 1:], "pid": os.getpid()})
    command = [REAL, "run", "--deterministic", "--aub", os.path.join(place, "a.aub")] + arguments[1:]
    errors, seen = os.pipe(), []
    # A runner that ends the program means the program: it is asked to end, and what it leaves is kept.
    with subprocess.Popen(command, stderr=errors[1]) as child:
        os.close(errors[1])
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda n, _: child.send_signal(n))
        reader = threading.Thread(target=pass_on, args=(errors[0], seen), daemon=True)
        reader.start()
        code = child.wait()
        reader.join(2)  # a program of its own may have been left behind, with the pipe open
    batches = BATCHES.findall(b"".join(seen))
    write(place, "done", {"code": code, "batches": int(batches[-1][0]) - int(batches[-1][1] or 0) if batches else None})
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
