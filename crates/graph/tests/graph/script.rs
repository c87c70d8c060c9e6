//! JavaScript and TypeScript: modules that are loaded while the program runs.

use crate::support::{View, check};

#[test]
fn a_promise_hands_its_module_to_then() {
    let variants = [
        "import('./late').then((m) => m.start());",
        "import('./late').then(m => { m.start(); });",
        "import('./late').then(function (m) { m.start(); });",
        "import('./late').then(({ start }) => start());",
        "import('./late').then(({ start: go }) => go());",
        "import('./late').then(async (m) => { await m.start(); });",
    ];
    for code in variants {
        check(
            &[
                ("late.ts", "export function start() { return 3; }\n"),
                ("app.ts", code),
            ],
            &[("start", &["app.ts:1"])],
        );
    }
}

#[test]
fn who_makes_an_object_runs_its_constructor_and_sets_its_fields() {
    let view = View::new(&[(
        "app.ts",
        "class Client {\n  x = helper();\n  constructor() { this.init() }\n  init() {}\n}\n\
         class Kid extends Client {}\nfunction helper() { return 1 }\n\
         function request() { return new Client() }\nfunction child() { return new Kid() }\n\
         function main() { request() }\n",
    )]);
    assert_eq!(
        view.callers("Client.init", 3),
        ["1 Client.constructor", "2 child", "2 request", "3 main"]
    );
    assert_eq!(
        view.callers("helper", 3),
        ["1 Client.x", "2 child", "2 request", "3 main"]
    );
}

#[test]
fn what_no_base_can_call_is_dead() {
    let view = View::new(&[(
        "main.ts",
        "class G1<T> { private dead1() {} #dead2() {} used() {} }\n\
         class L extends Array<number> { private dead3() {} }\n\
         class A { run() { function helper() { return 1 } return 2 } }\n\
         declare global { interface Shared { own: number } }\n\
         new G1<number>().used(); new L(); new A().run();\n",
    )]);
    let found = view.dead_with_reasons();
    for name in ["G1.dead1", "G1.#dead2", "L.dead3", "A.run.helper"] {
        let says = |one: &String| one.starts_with(&format!("dead {name}:"));
        assert!(found.iter().any(says), "{name}: {found:?}");
    }
    assert!(
        !found.iter().any(|one| one.starts_with("dead global")),
        "{found:?}"
    );
}

#[test]
fn what_is_loaded_may_be_commented() {
    for load in [
        "await import(/* webpackChunkName: \"late\" */ './late')",
        "await import(\n    // later\n    './late')",
        "require(/* now */ './late')",
        "await /* now */ import('./late')",
        "await import /* now */ ('./late')",
        "/* now */ await import ('./late')",
    ] {
        let text =
            format!("async function go() {{ const {{ start }} = {load};\n  start();\n}}\ngo();\n");
        let view = View::new(&[
            ("src/app.js", Box::leak(text.into_boxed_str())),
            ("src/late.js", "export function start() { return 3; }\n"),
        ]);
        assert_eq!(view.uses("start").len(), 1, "{load}");
    }
}

#[test]
fn a_module_behind_a_name_is_no_export_of_its_own() {
    for text in [
        "import * as space from './store';\nspace.fill();\n",
        "const space = require('./store');\nspace.fill();\n",
        "import * as Store from './store';\nStore.fill();\n",
    ] {
        check(
            &[
                ("src/app.js", text),
                (
                    "src/store.js",
                    "export class Store {}\nexport function fill() {}\n",
                ),
            ],
            &[("Store", &[]), ("fill", &["src/app.js:2"])],
        );
    }
    check(
        &[
            (
                "src/app.js",
                "const Store = require('./store');\nnew Store();\nnew Store.Bag();\n",
            ),
            (
                "src/store.js",
                "class Store {}\nclass Bag {}\nmodule.exports = Store;\nmodule.exports.Bag = Bag;\n",
            ),
        ],
        &[("Store", &["src/app.js:2", "src/app.js:3", "src/store.js:3"])],
    );
}

#[test]
fn the_folder_of_the_whole_is_the_package_that_stands_there() {
    let view = View::new(&[
        (
            "package.json",
            "{\"name\": \"k\", \"main\": \"lib/app.js\"}",
        ),
        (
            "lib/app.js",
            "module.exports = class App {\n  listen() { return 1 }\n}\n",
        ),
        (
            "test/deep/t.js",
            "const App = require('../..')\nconst app = new App()\napp.listen()\n",
        ),
        ("tool.js", "const App = require('.')\nnew App().listen()\n"),
    ]);
    assert_eq!(view.uses("App.listen"), ["test/deep/t.js:3", "tool.js:2"]);
    assert_eq!(view.uses("App"), ["test/deep/t.js:2", "tool.js:2"]);
}

#[test]
fn the_type_of_a_parameter_is_no_parameter() {
    let view = View::new(&[(
        "a.ts",
        "enum Mode { On, Off }\nclass Box { static make(): Box { return new Box() } open() { return 1 } }\n\
         function f(n: Mode, k: string) { return n === Mode.On }\n\
         function g(n: Mode | string, k: string) { return [n === Mode.Off] }\n\
         function h(b: Box | undefined, k: string) { return (b ?? Box.make()).open() }\nf(0, ''); g(0, ''); h(undefined, '')\n",
    )]);
    assert_eq!(view.uses("Mode.On"), ["a.ts:3"]);
    assert_eq!(view.uses("Mode.Off"), ["a.ts:4"]);
    assert_eq!(view.uses("Box.make"), ["a.ts:5"]);
}
