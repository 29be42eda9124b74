#!/usr/bin/env python3
"""Takes the place of `pergola` for a test's runner: what it runs is run with more options, and what
these leave is kept.

usage: record.py run [OPTIONS] -- PROGRAM...
REAL_PERGOLA names the program that does it, RECORD_OPTIONS the options (JSON; {place} stands for
the directory of what they leave), RECORDED a directory that gets one for each program: what they
leave, `about` and, when the program has ended, `done` (both JSON). With RECORD_EVERY=N only every
N-th program is run at all. RECORD_KNOWN is a directory of what earlier runs have done: of a program
that is in it only the words and the exit code are given again.
"""
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

REAL, RECORDED = os.environ["REAL_PERGOLA"], os.environ["RECORDED"]
BATCHES = re.compile(rb"^pergola: .* hangs? in (\d+) batch(?:es)?(?:, (\d+) of which did not "
                     rb"end)?$", re.M)


def write(place, name, value):
    with open(os.path.join(place, name + ".part"), "w", encoding="utf-8") as f:
        json.dump(value, f)
    os.rename(f.name, os.path.join(place, name))


def key(arguments):
    """One for the same program in the same environment, wherever its temporary files are."""
    mine = {k: v
            for k, v in os.environ.items()
            if not k.startswith(("RECORD", "REAL_", "MESON_TEST", "PWD", "OLDPWD", "_"))}
    text = re.sub(rf"{tempfile.gettempdir()}/[\w.-]+", "TEMPORARY",
                  json.dumps([arguments, mine], sort_keys=True))
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def is_wanted():
    """The first, and every N-th behind it."""
    every = int(os.environ.get("RECORD_EVERY", "1"))
    calls = os.open(os.path.join(RECORDED, "calls"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    os.write(calls, b".")
    number = os.lseek(calls, 0, os.SEEK_CUR)
    os.close(calls)
    return (number - 1) % every == 0


def pass_on(source, to, seen):
    """What the program says is for the test's runner; it is read here as well."""
    while data := os.read(source, 65536):
        os.write(to, data)
        seen.append(data)


def run(command):
    """Exit code, standard output and error."""
    pipes, seen = (os.pipe(), os.pipe()), ([], [])
    # A runner that ends the program means the program: it is asked to end, and what it leaves is
    # kept.
    with subprocess.Popen(command, stdout=pipes[0][1], stderr=pipes[1][1]) as child:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda n, _: child.send_signal(n))
        readers = []
        for to, pipe in enumerate(pipes, 1):
            os.close(pipe[1])
            readers.append(threading.Thread(target=pass_on, args=(pipe[0], to, seen[to - 1]),
                                            daemon=True))
            readers[-1].start()
        code = child.wait()
        for reader in readers:
            reader.join(2)  # a program of its own may have been left behind, with the pipe open
    return code, b"".join(seen[0]), b"".join(seen[1])


def share_report(asked, options):
    """Who wants a report of his own gets what we got."""
    mine, others = ([b for a, b in zip(words, words[1:]) if a == "--report"]
                    for words in (options, asked))
    for to in others:
        if mine and os.path.exists(mine[0]) and to.endswith(".json"):
            shutil.copyfile(mine[0], to)


def again(known):
    """The words and the code of a program that has been judged; None: it has not."""
    try:
        with open(known, encoding="utf-8") as f:
            before = json.load(f)
    except FileNotFoundError:
        return None
    with open(os.path.join(RECORDED, "again"), "a", encoding="utf-8") as f:
        f.write(os.path.basename(known) + "\n")
    os.write(2, before["errors"].encode("latin-1"))
    os.write(1, before["output"].encode("latin-1"))
    return before["code"]


def main():
    arguments = sys.argv[1:]
    if not arguments or arguments[0] != "run" or "--" not in arguments:
        os.execv(REAL, [REAL] + arguments)
    if not is_wanted():
        return 0
    name = key(arguments)
    if os.environ.get("RECORD_KNOWN"):
        code = again(os.path.join(os.environ["RECORD_KNOWN"], name))
        if code is not None:
            return code
    at = arguments.index("--")
    place = tempfile.mkdtemp(dir=RECORDED)
    write(place, "about", {"key": name, "options": arguments[1:at], "program": arguments[at + 1:]})
    options = [o.replace("{place}", place) for o in json.loads(os.environ["RECORD_OPTIONS"])]
    # of two values the last counts
    code, output, errors = run([REAL] + arguments[:at] + options + arguments[at:])
    share_report(arguments[:at], options)
    batches = BATCHES.findall(errors)
    write(place, "done",
          {"code": code, "batches": int(batches[-1][0]) - int(batches[-1][1] or 0) if batches
           else None, "output": output.decode("latin-1"), "errors": errors.decode("latin-1")})
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
