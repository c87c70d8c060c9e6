//! Shells: files that are sourced by a path with expansions, functions that the shell itself calls.

use crate::support::{View, check};

#[test]
fn a_sourced_file_is_found_behind_expansions() {
    let variants = [
        "source \"$(dirname \"${BASH_SOURCE[0]}\")/../lib/util.sh\"",
        ". \"${BASH_SOURCE%/*}/../lib/util.sh\"",
        ". \"$(cd \"$(dirname \"$0\")\" && pwd)/../lib/util.sh\"",
        "source \"${SCRIPT_DIR}/../lib/util.sh\"",
        "source \"$ROOT/lib/util.sh\"",
        "source $ROOT/lib/util.sh",
        ". ../lib/util.sh",
    ];
    for source in variants {
        let script = format!("#!/bin/bash\n{source}\nx=$(helper)\n");
        let view = View::new(&[
            ("lib/util.sh", "helper() { echo ok; }\n"),
            ("other/lib.sh", "helper() { echo no; }\n"),
            ("bin/tool.sh", Box::leak(script.into_boxed_str())),
        ]);
        assert_eq!(view.imports_of("bin/tool.sh"), ["lib/util.sh"], "{source}");
        assert_eq!(view.uses("lib/util.sh:1"), ["bin/tool.sh:3"], "{source}");
    }
}

#[test]
fn the_shell_calls_functions_by_name() {
    check(
        &[(
            "run.sh",
            "done_now() { :; }\ntrap done_now EXIT\ntrap 'rm -f x; done_now' INT\ntrap \"done_now && exit\" TERM\ntrap - HUP\n\
             complete -o nospace -F done_now tool\neval done_now\necho done_now\n",
        )],
        &[(
            "done_now",
            &["run.sh:2", "run.sh:3", "run.sh:4", "run.sh:6", "run.sh:7"],
        )],
    );
}
