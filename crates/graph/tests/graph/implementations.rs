//! Who implements, extends and overrides what, in the way of each language.

use whyrank_graph::{Confidence, ReferenceQuery, Relative, SymbolId};

use crate::support::View;

pub(crate) type Ask = fn(&ReferenceQuery<'_>, &[SymbolId]) -> Vec<Relative>;

/// All questions about relatives.
pub(crate) const RELATIVES: [Ask; 4] = [subtypes, supertypes, overriding, overridden];

fn subtypes(uses: &ReferenceQuery<'_>, ids: &[SymbolId]) -> Vec<Relative> {
    uses.subtypes(ids)
}

fn supertypes(uses: &ReferenceQuery<'_>, ids: &[SymbolId]) -> Vec<Relative> {
    uses.supertypes(ids)
}

fn overriding(uses: &ReferenceQuery<'_>, ids: &[SymbolId]) -> Vec<Relative> {
    uses.overriding(ids)
}

fn overridden(uses: &ReferenceQuery<'_>, ids: &[SymbolId]) -> Vec<Relative> {
    uses.overridden(ids)
}

/// `name` of each, `~` before one that is not certain.
fn check(view: &View, ask: Ask, query: &str, expected: &[&str]) {
    let targets = view.table.definitions(query);
    assert!(!targets.is_empty(), "{query} has no definition");
    let found = view.with_uses(|uses| ask(uses, &targets));
    let from_file = view.with_stored_uses(|uses| ask(uses, &targets));
    assert_eq!(found, from_file, "{query}");
    let mut shown: Vec<String> = found
        .iter()
        .map(|one| {
            let mark = if one.is_certain { "" } else { "~" };
            format!("{mark}{}", view.qualified(one.symbol))
        })
        .collect();
    shown.sort();
    assert_eq!(shown, expected, "{query}");
}

#[test]
fn go_types_implement_what_their_method_sets_fill() {
    let view = View::new(&[
        ("go.mod", "module example.com/m\n"),
        (
            "proxy/proxy.go",
            "package proxy\n\nimport \"io\"\n\ntype Selector interface {\n\tSelect(Pool, *Request) *Upstream\n}\n\ntype Named interface {\n\tSelector\n\tio.Closer\n\tname() string\n}\n\ntype Pool []int\ntype Request struct{}\ntype Upstream struct{}\n\nfunc Run(s Selector) {\n\ts.Select(nil, nil)\n}\n",
        ),
        (
            "proxy/hash.go",
            "package proxy\n\ntype Hash struct{}\n\nfunc (h *Hash) Select(pool Pool, r *Request) *Upstream { return nil }\nfunc (h *Hash) name() string { return \"\" }\nfunc (h *Hash) Close() error { return nil }\n\ntype Wrapped struct {\n\t*Hash\n\tn int\n}\n\ntype Odd struct{}\n\nfunc (o Odd) Select(pool Pool) *Upstream { return nil }\n\ntype Loud struct{}\n\nfunc (l Loud) Select(pool Pool, r *Request) *Upstream { return nil }\nfunc (l Loud) name() string { return \"\" }\nfunc (l Loud) Close(n int) error { return nil }\n",
        ),
        (
            "other/other.go",
            "package other\n\nimport \"example.com/m/proxy\"\n\ntype Far struct{}\n\nfunc (f Far) Select(p proxy.Pool, r *proxy.Request) *proxy.Upstream { return nil }\nfunc (f Far) name() string { return \"\" }\nfunc (f Far) Close() error { return nil }\n",
        ),
    ]);
    check(
        &view,
        subtypes,
        "Selector",
        &["Far", "Hash", "Loud", "Named", "Wrapped"],
    );
    // A method that is not exported is one of its package alone; `Close(n int)` is no `io.Closer`'s.
    check(&view, subtypes, "Named", &["Hash", "Wrapped"]);
    check(&view, supertypes, "Hash", &["Named", "Selector"]);
    check(
        &view,
        overriding,
        "Selector.Select",
        &["Far.Select", "Hash.Select", "Loud.Select"],
    );
    check(&view, overridden, "Hash.Select", &["Selector.Select"]);
    assert_eq!(view.callers("Hash.Select", 1), ["1 Run"]);
    assert_eq!(
        view.callers("Selector.Select", 1),
        ["1 Far.Select", "1 Hash.Select", "1 Loud.Select", "1 Run"]
    );
    assert_eq!(
        view.paths("Run", "Hash.Select", 1),
        ["Run@20 Selector.Select Hash.Select"]
    );
}

#[test]
fn impls_of_rust_are_told_from_bounds() {
    let view = View::new(&[
        ("Cargo.toml", "[package]\nname = \"m\"\n"),
        (
            "src/lib.rs",
            "pub trait Base {}\npub trait Parse: Base {\n    fn parse(&self) -> u32;\n    fn twice(&self) -> u32 {\n        self.parse() * 2\n    }\n}\npub struct A;\npub struct B<T>(T);\nimpl Base for A {}\nimpl Parse for A {\n    fn parse(&self) -> u32 { 1 }\n}\nimpl A {\n    pub fn twice(&self) -> u32 { 2 }\n}\nimpl<T: Parse> Base for B<T> {}\npub struct C<T>(T);\nimpl<T: Parse> C<T> {}\nimpl<T> Parse for B<T> where T: Parse {\n    fn parse(&self) -> u32 { 2 }\n}\npub fn run<P: Parse>(p: P) -> u32 {\n    p.parse()\n}\n",
        ),
    ]);
    check(&view, subtypes, "Parse", &["A", "B"]);
    check(&view, subtypes, "Base", &["A", "B", "Parse"]);
    check(&view, overriding, "Parse::parse", &["A::parse", "B::parse"]);
    // A method of the type's own, of the same name, stands in for nothing.
    check(&view, overriding, "Parse::twice", &[]);
    check(&view, overridden, "A::parse", &["Parse::parse"]);
    assert_eq!(view.callers("A::parse", 1), ["1 Parse::twice", "1 run"]);
}

#[test]
fn classes_are_followed_through_others_and_to_their_members() {
    let view = View::new(&[
        ("pkg/__init__.py", ""),
        (
            "pkg/base.py",
            "class Handler:\n    def get(self):\n        return self.load()\n\n    def load(self):\n        raise NotImplementedError\n",
        ),
        (
            "pkg/wsgi.py",
            "from pkg import base\n\nclass WSGI(base.Handler):\n    def load(self):\n        return 1\n\nclass Deep(WSGI):\n    def load(self):\n        return super().load()\n",
        ),
        (
            "pkg/mixed.py",
            "from pkg.base import Handler\n\nclass Mixin:\n    def load(self):\n        return 2\n\nclass Mixed(Mixin, Handler[int]):\n    pass\n",
        ),
    ]);
    check(&view, subtypes, "Handler", &["Deep", "Mixed", "WSGI"]);
    check(
        &view,
        overriding,
        "Handler.load",
        &["Deep.load", "WSGI.load"],
    );
    check(
        &view,
        overridden,
        "Deep.load",
        &["Handler.load", "WSGI.load"],
    );
    // An heir of both makes the mixin's member stand in for the base's.
    check(&view, overridden, "Mixin.load", &["~Handler.load"]);
    // What `super` calls goes to nobody else.
    assert_eq!(
        view.callers("WSGI.load", 1),
        ["1 Deep.load", "1 Handler.get"]
    );
    assert_eq!(view.callers("Mixin.load", 1), ["1 Handler.get"]);
}

#[test]
fn interfaces_of_many_languages_have_their_implementations() {
    let view = View::new(&[
        (
            "a.ts",
            "export interface Store {\n  get(key: string): string;\n  size: number;\n}\nexport abstract class Base implements Store {\n  size = 1;\n  abstract get(key: string): string;\n}\nexport class Memory extends Base {\n  get(key: string) { return key; }\n}\nexport function read(store: Store) {\n  return store.get('a');\n}\n",
        ),
        (
            "src/main/java/a/Shape.java",
            "package a;\npublic interface Shape {\n    double area();\n    double area(int scale);\n}\n",
        ),
        (
            "src/main/java/a/Square.java",
            "package a;\npublic class Square extends Solid implements Shape {\n    public double area() { return 1; }\n    public double area(int scale) { return scale; }\n    static double unit() { return 1; }\n}\nabstract class Solid {}\n",
        ),
        (
            "k/Call.kt",
            "package k\ninterface Call {\n    fun execute(): Int\n    val name: String\n}\nclass Real(override val name: String) : Call {\n    override fun execute(): Int = 1\n}\nfun make(): Call = object : Call {\n    override fun execute(): Int = 2\n    override val name: String = \"\"\n}\n",
        ),
        (
            "k/Link.kt",
            "package k\ninterface Link {\n    interface Chain\n}\nclass Steps : Link.Chain\n",
        ),
        (
            "S.cs",
            "namespace N;\npublic interface ISink { void Emit(int e); }\npublic class Sink : ISink\n{\n    public void Emit(int e) { }\n    public virtual void Flush() { }\n}\npublic class Loud : Sink\n{\n    public override void Flush() { }\n}\npublic class Hider : Sink\n{\n    public new void Flush() { }\n}\n",
        ),
        (
            "p.php",
            "<?php\nnamespace P;\ninterface Loader { public function load($x); }\nabstract class Skeleton implements Loader { }\nclass Plain extends Skeleton { public function load($x) { } }\n",
        ),
        (
            "r.rb",
            "module Walk\n  def walk; step; end\n  def step; end\nend\nclass Dog\n  include Walk\n  def step; 1; end\nend\nclass Puppy < Dog\n  def step; 2; end\nend\n",
        ),
        (
            "v.hpp",
            "class Shape {\n public:\n  virtual double area() const = 0;\n  int id() const;\n};\nclass Circle : public Shape {\n public:\n  double area() const override;\n  int id() const;\n};\n",
        ),
        (
            "v.cpp",
            "#include \"v.hpp\"\ndouble Circle::area() const { return 1; }\ndouble total(Shape* s) { return s->area(); }\n",
        ),
        (
            "P.swift",
            "protocol Drawable {\n    func draw(x: Int)\n}\nstruct Dot {}\nextension Dot: Drawable {\n    func draw(x: Int) {}\n}\n",
        ),
        (
            "T.scala",
            "trait Codec {\n  def encode(x: Int): String\n}\nobject Json extends Codec {\n  def encode(x: Int): String = \"\"\n}\n",
        ),
    ]);
    check(&view, subtypes, "Store", &["Base", "Memory"]);
    check(&view, overriding, "Store.get", &["Base.get", "Memory.get"]);
    check(&view, overriding, "Store.size", &["Base.size"]);
    check(&view, subtypes, "a/Shape.java:Shape", &["Square"]);
    check(&view, overriding, "a/Shape.java:4", &["Square.area"]);
    check(&view, supertypes, "Square", &["Shape", "Solid"]);
    check(&view, subtypes, "Call", &["Real", "make"]);
    check(
        &view,
        overriding,
        "Call.execute",
        &["Real.execute", "make.execute"],
    );
    check(&view, subtypes, "Link", &[]);
    check(&view, subtypes, "Link.Chain", &["Steps"]);
    check(&view, subtypes, "ISink", &["N.Hider", "N.Loud", "N.Sink"]);
    check(&view, overriding, "Sink.Flush", &["N.Loud.Flush"]);
    check(&view, overriding, "ISink.Emit", &["N.Sink.Emit"]);
    check(&view, subtypes, "Loader", &["P\\Plain", "P\\Skeleton"]);
    check(&view, overriding, "Loader.load", &["P\\Plain::load"]);
    check(&view, subtypes, "Walk", &["Dog", "Puppy"]);
    check(&view, overriding, "Walk#step", &["Dog#step", "Puppy#step"]);
    check(&view, subtypes, "v.hpp:Shape", &["Circle"]);
    check(&view, overriding, "v.hpp:3", &["Circle::area"]);
    check(&view, overriding, "v.hpp:4", &[]);
    check(&view, subtypes, "Drawable", &["Dot"]);
    check(&view, overriding, "Drawable.draw", &["Dot.draw"]);
    check(&view, subtypes, "Codec", &["Json"]);
    check(&view, overriding, "Codec.encode", &["Json.encode"]);
}

#[test]
fn calls_of_what_is_overridden_are_possible_callers() {
    let view = View::new(&[(
        "a.ts",
        "interface Store { get(): string }\nclass Memory implements Store { get() { return ''; } }\nfunction read(store: Store) { return store.get(); }\nfunction own() { return new Memory().get(); }\n",
    )]);
    let targets = view.table.definitions("Memory.get");
    let found = view.with_uses(|uses| {
        let ranks = whyrank_graph::SymbolRanks::default();
        whyrank_graph::impact(uses, &targets, 1, &ranks)
    });
    let shown: Vec<(&str, Confidence, &str)> = found
        .iter()
        .map(|caller| {
            (
                view.qualified(caller.symbol),
                caller.confidence,
                view.qualified(caller.uses),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("own", Confidence::Resolved, "Memory.get"),
            ("read", Confidence::Possible, "Store.get")
        ]
    );
}

#[test]
fn functions_in_tables_are_reached_through_their_fields() {
    let view = View::new(&[
        (
            "ops.h",
            "typedef int proc_t(int);\nstruct ops {\n    const char *name;\n    int (*read)(int);\n    int (*write)(int);\n};\nstruct command {\n    const char *name;\n    proc_t *proc;\n};\n",
        ),
        (
            "file.c",
            "#include \"ops.h\"\nstatic int file_read(int n) { return n; }\nstatic int file_write(int n) { return n; }\nint get_command(int n) { return n; }\nconst struct ops file_ops = {\n    .read = file_read,\n    .write = file_write,\n};\n#include \"table.def\"\n",
        ),
        (
            "table.def",
            "/* Made. */\nstruct command table[] = {\n    {\"get\", get_command},\n};\n",
        ),
        (
            "run.c",
            "#include \"ops.h\"\nint run(struct ops *ops) { return ops->read(1); }\nint call(struct command *c) { return c->proc(2); }\n",
        ),
    ]);
    check(&view, overridden, "file_read", &["ops::read"]);
    check(&view, overriding, "ops.write", &["file_write"]);
    check(&view, overridden, "get_command", &["~command::proc"]);
    assert_eq!(view.callers("file_read", 1), ["1 file_ops", "1 run"]);
    assert_eq!(view.callers("get_command", 1), ["1 call", "1 table"]);
}

#[test]
fn anonymous_classes_are_heirs_and_permitted_ones_are_no_bases() {
    let view = View::new(&[
        (
            "a/Task.java",
            "package a;\npublic interface Task { int run(int n); }\n",
        ),
        (
            "a/Use.java",
            "package a;\nclass Use {\n    Task field = new Task() {\n        public int run(int n) { return n; }\n    };\n    Task make() {\n        return new Task() {\n            public int run(int n) { return 1; }\n        };\n    }\n    int go(Task task) { return task.run(1); }\n}\n",
        ),
        (
            "a/Shape.java",
            "package a;\nsealed interface Shape permits Dot {}\nfinal class Dot implements Shape {}\n",
        ),
    ]);
    check(&view, subtypes, "Task", &["Use.field", "Use.make"]);
    check(
        &view,
        overriding,
        "Task.run",
        &["Use.field.run", "Use.make.run"],
    );
    assert_eq!(view.callers("Use.make.run", 1), ["1 Use.go"]);
    check(&view, supertypes, "Shape", &[]);
    check(&view, subtypes, "Shape", &["Dot"]);
}
