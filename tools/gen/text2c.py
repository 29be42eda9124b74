#!/usr/bin/env python3
"""Makes a C string of a text file: text2c.py NAME IN OUT"""
import sys


def main(name, source, target):
    with open(source, encoding="utf-8") as f:
        lines = f.read().splitlines()
    with open(target, "w", encoding="utf-8") as f:
        f.write(f"extern const char {name}[];\nconst char {name}[] =\n")
        for line in lines:
            escaped = line.replace("\\", "\\\\").replace('"', '\\"')
            f.write(f'    "{escaped}\\n"\n')
        f.write("    ;\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
