//! What each place that bears a name means, and why it is ruled out.

use crate::support::View;

#[test]
fn every_place_of_a_name_has_a_ruling() {
    let view = View::new(&[
        (
            "src/a.py",
            "import os\nfrom src.b import run as go\n\ndef run(x):\n    return run\n\nclass Job:\n    def run(self):\n        return 1\n\n\
             def start(job: Job, other):\n    job.run()\n    other.run()\n    os.run()\n    run(1)\n    # run\n    log(\"could not run it\")\n    getattr(job, \"run\")\n",
        ),
        ("src/b.py", "def run():\n    pass\n"),
        ("src/c.py", "def _hidden():\n    run = 1\n    return run\n"),
        ("src/d.py", "from src.a import run\n\nrun(2)\n"),
    ]);
    assert_eq!(
        view.rulings("Job.run"),
        [
            "src/a.py:2 run",
            "src/a.py:4 Defines",
            "src/a.py:5 run",
            "src/a.py:8 Own",
            "src/a.py:12 Used",
            "src/a.py:13 Unsettled(\"`other` has no known type at\")",
            "src/a.py:14 Outside(\"os\")",
            "src/a.py:15 run",
            "src/a.py:16 Comment",
            "src/a.py:17 NotCode",
            "src/a.py:18 Unsettled(\"named in text at\")",
            "src/b.py:1 Defines",
            "src/c.py:2 NoSuchUse",
            "src/c.py:3 NoSuchUse",
            "src/d.py:1 run",
            "src/d.py:3 run",
        ]
    );
}

#[test]
fn what_cannot_be_seen_is_out_of_reach() {
    let view = View::new(&[
        ("Cargo.toml", "[package]\nname = \"m\"\n"),
        ("src/lib.rs", "mod a;\nmod b;\n"),
        ("src/a.rs", "fn count() -> u32 { 1 }\n"),
        ("src/b.rs", "fn other(count: u32) -> u32 { count }\n"),
        ("web/count.ts", "export function count() {}\ncount();\n"),
    ]);
    assert_eq!(
        view.rulings("crate::a::count"),
        [
            "src/a.rs:1 Own",
            "src/b.rs:1 OutOfReach",
            "web/count.ts:1 OutOfReach",
            "web/count.ts:2 OutOfReach",
        ]
    );
}

#[test]
fn a_module_that_is_loaded_as_a_whole_may_be_used_in_whole() {
    let view = View::new(&[
        (
            "src/app.tsx",
            "const Lazy = lazy(() => import(\"./Panel\"));\nimport(\"./late\").then((m) =>\n  m.start());\n\
             async function go() {\n  (await import(\"./mocks\")).still();\n  return <Lazy />;\n}\ngo();\n",
        ),
        (
            "src/Panel.tsx",
            "export default function Panel() { return null; }\nfunction own() {}\n",
        ),
        ("src/late.ts", "export function start() { return 3; }\n"),
        (
            "src/mocks.ts",
            "export function still() { return 2; }\nexport function other() { return 2; }\n",
        ),
    ]);
    let whole = "Unsettled(\"its module is loaded as a whole at\")";
    assert_eq!(
        view.rulings("Panel"),
        [
            "src/Panel.tsx:1 Own".to_owned(),
            format!("src/app.tsx:1 {whole}"),
        ]
    );
    assert!(
        view.rulings("start")
            .contains(&format!("src/app.tsx:2 {whole}"))
    );
    assert!(
        view.rulings("own")
            .iter()
            .all(|ruling| !ruling.contains(whole))
    );
    assert_eq!(view.uses("still"), ["src/app.tsx:5"]);
    assert_eq!(view.rulings("other"), ["src/mocks.ts:2 Own"]);
    assert!(view.doubt("Panel").is_some());
}

#[test]
fn a_local_that_is_set_on_two_ways_may_hold_either() {
    let classes = "class A:\n    def pick(self):\n        return 1\n\nclass B:\n    def pick(self):\n        return 2\n\n";
    for body in [
        "    x = A()\n    if flag:\n        x = B()\n    return x.pick()\n",
        "    if flag:\n        x = A()\n    else:\n        x = B()\n    return x.pick()\n",
        "    x = A()\n    for i in range(2):\n        x.pick()\n        x = B()\n    return x.pick()\n",
    ] {
        let text: &'static str = format!("{classes}def run(flag):\n{body}").leak();
        let view = View::new(&[("a.py", text)]);
        for method in ["A.pick", "B.pick"] {
            let is_used = !view.uses(method).is_empty();
            assert!(
                is_used || view.doubt(method).is_some(),
                "{method} of {body}"
            );
        }
    }
}

#[test]
fn an_extension_is_used_where_its_members_are() {
    let view = View::new(&[
        ("pubspec.yaml", "name: m\n"),
        (
            "lib/src/a.dart",
            "extension Twice on String {\n  String twice() => this + this;\n}\n\nextension Idle on String {\n  String idle() => this;\n}\n",
        ),
        (
            "lib/src/b.dart",
            "import 'a.dart';\n\nString run(String text) {\n  return text.twice();\n}\n",
        ),
    ]);
    assert_eq!(view.uses("String.twice"), ["lib/src/b.dart:4"]);
    let doubts: Vec<String> = view.impl_doubts("String");
    assert!(
        doubts.iter().any(|doubt| doubt.contains("`twice` is used")),
        "{doubts:?}"
    );
}
