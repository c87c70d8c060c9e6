//! JavaScript and TypeScript: modules that are loaded while the program runs.

use crate::support::check;

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
