# SPDX-License-Identifier: GPL-2.0
"""Kernels from package lists: which there are, and what of them a guest needs. Nothing is installed.

The lists are those of this machine (Debian and Ubuntu), on Debian its mirror's suites of newer kernels besides, and
those of a file in the format of sources.list(5). They are kept apart from the machine's own.
"""

import lzma
import pathlib
import re
import shutil
import subprocess
import tarfile

OLDEST = (5, 15)
# Series that are maintained for years. Each that the lists do not have is named.
LONG_TERM = ((5, 15), (6, 1), (6, 6), (6, 12), (6, 18))
NEWER_SUITES = ("trixie-backports", "unstable")
PACKAGE = re.compile(r"linux-(?:image|binary)-(\d+)\.(\d+)[0-9.]*([-+][0-9a-z.+]+)?-(amd64|generic)")
# Modules in some kernels that are built into others, each after those that it only finds by a name.
WANTED_MODULES = ("loop", "overlay", "crc32c_generic", "crc32c_cryptoapi", "crc32c", "xxhash_generic", "blake2b_generic", "sha256_generic",
                  "sha256", "btrfs")
MODULE = re.compile(r".*/kernel/(?:fs/(?:overlayfs|btrfs)|drivers/block|crypto|lib|arch/x86)/(?:.*/)?([^/]+)\.ko(\.xz|\.zst|)")


class Unavailable(Exception):
    """What a test needs cannot be had here."""


def natural(text):
    """A key by which 9 is sorted before 10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", text)]


def run(*command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, **options)


class Lists:
    """Package lists in a directory of their own."""

    def __init__(self, directory, more=None):
        if not shutil.which("apt-get"):
            raise Unavailable("no apt-get: kernels are only looked for in Debian's and Ubuntu's packages")
        self.directory = directory / "apt"
        for folder in ("state/lists/partial", "cache/archives/partial"):
            (self.directory / folder).mkdir(parents=True, exist_ok=True)
        sources = self.directory / "sources.list"
        sources.write_text("\n".join(machines_sources()) + "\n" + (more.read_text() if more else ""))
        self.options = ["-q", "-o", f"Dir::Etc::SourceList={sources}", "-o", "Dir::Etc::SourceParts=/dev/null",
                        "-o", f"Dir::State={self.directory}/state", "-o", f"Dir::Cache={self.directory}/cache",
                        "-o", "Acquire::Languages=none", "-o", "APT::Sandbox::User="]
        updated = run("apt-get", *self.options, "update")
        for line in updated.stdout.splitlines():
            if line.startswith(("E:", "W:")):
                print(line, flush=True)

    def names(self):
        """Names of packages that can be downloaded: a name stays known when its package has gone."""
        known = run("apt-cache", *self.options, "pkgnames", "linux-").stdout.split()
        known = [name for name in known if re.match(r"linux-(image|binary|modules)-[0-9]", name)]
        policy = run("apt-cache", *self.options, "policy", *known).stdout
        return set(re.findall(r"^(\S+):\n  Installed: .*\n  Candidate: [^(\s]", policy, re.MULTILINE))

    def download(self, name, folder):
        """Downloads a package, and returns its file."""
        got = run("apt-get", *self.options, "download", name, cwd=folder)
        packages = list(folder.glob(name + "_*.deb"))
        if got.returncode or not packages:
            raise Unavailable(f"{name} cannot be downloaded: {got.stdout.strip()[-300:]}")
        return packages[0]


def machines_sources():
    """The machine's own lists, and its Debian mirror's suites of newer kernels."""
    lines = []
    shown = run("apt-get", "indextargets", "--format", "$(ORIGIN)|$(SIGNED_BY)|$(REPO_URI)|$(CODENAME)|$(COMPONENT)",
                "Created-By: Packages").stdout
    for target in shown.splitlines():
        origin, keys, *what = target.split("|")
        options = f"[signed-by={keys}] " if keys.startswith("/") else ""
        if origin not in ("Debian", "Ubuntu"):
            continue
        lines.append(f"deb {options}{' '.join(what)}")
        if origin == "Debian" and what[1].isalpha():
            lines += [f"deb {options}{what[0]} {suite} main" for suite in NEWER_SUITES]
    return sorted(set(lines))


def modules_of(name):
    """The package of a kernel's modules, unless they are in the kernel's own."""
    return re.sub("-(image|binary)-", "-modules-", name)


def offered(lists):
    """The newest package of each series, by series: the newest with modules, if one has them."""
    names = lists.names()
    newest = {}

    def whole(name):
        return "-binary-" not in name or modules_of(name) in names

    for name in sorted(names, key=lambda name: (whole(name), natural(name))):
        found = PACKAGE.fullmatch(name)
        # Where the image is in a package of its own (-binary-), the other one only depends on it.
        if found and (int(found[1]), int(found[2])) >= OLDEST and name.replace("-image-", "-binary-") not in names - {name}:
            newest[int(found[1]), int(found[2])] = name
    if not newest:
        raise Unavailable("the package lists have no kernel")
    return dict(sorted(newest.items()))


def fetch(lists, name, directory):
    """The image in a package, from the last time or downloaded. Its modules are in its_modules(image)."""
    image = directory / name
    if image.exists() and its_modules(image).exists():
        return image
    folder = directory / "download"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    found, modules = None, {}
    for package in (name, *({modules_of(name)} & lists.names())):
        content = lists.download(package, folder)
        found = unpack(content, modules) or found
        content.unlink()
    shutil.rmtree(folder)
    if not found:
        raise Unavailable(f"{name} holds no image")
    shutil.rmtree(its_modules(image), ignore_errors=True)
    its_modules(image).mkdir()
    for number, module in enumerate(in_order(modules)):
        (its_modules(image) / f"{number:02}-{module}.ko").write_bytes(modules[module])
    image.write_bytes(found)
    return image


def its_modules(image):
    """The directory of an image's modules, named in the order in which they can be loaded."""
    return image.with_name(image.name + ".modules")


def unpack(package, modules):
    """The image in a package's file, if there is one. Adds its modules, decompressed, by name."""
    image = None
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as reader:
        with tarfile.open(fileobj=reader.stdout, mode="r|") as tar:
            for member in tar:
                module = MODULE.fullmatch(member.name)
                if member.isfile() and module:
                    modules[module[1].replace("-", "_")] = decompressed(tar.extractfile(member).read(), module[2])
                if member.isfile() and pathlib.PurePath(member.name).name.startswith("vmlinuz"):
                    image = tar.extractfile(member).read()
    if reader.returncode:
        raise Unavailable(f"{package.name} cannot be unpacked")
    return image


def decompressed(content, extension):
    if extension == ".xz":
        return lzma.decompress(content)
    if extension == ".zst":
        return subprocess.run(["zstd", "-dc"], input=content, stdout=subprocess.PIPE, check=True).stdout
    return content


def in_order(modules):
    """The names of the wanted modules, each after those that it depends on."""
    ordered = []

    def add(name):
        if name in ordered or name not in modules:
            return
        depends = re.search(rb"\0depends=([^\0]*)\0", modules[name])
        for other in depends[1].decode().split(",") if depends else ():
            add(other.replace("-", "_"))
        ordered.append(name)

    for name in WANTED_MODULES:
        add(name)
    return ordered
