"""Listings of one Rust package: definitions and uses from the SCIP index of rust-analyzer."""
import collections
import re

import fetch
from listing import places

MAX_LINES = 60
# `impl#[Type][Trait]name().`, `Type#name().`, `Type#field.`; generic types stand in backquotes.
PART = r"\[(`[^`]+`|[^\]`]+)\]"
IN_IMPL = re.compile(rf"impl#{PART}(?:{PART})?(\w+)\((?:\+\d+)?\)\.$")
IN_TYPE = re.compile(r"(\w+)#(\w+)(\(\))?\.$")
CODE_END = re.compile(r"//.*$")


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """Numbers and values of a message of protocol buffers."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        size = {1: 8, 5: 4}.get(tag & 7)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            if size is None:
                size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        yield tag >> 3, value


def packed(data):
    at, values = 0, []
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def occurrences(index):
    """File, range, symbol and role of each occurrence that is not local to a function."""
    for number, document in fields(index):
        if number != 2:
            continue
        parts = list(fields(document))
        file = next(value.decode() for number, value in parts if number == 1)
        for number, part in parts:
            if number == 2:
                found = dict(fields(part))
                symbol = found.get(2, b"").decode()
                if 1 in found and symbol and not symbol.startswith("local"):
                    yield file, packed(found[1]), symbol, found.get(3, 0) & 1


def bare(written):
    """The name of a type as an impl writes it: `&mut Bitmap<T>` is Bitmap."""
    names = re.findall(r"\w+", written.split("<")[0])
    return names[-1] if names else ""


class Member:
    def __init__(self, symbol, file, line):
        self.file, self.line, self.trait = file, line, None
        inside, member = IN_IMPL.search(symbol), IN_TYPE.search(symbol)
        if inside:
            self.owner, self.name, self.kind = bare(inside[1]), inside[3], "method"
            self.trait = bare(inside[2]) if inside[2] else None
        elif member:
            self.owner, self.name, self.kind = member[1], member[2], "method" if member[3] else "field"
        else:
            self.name = None
        self.uses, self.bases, self.children = set(), [], []

    def head(self):
        return self.file, self.line, f"{self.owner}.{self.name}"


class Package:
    def __init__(self, package, root, work):
        target = work / f"{root.name}.scip"
        if not target.exists():
            fetch.run("rust-analyzer", "scip", str(root), "--output", str(target))
        only = tuple(package.get("only", [""]))
        self.lines = {f.relative_to(root).as_posix(): f.read_text().split("\n")
                      for f in sorted(root.rglob("*.rs")) if f.relative_to(root).as_posix().startswith(only)}
        self.members, self.known = {}, set()
        uses, twice = collections.defaultdict(set), set()
        for file, span, symbol, defines in occurrences(target.read_bytes()):
            if file not in self.lines:
                continue
            text = self.lines[file][span[0]][span[1]:span[-1]]
            self.known.add((file, span[0] + 1, text))
            if not defines:
                uses[symbol].add((file, span[0] + 1))
                continue
            member = Member(symbol, file, span[0] + 1)
            if member.name == text:
                twice |= {symbol} & self.members.keys()
                self.members[symbol] = member
        self.members = [m for s, m in self.members.items() if s not in twice and not m.uses.update(uses[s])]
        self.relate()

    def relate(self):
        """A method of an impl belongs to the trait's, where the one trait of that name is here."""
        is_trait = re.compile(r"\btrait\s+(\w+)")
        traits = collections.Counter(m[1] for lines in self.lines.values() for line in lines for m in is_trait.finditer(line))
        here = {(m.owner, m.name): m for m in self.members if not m.trait and traits[m.owner] == 1}
        self.traits = set(here.values())
        for member in self.members:
            base = here.get((member.trait, member.name))
            if base:
                member.bases.append(base)
                base.children.append(member)

    def loose(self, name):
        """Lines with the name that rust-analyzer says nothing of: other builds, macros."""
        word = re.compile(rf"\b{re.escape(name)}\b")
        return {(file, n) for file, lines in self.lines.items() for n, line in enumerate(lines, 1)
                if word.search(CODE_END.sub("", line)) and (file, n, name) not in self.known}


def task(category, stratum, member, expected, optional):
    known = {e[:2] for e in expected}
    query = {"symbol": f"{member.owner}.{member.name}", "file": member.file, "line": member.line}
    return {"category": category, "stratum": stratum, "kind": member.kind, "query": query, "expected": places(expected),
            "optional": places({o for o in optional if o[:2] not in known}), "tol": 0}


def pool(package, root, work, rng):
    found, tasks = Package(package, root, work), []
    for member in found.members:
        # A trait of another package: operators and macros call without a name.
        if len(member.name) < 3 or member.trait and not member.bases:
            continue
        own = (member.file, member.line)
        expected = member.uses - {own}
        loose = found.loose(member.name)
        near = {u for m in member.bases + member.children for u in m.uses | {(m.file, m.line)}}
        stratum = "override" if member.bases else "interface" if member in found.traits else "member"
        if 1 <= len(expected) <= MAX_LINES and len(loose) <= len(expected):
            tasks.append(task("P2", stratum, member, expected, {own} | loose | near))
        if member.children:
            heads = {m.head() for m in member.children}
            tasks.append(task("IMPLEMENTS", "members", member, heads, {member.head()}))
    return fetch.run("rust-analyzer", "--version").strip(), tasks
