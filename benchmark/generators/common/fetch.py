"""Fetches the pinned packages and the pinned tools into a work folder."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

TYPESCRIPT, PYRIGHT, NODE_TYPES = "5.9.3", "1.1.414", "20.19.0"
# What the Python packages under test import: the oracle needs their types.
PYTHON_TOOLS = ["libclang==18.1.1", "jedi==0.20.1", "markupsafe==2.1.5", "pytest==8.3.3",
                "markdown-it-py==3.0.0", "pygments==2.18.0", "typing_extensions==4.12.2",
                "blinker==1.9.0", "click==8.1.8", "urllib3==2.2.3", "idna==3.10",
                "certifi==2024.8.30", "charset-normalizer==3.4.0"]


def run(*command, cwd=None, env=None):
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr[-2000:]}")
    return done.stdout


def tools(work):
    node = work / "node"
    if not (node / "node_modules/pyright").exists():
        node.mkdir(parents=True, exist_ok=True)
        (node / "package.json").write_text("{}")
        run("npm", "install", "--silent", f"typescript@{TYPESCRIPT}", f"pyright@{PYRIGHT}",
            f"@types/node@{NODE_TYPES}", cwd=node)
    if not (work / "venv/bin/jedi-done").exists():
        run(sys.executable, "-m", "venv", str(work / "venv"))
        run(str(work / "venv/bin/pip"), "-q", "install", *PYTHON_TOOLS)
        (work / "venv/bin/jedi-done").touch()


def npm(package, folder):
    spec = f"{package['source']['npm']}@{package['version']}"
    name = run("npm", "pack", "--silent", spec, cwd=folder).split()[-1]
    return folder / name


def pypi(package, folder):
    spec = f"{package['source']['pypi']}=={package['version']}"
    run(sys.executable, "-m", "pip", "-q", "download", "--no-deps", "--no-binary", ":all:",
        "-d", str(folder), spec)
    return next(folder.glob("*.tar.gz"))


def crate(package, folder):
    name, version = package["source"]["crate"], package["version"]
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src/lib.rs").touch()
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "fetch"\nversion = "0.1.0"\nedition = "2021"\n'
        f'[dependencies]\n{name} = "={version}"\n')
    run("cargo", "fetch", cwd=folder)
    home = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo"))
    found = next(home.glob(f"registry/cache/*/{name}-{version}.crate"))
    return pathlib.Path(shutil.copy(found, folder))


def deb(package, folder):
    run("apt-get", "-q", "download", f"{package['source']['deb']}={package['version']}", cwd=folder)
    return next(folder.glob("*.deb"))


def deb_src(package, folder):
    spec = f"{package['source']['deb-src']}={package['version']}"
    run("apt-get", "-q", "source", "--download-only", "--tar-only", "--only-source", spec, cwd=folder)
    return folder / package["archive"]


FETCHERS = {"npm": npm, "pypi": pypi, "crate": crate, "deb": deb, "deb-src": deb_src}


def unpack(archive, target):
    if archive.suffix == ".deb":
        run("dpkg", "-x", str(archive), str(target))
    else:
        run("tar", "xf", str(archive), "-C", str(target))


def fetch(package, work):
    """Folder of the package's root and the hash of its archive; nothing is fetched twice."""
    folder = work / "packages" / package["name"].replace("/", "_").replace(":", "_")
    archives = folder / "archive"
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        archives.mkdir(parents=True)
        kind = next(iter(package["source"]))
        archive = FETCHERS[kind](package, archives)
        (folder / "tree").mkdir()
        unpack(archive, folder / "tree")
        if package.get("install"):
            run("npm", "install", "--silent", "--omit=dev", "--ignore-scripts", cwd=folder / "tree" / package["root"])
        (folder / "done").write_text(archive.name)
    archive = archives / (folder / "done").read_text()
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    return folder / "tree" / package["root"], digest
