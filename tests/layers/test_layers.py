"""The rooms of src/ stand in layers: an #include points down, never up, and never around in a
circle.

The layers are those of the diagram in ARCHITECTURE.md, read from there: what is drawn is what
holds.
"""
import os
import re
import tempfile
import unittest

from proves import main

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
INNER = ("eu/isa",)  # a directory of a room that stands in a layer of its own
PRIVATE = re.compile(r"\bPrivate to src/([a-z0-9_/]+)")


def layers(text):
    """Sets of rooms, the lowest first, from the diagram's lines `src: room · room … | what`."""
    found = [re.findall(r"[a-z0-9_/]+", m.group(1))
             for m in re.finditer(r"^ *layer: ([a-z0-9_/ ·]+?) *\|", text, re.M)]
    return [set(rooms) for rooms in reversed(found)]


def room_of(path):
    """The room that a path below src/ lies in."""
    for inner in INNER:
        if path.startswith(inner + "/"):
            return inner
    return path.split("/")[0]


def sources(src):
    for base, _, names in os.walk(src):
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                path = os.path.join(base, name)
                with open(path, encoding="utf-8") as f:
                    yield os.path.relpath(path, src).replace(os.sep, "/"), f.read()


def arrows(src):
    """(file, file) for every #include of a file of another room."""
    files = dict(sources(src))
    for path, text in files.items():
        for target in INCLUDE.findall(text):
            if target in files and room_of(target) != room_of(path):
                yield path, target


def complaints(src, ranks):
    """ranks: room -> layer. The lowest layer is the ground: its rooms know each other."""
    bad = []
    for path, target in sorted(arrows(src)):
        above, below = ranks.get(room_of(path)), ranks.get(room_of(target))
        if above is None or below is None:
            bad.append(f"{path} includes {target}: {room_of(path if above is None else target)} is "
                       f"in no layer")
        elif below > above or (below == above and above > 0):
            bad.append(f"{path} includes {target}, which is not below it")
    return bad


def named(text, what):
    """The names of a line ` what: name · name …`."""
    return [n for m in re.finditer(rf"^ *{what}: (.+)$", text, re.M)
            for n in m.group(1).split(" · ")]


def intruders(root, tools, inside):
    """Files of front ends that include what lies in src/, and neither they nor it is named."""
    bad = []
    files = {path for path, _ in sources(os.path.join(root, "src"))}
    for path, text in sources(os.path.join(root, "frontends")):
        for target in INCLUDE.findall(text):
            known = any(target == t or target.startswith(t + "/") for t in tools)
            if target in files and not known and f"frontends/{path}" not in inside:
                bad.append(f"frontends/{path} includes {target}")
    return sorted(bad)


def rooms(src):
    return {room_of(path) for path, _ in sources(src) if "/" in path}


def strangers(src):
    """Headers that say whom they are private to, and others that include them."""
    files = dict(sources(src))
    bad = []
    for path, text in files.items():
        for target in INCLUDE.findall(text):
            said = PRIVATE.search(files.get(target, "").split("#ifndef")[0])
            internal = target.endswith("_internal.h") and target in files
            owner = said.group(1).rstrip("/") if said else room_of(target) if internal else None
            if owner and not path.startswith(owner + "/"):
                bad.append(f"{path} includes {target}, which is private to {owner}")
    return bad


def architecture():
    with open(os.path.join(ROOT, "ARCHITECTURE.md"), encoding="utf-8") as f:
        return f.read()


def drawn():
    found = layers(architecture())
    return {room: rank for rank, rooms in enumerate(found) for room in rooms}


class Layers(unittest.TestCase):
    src = os.path.join(ROOT, "src")

    def test_every_room_is_drawn_once(self):
        ranks = drawn()
        self.assertGreater(len(ranks), 10)
        self.assertEqual(rooms(self.src), set(ranks))

    def test_includes_point_down(self):
        self.assertEqual(complaints(self.src, drawn()), [])

    def test_private_headers_stay_in_their_room(self):
        self.assertEqual(strangers(self.src), [])


class Map(unittest.TestCase):
    """What ARCHITECTURE.md calls rooms is what there is."""

    def directories(self, path):
        return {f"{path}/{d.name}" for d in os.scandir(os.path.join(ROOT, path)) if d.is_dir()}

    def test_the_table_names_every_room(self):
        table = re.search(r"^## Rooms$(.*?)^## ", architecture(), re.M | re.S)[1]
        rows = set(re.findall(r"^\| `((?:src|frontends)/[^`]+)` \|", table, re.M))
        self.assertEqual(rows, self.directories("src") | self.directories("frontends"))

    def test_the_drawing_of_the_pipeline_names_its_rooms(self):
        drawing = re.search(r"^## The 3D pipeline$(.*?)^## ", architecture(), re.M | re.S)[1]
        named = {f"src/render/{n}"
                 for line in re.findall(r"src/render/([a-z]+(?:, [a-z]+)*)(?![a-z.])", drawing)
                 for n in line.split(", ")}
        self.assertEqual(self.directories("src/render") - named, set())


class FrontEnds(unittest.TestCase):
    def test_they_stand_on_the_public_headers(self):
        tools, inside = (named(architecture(), what) for what in ("tools", "inside"))
        self.assertGreater(len(tools), 3)
        self.assertEqual(intruders(ROOT, tools, inside), [])
        for name in inside:  # an exception that is none any more goes
            self.assertIn(name, "\n".join(intruders(ROOT, tools, [])))


class Checks(unittest.TestCase):
    """The checks themselves, on trees that break what they watch."""

    def tree(self, **files):
        base = self.enterContext(tempfile.TemporaryDirectory())
        for name, text in files.items():
            path = os.path.join(base,
                                name.replace("__", "/").replace("_c", ".c").replace("_h", ".h"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        return base

    def test_diagram(self):
        text = ("x\n layer: device | top\n layer: cs · media | middle\n layer: hw · eu/isa | "
                "ground\n")
        self.assertEqual(layers(text), [{"hw", "eu/isa"}, {"cs", "media"}, {"device"}])

    def test_up_and_sideways_are_named(self):
        ranks = {"hw": 0, "rules": 0, "eu": 1, "cs": 2, "media": 2}
        up = self.tree(eu__a_c='#include "cs/b.h"\n', cs__b_h="")
        self.assertEqual(len(complaints(up, ranks)), 1)
        sideways = self.tree(media__a_c='#include "cs/b.h"\n', cs__b_h="")
        self.assertEqual(len(complaints(sideways, ranks)), 1)
        unknown = self.tree(oven__a_c='#include "cs/b.h"\n', cs__b_h="")
        self.assertIn("oven is in no layer", complaints(unknown, ranks)[0])
        fine = self.tree(cs__a_c='#include "eu/b.h"\n', eu__b_h='#include "hw/c.h"\n',
                         hw__c_h='#include "rules/d.h"\n', rules__d_h='#include "hw/c.h"\n')
        self.assertEqual(complaints(fine, ranks), [])

    def test_intruders_are_named(self):
        base = self.tree(frontends__drm__a_c='#include "cs/b.h"\n#include "hw/c.h"\n#include '
                                             '"own.h"\n',
                         src__cs__b_h="", src__hw__c_h="", frontends__drm__own_h="")
        self.assertEqual(intruders(base, ["hw"], []), ["frontends/drm/a.c includes cs/b.h"])
        self.assertEqual(intruders(base, ["hw"], ["frontends/drm/a.c"]), [])
        self.assertEqual(len(intruders(base, [], [])), 2)
        self.assertEqual(named(" x: a/b · c.h\ny\n", "x"), ["a/b", "c.h"])

    def test_inner_rooms_and_privacy(self):
        ranks = {"eu/isa": 0, "trace": 0, "eu": 1}
        self.assertEqual(complaints(self.tree(trace__a_c='#include "eu/isa/b.h"\n',
                                              eu__isa__b_h=""), ranks), [])
        broken = self.tree(trace__a_c='#include "eu/b.h"\n', eu__b_h="/* Private to src/eu. */\n")
        self.assertEqual(len(complaints(broken, ranks)), 1)
        self.assertEqual(len(strangers(broken)), 1)
        self.assertEqual(strangers(self.tree(eu__a_c='#include "eu/b.h"\n',
                                             eu__b_h="/* Private to src/eu. */\n")), [])


if __name__ == "__main__":
    main()
