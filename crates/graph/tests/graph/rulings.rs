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
            "src/a.py:8 Defines",
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
            "src/a.rs:1 Defines",
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
            "src/Panel.tsx:1 Defines".to_owned(),
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
    assert_eq!(view.rulings("other"), ["src/mocks.ts:2 Defines"]);
    assert!(view.doubt("Panel").is_some());
}
