//! What comes before a dot where no declaration beside it says its type: what functions that are
//! passed get, keys of literals, extensions, namespaces, results that no head states.

use crate::support::View;

fn check(files: &[(&'static str, &'static str)], expected: &[(&str, &[&str])]) {
    let view = View::new(files);
    for (query, uses) in expected {
        assert_eq!(view.uses(query), *uses, "{query}");
    }
}

#[test]
fn a_function_that_is_passed_gets_what_its_callee_states() {
    check(
        &[(
            "src/a.ts",
            "export interface Context { send(): void; }\nexport interface Other { send(): void; }\n\
             type Handler = (c: Context, o: Other) => void;\nexport function on(path: string, handler: Handler) {}\n\
             export function each(run: (o: Other) => void) {}\non('/', (c, o) => { c.send(); });\n\
             on('/', (c, o) => {\n  o.send();\n});\neach((o) => o.send());\n",
        )],
        &[
            ("Context.send", &["src/a.ts:6"]),
            ("Other.send", &["src/a.ts:8", "src/a.ts:10"]),
        ],
    );
    check(
        &[(
            "src/lib.rs",
            "pub struct A;\npub struct B;\nimpl A { pub fn go(&self) {} }\nimpl B { pub fn go(&self) {} }\n\
             impl B { pub fn with<F: FnOnce(&A) -> u8>(&self, f: F) {} }\n\
             fn run(b: B, one: Option<B>) {\n    b.with(|a| { a.go(); 1 });\n    one.map(|b| b.go());\n}\n",
        )],
        &[("A::go", &["src/lib.rs:7"]), ("B::go", &["src/lib.rs:8"])],
    );
}

#[test]
fn keys_of_literals_and_patterns_are_members_of_what_their_place_expects() {
    check(
        &[(
            "src/a.ts",
            "interface Base { deep: boolean }\nexport type Options = Base & { mode: string; inner: Options };\n\
             interface Other { mode: string; deep: boolean }\nexport function run(n: number, options: Options = {}) {\n\
             \x20 const { mode } = options;\n}\nrun(1, { mode: 'a', inner: { deep: true } });\n\
             const other: Other = { mode: 'b', deep: false };\nfunction take({ mode: m }: Other) {}\n",
        )],
        &[
            ("Options.mode", &["src/a.ts:5", "src/a.ts:7"]),
            ("Base.deep", &["src/a.ts:7"]),
            ("Other.mode", &["src/a.ts:8", "src/a.ts:9"]),
            ("Other.deep", &["src/a.ts:8"]),
        ],
    );
}

#[test]
fn tables_of_structs_without_a_name_hold_what_their_fields_state() {
    check(
        &[
            ("go.mod", "module x\n"),
            (
                "a_test.go",
                "package x\n\ntype A struct{}\ntype B struct{}\n\nfunc (a A) Run() {}\nfunc (b B) Run() {}\n\n\
                 func TestA(t *testing.T) {\n\tfor _, tc := range []struct {\n\t\tname string\n\t\tin   A\n\t}{\n\
                 \t\t{name: \"one\", in: A{}},\n\t} {\n\t\ttc.in.Run()\n\t}\n\ttests := map[string]struct{ in B }{}\n\
                 \tfor _, b := range tests {\n\t\tb.in.Run()\n\t}\n}\n\nfunc outer(a A) { a.Run(); func(a B) { a.Run() }(B{}) }\n",
            ),
        ],
        &[
            ("TestA.name", &["a_test.go:14"]),
            ("A.Run", &["a_test.go:16", "a_test.go:24"]),
            ("B.Run", &["a_test.go:20", "a_test.go:24"]),
        ],
    );
}

#[test]
fn a_bound_at_the_end_of_a_long_head_is_read() {
    check(
        &[(
            "src/lib.rs",
            "pub trait Hook { fn equal(&mut self, at: usize); }\npub trait Other { fn equal(&mut self); }\n\
             pub fn diff<Old, New, D>(\n    d: &mut D,\n    old: &Old,\n    old_range: Range<usize>,\n    \
             new: &New,\n    new_range: Range<usize>,\n    deadline: Option<Instant>,\n) -> Result<(), Box<dyn std::error::Error>>\n\
             where\n    Old: Index<usize> + ?Sized,\n    New: Index<usize> + ?Sized,\n    D: Hook,\n{\n    d.equal(1);\n}\n",
        )],
        &[("Hook::equal", &["src/lib.rs:16"]), ("Other::equal", &[])],
    );
}

#[test]
fn a_copy_of_a_list_holds_what_the_list_holds() {
    let route = "class Route:\n    def matches(self, scope):\n        pass\n\n\nclass Other:\n    def matches(self, scope):\n        pass\n\n\n";
    let router = "class Router:\n    def __init__(self, routes: Sequence[Route] | None = None):\n        \
                  self.routes = [] if routes is None else list(routes)\n\n    def run(self, scope):\n        \
                  for route in self.routes:\n            route.matches(scope)\n        \
                  for route in sorted(self.routes):\n            route.matches(scope)\n";
    let script = "class A { run() {} }\nclass B { run() {} }\nfunction go(all: A[]) {\n  \
                  for (const a of [...all]) {\n    a.run();\n  }\n  for (const a of Array.from(all)) {\n    \
                  a.run();\n  }\n  const other = set(all[0]);\n  other.run();\n}\n\
                  function set(a: A): B { return new B(); }\n";
    let python = Box::leak(format!("{route}{router}").into_boxed_str());
    check(
        &[("a.py", python), ("a.ts", script)],
        &[
            ("Route.matches", &["a.py:17", "a.py:19"]),
            ("Other.matches", &[]),
            ("A.run", &["a.ts:5", "a.ts:8"]),
            // A function of that name is no copy where the language has none.
            ("B.run", &["a.ts:11"]),
        ],
    );
}

#[test]
fn extensions_are_meant_by_who_sees_them() {
    check(
        &[
            (
                "src/main/kotlin/a/Util.kt",
                "package a\n\nfun Closeable?.closeQuietly() {}\nfun String.shout() = this\n",
            ),
            (
                "src/main/kotlin/b/Use.kt",
                "package b\n\nimport a.closeQuietly\n\nfun run(it: Foreign?, s: String, own: Snap) {\n    it?.closeQuietly()\n    s.shout()\n    \
                 own.closeQuietly()\n}\nclass Snap(val n: Int) : Closeable, Flushable {\n    \
                 override fun close() {}\n}\n",
            ),
            (
                "src/main/kotlin/b/Other.kt",
                "package b\n\nclass Other { fun closeQuietly() {} }\n",
            ),
        ],
        &[
            (
                "src/main/kotlin/a/Util.kt:closeQuietly",
                &["src/main/kotlin/b/Use.kt:6", "src/main/kotlin/b/Use.kt:8"],
            ),
            ("Other.closeQuietly", &[]),
        ],
    );
}

#[test]
fn a_property_may_bear_the_name_of_its_type() {
    check(
        &[
            (
                "src/Formatter.cs",
                "namespace Shop.Internal;\npublic class Formatter { public void Append() {} }\n",
            ),
            (
                "src/Context.cs",
                "namespace Shop;\nusing Internal;\npublic class Context {\n  \
                 public Formatter Formatter { get; }\n  void Own() { Formatter.Append(); }\n}\n\
                 class Use {\n  void Run(Context context) { context.Formatter.Append(); }\n}\n",
            ),
        ],
        &[
            (
                "Formatter.Append",
                &["src/Context.cs:5", "src/Context.cs:8"],
            ),
            ("src/Formatter.cs:Formatter", &["src/Context.cs:4"]),
            (
                "Context.Formatter",
                &["src/Context.cs:5", "src/Context.cs:8"],
            ),
        ],
    );
}

#[test]
fn types_of_csharp_are_found_by_namespace() {
    check(
        &[
            (
                "src/Core/ISink.cs",
                "namespace Log.Core;\npublic interface ISink { void Emit(); }\n",
            ),
            (
                "src/Other/ISink.cs",
                "namespace Other;\npublic interface ISink { void Emit(); }\n",
            ),
            ("src/Usings.cs", "global using Log.Core;\n"),
            (
                "src/A.cs",
                "namespace Log;\nclass A { void Run(ISink sink) { sink.Emit(); } }\n",
            ),
            (
                "test/B.cs",
                "namespace Other.Tests;\nclass B { void Run(ISink sink) { sink.Emit(); } }\n",
            ),
        ],
        &[
            ("src/Core/ISink.cs:ISink.Emit", &["src/A.cs:2"]),
            ("src/Other/ISink.cs:ISink.Emit", &["test/B.cs:2"]),
        ],
    );
}

#[test]
fn what_a_function_returns_says_what_its_call_is() {
    check(
        &[(
            "a.py",
            "class A:\n    def run(self):\n        pass\n\n\nclass B:\n    def run(self):\n        pass\n\n    @property\n\
             \x20   def inner(self):\n        return self._made()\n\n    def _made(self):\n        made = A()\n        return made\n\n\n\
             def make():\n    return B()\n\n\nmake().run()\nmake().inner.run()\n",
        )],
        &[("A.run", &["a.py:24"]), ("B.run", &["a.py:23"])],
    );
    check(
        &[(
            "src/lib.rs",
            "#[derive(Default)]\npub struct A;\n#[derive(Default)]\npub struct B;\nimpl A { pub fn go(&self) {} }\n\
             impl B { pub fn go(&self) {} }\nfn run() {\n    let a = A::default();\n    a.go();\n    B::from(1).go();\n}\n",
        )],
        &[("A::go", &["src/lib.rs:9"]), ("B::go", &["src/lib.rs:10"])],
    );
}

#[test]
fn a_member_that_a_base_lacks_is_the_one_of_its_subtype() {
    check(
        &[
            (
                "composer.json",
                "{\"autoload\": {\"psr-4\": {\"App\\\\\": \"src\"}}}",
            ),
            (
                "src/Node/Node.php",
                "<?php\nnamespace App\\Node;\nclass Node { }\n",
            ),
            (
                "src/Node/Heading.php",
                "<?php\nnamespace App\\Node;\nclass Heading extends Node { public function level() {} }\n",
            ),
            (
                "src/Level.php",
                "<?php\nnamespace App;\nclass Level { public function level() {} }\n",
            ),
            (
                "src/Use.php",
                "<?php\nnamespace App;\nuse App\\Node\\Node;\nfunction show(Node $node) {\n    $node->level();\n}\n",
            ),
        ],
        &[
            ("Heading::level", &["src/Use.php:5"]),
            ("Level::level", &[]),
            ("Node\\Node", &["src/Node/Heading.php:3", "src/Use.php:4"]),
        ],
    );
}

#[test]
fn a_name_that_library_types_have_speaks_for_no_definition() {
    let files = [(
        "src/lib.rs",
        "pub struct Text;\nimpl Text { pub fn push_str(&self) {} pub fn push_own(&self) {} }\n\
         macro_rules! any { () => {} }\nfn run() {\n    any!().push_str();\n    any!().push_own();\n}\n",
    )];
    check(
        &files,
        &[
            ("Text::push_str", &["src/lib.rs:5?"]),
            ("Text::push_own", &["src/lib.rs:6~"]),
        ],
    );
}

#[test]
fn a_member_that_all_others_override_is_meant_by_who_says_no_type() {
    check(
        &[(
            "a.py",
            "class Base:\n    def limit_sql(self):\n        pass\n\n\nclass One(Base):\n    def limit_sql(self):\n        pass\n\n\n\
             class Two(One):\n    def limit_sql(self):\n        pass\n\n\ndef use(x):\n    x.limit_sql()\n",
        )],
        &[("Base.limit_sql", &["a.py:17"])],
    );
}

#[test]
fn a_member_of_one_family_is_certain_only_where_one_of_its_types_is_seen() {
    let base = "package shapes\nsealed class Invokable {\n    abstract val parameterTypes: List<Any>\n}\n\
                class Made(val it: Any) : Invokable() {\n    override val parameterTypes: List<Any>\n        get() = emptyList()\n}\n";
    let other = "package tools\nfun <T> Class<T>.find() {\n    for (one in declaredConstructors) {\n        val types = one.parameterTypes\n    }\n}\n";
    let same = "package shapes\nfun <T> Class<T>.find() {\n    for (one in declaredConstructors) {\n        val types = one.parameterTypes\n    }\n}\n";
    let imports = "package made\nimport shapes.Made\nfun <T> Class<T>.find() {\n    for (one in declaredConstructors) {\n        val types = one.parameterTypes\n    }\n}\n";
    check(
        &[
            ("src/shapes/Invokable.kt", base),
            ("src/tools/Util.kt", other),
            ("src/shapes/Near.kt", same),
            ("src/made/Imports.kt", imports),
        ],
        &[(
            "Invokable.parameterTypes",
            &[
                "src/made/Imports.kt:5",
                "src/shapes/Near.kt:4",
                "src/tools/Util.kt:4?",
            ],
        )],
    );
    let base = "class Base:\n    def limit_sql(self):\n        pass\n\n\nclass One(Base):\n    def limit_sql(self):\n        pass\n";
    check(
        &[
            ("base.py", base),
            ("far.py", "def use(x):\n    x.limit_sql()\n"),
            (
                "near.py",
                "import base\n\n\ndef use(x):\n    x.limit_sql()\n",
            ),
            (
                "reached.rb",
                "class Use\n  def use(x)\n    x.limit_rows\n  end\nend\n",
            ),
            (
                "rows.rb",
                "class Rows\n  def limit_rows; end\nend\nclass Few < Rows\n  def limit_rows; end\nend\n",
            ),
        ],
        &[
            ("Base.limit_sql", &["far.py:2?", "near.py:5"]),
            ("Rows#limit_rows", &["reached.rb:3"]),
        ],
    );
}

#[test]
fn go_receivers_come_from_assertions_parts_and_calls_on_literals() {
    let lib = "package lib\ntype API interface { Unmarshal(s string) error }\ntype Config struct{ A bool }\n\
               func (c Config) Froze() API { return nil }\ntype File interface { Stat() (int, error) }\n\
               type Fs interface { Open(name string) (File, error) }\ntype Lstater interface { Lstat(n string) error }\n\
               type Core interface { With(f int) Core }\ntype multi []Core\nvar exts []Core\n\
               type Md interface { Renderer() Renderer }\ntype Renderer interface { Add(x int) }\n";
    let inside = "package lib\nfunc (m multi) All(source Fs) {\n\tfor i := range m {\n\t\tm[i].With(1)\n\t}\n\
                  \tfor _, e := range exts {\n\t\te.With(2)\n\t}\n\tif ls, ok := source.(Lstater); ok {\n\t\tls.Lstat(\"a\")\n\t}\n\
                  \tl2, ok := source.(Lstater)\n\tif ok {\n\t\tl2.Lstat(\"b\")\n\t}\n}\n";
    let user = "package g1\nimport \"x/lib\"\nfunc a(fs lib.Fs, m lib.Md) {\n\tapi := lib.Config{A: true}.Froze()\n\tapi.Unmarshal(\"x\")\n\
                \tfh, err := fs.Open(\"a\")\n\tfh.Stat()\n\tfh, _ = fs.Open(\"b\")\n\tif fi, _ := fh.Stat(); fi > 0 {\n\t}\n\
                \tm.Renderer().Add(1)\n}\n";
    check(
        &[
            ("go.mod", "module x\n"),
            ("lib/lib.go", lib),
            ("lib/a.go", inside),
            ("u_test.go", user),
        ],
        &[
            ("API.Unmarshal", &["u_test.go:5"]),
            ("File.Stat", &["u_test.go:7", "u_test.go:9"]),
            ("Lstater.Lstat", &["lib/a.go:10", "lib/a.go:14"]),
            ("Core.With", &["lib/a.go:4", "lib/a.go:7"]),
            ("Renderer.Add", &["u_test.go:11"]),
        ],
    );
}

#[test]
fn a_type_guard_names_a_type_and_no_parameter() {
    check(
        &[(
            "src/a.ts",
            "export abstract class Fragment {\n  static isEvent(value: any): value is EventFragment {\n    return EventFragment.isFragment(value);\n  }\n}\nexport abstract class NamedFragment extends Fragment {}\nexport class EventFragment extends NamedFragment {\n  static isFragment(value: any): value is EventFragment { return true; }\n  static from(x: any): EventFragment {\n    if (EventFragment.isFragment(x)) { return x; }\n    return x;\n  }\n}\n",
        )],
        &[("EventFragment.isFragment", &["src/a.ts:3", "src/a.ts:10"])],
    );
}

#[test]
fn literals_hold_what_all_of_their_parts_are() {
    let types = "class A:\n    def go(self): pass\nclass B:\n    def go(self): pass\n";
    let uses = "from types_ import A, B\ndef run():\n    listed = [A(1), A(2)]\n    listed[0].go()\n    for a in listed:\n        a.go()\n\
        \x20   named = {\n        'x': B(),  # first\n        'y': B(),\n    }\n    named['x'].go()\n    for b in named.values():\n        b.go()\n\
        \x20   for name, b in named.items():\n        b.go()\n    made = [B() for _ in range(3)]\n    made[1].go()\n\
        \x20   mixed = [A(), B()]\n    mixed[0].go()\n\
        class Pair:\n    def __init__(self):\n        self.both = {1: A(), 2: A()}\n\
        def again(pair: Pair):\n    pair.both[1].go()\n";
    check(
        &[("types_.py", types), ("uses.py", uses)],
        &[
            (
                "A.go",
                &["uses.py:4", "uses.py:6", "uses.py:19?", "uses.py:24"],
            ),
            (
                "B.go",
                &[
                    "uses.py:11",
                    "uses.py:13",
                    "uses.py:15",
                    "uses.py:17",
                    "uses.py:19?",
                ],
            ),
        ],
    );
    check(
        &[(
            "src/a.ts",
            "export class A { go() {} }\nexport class B { go() {} }\nexport function run() {\n\
             \x20 const all = [new A(1), new A(2)];\n  all[0].go();\n  for (const a of all) a.go();\n}\n",
        )],
        &[("A.go", &["src/a.ts:5", "src/a.ts:6"])],
    );
}

#[test]
fn what_is_gone_through_without_a_call_is_what_a_property_gives() {
    let types = "from typing import List, ValuesView\nclass A:\n    def go(self): pass\nclass B:\n    def go(self): pass\n\
        class Pair:\n    @property\n    def both(self) -> ValuesView[A]: ...\n    @property\n    def listed(self) -> List[A]: ...\n\
        \x20   def made(self) -> List[B]: ...\n";
    let uses = "from types_ import Pair\ndef run(pair: Pair):\n    for a in pair.both:\n        a.go()\n\
        \x20   pair.listed[0].go()\n    for b in pair.made():\n        b.go()\n";
    check(
        &[("types_.py", types), ("uses.py", uses)],
        &[
            ("A.go", &["uses.py:4", "uses.py:5"]),
            ("B.go", &["uses.py:7"]),
        ],
    );
}

#[test]
fn classes_of_one_name_in_two_modules_of_ruby_are_two() {
    let of = |module: &str| {
        format!(
            "module {module}\n  class Config\n    def load\n      1\n    end\n  end\n\n  def self.start\n    \
             Config.new.load\n  end\nend\n"
        )
    };
    let (one, other) = (of("One").leak(), of("Two").leak());
    let view = View::new(&[("lib/one.rb", one), ("lib/two.rb", other)]);
    assert_eq!(view.uses("One::Config#load"), ["lib/one.rb:9"]);
}
