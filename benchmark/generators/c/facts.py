"""Facts of one C library, by libclang.

usage: facts.py ROOT ONLY TEST_PREFIXES CLANG_ARGUMENTS > facts.json
"""
import collections
import ctypes
import json
import pathlib
import re
import sys

import clang.cindex as ci
from clang.cindex import CursorKind as K

SKIP = {".git"}
KINDS = {
    K.FUNCTION_DECL: "function", K.STRUCT_DECL: "struct", K.UNION_DECL: "struct",
    K.ENUM_DECL: "enum", K.ENUM_CONSTANT_DECL: "constant", K.TYPEDEF_DECL: "type",
    K.VAR_DECL: "variable", K.FIELD_DECL: "field", K.MACRO_DEFINITION: "macro",
}
USES = {K.DECL_REF_EXPR, K.MEMBER_REF_EXPR, K.TYPE_REF, K.MEMBER_REF, K.MACRO_INSTANTIATION}
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[^\n]*", re.M)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+\w+(?:\([^)]*\))?((?:[^\n]*\\\n)*[^\n]*)", re.M)
WORD = re.compile(r"[A-Za-z_]\w*")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def convention(cursor):
    """`main`, macros that system headers read, and tags that stand behind a typedef's name."""
    hidden = cursor.kind == K.MACRO_DEFINITION and cursor.spelling.startswith("_")
    return hidden or cursor.spelling == "main" or cursor.kind in (K.STRUCT_DECL, K.UNION_DECL, K.ENUM_DECL)


class Library:
    def __init__(self, root, only):
        self.root = root
        self.files = sorted(
            p.relative_to(root).as_posix() for p in root.rglob("*.[ch]")
            if not SKIP & set(p.relative_to(root).parts[:-1]))
        if only:
            self.files = [f for f in self.files if any(f.startswith(o) for o in only)]
        self.code, self.words, self.in_macros, self.strings = {}, collections.defaultdict(list), set(), set()
        for f in self.files:
            self._read(f)
        self.known = set(self.files)
        self.covered = set()
        self.defs = {}
        self.refs = collections.defaultdict(set)
        self.from_macro = set()
        self.deps = {f: set() for f in self.files}
        self.errors = 0

    def _read(self, file):
        text = (self.root / file).read_text(encoding="utf-8", errors="replace")
        code = INCLUDE.sub(blank, NOT_CODE.sub(blank, text))
        self.code[file] = code.split("\n")
        self.strings |= set(re.findall(r'"(\w+)"', text))
        for m in DEFINE.finditer(code):
            self.in_macros |= set(WORD.findall(m.group(1)))
        for number, line in enumerate(self.code[file], 1):
            for m in WORD.finditer(line):
                self.words[m.group(0)].append((file, number, m.start() + 1))

    def place(self, location):
        """The place in the file; inside a macro's argument the place of the argument."""
        handle, line, column, offset = ctypes.c_void_p(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
        ci.conf.lib.clang_getFileLocation(
            location, ctypes.byref(handle), ctypes.byref(line), ctypes.byref(column), ctypes.byref(offset))
        if not handle.value or location.file is None:
            return None
        try:
            name = pathlib.Path(location.file.name).resolve().relative_to(self.root).as_posix()
        except ValueError:
            return None
        return (name, line.value, column.value) if name in self.known else None

    def reads(self, place, name):
        return self.code[place[0]][place[1] - 1].startswith(name, place[2] - 1)

    def translate(self, file, arguments):
        options = ci.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        unit = ci.Index.create().parse(str(self.root / file), args=arguments, options=options)
        self.errors += sum(d.severity >= ci.Diagnostic.Error for d in unit.diagnostics)
        self.walk(unit.cursor, None, None)

    def walk(self, cursor, owner, function):
        for child in cursor.get_children():
            self.note(child, owner, function)
            named = child.kind in (K.STRUCT_DECL, K.UNION_DECL, K.ENUM_DECL)
            inside = child if child.kind == K.FUNCTION_DECL else function
            self.walk(child, child if named else owner, inside)

    def note(self, cursor, owner, function):
        if cursor.kind == K.INCLUSION_DIRECTIVE:
            return self.include(cursor)
        place = self.place(cursor.location)
        if place is None or not cursor.spelling:
            return
        target = cursor.referenced if cursor.kind in USES else cursor
        if cursor.kind in USES and target is not None:
            self.use(cursor, target, place)
        elif self.reads(place, cursor.spelling):
            self.covered.add(place)
            local = function is not None and cursor.kind == K.VAR_DECL
            if cursor.kind in KINDS and not local:
                self.declare(cursor, owner, place)

    def include(self, cursor):
        place = self.place(cursor.location)
        try:
            name = pathlib.Path(cursor.get_included_file().name).resolve().relative_to(self.root).as_posix()
        except (AssertionError, ValueError):  # a header that is missing here, or of the system
            return
        if place and name in self.known:
            self.deps[place[0]].add(name)

    def key(self, cursor):
        if cursor.kind == K.MACRO_DEFINITION:  # a macro has no name of its own across files
            return f"macro:{self.place(cursor.location)}:{cursor.spelling}"
        return cursor.get_usr()

    def use(self, cursor, target, place):
        name = target.spelling
        if not self.reads(place, name):
            self.from_macro.add(self.key(target))
            return
        self.covered.add(place)
        rest = self.code[place[0]][place[1] - 1][place[2] - 1 + len(name):].lstrip()
        called = cursor.kind != K.TYPE_REF and rest.startswith("(")
        self.refs[self.key(target)].add((*place, "call" if called else "use"))

    def declare(self, cursor, owner, place):
        key = self.key(cursor)
        whole = cursor.is_definition() or cursor.kind in (K.TYPEDEF_DECL, K.MACRO_DEFINITION)
        self.refs[key].add((*place, "decl"))
        known = self.defs.get(key)
        if known and (known["whole"] or not whole):
            return
        self.defs[key] = self.fact(cursor, owner, place, whole)

    def fact(self, cursor, owner, place, whole):
        field = cursor.kind == K.FIELD_DECL and owner is not None and WORD.fullmatch(owner.spelling)
        static = cursor.storage_class == ci.StorageClass.STATIC
        return {
            "name": cursor.spelling, "qual": f"{owner.spelling}.{cursor.spelling}" if field else cursor.spelling,
            "kind": KINDS[cursor.kind], "file": place[0], "line": place[1],
            "end_line": cursor.extent.end.line, "exported": not static or place[0].endswith(".h"), "member": bool(field),
            "nested": False, "convention": convention(cursor), "whole": whole,
        }

    def finished(self):
        for key, d in self.defs.items():
            refs = self.refs[key]
            mine = {r[:3] for r in refs}
            d["refs"] = sorted([f, n, role] for f, n, _, role in refs)
            d["also"] = [{"file": f, "line": n} for f, n, _, role in sorted(refs)
                         if role == "decl" and (f, n) != (d["file"], d["line"])]
            left = [w for w in self.words[d["name"]] if w not in mine]
            d["same_word"] = len(left)
            d["in_string"] = d["name"] in self.strings
            d["doubt"] = self.doubt(key, d, left)
            del d["whole"]
            yield d

    def doubt(self, key, d, left):
        if key in self.from_macro or d["name"] in self.in_macros:
            return "macro"
        return "unresolved" if any(w not in self.covered for w in left) else None


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    only = list(filter(None, sys.argv[2].split(",")))
    ci.conf.lib.clang_getFileLocation.argtypes = [
        ci.SourceLocation, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    library = Library(root, only)
    for file in library.files:
        if file.endswith(".c"):
            library.translate(file, json.loads(sys.argv[4]))
    print("errors:", library.errors, file=sys.stderr)
    version = "libclang 18.1.1"
    json.dump({"oracle": version, "files": library.files, "defs": list(library.finished()),
               "deps": {f: sorted(d) for f, d in library.deps.items()}}, sys.stdout)


main()
