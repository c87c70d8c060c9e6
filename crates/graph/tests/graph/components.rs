//! Templates of components mean what their scripts mean.

use crate::support::View;

const MATHS: &str = "export function step(n: number) { return n + 1; }\nexport function label(n: number) { return 'n' + n; }\n\
                     export class Box { open() {} }\nexport class Crate { open() {} }\nexport const boxes: Box[] = [];\n";

/// The uses of `label` and of `Box.open` in a file beside the module.
fn check(path: &'static str, source: &'static str, label: &[u32], open: &[u32]) {
    let view = View::new(&[(path, source), ("src/math.ts", MATHS)]);
    for (query, lines) in [("label", label), ("Box.open", open)] {
        let expected: Vec<String> = lines.iter().map(|line| format!("{path}:{line}")).collect();
        assert_eq!(view.uses(query), expected, "{query} in\n{source}");
    }
    assert_eq!(view.uses("Crate.open"), [""; 0], "{source}");
}

#[test]
fn templates_use_what_scripts_import() {
    check(
        "src/Counter.svelte",
        "<script lang=\"ts\">\nimport { label, boxes } from './math';\nlet n = 0;\n</script>\n<p>{label(n)}</p>\n\
         {#each boxes as box}\n<b on:click={() => box.open()}>{label(1)}</b>\n{/each}\n",
        &[5, 7],
        &[7],
    );
    check(
        "src/Counter.vue",
        "<template>\n<p :title=\"label(n)\">{{ label(n) }}</p>\n<b v-for=\"box in boxes\" @click=\"box.open()\"/>\n</template>\n\
         <script setup lang=\"ts\">\nimport { label, boxes } from './math'\nconst n = 1\n</script>\n",
        &[2],
        &[3],
    );
    check(
        "src/Counter.astro",
        "---\nimport { label, boxes } from './math';\n---\n<p>{label(1)}</p>\n{boxes.map((box) => <p>{box.open()}</p>)}\n",
        &[4],
        &[5],
    );
}

#[test]
fn what_a_template_declares_hides_what_the_script_has() {
    check(
        "src/Counter.svelte",
        "<script lang=\"ts\">\nimport { label } from './math';\n</script>\n{#each [1] as label}\n{label}\n{/each}\n{label}\n",
        &[7],
        &[],
    );
    check(
        "src/Counter.vue",
        "<script setup lang=\"ts\">\nimport { label } from './math'\n</script>\n<template>\n\
         <p v-for=\"label in 3\">{{ label }}</p>\n<Box #item=\"{ label }\">{{ label }}</Box>\n{{ label(2) }}\n</template>\n",
        &[7],
        &[],
    );
}

#[test]
fn functions_of_a_script_are_used_by_its_template() {
    for (path, source) in [
        (
            "src/A.svelte",
            "<script>\nfunction bump() {}\n</script>\n<b on:click={bump}/>\n",
        ),
        (
            "src/A.vue",
            "<script setup>\nfunction bump() {}\n</script>\n<template><b\n@click=\"bump\"/></template>\n",
        ),
        (
            "src/A.astro",
            "---\nfunction bump() {}\n---\n\n<b>{bump()}</b>\n",
        ),
    ] {
        let view = View::new(&[(path, source)]);
        assert_eq!(view.uses("bump").len(), 1, "{source}");
    }
}

#[test]
fn components_import_components() {
    let view = View::new(&[
        (
            "src/Page.astro",
            "---\nimport Card from './Card.astro';\nimport Row from './Row.svelte';\n---\n<Card/><Row/>\n",
        ),
        ("src/Card.astro", "<p/>\n"),
        ("src/Row.svelte", "<p/>\n"),
    ]);
    assert_eq!(
        view.imports_of("src/Page.astro"),
        ["src/Card.astro", "src/Row.svelte"]
    );
}

#[test]
fn a_template_means_the_methods_of_its_object() {
    for (start, end) in [
        ("export default {", "}"),
        ("export default defineComponent({", "})"),
        ("export default Vue.extend({", "})"),
    ] {
        let source = format!(
            "<template>\n<b :title=\"total\" @click=\"press(item)\">{{{{ label }}}}</b>\n</template>\n<script>\n\
             import {{ label }} from './math'\n{start}\n  computed: {{ total() {{ return 1 }}, label: () => 2 }},\n  \
             methods: {{ press(n) {{ this.hide() }}, hide() {{}} }}, watch: {{ item() {{}} }},\n{end}\n</script>\n"
        );
        let view = View::new(&[
            ("src/A.vue", source.leak()),
            ("src/math.ts", "export function label() {}\n"),
        ]);
        for (query, uses) in [
            ("default.total", &["src/A.vue:2"][..]),
            ("default.press", &["src/A.vue:2"]),
            ("default.label", &["src/A.vue:2"]),
            ("default.hide", &["src/A.vue:8"]),
            ("default.item", &[]),
            ("src/math.ts:1", &[]),
        ] {
            assert_eq!(view.uses(query), uses, "{query} in {start}");
        }
    }
}

#[test]
fn a_reactive_statement_of_svelte_defines() {
    let view = View::new(&[(
        "src/A.svelte",
        "<script>\nlet n = 1;\n$: area = n * 2;\n$: n = area;\n$: if (n) { n = 1; }\n</script>\n<p>{area}</p>\n",
    )]);
    assert_eq!(view.definitions("area"), ["src/A.svelte:3 area"]);
    assert_eq!(view.definitions("n").len(), 1);
    assert!(view.uses("area").contains(&"src/A.svelte:7".to_owned()));
}

#[test]
fn an_alias_that_names_no_package_may_lead_here() {
    for alias in ["$/config", "~/config", "#config", "./config.generated"] {
        let source = format!("---\nimport {{ NAV }} from '{alias}';\n---\n<p>{{NAV}}</p>\n");
        let view = View::new(&[
            ("src/deep/Nav.astro", source.leak()),
            ("src/config.ts", "export const NAV = 1;\n"),
        ]);
        let dead = view.dead();
        let is_called_dead = |verdict: &String| verdict != "possibly-dynamic NAV";
        assert!(!dead.iter().any(is_called_dead), "{alias}: {dead:?}");
    }
}
