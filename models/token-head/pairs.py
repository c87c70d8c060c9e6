"""Doc comments and the code they stand over, from unpacked packages, as JSON lines.

usage: pairs.py FOLDER OUT.jsonl   FOLDER/{py,js,go,rust}/<package>/...

A pair is the first sentence of a doc comment (query) and the definition without it (document), the
document in the form in which the index encodes chunks: the qualified name on a line of its own, then
the text. Only sentences of 4 to 30 words; at most CAP pairs a package; one pair for each sentence.
"""

import ast
import hashlib
import json
import pathlib
import re
import sys

CAP = {"py": 260, "js": 170, "go": 200, "rust": 90}
SUFFIXES = {"py": [".py"], "js": [".js", ".mjs", ".ts"], "go": [".go"], "rust": [".rs"]}
SKIPPED = re.compile(r"(^|/)(tests?|vendor|dist|umd|locale|min|build|bundles?|examples?|node_modules)(/|$)|\.min\.|\.d\.ts$|_test\.go$")
MAX_CODE = 2000


def first_sentence(text):
    paragraph = re.split(r"\n\s*\n", text.strip(), maxsplit=1)[0]
    paragraph = " ".join(paragraph.split())
    paragraph = re.sub(r"\{@link\s+([^}]+)\}|:\w+:`~?\.?([^`]+)`", r"\1\2", paragraph)
    paragraph = re.sub(r"[`*]", "", paragraph)
    sentence = re.split(r"(?<=[.!?])\s+(?=[A-Z])", paragraph, maxsplit=1)[0].rstrip(". ")
    words = sentence.split()
    good = 4 <= len(words) <= 30 and not re.search(r"https?://|@\w+|deprecated|---|:param", sentence, re.I)
    return sentence if good and sentence.isascii() else None


def python(source):
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = source.splitlines(keepends=True)

    def walk(node, names):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                qualified = [*names, child.name]
                doc = ast.get_docstring(child)
                if doc and not isinstance(child, ast.ClassDef):
                    text = child.body[0]
                    body = lines[child.lineno - 1 : text.lineno - 1] + lines[text.end_lineno : child.end_lineno]
                    if child.end_lineno - text.end_lineno >= 2:
                        yield ".".join(qualified), doc, "".join(body)
                yield from walk(child, qualified)

    yield from walk(tree, [])


def braced(source, start):
    """From start to the brace that closes the first one; strings are not looked into."""
    depth = 0
    for at in range(source.find("{", start), min(len(source), start + 6000)):
        if at < 0:
            return None
        depth += {"{": 1, "}": -1}.get(source[at], 0)
        if depth == 0:
            return source[start : at + 1]
    return None


JSDOC = re.compile(r"/\*\*((?:(?!\*/).){12,3000}?)\*/[ \t]*\n([ \t]*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:static\s+)?(?:function\*?\s+([\w$]+)|(?:const|let|var)\s+([\w$]+)\s*=|([\w$]+)\s*\([^()\n]*\)\s*\{|[\w$.]+\.([\w$]+)\s*=\s*function))", re.S)


def javascript(source):
    for found in JSDOC.finditer(source):
        doc = re.sub(r"^[ \t]*\*[ \t]?", "", found[1], flags=re.M)
        doc = re.sub(r"@(?:desc|description)\s+", "", doc)
        doc = re.split(r"^\s*@", doc, maxsplit=1, flags=re.M)[0]
        name = next(name for name in found.groups()[2:] if name)
        code = braced(source, found.start(2))
        if code and name not in ("constructor", "if", "for", "while", "switch"):
            yield name, doc, code


COMMENTED = {
    "go": re.compile(r"((?:^//[^\n]*\n)+)(func\s+(?:\(\w*\s*\*?([\w\[\]]+)\)\s*)?(\w+))", re.M),
    "rust": re.compile(r"((?:^[ \t]*///[^\n]*\n)+)(?:[ \t]*#\[[^\n]*\n)*([ \t]*(?:pub(?:\([^)]*\))?\s+)?(?:const\s+|unsafe\s+|async\s+)*fn\s+(\w+))", re.M),
}


def commented(language):
    def pairs(source):
        for found in COMMENTED[language].finditer(source):
            doc = re.sub(r"^[ \t]*//+[ \t]?", "", found[1], flags=re.M)
            names = [name for name in found.groups()[2:] if name]
            if language == "go":
                doc = re.sub(rf"^{names[-1]}\s+", "", doc)
            code = braced(source, found.start(2))
            if code and "\n" in code:
                yield ".".join(names), doc, code

    return pairs


READERS = {"py": python, "js": javascript, "go": commented("go"), "rust": commented("rust")}


def of_package(folder, language):
    found, seen = [], set()
    for path in sorted(folder.rglob("*")):
        relative = str(path.relative_to(folder))
        if path.suffix not in SUFFIXES[language] or not path.is_file() or SKIPPED.search("/" + relative):
            continue
        if path.stat().st_size > 400_000:
            continue
        for name, doc, code in READERS[language](path.read_text(errors="replace")):
            query = first_sentence(doc)
            lines = [line for line in code.splitlines() if line.strip()]
            if query and query not in seen and 3 <= len(lines) <= 60:
                seen.add(query)
                found.append({"package": folder.name, "language": language, "query": query, "document": f"{name}\n{code.rstrip()[:MAX_CODE]}"})
    # A hash puts them in an order that has nothing to do with files.
    found.sort(key=lambda pair: hashlib.sha256(pair["query"].encode()).digest())
    return found[: CAP[language]]


def main(folder, out):
    with open(out, "w", encoding="utf-8") as file:
        for language in READERS:
            for package in sorted(pathlib.Path(folder, language).iterdir()):
                pairs = of_package(package, language)
                print(f"{language}/{package.name}: {len(pairs)}")
                file.writelines(json.dumps(pair) + "\n" for pair in pairs)


if __name__ == "__main__":
    main(*sys.argv[1:])
