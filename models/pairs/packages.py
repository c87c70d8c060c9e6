"""Fetches the source files of packages, each at its version.

usage: packages.py packages.txt FOLDER

A line of packages.txt is `KIND NAME VERSION`: pypi, npm, crate, deb-go (Debian's binary packages,
by `apt-get download`), src-java and src-c (Debian's source packages, by their list of sources).
Files go to FOLDER/{py,js,rust,go,java,c}/<name>/; what cannot be had is named and left out.
"""

import concurrent.futures
import functools
import io
import json
import lzma
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import urllib.parse
import urllib.request
import zipfile

SOURCES = "http://deb.debian.org/debian/dists/bookworm/main/source/Sources.xz"
SUFFIXES = {"py": {".py"}, "js": {".js", ".mjs", ".ts"}, "go": {".go"}, "rust": {".rs"}, "java": {".java"},
            "c": {".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp"}}
LARGEST = 400_000


def fetch(url, accept="*/*"):
    request = urllib.request.Request(url, headers={"User-Agent": "pairs", "Accept": accept})
    return urllib.request.urlopen(request, timeout=120).read()


def of_tar(blob):
    with tarfile.open(fileobj=io.BytesIO(blob)) as archive:
        for member in archive:
            if member.isfile() and member.size < LARGEST:
                yield member.name, lambda member=member: archive.extractfile(member).read()


def of_zip(blob):
    with zipfile.ZipFile(io.BytesIO(blob)) as archive:
        for entry in archive.infolist():
            if not entry.is_dir() and entry.file_size < LARGEST:
                yield entry.filename, lambda entry=entry: archive.read(entry)


def pypi(name, version):
    """The wheel that runs everywhere, else the source archive, else any wheel."""
    page = fetch(f"https://pypi.org/simple/{name.lower().replace('_', '-')}/", "application/vnd.pypi.simple.v1+json")
    is_of = lambda file: re.fullmatch(rf".+?-{re.escape(version)}(-.*\.whl|\.tar\.gz)", file)
    files = [file for file in json.loads(page)["files"] if is_of(file["filename"])]
    rank = lambda file: ("none-any" not in file["filename"], not file["filename"].endswith(".gz"))
    file = min(files, key=rank)
    blob = fetch(file["url"])
    return of_zip(blob) if file["filename"].endswith(".whl") else of_tar(blob)


def npm(name, version):
    page = fetch(f"https://registry.npmjs.org/{urllib.parse.quote(name, safe='')}", "application/vnd.npm.install-v1+json")
    return of_tar(fetch(json.loads(page)["versions"][version]["dist"]["tarball"]))


def crate(name, version):
    return of_tar(fetch(f"https://static.crates.io/crates/{name}/{name}-{version}.crate"))


def deb(name, version):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["apt-get", "download", f"{name}={version}"], cwd=folder, check=True, capture_output=True)
        package = next(pathlib.Path(folder).glob("*.deb"))
        return of_tar(subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True).stdout)


@functools.cache
def sources():
    found = {}
    for paragraph in lzma.decompress(fetch(SOURCES)).decode(errors="replace").split("\n\n"):
        field = lambda name: (re.search(rf"^{name}: (.*)$", paragraph, re.M) or [None, None])[1]
        archive = re.search(r"^ [0-9a-f]{64} \d+ (\S+orig\.tar\.\w+)$", paragraph, re.M)
        if archive:
            found[field("Package"), field("Version")] = f"http://deb.debian.org/debian/{field('Directory')}/{archive[1]}"
    return found


def source(name, version):
    return of_tar(fetch(sources()[name, version]))


KINDS = {"pypi": (pypi, "py"), "npm": (npm, "js"), "crate": (crate, "rust"), "deb-go": (deb, "go"),
         "src-java": (source, "java"), "src-c": (source, "c")}


def keep(line, folder):
    kind, name, version = line.split()
    files, language = KINDS[kind]
    home = folder / language / name.replace("@", "").replace("/", "_")
    try:
        for path, read in files(name, version):
            parts = [part for part in pathlib.PurePath(path).parts if part not in ("..", "/")]
            if pathlib.PurePath(path).suffix in SUFFIXES[language]:
                target = home.joinpath(*parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(read())
    except Exception as error:  # One package less is no reason to lose the others.
        return f"left out: {line}: {error}"
    return line


def main(listed, folder):
    lines = [line for line in pathlib.Path(listed).read_text().splitlines() if line.strip()]
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        for line in pool.map(lambda line: keep(line, pathlib.Path(folder)), lines):
            print(line, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
