"""Members of one C or C++ library by libclang: uses, what overrides what, and what breaks under another name.

usage: listing.py ROOT ONLY INTERFACE CLANG_ARGUMENTS > facts.json, then the id of a mutant a line on the input;
each gives a line of places that lack the name, or null where other errors came.
"""
import collections
import json
import pathlib
import re
import sys

import clang.cindex as ci
from clang.cindex import CursorKind as K

KINDS = {K.FUNCTION_DECL: "function", K.CXX_METHOD: "method", K.CONSTRUCTOR: "constructor", K.DESTRUCTOR: "constructor",
         K.STRUCT_DECL: "struct", K.UNION_DECL: "struct", K.CLASS_DECL: "class", K.CLASS_TEMPLATE: "class",
         K.FUNCTION_TEMPLATE: "function", K.ENUM_DECL: "enum", K.ENUM_CONSTANT_DECL: "variant", K.TYPEDEF_DECL: "type",
         K.TYPE_ALIAS_DECL: "type", K.VAR_DECL: "variable", K.FIELD_DECL: "field"}
CLASSES = {K.STRUCT_DECL, K.CLASS_DECL, K.CLASS_TEMPLATE, K.UNION_DECL}
CODE = {K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.FUNCTION_TEMPLATE}
USES = {K.DECL_REF_EXPR, K.MEMBER_REF_EXPR, K.TYPE_REF, K.MEMBER_REF, K.TEMPLATE_REF, K.OVERLOADED_DECL_REF}
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#[ \t]*include[^\n]*', re.S | re.M)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+\w+(?:\([^)]*\))?((?:[^\n]*\\\n)*[^\n]*)", re.M)
WORD = re.compile(r"[A-Za-z_]\w*")
OPTIONS = ci.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD


class Library:
    def __init__(self, root, only, interface, arguments):
        self.root, self.interface, self.arguments = root, tuple(interface), arguments
        self.files = sorted(p.relative_to(root).as_posix() for o in only for p in [root / o, *(root / o).rglob("*")]
                            if p.is_file() and p.suffix in (".c", ".h", ".cc", ".cpp", ".hpp"))
        self.known = set(self.files)
        self.words, self.strings, self.macros = collections.defaultdict(set), set(), set()
        for f in self.files:
            self.read(f)
        self.places, self.defs, self.order = {}, {}, []
        self.uses, self.declared, self.covered = collections.defaultdict(set), collections.defaultdict(set), set()
        self.above, self.supers, self.errors = collections.defaultdict(set), collections.defaultdict(set), []
        self.units = [f for f in self.files if not f.endswith((".h", ".hpp"))]
        for f in self.units:
            self.walk_unit(f)

    def read(self, file):
        text = (self.root / file).read_text(encoding="utf-8", errors="replace")
        self.strings |= set(re.findall(r'"(\w+)"', text))
        code = NOT_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
        for m in DEFINE.finditer(code):
            self.macros |= set(WORD.findall(m.group(1)))
        for number, line in enumerate(code.split("\n"), 1):
            for m in WORD.finditer(line):
                self.words[m.group(0)].add((file, number, m.start() + 1))

    def place(self, cursor):
        at = cursor.location
        if at.file is None:
            return None
        if at.file.name not in self.places:
            try:
                r = pathlib.Path(at.file.name).resolve().relative_to(self.root).as_posix()
            except ValueError:
                r = None
            self.places[at.file.name] = r if r in self.known else None
        r = self.places[at.file.name]
        return (r, at.line, at.column) if r else None

    def walk_unit(self, file):
        unit = ci.Index.create().parse(str(self.root / file), args=self.arguments, options=OPTIONS)
        for d in unit.diagnostics:
            if d.severity >= ci.Diagnostic.Error:
                self.errors.append(f"{d.location.file}:{d.location.line} {d.spelling}")
        for child in unit.cursor.get_children():
            if self.place(child):
                self.walk(child, "", False)

    def walk(self, cursor, around, secret):
        place = self.place(cursor)
        inner = around
        if place and cursor.kind in KINDS and cursor.spelling:
            inner = self.declare(cursor, place, around, secret) or around
        elif place and cursor.kind in USES:
            self.use(cursor, place, around)
        elif cursor.kind == K.NAMESPACE and not cursor.spelling:
            secret = True
        for child in cursor.get_children():
            self.walk(child, inner, secret)

    def declare(self, cursor, place, around, secret):
        key = cursor.get_usr()
        local = around and self.defs[around]["kind"] in ("function", "method", "constructor")
        if not key or local or place[:3] not in self.words[cursor.spelling.lstrip("~")] and not cursor.spelling.startswith("~"):
            return None
        self.covered.add(place)
        self.declared[key].add(place)
        whole = cursor.is_definition()
        known = self.defs.get(key)
        if known is None or whole and not known["whole"]:
            self.defs[key] = self.fact(cursor, place, around, secret, whole, known)
        if cursor.kind == K.CXX_METHOD:
            for o in overridden(cursor):
                self.above[key].add(o.get_usr())
        if cursor.kind in CLASSES:
            for base in cursor.get_children():
                if base.kind == K.CXX_BASE_SPECIFIER:
                    of = base.type.get_declaration()
                    self.supers[key].add((ci.conf.lib.clang_getSpecializedCursorTemplate(of) or of).get_usr())
        return key

    def fact(self, cursor, place, around, secret, whole, known):
        owner = cursor.semantic_parent
        of_class = owner is not None and owner.kind in CLASSES and owner.spelling
        static = cursor.storage_class == ci.StorageClass.STATIC
        private = cursor.access_specifier == ci.AccessSpecifier.PRIVATE
        virtual = cursor.kind == K.CXX_METHOD and cursor.is_virtual_method()
        public = not (secret or private or static and not of_class) or place[0].startswith(self.interface)
        if cursor.kind in (K.STRUCT_DECL, K.UNION_DECL, K.ENUM_DECL, K.TYPEDEF_DECL) and place[0].endswith((".c", ".cc", ".cpp")):
            public = False
        name = cursor.spelling.split("<")[0] if KINDS[cursor.kind] == "constructor" else cursor.spelling
        return {"name": name, "qual": f"{owner.spelling}.{name}" if of_class else name,
                "kind": KINDS[cursor.kind], "file": place[0], "line": place[1], "end": cursor.extent.end.line,
                "static": bool(cursor.kind == K.CXX_METHOD and cursor.is_static_method()), "abstract": bool(virtual and cursor.is_pure_virtual_method()),
                "inside": around if around else known and known["inside"] or owner.get_usr() if of_class else "",
                "public": bool(public and (known is None or known["public"])), "marked": cursor.kind == K.CXX_METHOD and bool(virtual),
                "foreign": False, "whole": whole}

    def use(self, cursor, place, around):
        if cursor.kind == K.OVERLOADED_DECL_REF:
            self.macros.add(cursor.spelling)  # a template decides later which one it is
            return
        target = cursor.referenced
        if target is None:
            return
        general = ci.conf.lib.clang_getSpecializedCursorTemplate(target)
        key = (general or target).get_usr()
        if place in self.words[target.spelling]:
            self.covered.add(place)
            self.uses[key].add((*place, around))
        else:
            self.macros.add(target.spelling)

    def facts(self):
        number = {k: n for n, k in enumerate(self.defs)}
        self.order = list(self.defs)
        unknown = {n for n, spots in self.words.items() if any(s not in self.covered for s in spots) and n in {d["name"] for d in self.defs.values()}}
        unknown |= self.macros
        out = []
        for k, d in self.defs.items():
            uses = [[f, n, number.get(a, -1), "use"] for f, n, _, a in sorted(self.uses[k])]
            decl = [[f, n, -1, "decl"] for f, n, _ in sorted(self.declared[k]) if (f, n) != (d["file"], d["line"])]
            out.append({**{a: b for a, b in d.items() if a != "whole"}, "doubt": not d["whole"] or d["kind"] in ("struct", "enum"), "id": number[k], "inside": number.get(d["inside"], -1),
                        "above": [number[a] for a in self.above[k] if a in number], "foreign": any(a not in number for a in self.above[k]),
                        "supers": [number[a] for a in self.supers[k] if a in number], "uses": uses + decl})
        return {"errors": self.errors, "unknown": sorted(unknown), "strings": sorted(self.strings), "unnamed": [],
                "files": self.files, "defs": out}

    def mutant(self, number):
        """Every declaration under another name, also of what overrides it; the units that name it are parsed again."""
        key = self.order[number]
        name, changed = self.defs[key]["name"], collections.defaultdict(set)
        for k in [key, *(b for b, up in self.above.items() if key in up)]:
            for f, n, c in self.declared[k]:
                changed[f].add((n, c))
        unsaved = [(str(self.root / f), self.renamed(f, spots, len(name))) for f, spots in changed.items()]
        lacks = set()
        for unit in self.naming(key):
            parsed = ci.Index.create().parse(str(self.root / unit), args=self.arguments + ["-ferror-limit=0"], unsaved_files=unsaved)
            for d in parsed.diagnostics:
                if d.severity < ci.Diagnostic.Error:
                    continue
                at = pathlib.Path(d.location.file.name).resolve().relative_to(self.root).as_posix()
                if f"'{name}'" not in d.spelling and f"'{name}' " not in d.spelling:
                    return None
                lacks.add((at, d.location.line))
        return sorted(lacks)

    def naming(self, key):
        """The units that hold a use; all of them where a header does."""
        files = {f for f, *_ in self.uses[key]} | {f for f, *_ in self.declared[key]}
        headers = {f for f, *_ in self.uses[key]} - set(self.units)
        return [u for u in self.units if headers or u in files]

    def renamed(self, file, spots, length):
        lines = (self.root / file).read_text(encoding="utf-8", errors="replace").split("\n")
        for n, c in sorted(spots, reverse=True):
            lines[n - 1] = lines[n - 1][:c - 1 + length] + "Whyrank" + lines[n - 1][c - 1 + length:]
        return "\n".join(lines)


def overridden(cursor):
    import ctypes
    found, count = ctypes.POINTER(ci.Cursor)(), ctypes.c_uint()
    ci.conf.lib.clang_getOverriddenCursors(cursor, ctypes.byref(found), ctypes.byref(count))
    for n in range(count.value):
        found[n]._tu = cursor._tu
        yield found[n]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    library = Library(root, sys.argv[2].split(","), list(filter(None, sys.argv[3].split(","))), json.loads(sys.argv[4]))
    print(json.dumps(library.facts()), flush=True)
    for line in sys.stdin:
        print(json.dumps(library.mutant(json.loads(line))), flush=True)


main()
