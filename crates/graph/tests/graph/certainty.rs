//! Uses that look like those of another definition: which are certain, which are only possible.

use crate::support::View;

fn check(files: &[(&'static str, &'static str)], expected: &[(&str, &[&str])]) {
    let view = View::new(files);
    for (query, uses) in expected {
        assert_eq!(view.uses(query), *uses, "{query}");
        let kept: Vec<String> = view.kept_uses(query);
        assert_eq!(kept, *uses, "kept: {query}");
    }
}

#[test]
fn go_results_with_names_have_their_types() {
    check(
        &[
            ("go.mod", "module m\n"),
            (
                "a.go",
                "package m\ntype Tx struct{}\nfunc (t *Tx) Commit() error { return nil }\ntype DB struct{}\n\
                 func (db *DB) Begin() (t *Tx, err error) { return &Tx{}, nil }\nfunc one() (t *Tx) { return nil }\n\
                 func pair() (a, b *Tx, err error) { return }\n\
                 func use(db *DB) error {\n\ttx, _ := db.Begin()\n\ttx.Commit()\n\tone().Commit()\n\
                 \ta, b, _ := pair()\n\ta.Commit()\n\treturn b.Commit()\n}\n",
            ),
        ],
        &[("Tx.Commit", &["a.go:10", "a.go:11", "a.go:13", "a.go:14"])],
    );
}

#[test]
fn fields_behind_annotations_have_their_types() {
    check(
        &[
            (
                "src/Timer.java",
                "class Timer { boolean isCounting() { return true; } }\n",
            ),
            (
                "src/T.java",
                "class T {\n  @Mock Timer a;\n  @Mock(name = \"b\") private Timer b;\n\
                 \x20 @Mock(\"c\")\n  @Other Timer c;\n  void run() {\n    a.isCounting();\n    b.isCounting();\n\
                 \x20   c.isCounting();\n  }\n}\n",
            ),
        ],
        &[(
            "Timer.isCounting",
            &["src/T.java:7", "src/T.java:8", "src/T.java:9"],
        )],
    );
    check(
        &[(
            "a.cs",
            "class Timer { public bool Runs() { return true; } }\nclass T {\n  [Inject] private Timer a;\n\
             \x20 void Run() { a.Runs(); }\n}\n",
        )],
        &[("Timer.Runs", &["a.cs:4"])],
    );
}

#[test]
fn an_overload_has_the_calls_with_as_many_arguments() {
    let files = [(
        "src/O.java",
        "class O {\n  void m(int a) {}\n  void m(int a, int b) {}\n  void m(String s) {}\n\
         \x20 void many(String f, Object... rest) {}\n  void many() {}\n  void t(O o) {\n    m(1);\n    o.m(1, 2);\n\
         \x20   many(\"\", 1, 2);\n    many();\n  }\n}\n",
    )];
    check(
        &files,
        &[
            ("O.m", &["src/O.java:8", "src/O.java:9"]),
            ("src/O.java:2", &["src/O.java:8"]),
            ("src/O.java:3", &["src/O.java:9"]),
            ("src/O.java:4", &[]),
            ("src/O.java:5", &["src/O.java:10"]),
            ("src/O.java:6", &["src/O.java:11"]),
        ],
    );
    check(
        &[(
            "a.cs",
            "class O {\n  void M(int a, int b = 1) {}\n  void M(string s, params int[] rest) {}\n  void M() {}\n\
             \x20 void T() {\n    M();\n    M(1);\n    M(\"\", 1, 2);\n  }\n}\n",
        )],
        &[
            ("a.cs:2", &["a.cs:7"]),
            ("a.cs:3", &["a.cs:8"]),
            ("a.cs:4", &["a.cs:6"]),
        ],
    );
}

#[test]
fn an_overload_of_a_base_is_called_where_none_of_the_heir_fits() {
    check(
        &[(
            "src/A.java",
            "class Base { void go(int a, int b) {} }\nclass Heir extends Base {\n  void go(int a) {}\n\
             \x20 void t(Heir h) { go(1, 2); h.go(1, 2); h.go(3); }\n}\n",
        )],
        &[
            ("Base.go", &["src/A.java:4"]),
            ("Heir.go", &["src/A.java:4"]),
        ],
    );
}

#[test]
fn java_calls_mean_no_field_and_reads_no_method() {
    check(
        &[(
            "src/F.java",
            "class B { int size; int name() { return 1; } }\nclass F extends B {\n  boolean go;\n  int name;\n\
             \x20 void go() {}\n  int size() { return 2; }\n  void t() {\n    go();\n    use(go);\n    use(size);\n\
             \x20   name();\n    use(name);\n  }\n  void use(Object o) {}\n}\n",
        )],
        &[
            ("src/F.java:3", &["src/F.java:9"]),
            ("src/F.java:5", &["src/F.java:8"]),
            ("B.size", &["src/F.java:10"]),
            ("F.size", &[]),
            ("B.name", &["src/F.java:11"]),
            ("F.name", &["src/F.java:12"]),
        ],
    );
}

#[test]
fn what_an_inner_type_inherits_hides_what_the_outer_one_has() {
    check(
        &[(
            "src/P.java",
            "class P { static void put(Object o) {} void own() {} }\nclass Base { void go() {} }\n\
             class Q extends P {\n  void go() {}\n  static class N extends Base { void f() { go(); } }\n\
             \x20 static class M extends ThreadLocal<Object> {\n    void f() { put(1); own(); }\n  }\n\
             \x20 static class L { void f() { put(1); } }\n}\n",
        )],
        &[
            ("Base.go", &["src/P.java:5"]),
            ("Q.go", &[]),
            // `ThreadLocal` is outside, and libraries have a `put`.
            ("P.put", &["src/P.java:7~", "src/P.java:9"]),
            ("P.own", &["src/P.java:7"]),
        ],
    );
}

#[test]
fn a_constructor_has_the_places_that_make_its_type() {
    check(
        &[(
            "src/L.java",
            "class B {}\nclass L extends B {\n  L(int x) {}\n  L() {}\n}\nclass C {\n  Object o = new L(1);\n\
             \x20 Object p = new L();\n}\n",
        )],
        &[
            ("src/L.java:3", &["src/L.java:7"]),
            ("src/L.java:4", &["src/L.java:8"]),
            ("L", &["src/L.java:7", "src/L.java:8"]),
        ],
    );
}

#[test]
fn names_with_their_packages_mean_types() {
    check(
        &[
            (
                "src/main/java/org/p/D.java",
                "package org.p;\npublic class D { public static class In {} public void run() {} }\n",
            ),
            (
                "src/main/java/org/r/D.java",
                "package org.r;\npublic class D {}\n",
            ),
            (
                "src/main/java/org/q/U.java",
                "package org.q;\nclass U {\n  void f(org.p.D d, org.p.D.In e) { d.run(); }\n  org.r.D x;\n}\n",
            ),
        ],
        &[
            (
                "src/main/java/org/p/D.java:2",
                &["src/main/java/org/q/U.java:3"],
            ),
            ("D.In", &["src/main/java/org/q/U.java:3"]),
            ("D.run", &["src/main/java/org/q/U.java:3"]),
            (
                "src/main/java/org/r/D.java:2",
                &["src/main/java/org/q/U.java:4"],
            ),
        ],
    );
    check(
        &[
            ("One.cs", "namespace Acme.One { public class Gear {} }\n"),
            ("Two.cs", "namespace Acme.Two { public class Gear {} }\n"),
            (
                "U.cs",
                "namespace Acme.App {\n  class U {\n    Acme.One.Gear a;\n    void F(Two.Gear b) {}\n  }\n}\n",
            ),
        ],
        &[("One.Gear", &["U.cs:3"]), ("Two.Gear", &["U.cs:4"])],
    );
}

#[test]
fn a_static_import_names_its_class() {
    let view = View::new(&[
        (
            "src/main/java/com/acme/Maths.java",
            "package com.acme;\npublic class Maths { public static int cube(int n) { return n; } }\n",
        ),
        (
            "src/main/java/com/app/A.java",
            "package com.app;\nimport static com.acme.Maths.cube;\nclass A { int n = cube(2); }\n",
        ),
    ]);
    let hits = view.hits("Maths");
    let lines: Vec<u32> = hits.iter().map(|hit| hit.line).collect();
    assert_eq!(lines, [2]);
    assert!(hits.iter().all(|hit| hit.confidence.is_certain()));
}

#[test]
fn elements_of_annotations_are_used_by_name() {
    check(
        &[(
            "src/A.java",
            "@interface A { int n() default 0; }\n@A(n = 1) class B {}\n@Other(n = 2) class C {}\n",
        )],
        &[("A.n", &["src/A.java:2", "src/A.java:3~"])],
    );
}

#[test]
fn records_and_partial_methods_of_csharp_are_one() {
    check(
        &[
            (
                "a.cs",
                "public record P(int Px);\nclass U { int F(P p) => p.Px; }\npartial class E {\n  partial void On();\n\
                 \x20 public void S() { On(); }\n}\n",
            ),
            ("b.cs", "partial class E {\n  partial void On() { }\n}\n"),
        ],
        &[
            ("P.Px", &["a.cs:2"]),
            ("a.cs:4", &["a.cs:5"]),
            ("b.cs:2", &["a.cs:5"]),
        ],
    );
}

#[test]
fn ruby_constants_of_modules_are_not_those_of_the_library() {
    check(
        &[
            (
                "a.rb",
                "module App\n  class Logger\n    def info(m); m; end\n  end\nend\n",
            ),
            (
                "b.rb",
                "require_relative \"a\"\nclass Out\n  def run\n    ::Logger.new($stdout).info(\"x\")\n\
                 \x20   Logger.new($stdout).info(\"y\")\n  end\nend\n",
            ),
            (
                "c.rb",
                "require_relative \"a\"\nmodule App\n  class In\n    def run\n      Logger.new.info(\"z\")\n\
                 \x20     ::App::Logger.new.info(\"w\")\n    end\n  end\nend\n",
            ),
        ],
        &[
            ("App::Logger", &["b.rb:5~", "c.rb:5", "c.rb:6"]),
            ("App::Logger#info", &["b.rb:5~", "c.rb:5", "c.rb:6"]),
        ],
    );
}

#[test]
fn tests_of_go_from_outside_are_a_package_of_their_own() {
    check(
        &[
            ("go.mod", "module m\n"),
            ("a.go", "package a\nfunc read() {}\nfunc use() { read() }\n"),
            (
                "a_test.go",
                "package a_test\nfunc read() {}\nfunc both() { read() }\n",
            ),
            ("b_test.go", "package a_test\nfunc more() { read() }\n"),
            ("c_test.go", "package a\nfunc inner() { read() }\n"),
        ],
        &[
            ("a.go:2", &["a.go:3", "c_test.go:2"]),
            ("a_test.go:2", &["a_test.go:3", "b_test.go:2"]),
        ],
    );
}

#[test]
fn a_struct_and_a_function_of_one_name_are_two() {
    check(
        &[(
            "a.c",
            "struct value { int next; };\nint value(struct value *v) { return 1; }\n\
             int one(struct value *v) { return value(v); }\n",
        )],
        &[("a.c:1", &["a.c:2", "a.c:3"]), ("a.c:2", &["a.c:3"])],
    );
}

#[test]
fn a_function_hides_no_struct_of_its_name() {
    check(
        &[
            (
                "all.h",
                "struct parse { int lower; };\nint parse(int a);\nint use(struct parse *p);\n",
            ),
            (
                "a.c",
                "#include \"all.h\"\nint parse(int a) { return a; }\n\
                 int use(struct parse *p) { return parse(p->lower); }\n",
            ),
            (
                "b.c",
                "#include \"all.h\"\nstruct parse one;\nint two(void) { return parse(2); }\n",
            ),
        ],
        &[
            ("all.h:1", &["a.c:3", "all.h:3", "b.c:2"]),
            ("a.c:2", &["a.c:3", "b.c:3"]),
        ],
    );
}

#[test]
fn a_prototype_behind_a_macro_declares_its_function() {
    let view = View::new(&[
        (
            "x.h",
            "#define API\ntypedef enum { A } err;\nAPI err f  (int s, unsigned long long x);\n\
             static err g(void) { return A; }\n",
        ),
        (
            "x.c",
            "#include \"x.h\"\nerr f(int s, unsigned long long x) { return A; }\n",
        ),
        ("t.c", "#include \"x.h\"\nint main() { return f(1, 2); }\n"),
        (
            "u.c",
            "extern int f(int s, unsigned long long x);\nint once() { return f(1, 2); }\n",
        ),
    ]);
    assert_eq!(view.uses("x.c:2"), ["t.c:2", "u.c:2"]);
    assert_eq!(view.callers("x.c:2", 3), ["1 main", "1 once"]);
}

#[test]
fn what_an_heir_takes_from_its_base_fulfils_its_interface() {
    let view = View::new(&[(
        "src/I.java",
        "interface I { void m(); }\nabstract class W { void m() {} }\nclass T extends W implements I {}\n\
         class C { void c(I i) { i.m(); } }\nclass Agent { static void premain(String a) {} }\n",
    )]);
    let dead = view.dead();
    assert!(!dead.contains(&"dead W.m".to_owned()), "{dead:?}");
    assert!(!dead.contains(&"dead Agent.premain".to_owned()), "{dead:?}");
}

#[test]
fn members_of_a_scala_type_without_a_name_may_be_called_by_its_base() {
    let view = View::new(&[(
        "src/A.scala",
        "object A {\n  def f(g: Int => Int): PartialFunction[Int, Int] = new PartialFunction[Int, Int] {\n\
         \x20   def isDefinedAt(x: Int) = true\n    def apply(x: Int) = g(x)\n  }\n}\n",
    )]);
    let dead = view.dead();
    assert!(
        !dead
            .iter()
            .any(|one| one.starts_with("dead") && one.ends_with("isDefinedAt")),
        "{dead:?}"
    );
}

#[test]
fn what_a_container_from_outside_gives_is_not_ruled_out() {
    let view = View::new(&[
        (
            "loader.js",
            "export class Loader { load(p) { return p; } }\n",
        ),
        (
            "use.js",
            "import { Loader } from './loader';\n\
             const kept = new WeakMap();\n\
             function f(key) { const { loader } = kept.get(key); loader.load(1); }\n\
             function g(key) { kept.get(key).load(2); }\n\
             function h(key) { const made = Object.assign({}, key); made.load(3); }\n\
             new Loader().load(4);\n",
        ),
    ]);
    assert_eq!(
        view.uses("Loader.load"),
        ["use.js:3~", "use.js:4~", "use.js:5~", "use.js:6"]
    );
}

#[test]
fn a_module_may_be_used_where_it_is_loaded() {
    let view = View::new(&[
        ("lib.js", "function f() {}\nmodule.exports = { f };\n"),
        (
            "use.js",
            "require('./lib').f();\nconst { f } = require('./lib');\n",
        ),
        ("other.js", "require('other').f();\n"),
    ]);
    assert_eq!(view.uses("f"), ["lib.js:2", "use.js:1"]);
}

#[test]
fn names_that_patterns_and_labels_of_swift_bind_are_no_uses() {
    let view = View::new(&[(
        "Sources/A.swift",
        "struct Trap {\n  let v = 1\n  @State var n = 2\n  func f(e: E, run: (_ v: Int) -> Int) throws -> Int {\n\
             \x20   switch e {\n    case .a(let v): return v\n    case let .b(v, _): return v\n    default: break\n    }\n\
             \x20   if case .a(let v) = e { return v }\n    do { try g() } catch let v { show(v) }\n\
             \x20   show($n)\n    return v\n  }\n}\n",
    )]);
    assert_eq!(view.uses("Trap.v"), ["Sources/A.swift:13"]);
    assert_eq!(view.uses("Trap.n"), ["Sources/A.swift:12"]);
}

#[test]
fn who_imports_a_file_that_is_gone_may_use_what_it_holds() {
    let view = View::new(&[
        (
            "lib/moved.js",
            "export function end(n) {}\nexport class Clock { tick() {} }\n",
        ),
        ("use.js", "import { end } from './lib/stats';\nend(1);\n"),
        (
            "all.js",
            "import * as stats from './lib/stats';\nstats.end(2);\nstats.clock.tick();\n",
        ),
        ("other.js", "import { end } from 'other';\nend(3);\n"),
    ]);
    assert_eq!(view.uses("end"), ["use.js:2~"]);
    assert_eq!(view.uses("Clock.tick"), ["all.js:3~"]);
}
#[test]
fn what_require_brings_in_is_an_import() {
    let view = View::new(&[
        ("lib.js", "function f() {}\nmodule.exports = { f };\n"),
        ("use.js", "const {\n  f,\n} = require('./lib');\nf();\n"),
    ]);
    let imports = view.uses_of_kind("f", whyrank_syntax::ReferenceKind::Import);
    assert_eq!(imports, ["use.js:2"]);
}

#[test]
fn a_package_is_what_heads_declare_wherever_files_lie() {
    check(
        &[
            (
                "src/Tool.kt",
                "package com.acme.app\n\nclass Tool(val name: String) {\n    fun go() {}\n    class Part {\n        fun fit() {}\n    }\n}\n\n\
                 object Reg {\n    fun add(t: Tool) {}\n}\n\nfun helper(n: Int): Int = n\n",
            ),
            (
                "src/ui/Main.kt",
                "package com.acme.app.ui\n\nimport com.acme.app.Reg\nimport com.acme.app.Tool\nimport com.acme.app.Tool.Part\n\
                 import com.acme.app.helper\n\nfun main() {\n    val t = Tool(\"x\")\n    t.go()\n    Reg.add(t)\n    helper(1)\n    Part().fit()\n}\n",
            ),
            (
                "src/ui/All.kt",
                "package com.acme.app.ui\n\nimport com.acme.app.*\n\nfun all() {\n    helper(2)\n}\n",
            ),
        ],
        &[
            ("Tool.go", &["src/ui/Main.kt:10"]),
            ("Reg.add", &["src/ui/Main.kt:11"]),
            ("helper", &["src/ui/All.kt:6", "src/ui/Main.kt:12"]),
            ("Tool.Part.fit", &["src/ui/Main.kt:13"]),
        ],
    );
}
