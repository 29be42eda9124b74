"""The Debian source package. In every run: what `make install` puts somewhere has its package, and
the version is one.
In the long run: it builds, lintian has nothing to say, and what is in it runs."""
import fnmatch
import glob
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import cijob
from proves import main

BUILD, SOURCE = os.environ["PERGOLA_BUILD"], os.environ["PERGOLA_SOURCE"]
DEBIAN = f"{SOURCE}/debian"
TOOLS = ("dpkg-buildpackage", "dh", "lintian", "git")
BINARIES = {"pergola", "libpergola0", "libpergola-dev"}
LONG = os.environ.get("PERGOLA_PACKAGE") == "build"


def text(name):
    with open(f"{DEBIAN}/{name}", encoding="utf-8") as f:
        return f.read()


def patterns():
    """What the packages take, of the files below usr/."""
    lists = glob.glob(f"{DEBIAN}/*.install") + glob.glob(f"{DEBIAN}/*.manpages")
    return [line.split()[0] for path in lists for line in text(os.path.basename(path)).splitlines()]


def taken(path, wanted):
    """The path, or a directory above it."""
    return any(fnmatch.fnmatch(path, p) or fnmatch.fnmatch(path, p + "/*") for p in wanted)


class Structure(unittest.TestCase):
    def test_every_file_has_its_package(self):
        with tempfile.TemporaryDirectory() as root:
            subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir",
                            root], check=True,
                           stdout=subprocess.DEVNULL)
            prefix = (os.path.dirname(os.path.dirname(glob.glob(f"{root}/**/bin/pergola",
                                                                recursive=True)[0])))
            files = ["usr/" + os.path.relpath(os.path.join(base, n), prefix)
                     for base, _, names in os.walk(prefix) for n in names]
        self.assertGreater(len(files), 50)
        wanted = patterns()
        self.assertEqual([f for f in files if not taken(f, wanted)], [])
        self.assertFalse(taken("usr/share/other/file", wanted))

    def test_nothing_is_wanted_that_is_not_there(self):
        for p in patterns():
            self.assertTrue(re.match(r"usr/(bin|include|lib|libexec|share)\b", p), p)

    def test_one_version(self):
        with open(f"{SOURCE}/meson.build", encoding="utf-8") as f:
            version = re.search(r"version: '([0-9.]+)'", f.read())[1]
        self.assertTrue(text("changelog").startswith(f"pergola ({version}) "))
        self.assertEqual(text("source/format").strip(), "3.0 (native)")

    def test_packages(self):
        self.assertEqual(set(re.findall(r"^Package: (\S+)", text("control"), re.M)), BINARIES)
        self.assertTrue(os.access(f"{DEBIAN}/rules", os.X_OK)
                        and os.access(f"{DEBIAN}/tests/smoke", os.X_OK))


    def test_jobs_of_the_ci_page(self):
        """Its commands are ones that this version takes; scripts/try-ci runs the whole of it."""
        with open(f"{SOURCE}/docs/ci.md", encoding="utf-8") as f:
            lines = cijob.jobs(f.read())
        self.assertEqual(set(lines), {"package", "gpu-checks"})
        commands = [x for x in lines["gpu-checks"] if x.startswith("pergola ")]
        self.assertGreaterEqual(len(commands), 2)
        with tempfile.TemporaryDirectory() as d:
            for line in commands:
                words = line.split(" -- ")[0].split()[1:]
                r = subprocess.run([f"{BUILD}/pergola", *words, "--", "true"], cwd=d,
                                   stderr=subprocess.PIPE, text=True, timeout=60)
                # `true` opens no GPU: the job would tell
                self.assertEqual(r.returncode, 3, r.stderr)
                self.assertIn("by --fail-on=unused", r.stderr)


@unittest.skipUnless(LONG, "only in the long run")
@unittest.skipUnless(all(map(shutil.which, TOOLS)), "needs " + ", ".join(TOOLS))
class Package(unittest.TestCase):
    def test_build(self):
        with tempfile.TemporaryDirectory() as d:
            tree = f"{d}/pergola"
            listed = subprocess.run(["git", "-C", SOURCE, "ls-files",
                                     "-z"], stdout=subprocess.PIPE, check=True).stdout
            os.mkdir(tree)
            subprocess.run(["tar", "-C", SOURCE, "--null", "-T", "-", "-cf", f"{d}/all.tar"],
                           input=listed, check=True)
            subprocess.run(["tar", "-C", tree, "-xf", f"{d}/all.tar"], check=True)
            r = subprocess.run(["dpkg-buildpackage", "-us", "-uc", "-d"], cwd=tree,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True,
                               env={**os.environ,
                                    "DEB_BUILD_OPTIONS": f"parallel={os.cpu_count()}"})
            self.assertEqual(r.returncode, 0, r.stdout[-3000:])
            r = subprocess.run(["lintian", "--fail-on", "error,warning", "--allow-root",
                                *glob.glob(f"{d}/*.changes")],
                               stdout=subprocess.PIPE, text=True)
            self.assertEqual((r.returncode, r.stdout), (0, ""))
            packages = {os.path.basename(p).split("_")[0]: p for p in glob.glob(f"{d}/*.deb")}
            self.assertLessEqual(BINARIES, set(packages))
            subprocess.run(["dpkg-deb", "-x", packages["pergola"], f"{d}/root"], check=True)
            r = subprocess.run([f"{d}/root/usr/bin/pergola", "run", "--", "true"],
                               stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertIn("did not open the GPU", r.stderr)


if __name__ == "__main__":
    main()
