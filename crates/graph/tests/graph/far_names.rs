//! Names that the view has somewhere else: what may mean them, and what means something from outside.

use whyrank_graph::SymbolId;

use crate::support::View;

fn check(files: &[(&'static str, &'static str)], expected: &[(&str, &[&str])]) {
    let view = View::new(files);
    for (query, uses) in expected {
        assert_eq!(view.uses(query), *uses, "{query}");
    }
}

#[test]
fn named_results_of_go_have_the_type_behind_their_name() {
    let tx = "package n\n\ntype Tx struct{}\n\nfunc (t *Tx) Commit() error { return nil }\n\
              func (t *Tx) Roll() error { return nil }\n\ntype DB struct{}\n\n\
              func (db *DB) Begin(w bool) (t *Tx, err error) { return &Tx{}, nil }\n\
              func (db *DB) Two() (a, b *Tx) { return nil, nil }\nfunc One() (t *Tx) { return nil }\n";
    let user = "package n\n\nfunc use(db *DB) {\n\ttx, err := db.Begin(true)\n\t_ = err\n\ttx.Commit()\n\
                \tOne().Commit()\n\ta, b := db.Two()\n\ta.Roll()\n\tb.Roll()\n}\n";
    check(
        &[("go.mod", "module n\n"), ("tx.go", tx), ("user.go", user)],
        &[
            ("Tx.Commit", &["user.go:6", "user.go:7"]),
            ("Tx.Roll", &["user.go:9", "user.go:10"]),
        ],
    );
}

#[test]
fn tests_of_go_in_a_package_of_their_own_share_no_private_name() {
    check(
        &[
            ("go.mod", "module n\n"),
            (
                "c/a.go",
                "package c\n\nfunc read(n int) int { return n }\nfunc Use() int { return read(1) }\n",
            ),
            (
                "c/a_test.go",
                "package c_test\n\nimport \"n/c\"\n\nfunc read(s string) string { return s }\n",
            ),
            (
                "c/b_test.go",
                "package c_test\n\nfunc TestB() { read(\"\") }\n",
            ),
            ("c/in_test.go", "package c\n\nfunc TestIn() { read(2) }\n"),
        ],
        &[("read", &["c/a.go:4", "c/b_test.go:3", "c/in_test.go:3"])],
    );
    let view = View::new(&[
        ("go.mod", "module n\n"),
        ("c/a.go", "package c\n\nfunc Use() int { return read(1) }\n"),
        (
            "c/a_test.go",
            "package c_test\n\nfunc read(s int) int { return s }\nfunc TestA() { read(1) }\n",
        ),
    ]);
    let uses = view.uses("read");
    assert!(!uses.contains(&"c/a.go:3".to_owned()), "{uses:?}");
    assert!(uses.contains(&"c/a_test.go:4".to_owned()), "{uses:?}");
}

#[test]
fn a_struct_of_go_embeds_one_of_its_own_name() {
    let bolt = "package bolt\n\ntype DB struct{}\n\nfunc (db *DB) Begin() int { return 1 }\n";
    let other = "package btest\n\nimport bolt \"example.com/bolt\"\n\ntype DB struct {\n\t*bolt.DB\n}\n\n\
                 func Make() *DB { return nil }\n";
    let user = "package use\n\nimport \"example.com/bolt/btest\"\n\nfunc run() {\n\tdb := btest.Make()\n\tdb.Begin()\n}\n";
    check(
        &[
            ("go.mod", "module example.com/bolt\n"),
            ("db.go", bolt),
            ("btest/b.go", other),
            ("use/u.go", user),
        ],
        &[("DB.Begin", &["use/u.go:7"])],
    );
}

#[test]
fn what_a_generic_function_hands_back_is_not_from_outside() {
    check_listed(
        &[(
            "src/A.java",
            "class M {\n  static <T> T verify(T mock) { return mock; }\n}\nclass P {\n  void load(int n) {}\n}\n\
             class T1 {\n  P p;\n  void run() {\n    p.load(1);\n    M.verify(p).load(2);\n  }\n}\n",
        )],
        "load",
        &["src/A.java:10", "src/A.java:11"],
    );
}

#[test]
fn a_constant_of_ruby_is_seen_from_the_modules_around_it() {
    let own = "module App\n  class Logger\n    def info(m); m; end\n  end\n  class Server\n    def run\n      \
               Logger.new.info(1)\n      ::Logger.new.info(2)\n    end\n  end\nend\n";
    let other = "require 'logger'\nclass Out\n  def run\n    Logger.new($stdout).info('x')\n    \
                 ::Logger.new($stdout).info('y')\n    App::Logger.new.info('z')\n  end\nend\n";
    let inside =
        "module App\n  class Third\n    def run\n      Logger.new.info(3)\n    end\n  end\nend\n";
    check(
        &[("a.rb", own), ("b.rb", other), ("c.rb", inside)],
        &[
            ("App::Logger", &["a.rb:7", "b.rb:4~", "b.rb:6", "c.rb:4"]),
            (
                "App::Logger#info",
                &["a.rb:7", "b.rb:4~", "b.rb:6", "c.rb:4"],
            ),
        ],
    );
}

#[test]
fn members_of_a_class_without_a_name_are_not_dead_in_scala() {
    let source = "object A {\n  def f(g: Int => Int): PartialFunction[Int, Int] = new PartialFunction[Int, Int] {\n    \
                  def isDefinedAt(x: Int) = true\n    def apply(x: Int) = g(helper(x))\n    \
                  def helper(x: Int) = x\n  }\n  def main(args: Array[String]): Unit = f(x => x)\n  \
                  def unused(x: Int) = x\n}\n";
    let view = View::new(&[("src/A.scala", source)]);
    let dead: Vec<String> = view.dead();
    let anonymous =
        ["apply", "helper", "isDefinedAt"].map(|name| format!("possibly-dynamic A.f.{name}"));
    assert!(
        anonymous.iter().all(|verdict| dead.contains(verdict)),
        "{dead:?}"
    );
    assert_eq!(dead.len(), 4, "{dead:?}");
}

#[test]
fn what_an_import_goes_through_is_used_in_scala() {
    let marks =
        "package os\n\nprivate[os] object acyclic {\n  def skipped = ()\n  def other = ()\n}\n";
    let user = "package os\n\nimport acyclic.skipped\n\nobject Macros {\n  def main(args: Array[String]): Unit = ()\n}\n";
    let view = View::new(&[("os/acyclic.scala", marks), ("os/Macros.scala", user)]);
    let dead = view.dead();
    assert!(dead.contains(&"dead acyclic.other".to_owned()), "{dead:?}");
    assert!(
        !dead.iter().any(|verdict| verdict == "dead acyclic.skipped"),
        "{dead:?}"
    );
}

#[test]
fn a_module_of_lua_is_used_in_its_own_file() {
    let app = "local app = {}\n\nfunction app.name()\n  return arg[0]\nend\n\nfunction app.run()\n  \
               return app.name()\nend\n\nreturn app\n";
    let test = "local app = require 'app'\nprint(app.name())\napp.run()\n";
    check(
        &[("app.lua", app), ("test.lua", test)],
        &[
            ("app.name", &["app.lua:8", "test.lua:2"]),
            ("app.run", &["test.lua:3"]),
        ],
    );
}

/// Every use but these is left out; none may be.
fn check_listed(files: &[(&'static str, &'static str)], query: &str, lines: &[&str]) {
    let view = View::new(files);
    let uses = view.uses(query);
    let listed: Vec<&str> = uses
        .iter()
        .map(|at| at.trim_end_matches(['~', '?']))
        .collect();
    assert_eq!(listed, lines, "{query}: {uses:?}");
}

#[test]
fn what_extends_a_type_from_outside_is_used_by_values_from_outside() {
    check_listed(
        &[
            (
                "Sources/A/String.swift",
                "extension String {\n  func ed(_ s: String) -> Int { 0 }\n}\n",
            ),
            (
                "Sources/A/b.swift",
                "func a(x: String) { _ = x.ed(\"\") }\nfunc b() { _ = \"\".ed(\"x\") }\nfunc c(x: String) { _ = x.trim().ed(\"\") }\n",
            ),
        ],
        "ed",
        &[
            "Sources/A/b.swift:1",
            "Sources/A/b.swift:2",
            "Sources/A/b.swift:3",
        ],
    );
    check_listed(
        &[
            (
                "Sources/A/A.swift",
                "struct Fail { }\nextension Fail { var isRetry: Bool { true } }\n\
                                   extension Result { var failure: Fail? { nil } }\nstruct Response { let result: Result<Int, Fail> }\n",
            ),
            (
                "Sources/A/b.swift",
                "func a(r: Response?) { _ = r?.result.failure?.isRetry }\nfunc b(f: Fail) { _ = f.isRetry }\n",
            ),
        ],
        "isRetry",
        &["Sources/A/b.swift:1", "Sources/A/b.swift:2"],
    );
    check_listed(
        &[
            (
                "a.cs",
                "namespace A;\npublic class Context { public void Add(int t) { } }\npublic class Other { public void Take(System.Action<int, Context> f) { } }\n",
            ),
            (
                "b.cs",
                "namespace A;\nclass B {\n  void One(Context c) { c.Add(1); }\n  void Two(Other o) { o.Take((builder, context) => { context.Add(1); }); }\n}\n",
            ),
        ],
        "Context.Add",
        &["b.cs:3", "b.cs:4"],
    );
}

#[test]
fn methods_of_a_module_are_used_through_what_mixes_it_in() {
    check_listed(
        &[
            (
                "lib/base.rb",
                "module Invoke\n  def invoke_command(c)\n    c\n  end\n  def run(c)\n    invoke_command(c)\n  end\nend\nclass Thor\n  include Invoke\nend\n",
            ),
            (
                "lib/thor.rb",
                "def go(instance)\n  instance.invoke_command(1)\n  instance.send(:other)\nend\n",
            ),
        ],
        "invoke_command",
        &["lib/base.rb:6", "lib/thor.rb:2"],
    );
}

#[test]
fn a_name_from_the_root_is_no_member() {
    check(
        &[
            (
                "file.hpp",
                "class File {\n public:\n  void close();\n  void again() { close(); }\n  int fd;\n};\n",
            ),
            (
                "file.cpp",
                "#include \"file.hpp\"\nint helper(int a);\nvoid File::close() {\n  ::close(fd);\n  ::helper(1);\n}\n\
                 int helper(int a) { return a; }\n",
            ),
        ],
        &[
            ("File::close", &["file.hpp:4"]),
            ("helper", &["file.cpp:5"]),
        ],
    );
}

#[test]
fn a_struct_and_a_function_of_one_name_are_two() {
    let source = "struct value { int next; };\nint value(struct value *v) { return v->next; }\n\
                  int one(struct value *value) { return value->next; }\nstruct value *made(void);\n\
                  int two(void) { return value(0); }\n";
    let view = View::new(&[("a.c", source)]);
    let uses_at = |line: u32| {
        let symbols = (0u32..).zip(view.inputs()[0].facts().symbols.clone());
        let mut found = symbols.filter(|(_, one)| one.name == "value" && one.name_line == line);
        let symbol = found.next().expect("a definition").0;
        let hits = view.with_uses(|uses| uses.all(&[SymbolId { file: 0, symbol }]));
        hits.iter().map(|hit| hit.line).collect::<Vec<u32>>()
    };
    assert_eq!(uses_at(1), [2, 3, 4]);
    assert_eq!(uses_at(2), [5]);
}
