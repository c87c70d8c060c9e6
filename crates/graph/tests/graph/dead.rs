//! Dead is proven: every place of a name is ruled out, or the definition may be used.

use crate::support::View;

/// `verdict name: reason` of each finding.
fn judged(files: &[(&'static str, &'static str)]) -> Vec<String> {
    View::new(files).dead_with_reasons()
}

#[test]
fn a_receiver_of_unknown_type_rules_nothing_out() {
    let files = [(
        "src/main.rs",
        "struct Arg;\nimpl Arg {\n    fn bare_name(&self) -> u8 { 1 }\n    fn idle_name(&self) {}\n}\n\
         fn main() {\n    let all = make();\n    let n = all.map(|x| x.bare_name());\n    \
         show(Arg, n);\n}\n",
    )];
    let expected = [
        "dead Arg::idle_name: nothing in the checkout uses `idle_name`",
        "possibly-dynamic Arg::bare_name: `x` has no known type at src/main.rs:8",
    ];
    let found = judged(&files);
    assert!(found.contains(&expected[0].to_owned()), "{found:?}");
    assert!(
        !found
            .iter()
            .any(|one| one.starts_with("dead Arg::bare_name")),
        "{found:?}"
    );
}

#[test]
fn what_the_language_calls_is_not_dead() {
    let files = [
        (
            "src/a.scala",
            "object Main {\n  private class P { def apply(x: Int) = x; def idle(x: Int) = x }\n  \
             def main(args: Array[String]): Unit = { val p = new P; println(p(1)) }\n}\n",
        ),
        (
            "lua/main.lua",
            "local Box = {}\nfunction Box.__lt(a, b) return a.n < b.n end\nfunction Box.idle() end\n\
             print(setmetatable({n = 1}, Box) < setmetatable({n = 2}, Box))\n",
        ),
        (
            "tui/main.go",
            "package main\n\nconst (\n\tcolBlack = iota\n\tcolGrey\n\tcolBlue\n)\n\n\
             const colIdle = 7\n\nfunc main() { println(colBlack, colBlue) }\n",
        ),
        (
            "serve.rb",
            "class Serve\n  def setup\n    WEBrick::HTTPResponse.class_eval do\n      \
             def create_error_page\n        1\n      end\n    end\n  end\nend\nServe.new.setup\n",
        ),
    ];
    let found = judged(&files);
    let says = |text: &str| found.iter().any(|one| one.contains(text));
    assert!(!says("dead Main.P.apply"), "{found:?}");
    assert!(says("dead Main.P.idle"), "{found:?}");
    assert!(!says("dead Box.__lt"), "{found:?}");
    assert!(!says("create_error_page: nothing"), "{found:?}");
    assert!(!says("dead colGrey"), "{found:?}");
    assert!(says("dead colIdle"), "{found:?}");
}

#[test]
fn a_constant_of_a_class_may_be_read_by_a_base_from_outside() {
    let files = [
        (
            "app/__main__.py",
            "from optparse import Option\nfrom app.own import Plain\n\nclass Mine(Option):\n    _TYPES = (1,)\n\n\
             print(Mine, Plain)\n",
        ),
        ("app/own.py", "class Plain:\n    IDLE = 2\n"),
    ];
    let found = judged(&files);
    let expected =
        "possibly-dynamic Mine._TYPES: may override a constant of what `Mine` inherits from";
    assert!(found.contains(&expected.to_owned()), "{found:?}");
}

#[test]
fn names_in_code_that_is_written_by_a_macro_may_be_meant() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"bat\"\n"),
        ("src/main.rs", "mod table;\nfn main() { table::run(); }\n"),
        (
            "src/table.rs",
            "include!(concat!(env!(\"OUT_DIR\"), \"/table.rs\"));\npub fn run() {}\n\
             fn fixed_matcher(text: &str) -> usize { text.len() }\nfn idle_matcher() {}\n",
        ),
        (
            "build.rs",
            "use quote::quote;\nfn main() { println!(\"{}\", quote! { fixed_matcher(#text) }); }\n",
        ),
    ];
    let found = judged(&files);
    let says = |text: &str| found.iter().any(|one| one.contains(text));
    assert!(
        says("possibly-dynamic fixed_matcher: named at build.rs:2"),
        "{found:?}"
    );
    assert!(says("dead idle_matcher"), "{found:?}");
}

#[test]
fn what_a_macro_brings_in_is_used_and_what_it_gets_may_be() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"pool\"\n"),
        (
            "src/main.rs",
            "mod filter;\nfn main() { filter::has_filter(); }\n\
             register! { fn handler() {} }\ncfg_rt! { fn idle_task() {} }\n",
        ),
        (
            "src/filter.rs",
            "feature! {\n    #![all(feature = \"std\")]\n    mod layers;\n    pub use self::layers::*;\n}\n",
        ),
        (
            "src/filter/layers.rs",
            "pub(crate) fn has_filter() {}\npub(crate) fn idle_filter() {}\n",
        ),
    ];
    let found = judged(&files);
    let says = |text: &str| found.iter().any(|one| one.contains(text));
    assert!(!says("has_filter"), "{found:?}");
    assert!(
        says("dead idle_filter") && says("dead idle_task"),
        "{found:?}"
    );
    assert!(
        says("possibly-dynamic handler: `register!` may do more"),
        "{found:?}"
    );
}

#[test]
fn a_stub_in_the_place_of_what_the_build_leaves_out_may_mean_it() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"pool\"\n"),
        (
            "src/main.rs",
            "mod filter;\nfn main() { filter::has_filter(); }\n",
        ),
        (
            "src/filter.rs",
            "#[cfg(not(feature = \"std\"))]\npub(crate) use self::stubs::*;\n\
             feature! {\n    #![all(feature = \"std\")]\n    mod layers;\n    pub use self::layers::*;\n}\n\
             #[cfg(not(feature = \"std\"))]\nmod stubs {\n    pub(crate) fn has_filter() -> bool { false }\n}\n",
        ),
        (
            "src/filter/layers.rs",
            "pub(crate) fn has_filter() -> bool { true }\npub(crate) fn idle_filter() {}\n",
        ),
    ];
    let found = judged(&files);
    let says = |text: &str| found.iter().any(|one| one.starts_with(text));
    assert!(!says("dead has_filter"), "{found:?}");
    assert!(says("dead idle_filter"), "{found:?}");
}

#[test]
fn members_of_a_public_type_are_public_wherever_they_stand() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"traced\"\n"),
        (
            "src/lib.rs",
            "mod executor;\npub struct Traced<T> { inner: T }\nstruct Hidden;\n",
        ),
        (
            "src/executor.rs",
            "#[cfg(feature = \"rt\")]\nmod rt {\n    use crate::{Hidden, Traced};\n    \
             impl Traced<u8> { pub fn block_on(&self) {} pub(crate) fn idle(&self) {} }\n    \
             impl Hidden { pub fn unseen(&self) {} }\n}\n",
        ),
    ];
    let found = judged(&files);
    let says = |text: &str| found.iter().any(|one| one.starts_with(text));
    assert!(!says("dead Traced::block_on"), "{found:?}");
    assert!(
        says("dead Traced::idle") && says("dead Hidden::unseen"),
        "{found:?}"
    );
}

#[test]
fn python_may_reach_what_cython_builds() {
    let files = [
        (
            "app/parser.pyx",
            "cdef class Parser:\n    def _upgrade(self):\n        pass\n",
        ),
        (
            "app/protocol.py",
            "class Protocol:\n    def _upgrade(self):\n        pass\n\n    def run(self, parser):\n        self._upgrade()\n",
        ),
    ];
    let found = judged(&files);
    let dead = found.iter().find(|one| one.starts_with("dead"));
    assert_eq!(dead, None, "{found:?}");
}

#[test]
fn what_scope_rules_out_is_no_use() {
    // Another module's own name, a message, a comment, a document: none of them means it.
    let files = [
        (
            "src/a.ts",
            "export const a = 1;\nfunction loadAll() { return a; }\n",
        ),
        (
            "src/b.ts",
            "import { x } from 'x';\nconst loadAll = x();\nloadAll();\nx.loadAll('loadAll');\n",
        ),
        ("src/c.ts", "import { y } from './loadAll';\ny();\n"),
        ("README.md", "Calls `loadAll`.\n"),
    ];
    assert_eq!(
        judged(&files)[..1],
        ["dead loadAll: nothing in the checkout uses `loadAll`"],
    );
}

#[test]
fn what_other_files_name_may_be_used() {
    let c = "static int loadAll(void) { return 1; }\nint get_command(void) { return 2; }\n\
             int idle_command(void) { return 3; }\nint ping_command(void) { return 4; }\n\
             int use(void) { return get_pong(1); }\n#define CALL(n) run(n##_pong)\n\
             int late_pong(void) { return 1; }\n";
    let files = [
        ("internal/a.c", c),
        ("src/commands.def", "{\"get\",get_command},\n"),
        ("src/start.S", "  bl ping_command\n"),
    ];
    let found = judged(&files);
    let of = |name: &str| {
        let mut of_name = found.iter().filter(|one| one.contains(name));
        of_name.next().cloned().unwrap_or_default()
    };
    assert!(
        of("get_command").contains("text at src/commands.def:1"),
        "{found:?}"
    );
    assert!(of("ping_command").contains("src/start.S:1"), "{found:?}");
    assert!(
        of("late_pong").contains("puts names together with `_pong`"),
        "{found:?}"
    );
    assert!(of("loadAll").starts_with("dead "), "{found:?}");
}

#[test]
fn what_a_type_inherits_or_is_marked_with_may_call_its_members() {
    let files = [(
        "src/_a.py",
        "import lib\n\n\nclass _Kind(lib.Kind[int]):\n    def _check(self):\n        \
         pass\n\n\n@lib.implementer(lib.I)\nclass _Body:\n    def stop_it(self):\n        pass\n\n\n\
         class _Own:\n    def _never(self):\n        pass\n\n\nprint(_Kind(), _Body(), _Own())\n",
    )];
    let found = judged(&files);
    assert!(found.contains(&"dead _Own._never: nothing in the checkout uses `_never`".to_owned()));
    assert!(
        !found.iter().any(|one| one.starts_with("dead _Kind")),
        "{found:?}"
    );
    assert!(
        !found.iter().any(|one| one.starts_with("dead _Body")),
        "{found:?}"
    );
}

#[test]
fn a_go_method_may_satisfy_an_interface_from_outside() {
    let files = [(
        "internal/fs/os.go",
        "package fs\n\ntype os struct{}\n\nfunc (o os) Glob(p string) {}\n\nfunc (o os) idle() {}\n\n\
         var used = os{}\n\nfunc init() { print(used) }\n",
    )];
    let expected = [
        "dead os.idle: nothing in the checkout uses `idle`",
        "possibly-dynamic os.Glob: may satisfy an interface from outside",
    ];
    assert_eq!(judged(&files), expected);
}

#[test]
fn keys_and_targets_are_no_candidates() {
    let files = [
        ("Makefile", "_idle:\n\techo\nA = 1\n"),
        ("a.css", ".idle { color: red }\n"),
        ("a.yaml", "idle: 1\n"),
    ];
    assert!(judged(&files).is_empty(), "{:?}", judged(&files));
}

#[test]
fn where_no_use_is_certain_places_of_the_name_are_given() {
    let files = [
        (
            "src/a.py",
            "class Ops:\n    def limit_sql(self):\n        pass\n\n    def idle_sql(self):\n        pass\n",
        ),
        (
            "src/b.py",
            "def run(connection):\n    return connection.ops.limit_sql()\n",
        ),
        ("settings.toml", "ops = \"a.Ops\"\n"),
    ];
    let view = View::new(&files);
    assert_eq!(view.possible("Ops.limit_sql"), ["src/b.py:2"]);
    assert!(view.possible("Ops.idle_sql").is_empty());
    assert_eq!(view.possible("Ops"), ["settings.toml:1"]);
}

#[test]
fn what_a_field_holds_is_up_to_who_sets_it() {
    let a = "import threading\n\n\nclass RealLock:\n    def acquire(self):\n        pass\n\n    def never(self):\n        pass\n\n\n\
             class _NoLock:\n    def acquire(self):\n        pass\n\n    def never(self):\n        pass\n\n\n\
             class Pool:\n    def __init__(self, lock=None):\n        self._lock = lock or RealLock()\n\n    \
             def run(self):\n        self._lock.acquire()\n        own = RealLock()\n        own.never()\n\n\n\
             def start():\n    Pool(_NoLock()).run()\n\n\nstart()\n";
    let found = judged(&[("src/a.py", a), ("src/b.py", "import a\n")]);
    let of = |name: &str| found.iter().any(|one| one.starts_with(name));
    assert!(!of("dead _NoLock.acquire"), "{found:?}");
    assert!(of("dead _NoLock.never"), "{found:?}");
}

#[test]
fn public_code_that_the_language_or_a_library_calls_may_be_used() {
    let view = View::new(&[(
        "Sources/P/P.swift",
        "@resultBuilder\npublic enum Builder {\n  public static func buildBlock(_ n: Int) -> Int { n }\n}\n\
         public struct Send {\n  public func callAsFunction() {}\n  public func idle() {}\n}\n\
         public struct Path: RangeReplaceableCollection {\n  public func replaceSubrange() {}\n}\n\
         infix operator <~>\npublic func <~> (a: Send, b: Send) {}\n\
         @main\npublic struct Start {}\nstruct Inner { func idle2() {} }\n",
    )]);
    for used in [
        "Builder.buildBlock",
        "Send.callAsFunction",
        "Path.replaceSubrange",
        "Start",
    ] {
        assert!(view.doubt(used).is_some(), "{used}");
    }
    assert_eq!(view.doubt("Send.idle"), None);
    assert_eq!(view.doubt("Inner.idle2"), None);
}

#[test]
fn what_others_reach_without_its_name_is_not_dead() {
    let view = View::new(&[
        (
            "m.py",
            "class C:\n    def __add__(self, o):\n        return 1\n    def _gone(self): pass\n\nprint(C() + C())\n",
        ),
        (
            "m.rb",
            "class Point\n  def to_s\n    'p'\n  end\nend\nputs Point.new\n",
        ),
        (
            "a.ts",
            "abstract class Shape { abstract area(): number }\nclass Sq extends Shape { override area() { return 1 } }\nconsole.log(new Sq().area())\n",
        ),
        (
            "Ops.scala",
            "package p\n\nprivate object implicits {\n  implicit final class BoxOps(box: Array[Int]) {\n    def size1: Int = box(0)\n\
             \x20   def size1_=(v: Int): Unit = box(0) = v\n  }\n}\nobject Main {\n  import implicits._\n\
             \x20 def main(args: Array[String]): Unit = {\n    val b = new Array[Int](1)\n    b.size1 = 3\n  }\n}\n",
        ),
    ]);
    let dead: Vec<String> = view
        .dead()
        .into_iter()
        .filter(|it| it.starts_with("dead "))
        .collect();
    assert_eq!(dead, ["dead C._gone"]);
    assert!(view.doubt("C.__add__").is_some());
    assert!(view.doubt("Point.to_s").is_some());
}

#[test]
fn what_a_public_type_inherits_from_a_private_one_is_shown() {
    let view = View::new(&[
        (
            "Io.scala",
            "package q\n\nobject Io extends IoPlatform\n\nprivate[q] abstract class IoPlatform {\n  def fromThing(x: Int): Int = x\n}\n",
        ),
        ("package.json", "{\"name\": \"m\", \"main\": \"a.js\"}"),
        (
            "a.ts",
            "class Base { thing() { return 1 } }\nexport class Io extends Base {}\n",
        ),
        (
            "m.py",
            "class _Base:\n    def thing2(self): return 1\n\nclass Io(_Base): pass\n",
        ),
    ]);
    let dead: Vec<String> = view
        .dead()
        .into_iter()
        .filter(|it| it.starts_with("dead "))
        .collect();
    assert!(dead.is_empty(), "{dead:?}");
}

#[test]
fn a_module_that_an_attribute_names_is_called_by_it() {
    let files = [(
        "src/main.rs",
        "#[derive(Serialize)]\nstruct Kept {\n    #[serde(with = \"as_text\")]\n    path: Path,\n}\n\
         mod as_text {\n    pub(super) fn serialize(path: &Path) -> u8 { part(path) }\n    \
         pub(super) fn deserialize(from: u8) -> Path { whole(from) }\n    \
         fn part(path: &Path) -> u8 { 1 }\n    fn whole(from: u8) -> Path { Path }\n    fn idle() {}\n}\n\
         fn main() { show(Kept { path: Path }); }\n\
         struct Unused(u8);\nimpl Unused { fn serialize(&self) -> u8 { self.0 } }\n",
    )];
    let found = judged(&files);
    let is_dead = |name: &str| {
        found
            .iter()
            .any(|one| one.starts_with(&format!("dead {name}:")))
    };
    assert!(is_dead("as_text::idle"), "{found:?}");
    // A method of the name keeps neither itself nor its type.
    assert!(is_dead("Unused"), "{found:?}");
    for name in ["serialize", "deserialize", "part", "whole"] {
        assert!(!is_dead(&format!("as_text::{name}")), "{found:?}");
    }
}

/// A function of the library that hands a value back, in each language that has one: whatever stands for `{}` uses
/// the method `handed` of the value `own`.
const HANDED_BACK: &[(&str, &str, &[&str])] = &[
    (
        "src/lib.rs",
        "use std::mem;\nuse std::mem::take;\nuse std::sync::Arc;\n#[derive(Default)]\npub(crate) struct Own(u8);\n\
         impl Own {\n    pub(crate) fn handed(&self) -> u8 { self.0 }\n}\n\
         pub fn all(own: &mut Own, kept: Arc<Own>) -> u8 {\n    {}\n}\n",
        &[
            "std::mem::take(own).handed()",
            "mem::replace(own, Own(1)).handed()",
            "take(own).handed()",
            "std::cmp::max(own, own).handed()",
            "Arc::clone(&kept).handed()",
            "std::convert::identity(own).handed()",
        ],
    ),
    (
        "main.go",
        "package main\n\nimport \"slices\"\n\ntype own struct{ n int }\n\nfunc (o own) handed() int { return o.n }\n\n\
         func less(a, b own) int { return 0 }\n\nfunc main() {\n\tall := []own{{1}}\n\tprintln({})\n}\n",
        &[
            "slices.MaxFunc(all, less).handed()",
            "slices.Clip(all)[0].handed()",
        ],
    ),
    (
        "src/Main.java",
        "import java.util.Objects;\nclass Own { int handed() { return 1; } }\n\
         class Main { public static void main(String[] all) { Own own = new Own(); System.out.println({}); } }\n",
        &[
            "Objects.requireNonNull(own).handed()",
            "java.util.Optional.of(own).get().handed()",
        ],
    ),
    (
        "src/main.kt",
        "internal class Own { internal fun handed() = 1 }\nfun main() { val own: Own? = Own(); println({}) }\n",
        &["requireNotNull(own).handed()", "maxOf(own!!, own).handed()"],
    ),
    (
        "main.cpp",
        "#include <utility>\nclass Own { public: int handed() { return 1; } };\n\
         int main() { Own own; return {}; }\n",
        &[
            "std::move(own).handed()",
            "std::exchange(own, Own()).handed()",
        ],
    ),
    (
        "src/main.cs",
        "class Own { internal int Handed() => 1; }\n\
         class Main { static Own own = new Own(); static int Run() => {}; static void Main(string[] all) { Run(); } }\n",
        &["System.Threading.Interlocked.Exchange(ref own, null).Handed()"],
    ),
    (
        "src/main.ts",
        "class Own { handed() { return 1; } }\nconst own = new Own();\nconsole.log({});\n",
        &[
            "structuredClone(own).handed()",
            "Object.freeze(own).handed()",
        ],
    ),
    (
        "main.py",
        "import copy\n\n\nclass Own:\n    def _handed(self):\n        return 1\n\n\nown = Own()\nprint({})\n",
        &["copy.copy(own)._handed()"],
    ),
    (
        "main.swift",
        "class Own { func handed() -> Int { 1 } }\nlet own = Own()\nprint({})\n",
        &[
            "max(own, own).handed()",
            "withExtendedLifetime(own) { $0 }.handed()",
        ],
    ),
];

#[test]
fn what_a_function_of_the_library_hands_back_is_used() {
    for (path, text, uses) in HANDED_BACK {
        for one in *uses {
            let text: &'static str = text.replace("{}", one).leak();
            let found = judged(&[(path, text)]);
            let is_dead = |told: &&String| {
                told.starts_with("dead ") && told.to_lowercase().contains("handed:")
            };
            assert_eq!(found.iter().find(is_dead), None, "{one}");
        }
    }
}
