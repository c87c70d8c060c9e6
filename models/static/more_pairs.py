"""More pairs than ../pairs/pairs.py makes, for a table that learns from them in seconds.

usage: more_pairs.py FOLDER OUT.jsonl   FOLDER/{py,js,go,rust,java,c}/<package>/...

The same form, with a `kind`: "function", as there, but up to six times as many of a package; "type", a
class, struct or interface under its doc comment; "inline", a comment inside of code and the lines it
stands over, without a name.
"""

import ast
import hashlib
import json
import multiprocessing
import pathlib
import re
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pairs"))
import pairs as base  # noqa: E402

MORE = 6
INLINE_CAP = {"py": 60, "js": 100, "go": 100, "rust": 60, "java": 100, "c": 100}
INLINE_LINES = 8
LINE_COMMENT = {"py": re.compile(r"[ \t]+# ?(.*)")}
SLASHES = re.compile(r"[ \t]+(?://[/!]? ?|/\*+ )(.*?)(?: ?\*/)?\s*$")
CODE_LIKE = re.compile(r"[{};=<>()\[\]]|\w\.\w|\b(?:todo|fixme|xxx|hack|noqa|eslint|nolint|pragma|copyright|licen[sc]e)\b|https?:", re.I)
TYPES = {
    "go": re.compile(r"((?:^//[^\n]*\n)+)(type\s+()(\w+)\s+(?:struct|interface)\b)", re.M),
    "rust": re.compile(r"((?:^[ \t]*///[^\n]*\n)+)(?:[ \t]*#\[[^\n]*\n)*([ \t]*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|trait|union)\s+()(\w+))", re.M),
    "block": re.compile(r"/\*\*?[ \t]*\r?\n((?:(?!\*/).){12,3000}?)\*/[ \t]*\r?\n((?:[ \t]*@\w+[^\n]*\n)*[^;{}()/#]{0,200}?\b(?:class|interface|enum|struct)\s+()(\w+)[^;{}/#]{0,200}?\{)", re.S),
}


def python_types(source):
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    lines = source.splitlines(keepends=True)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and ast.get_docstring(node):
            text = node.body[0]
            yield node.name, ast.get_docstring(node), "".join(lines[node.lineno - 1 : text.lineno - 1] + lines[text.end_lineno : node.end_lineno])


def types(language, source):
    if language == "py":
        yield from python_types(source)
        return
    for found in TYPES.get(language, TYPES["block"]).finditer(source):
        doc = base.unstarred(found[1]) if language not in TYPES else re.sub(r"^[ \t]*//+[ \t]?", "", found[1], flags=re.M)
        if language == "go":
            doc = re.sub(rf"^{found[4]}\s+", "", doc)
        head = source[found.start(2) : found.start(2) + 1500]
        yield found[4], doc, head[: head.find("\n}") + 2] if "\n}" in head else head


def inline(language, source):
    """A comment of one to three lines on lines of its own, indented, and the code under it."""
    pattern, lines, at = LINE_COMMENT.get(language, SLASHES), source.split("\n"), 0
    while at < len(lines):
        start = at
        while at < len(lines) and at - start < 4 and (found := pattern.fullmatch(lines[at])):
            at += 1
        if start == at:
            at += 1
            continue
        text = " ".join(pattern.fullmatch(line)[1].strip() for line in lines[start:at])
        if at - start > 3 or not 4 <= len(text.split()) <= 25 or CODE_LIKE.search(text) or not text.isascii():
            continue
        under = []
        for line in lines[at : at + INLINE_LINES]:
            if pattern.fullmatch(line) or not line.strip():
                break
            under.append(line)
        if len(under) >= 2:
            yield text.rstrip(". :"), "\n" + "\n".join(under)


def order(pair):
    return hashlib.sha256(pair["query"].encode()).digest()


def of_package(job):
    folder, language = job
    warnings.simplefilter("ignore")
    found, seen = {"function": [], "type": [], "inline": []}, set()

    def add(kind, query, document, **more):
        if query and query not in seen:
            seen.add(query)
            pair = {"package": folder.name, "language": language, "kind": kind, "query": query}
            found[kind].append({**pair, "document": document[: base.MAX_CODE], **more})

    paths = [path for path in folder.rglob("*") if path.suffix in base.SUFFIXES[language] and path.is_file()]
    for path in sorted(paths, key=lambda path: hashlib.sha256(str(path.relative_to(folder)).encode()).digest()):
        if base.SKIPPED.search("/" + str(path.relative_to(folder))) or path.stat().st_size > 400_000:
            continue
        if len(found["function"]) > 2 * MORE * base.CAP[language]:
            break
        source = path.read_text(errors="replace").replace("\r\n", "\n")
        for name, doc, head, code in base.READERS[language](source):
            query, rest = base.sentences(doc)
            lines = [line for line in (head + code).splitlines() if line.strip()]
            if query and 3 <= len(lines) <= 60:
                more = {}
                if len(rest.split()) >= 8:
                    comment = base.COMMENT.get(language, "/** {} */\n").format(rest)
                    inside = f"{head}{comment}{code}" if head else f"{comment}{code}"
                    more["commented"] = f"{name}\n{inside.rstrip()}"[: base.MAX_CODE]
                add("function", query, f"{name}\n{head}{code.rstrip()}", **more)
        for name, doc, code in types(language, source):
            if len([line for line in code.splitlines() if line.strip()]) >= 3:
                add("type", base.sentences(doc)[0], f"{name}\n{code}")
        if len(found["inline"]) < 5 * INLINE_CAP[language]:
            for query, code in inline(language, source):
                add("inline", query, code)
    caps = {"function": MORE * base.CAP[language], "type": 2 * base.CAP[language], "inline": INLINE_CAP[language]}
    return [pair for kind, of in found.items() for pair in sorted(of, key=order)[: caps[kind]]]


def main(folder, out):
    jobs = [(package, language) for language in base.READERS if pathlib.Path(folder, language).exists()
            for package in sorted(pathlib.Path(folder, language).iterdir())]
    seen = set()
    with open(out, "w", encoding="utf-8") as file, multiprocessing.Pool() as pool:
        for (package, language), found in zip(jobs, pool.imap(of_package, jobs, chunksize=4)):
            new = [pair for pair in found if pair["query"].lower() not in seen]
            seen.update(pair["query"].lower() for pair in new)
            print(f"{language}/{package.name}: {len(new)}")
            file.writelines(json.dumps(pair) + "\n" for pair in new)


if __name__ == "__main__":
    main(*sys.argv[1:])
