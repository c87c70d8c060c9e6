//! Callers of callers, paths between definitions, and what nothing needs.

use crate::support::View;

type Files = [(&'static str, &'static str)];

fn callers(files: &Files, query: &str, depth: u32) -> Vec<String> {
    View::new(files).callers(query, depth)
}

fn dead(files: &Files) -> Vec<String> {
    View::new(files).dead()
}

const CYCLE: &Files = &[(
    "src/a.py",
    "def first():\n    return second()\n\n\ndef second():\n    return third()\n\n\n\
     def third():\n    return first()\n",
)];

#[test]
fn a_cycle_of_calls_ends() {
    let expected = ["1 second", "2 first"];
    assert_eq!(callers(CYCLE, "third", 9), expected);
}

#[test]
fn recursion_is_a_use_and_no_other_caller() {
    let files = [(
        "src/a.py",
        "def walk(node):\n    walk(node.next)\n\n\ndef start(node):\n    walk(node)\n",
    )];
    assert_eq!(callers(&files, "walk", 3), ["1 start"]);
    let view = View::new(&files[..]);
    assert!(!view.is_unused("walk"));
    let alone = [("src/a.py", "def _walk(node):\n    _walk(node.next)\n")];
    assert!(View::new(&alone).is_unused("_walk"));
    assert_eq!(dead(&alone), ["dead _walk"]);
}

#[test]
fn depth_bounds_the_way_and_is_the_least() {
    let files = [(
        "src/a.py",
        "def leaf():\n    pass\n\n\ndef near():\n    leaf()\n\n\ndef far():\n    near()\n    \
         leaf()\n\n\ndef farthest():\n    far()\n",
    )];
    assert_eq!(callers(&files, "leaf", 1), ["1 far", "1 near"]);
    let all = ["1 far", "1 near", "2 farthest"];
    assert_eq!(callers(&files, "leaf", 5), all);
}

#[test]
fn callers_of_the_same_name_are_told_apart() {
    let files = [
        (
            "src/a.ts",
            "export function load() {}\nexport function a() { load(); }\n",
        ),
        (
            "src/b.ts",
            "export function load() {}\nexport function b() { load(); }\n",
        ),
    ];
    assert_eq!(callers(&files, "src/a.ts:load", 3), ["1 a"]);
    assert_eq!(callers(&files, "src/b.ts:load", 3), ["1 b"]);
}

#[test]
fn prototype_methods_call_and_are_called() {
    let files = [(
        "lib/view.js",
        "function View() {}\nView.prototype.lookup = function lookup() {\n  return \
         this.resolve();\n};\nView.prototype.resolve = function resolve() {\n  return 1;\n};\n\
         module.exports = View;\n",
    )];
    assert_eq!(callers(&files, "View.resolve", 1), ["1 View.lookup"]);
}

#[test]
fn a_name_that_leaves_a_module_as_another_is_followed() {
    let files = [
        (
            "base.ts",
            "class Hub { route(at) { return this; } }\nexport { Hub as HubBase };\n",
        ),
        (
            "hub.ts",
            "import { HubBase } from './base';\nexport class Hub extends HubBase {}\n",
        ),
        (
            "run.ts",
            "import { Hub } from './hub';\nexport function run() { new Hub().route('/'); }\n",
        ),
    ];
    assert_eq!(callers(&files, "Hub.route", 1), ["1 run"]);
}

#[test]
fn re_exports_are_followed_and_are_no_use() {
    let files = [
        (
            "src/core.ts",
            "export function make() {}\nexport function spare() {}\n",
        ),
        (
            "src/index.ts",
            "export { make as build, spare } from './core';\n",
        ),
        (
            "src/use.ts",
            "import { build } from './index';\nexport function run() { build(); }\n",
        ),
    ];
    assert_eq!(callers(&files, "make", 3), ["1 run"]);
    assert!(View::new(&files).is_unused("spare"));
    assert_eq!(
        dead(&files),
        ["exported-unused spare", "exported-unused run"]
    );
}

#[test]
fn a_nested_function_is_the_caller_and_lives_with_its_use() {
    let files = [(
        "src/a.py",
        "def outer():\n    def inner():\n        helper()\n\n    def idle():\n        pass\n\n    \
         inner()\n\n\ndef helper():\n    pass\n",
    )];
    assert_eq!(callers(&files, "helper", 1), ["1 outer.inner"]);
    // A closure takes no step.
    assert_eq!(callers(&files, "helper", 2), ["1 outer", "1 outer.inner"]);
    assert!(dead(&files).contains(&"dead outer.idle".to_owned()));
    assert!(!dead(&files).iter().any(|found| found.ends_with("inner")));
}

#[test]
fn what_only_tests_use_is_said_so() {
    let files = [
        (
            "src/_a.py",
            "def helper():\n    return 1\n\n\ndef _idle():\n    pass\n",
        ),
        (
            "tests/test_a.py",
            "from src._a import helper\n\n\ndef test_helper():\n    assert helper() == 1\n",
        ),
    ];
    assert_eq!(dead(&files), ["dead _idle", "test-only helper"]);
    assert!(!View::new(&files).is_unused("helper"));
}

#[test]
fn helpers_that_no_test_uses_are_found_on_request() {
    let files = [(
        "tests/test_a.py",
        "import pytest\n\n\n@pytest.fixture\ndef shop():\n    return 1\n\n\ndef idle():\n    \
         pass\n\n\ndef helper():\n    pass\n\n\ndef test_it(shop):\n    helper()\n",
    )];
    assert_eq!(View::new(&files).dead_with_tests(), ["dead idle"]);
    assert!(dead(&files).is_empty());
}

#[test]
fn a_name_in_a_string_may_be_a_use() {
    let files = [(
        "src/a.py",
        "def _on_start():\n    pass\n\n\ndef _on_end():\n    pass\n\n\nHOOKS = ['_on_start']\n\
         print(HOOKS)\n",
    )];
    assert_eq!(dead(&files), ["dead _on_end", "possibly-dynamic _on_start"]);
}

#[test]
fn what_may_override_a_base_from_outside_is_not_called_dead() {
    let files = [(
        "src/a.py",
        "import textwrap\n\n\nclass _Wrapper(textwrap.TextWrapper):\n    \
         def _handle_long_word(self):\n        pass\n\n\n_Wrapper()\n",
    )];
    let expected = ["possibly-dynamic _Wrapper._handle_long_word"];
    assert_eq!(dead(&files), expected);
}

#[test]
fn what_a_module_imports_for_others_is_shown() {
    let files = [
        (
            "src/pkg/_core.py",
            "KEPT = 1\nUSED = 2\nGONE = 3\n_OWN = 4\n",
        ),
        (
            "src/pkg/api.py",
            "from ._core import KEPT, USED, _OWN\n\n\ndef _idle():\n    return USED\n",
        ),
    ];
    let expected = [
        "dead USED",
        "dead GONE",
        "dead _OWN",
        "dead _idle",
        "exported-unused KEPT",
    ];
    assert_eq!(dead(&files), expected);
}

#[test]
fn dead_code_that_dead_code_uses_is_dead() {
    let files = [(
        "src/a.py",
        "def _leaf():\n    pass\n\n\ndef _left():\n    _right()\n    _leaf()\n\n\ndef _right():\n    \
         _left()\n",
    )];
    assert_eq!(dead(&files), ["dead _leaf", "dead _left", "dead _right"]);
}

#[test]
fn entry_points_hooks_and_implementations_live() {
    let python = [(
        "src/_app.py",
        "from flask import app\n\n\n@app.route('/')\ndef _index():\n    return _page()\n\n\n\
         def _page():\n    return ''\n\n\ndef main():\n    pass\n\n\nclass _Base:\n    \
         def run(self):\n        pass\n\n\nclass _Job(_Base):\n    def run(self):\n        \
         pass\n\n    def __repr__(self):\n        return ''\n\n    def idle(self):\n        \
         pass\n\n\n_Base().run()\n_Job()\n",
    )];
    assert_eq!(dead(&python), ["dead _Job.idle"]);
    let rust = [(
        "src/main.rs",
        "struct A;\nimpl Drop for A {\n    fn drop(&mut self) {}\n}\nimpl A {\n    pub fn \
             idle(&self) {}\n}\nfn main() {\n    let _a = A;\n}\n",
    )];
    assert_eq!(dead(&rust), ["dead A::idle"]);
    let csharp = [(
        "Program.cs",
        "class Program {\n  static void Main() { Run(); }\n  static void Run() {}\n  static void Idle() {}\n}\n",
    )];
    assert_eq!(dead(&csharp), ["dead Program.Idle"]);
    let go = [(
        "main.go",
        "package main\n\ntype shape interface {\n\tarea() int\n}\n\ntype square struct{}\n\n\
         func (s square) area() int { return 1 }\n\nfunc idle() {}\n\nfunc main() {\n\t\
         var s shape = square{}\n\ts.area()\n}\n",
    )];
    assert_eq!(dead(&go), ["dead idle"]);
}

#[test]
fn what_a_private_file_exports_is_no_surface_unless_passed_on() {
    let files = [
        (
            "src/internal/util.ts",
            "export function shown() {}\nexport function hidden() {}\n",
        ),
        ("src/index.ts", "export { shown } from './internal/util';\n"),
    ];
    assert_eq!(dead(&files), ["dead hidden", "exported-unused shown"]);
}

#[test]
fn the_shortest_paths_are_found() {
    let files = [(
        "src/a.py",
        "def start():\n    left()\n    right()\n    slow()\n\n\ndef left():\n    end()\n\n\n\
         def right():\n    end()\n\n\ndef slow():\n    slower()\n\n\ndef slower():\n    end()\n\n\n\
         def end():\n    pass\n",
    )];
    let view = View::new(&files);
    let expected = ["start@2 left@8 end", "start@3 right@12 end"];
    assert_eq!(view.paths("start", "end", 5), expected);
    assert_eq!(view.paths("start", "end", 1).len(), 1);
    assert!(view.paths("end", "start", 5).is_empty());
    assert!(view.paths("end", "end", 5).is_empty());
}

#[test]
fn a_type_starts_a_path_by_its_members() {
    let files = [(
        "src/a.ts",
        "class Cart {\n  total() { return price(); }\n}\nfunction price() { return 1; }\n",
    )];
    assert_eq!(
        View::new(&files).paths("Cart", "price", 5),
        ["Cart.total@2 price"]
    );
}

/// The graph keeps what `references` recomputes, use by use.
#[test]
fn a_certain_way_comes_before_a_short_guess() {
    let files = [
        (
            "src/a.py",
            "from src.b import middle\n\n\ndef start(x):\n    x.finish()\n    middle()\n",
        ),
        (
            "src/b.py",
            "from src.c import End\n\n\ndef middle():\n    End().finish()\n",
        ),
        (
            "src/c.py",
            "class End:\n    def finish(self):\n        pass\n",
        ),
    ];
    let view = View::new(&files);
    let expected = ["start@6 middle@5 End.finish"];
    assert_eq!(view.paths("start", "finish", 5), expected);
}

#[test]
fn three_guesses_are_no_chain_and_two_are_a_lead() {
    let files = [
        ("src/a.py", "def start(x):\n    x.first_leg()\n"),
        (
            "src/b.py",
            "class B:\n    def first_leg(self, x):\n        x.second_leg()\n",
        ),
        (
            "src/c.py",
            "class C:\n    def second_leg(self, x):\n        x.third_leg()\n",
        ),
        (
            "src/d.py",
            "class D:\n    def third_leg(self):\n        pass\n",
        ),
    ];
    let view = View::new(&files);
    assert!(view.paths("start", "third_leg", 5).is_empty());
    let lead = ["start@2 B.first_leg@3 C.second_leg"];
    assert_eq!(view.paths("start", "second_leg", 5), lead);
}

#[test]
fn a_way_through_tests_comes_last() {
    let files = [
        ("src/end.py", "def end():\n    pass\n"),
        (
            "src/a.py",
            "from src.end import end\nfrom tests.helper import help\n\n\ndef start():\n    help()\n    \
             one()\n\n\ndef one():\n    two()\n\n\ndef two():\n    end()\n",
        ),
        (
            "tests/helper.py",
            "from src.end import end\n\n\ndef help():\n    end()\n",
        ),
    ];
    let found = View::new(&files).paths("start", "end", 5);
    assert_eq!(found, ["start@7 one@11 two@15 end"]);
}

#[test]
fn the_cached_graph_says_what_references_say() {
    let views: [&Files; 4] = [
        CYCLE,
        &[
            (
                "src/core.ts",
                "export class Schema { parse() {} }\nexport default Schema;\n",
            ),
            ("src/mid.ts", "export { Schema as Base } from './core';\n"),
            (
                "src/use.ts",
                "import { Base } from './mid';\nimport Other from './core';\nnew Base().parse();\n\
                 new Other();\nfunction f(x) { x.parse(); }\n",
            ),
            (
                "src/far.ts",
                "class Far { parse() {} }\nexport const y = (z) => z.parse();\n",
            ),
        ],
        &[
            (
                "lib/option.js",
                "class Option {\n  static parse() {}\n}\nmodule.exports = Option;\n",
            ),
            (
                "lib/main.js",
                "const Opt = require('./option');\nOpt.parse();\nnew Opt();\n",
            ),
        ],
        &[
            (
                "src/lib.rs",
                "mod a;\npub use a::Thing as It;\nfn f(i: It) { i.go(); }\n",
            ),
            (
                "src/a.rs",
                "pub struct Thing;\nimpl Thing {\n    pub fn go(&self) {}\n}\n",
            ),
        ],
    ];
    for files in views {
        let view = View::new(files);
        for name in view.names() {
            assert_eq!(view.kept_hits(&name), view.hits(&name), "{name}");
        }
    }
}
