"""A private build directory in which mutants are made: only the objects that a mutant changes are
compiled, only the programs that shall judge it are linked, and the source tree is never touched."""
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile

FLAGS = ["-O1", "-g0", "-w"]  # a mutant may well earn a warning
# What is undefined ends the program: the sanitizer stages of the tests would see it. Vector code
# would take minutes.
UNDEFINED = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]


def run(command, cwd=None):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, errors="replace")


class Refused(Exception):
    """The mutant cannot be built (compiler, linker or generator said no)."""


class Changed:
    """The objects of a mutant. Many include a changed header, few of them are in a program that
    judges: each is compiled when the first program that takes it from the archives is linked."""

    def __init__(self, shop, files, outputs, directory):
        self.shop, self.files, self.directory = shop, files, directory
        self.left = [o for o in outputs if o in shop.compilers and "/fuzz/" not in o]
        self.made = {}

    def wanted(self, program):
        """What is to be compiled before the program can be linked."""
        pulled = self.shop.pulled(program)
        return [o for o in self.left if pulled is None or o in pulled]

    def compile(self, outputs):
        for output in list(outputs):
            self.left.remove(output)
            made = self.shop.compile(output, self.files, self.directory)
            if not self.shop.same_as_original(output, made, self.directory):
                self.made[output] = made

    def any(self):
        """Whether there is a mutant at all: some object differs from its original."""
        while self.left and not self.made:
            self.compile(self.left[:1])
        return bool(self.made)


class Workshop:
    def __init__(self, root, build):
        self.root, self.build = os.path.realpath(root), os.path.realpath(build)
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            made = run(["meson", "setup", self.build, self.root, "--buildtype=plain",
                        "-Doptimization=1", "-Dwerror=false"])
            if made.returncode:
                raise SystemExit(made.stdout + made.stderr)
        self.ninja("build.ninja")
        self.read_description()

    def ninja(self, *targets):
        made = run(["ninja", "-C", self.build, *targets])
        if made.returncode:
            raise SystemExit(f"mutate: the tree itself does not build\n{made.stdout[-2000:]}")

    def up_to_date(self, targets):
        return "no work to do" in run(["ninja", "-C", self.build, "-n", *targets]).stdout

    def read_description(self):
        def load(name):
            with open(os.path.join(self.build, name), encoding="utf-8") as f:
                return json.load(f)

        self.outputs, self.sources = {}, {}
        for t in load("meson-info/intro-targets.json"):
            self.outputs[t["id"]] = t["filename"]
            self.sources[t["id"]] = [s for part in t["target_sources"]
                                     for s in part.get("sources", [])]
        self.tests = {t["name"]: t for t in load("meson-info/intro-tests.json")}
        self.compilers = {c["output"]: c for c in load("compile_commands.json")}
        self.objects_of = {}
        for output, c in self.compilers.items():
            self.objects_of.setdefault(os.path.realpath(os.path.join(self.build, c["file"])),
                                       []).append(output)
        self.links, self.archives, self.original, self.pulls = {}, {}, {}, {}
        self.depends, self.includes, self.vocabulary = {}, {}, {}

    def programs(self, test):
        """What a test runs of what is built, relative to the build directory."""
        found = [f for d in self.tests[test].get("depends", []) for f in self.outputs.get(d, [])]
        return [os.path.relpath(f, self.build) for f in found]

    def stamp(self, test):
        """What changes when a test does."""
        files = [os.path.join(self.build, p)
                 for p in self.programs(test)] + self.sources_of_test(test)
        return " ".join(str(os.stat(f).st_mtime_ns) for f in files)

    def sources_of_test(self, test):
        """Those of tests/: the product's own sources name rows too. A script may read its cases
        from texts beside it."""
        files = [s for d in self.tests[test].get("depends", []) for s in self.sources.get(d, [])]
        for script in (os.path.realpath(a) for a in self.tests[test]["cmd"] if a.endswith(".py")
                       and os.path.isfile(a)):
            files += [script,
                      *sorted(glob.glob(os.path.join(glob.escape(os.path.dirname(script)),
                                                     "*.txt")))]
        return [f for f in files if f.startswith(os.path.join(self.root, "tests", ""))]

    def dependents(self, path):
        """The objects that include a file."""
        return self.depends.get(path, [])

    def read_dependencies(self):
        """From ninja's own log, once the programs are built."""
        self.depends, self.includes, self.vocabulary, output = {}, {}, {}, None
        paths = {}  # a header stands there once for each object
        for line in run(["ninja", "-C", self.build, "-t", "deps"]).stdout.split("\n"):
            if line and not line.startswith(" "):
                output = line.split(": #deps")[0]
                continue
            if line not in paths:
                path = os.path.realpath(os.path.join(self.build, line.strip()))
                paths[line] = (path if line.strip() and path.startswith(self.root)
                               and os.path.isfile(path) else None)
            path = paths[line]
            if path:
                self.depends.setdefault(path, []).append(output)
                if not path.startswith(self.build):
                    self.includes.setdefault(output, []).append(path)

    def compile(self, output, files, directory):
        """One object with `files` ({path: text}) in the place of the originals.

        They stand in a directory of their own that is searched first, and so does the source
        itself: a compiler looks for what is included beside the file that includes it."""
        source = os.path.realpath(os.path.join(self.build, self.compilers[output]["file"]))
        top = os.path.join(directory, "overlay")
        if source not in files:
            with open(source, encoding="utf-8") as f:
                files = {**files, source: f.read()}
        for path, text in files.items():
            copy = self.place(top, path)
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            with open(copy, "w", encoding="utf-8") as f:
                f.write(text)
        words = [w for w in shlex.split(self.compilers[output]["command"]) if w != "ccache"]
        kept, skip = [], False
        for w in words[1:]:
            if skip or w in ("-MQ", "-MF", "-o"):
                skip = not skip
            elif w != "-MD" and not w.startswith(("-g", "-O")):
                kept.append(self.place(top, source) if w == self.compilers[output]["file"] else w)
        made = os.path.join(directory, output.replace("/", "+"))
        first = [f"-I{top}/src", f"-I{top}", "-iquote", os.path.dirname(source)]
        prefix = [f"-ffile-prefix-map={top}=", f"-ffile-prefix-map={directory}="]
        undefined = [] if "_avx" in os.path.basename(source) else UNDEFINED
        r = run([words[0], *first, *kept, *FLAGS, *undefined, *prefix, "-o", made], cwd=self.build)
        if r.returncode:
            raise Refused(r.stderr)
        return made

    def place(self, top, path):
        """Where a file of the tree, or a generated one, stands in an overlay."""
        base = self.build if path.startswith(self.build + os.sep) else self.root
        return os.path.join(top, os.path.relpath(path, base))

    def same_as_original(self, output, made, directory):
        """The compiler itself finds no difference: the mutant is the program."""
        if output not in self.original:
            directory = os.path.join(directory, "original")
            os.makedirs(directory, exist_ok=True)
            with open(self.compile(output, {}, directory), "rb") as f:
                self.original[output] = f.read()
        with open(made, "rb") as f:
            return f.read() == self.original[output]

    def objects(self, archive):
        if archive not in self.archives:
            folder = os.path.dirname(archive)
            names = run(["ar", "t", archive], cwd=self.build).stdout.split()
            # A thin archive names its objects from where it stands, or from where ar ran.
            self.archives[archive] = [n if os.path.exists(os.path.join(self.build, n))
                                      else os.path.normpath(os.path.join(folder, n))
                                      for n in names]
        return self.archives[archive]

    def link_of(self, program):
        if program not in self.links:
            command = run(["ninja", "-C", self.build, "-t", "commands",
                           program]).stdout.strip().split("\n")[-1]
            self.links[program] = [w for w in shlex.split(command) if w != "ccache"]
        return self.links[program]

    def pulled(self, program):
        """The objects that a program needs, as a linker takes them from archives, where it is not
        told to take all. None: all; nobody refers to what a library offers."""
        if program not in self.pulls:
            words, needed = self.link_of(program), None
            if not program.endswith(".so"):
                words = [w for w in words if w != "-Wl,--whole-archive"]
                with tempfile.NamedTemporaryFile() as out:
                    r = run([*words, "-Wl,--trace", "-o", out.name], cwd=self.build)
                needed = None if r.returncode else {
                    os.path.normpath(n) for n in (r.stdout + r.stderr).split("\n")
                    if n.endswith(".o")}
            self.pulls[program] = needed
        return self.pulls[program]

    def link(self, program, changed, directory):
        changed.compile(changed.wanted(program))
        words, skip = [], False
        for w in self.link_of(program):
            if skip or w == "-o":
                skip = not skip
            elif w.endswith(".a") and not os.path.isabs(w):
                words += [changed.made.get(o, o) for o in self.objects(w)]
            else:
                words.append(changed.made.get(w, w))
        made = os.path.join(directory, os.path.basename(program))
        words.append("-Wl,--strip-debug")  # nobody looks, and it is most of what a linker writes
        if shutil.which("ld.lld"):
            words.append("-fuse-ld=lld")
        response = made + ".rsp"
        with open(response, "w", encoding="utf-8") as f:
            f.write("\n".join(shlex.quote(w) for w in words[1:]))
        r = run([words[0], "@" + response, "-o", made], cwd=self.build)
        if r.returncode:
            raise Refused(r.stderr)
        return made

    def prepare(self, mutant, text, directory):
        """What a changed file changes."""
        path = os.path.join(self.root, mutant.file)
        if path.endswith(".xml"):
            files, outputs = self.generated(mutant, text, directory)
        else:
            files, outputs = {path: text}, self.objects_of.get(path) or self.dependents(path)
        return Changed(self, files, outputs, directory)

    def generated(self, mutant, text, directory):
        """The generated files of a changed layout, and the objects that speak of what changed in
        them."""
        spec = os.path.join(directory, "spec")
        shutil.copytree(os.path.join(self.root, "spec"), spec,
                        ignore=shutil.ignore_patterns("ledger", "facts", "mutation"))
        with open(os.path.join(directory, mutant.file), "w", encoding="utf-8") as f:
            f.write(text)
        header, source = (os.path.join(directory, n) for n in ("gen7_hw.h", "gen7_hw.c"))
        r = run(["python3", os.path.join(self.root, "tools/gen/genhw.py"), spec, header, source,
                 source + ".d"], cwd=directory)
        if r.returncode:
            raise Refused(r.stderr)
        files, names = {}, set()
        for made in (header, source):
            original = os.path.join(self.build, os.path.basename(made))
            with open(made, encoding="utf-8") as f, open(original, encoding="utf-8") as g:
                new, old = f.read(), g.read()
            if new != old:
                files[original] = new
                names |= changed_names(old, new)
        shutil.rmtree(spec)
        outputs = [o for o in self.compilers if o.endswith("gen7_hw.c.o")]
        for output in self.dependents(os.path.join(self.build, "gen7_hw.h")):
            if output not in outputs and self.mentions(output, names):
                outputs.append(output)
        return files, outputs

    def mentions(self, output, names):
        """Whether the source of an object, or a header of ours that it includes, speaks of one of
        the names."""
        return any(names & self.words(path) for path in self.includes.get(output, ()))

    def words(self, path):
        if path not in self.vocabulary:
            with open(path, encoding="utf-8", errors="replace") as f:
                self.vocabulary[path] = set(re.findall(r"\w+", f.read().lower()))
        return self.vocabulary[path]


def changed_names(old, new):
    """What the changed lines of generated C define or belong to, in small letters."""
    names, before, after = set(), old.split("\n"), new.split("\n")
    lines = set(before)
    place = ""
    for line in after:
        if line and not line.startswith((" ", "}", "{")):
            place = line
        if line not in lines:
            names |= set(re.findall(r"gen7_\w+", (place + " " + line).lower()))
    return names | {re.sub(r"_(un)?pack$|_id$", "", n) for n in names}
