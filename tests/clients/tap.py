"""Results as TAP, for scripts that run clients."""
import sys

count = failures = 0


def check(ok, what, detail=""):
    """One case: prints its line, goes on in any event."""
    global count, failures
    count += 1
    failures += not ok
    print(f"{'' if ok else 'not '}ok {count} - {what}" + ("" if ok else f" # {detail!r}"))


def end():
    print(f"1..{count}")
    sys.exit(failures != 0 or not count)
