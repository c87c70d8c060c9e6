"""Doc comments and the code they stand over, from unpacked packages, as JSON lines.

usage: pairs.py FOLDER OUT.jsonl   FOLDER/{py,js,go,rust,java,c}/<package>/...

A pair is the first sentence of a doc comment (query) and the definition without it (document), the
document in the form in which the index encodes chunks: the qualified name on a line of its own, then
the text. Where the comment says more than that sentence, `commented` is the definition under the rest
of it. Only sentences of 4 to 30 words; at most CAP pairs a package; one pair for each sentence.
"""

import ast
import hashlib
import json
import multiprocessing
import pathlib
import re
import sys
import warnings

CAP = {"py": 110, "js": 220, "go": 200, "rust": 100, "java": 260, "c": 220}
SUFFIXES = {"py": [".py"], "js": [".js", ".mjs", ".ts"], "go": [".go"], "rust": [".rs"], "java": [".java"],
            "c": [".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp"]}
SKIPPED = re.compile(r"(^|/)(tests?|testing|vendor|vendored|_vendor|third_?party|deps|dist|umd|locale|min|build|bundles?|examples?|samples?|node_modules)(/|$)|\.min\.|\.d\.ts$|_test\.go$|_pb2?\.|\.pb\.", re.I)
MAX_CODE = 2000


def plain(text):
    """A comment's text without markup."""
    text = re.sub(r"\{@\w+\s+([^}]*)\}|:\w+:`~?\.?([^`]+)`", r"\1\2", text)
    text = re.sub(r"</?\w[^<>]{0,60}>", " ", text)
    text = re.sub(r"[@\\](?:brief|short|desc|description|summary)\s+", "", text)
    return re.sub(r"[`*]|^[\w:]+:\s*$", "", text, flags=re.M)


def sentences(text):
    """The first sentence, when it can be a question, and what follows it."""
    text = plain(text.strip())
    text = re.split(r"^\s*(?:[@\\]\w+|:\w+ ?\w*:|Parameters\s*$|Args:|Returns:|Example)", text, maxsplit=1, flags=re.M)[0]
    first = re.split(r"\n\s*\n", text.strip(), maxsplit=1)
    parts = re.split(r"(?<=[.!?])\s+(?=[A-Z])", " ".join(first[0].split()), maxsplit=1)
    rest = " ".join(" ".join([*parts[1:], *first[1:]]).split())[:600]
    sentence = parts[0].rstrip(". ")
    good = 4 <= len(sentence.split()) <= 30 and not re.search(
        r"https?://|@\w+|deprecated|---|===|:param|copyright|licen[sc]e|todo|fixme|author|\binheritdoc|see also|^see\b|[{};=<>]", sentence, re.I)
    letters = sum(c.isalpha() or c == " " for c in sentence)
    return (sentence if good and sentence.isascii() and letters >= 0.85 * len(sentence) else None), rest


def python(source):
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    lines = source.splitlines(keepends=True)

    def walk(node, names):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                qualified = [*names, child.name]
                doc = ast.get_docstring(child)
                if doc and not isinstance(child, ast.ClassDef):
                    text = child.body[0]
                    head = "".join(lines[child.lineno - 1 : text.lineno - 1])
                    if child.end_lineno - text.end_lineno >= 2:
                        yield ".".join(qualified), doc, head, "".join(lines[text.end_lineno : child.end_lineno])
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


BLOCK = re.compile(r"/\*\*?[ \t]*\r?\n((?:(?!\*/).){12,3000}?)\*/[ \t]*\r?\n([^;{}/#]{3,500}?)\{", re.S)
JSDOC = re.compile(r"/\*\*((?:(?!\*/).){12,3000}?)\*/[ \t]*\n([ \t]*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:static\s+)?(?:function\*?\s+([\w$]+)|(?:const|let|var)\s+([\w$]+)\s*=|([\w$]+)\s*\([^()\n]*\)\s*\{|[\w$.]+\.([\w$]+)\s*=\s*function))", re.S)
NO_NAMES = {"constructor", "if", "for", "while", "switch", "catch", "function"}


def unstarred(text):
    return re.sub(r"^[ \t]*\*[ \t]?", "", text, flags=re.M)


def javascript(source):
    for found in JSDOC.finditer(source):
        name = next(name for name in found.groups()[2:] if name)
        code = braced(source, found.start(2))
        if code and name not in NO_NAMES:
            yield name, unstarred(found[1]), "", code


def block(source):
    """Java, C and C++: a comment in stars, then a head with parentheses, then braces."""
    for found in BLOCK.finditer(source):
        named = re.search(r"([A-Za-z_~][\w:~]*)\s*\(", re.sub(r"@\w+\([^()]*\)", "", found[2]))
        code = braced(source, found.start(2))
        if named and code and named[1] not in NO_NAMES and not re.match(r"\s*(?:\w+\s+)*(class|interface|enum|namespace)\b", found[2]):
            yield named[1].replace("::", "."), unstarred(found[1]), "", code


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
                yield ".".join(names), doc, "", code

    return pairs


READERS = {"py": python, "js": javascript, "java": block, "c": block, "go": commented("go"), "rust": commented("rust")}
COMMENT = {"py": '    """{}"""\n', "go": "// {}\n", "rust": "/// {}\n"}


def of_package(job):
    folder, language = job
    warnings.simplefilter("ignore")
    found, seen = [], set()
    for path in sorted(folder.rglob("*")):
        relative = str(path.relative_to(folder))
        if path.suffix not in SUFFIXES[language] or not path.is_file() or SKIPPED.search("/" + relative):
            continue
        if path.stat().st_size > 400_000 or len(found) > 20 * CAP[language]:
            continue
        for name, doc, head, code in READERS[language](path.read_text(errors="replace").replace("\r\n", "\n")):
            query, rest = sentences(doc)
            lines = [line for line in (head + code).splitlines() if line.strip()]
            if query and query not in seen and 3 <= len(lines) <= 60:
                seen.add(query)
                pair = {"package": folder.name, "language": language, "query": query, "document": f"{name}\n{head}{code.rstrip()}"[:MAX_CODE]}
                if len(rest.split()) >= 8:
                    comment = COMMENT.get(language, "/** {} */\n").format(rest)
                    inside = f"{head}{comment}{code}" if head else f"{comment}{code}"
                    pair["commented"] = f"{name}\n{inside.rstrip()}"[:MAX_CODE]
                found.append(pair)
    # A hash puts them in an order that has nothing to do with files.
    found.sort(key=lambda pair: hashlib.sha256(pair["query"].encode()).digest())
    return found[: CAP[language]]


def main(folder, out):
    jobs = [(package, language) for language in READERS if pathlib.Path(folder, language).exists()
            for package in sorted(pathlib.Path(folder, language).iterdir())]
    seen = set()
    with open(out, "w", encoding="utf-8") as file, multiprocessing.Pool() as pool:
        for (package, language), pairs in zip(jobs, pool.imap(of_package, jobs, chunksize=4)):
            new = [pair for pair in pairs if pair["query"].lower() not in seen]
            seen.update(pair["query"].lower() for pair in new)
            print(f"{language}/{package.name}: {len(new)}")
            file.writelines(json.dumps(pair) + "\n" for pair in new)


if __name__ == "__main__":
    main(*sys.argv[1:])
