//! Components: what their templates use, and which of these names the template declares itself.

use whyrank_syntax::{FileFacts, Language, ReferenceKind, analyze};

fn facts(language: &str, source: &str) -> FileFacts {
    let language = Language::from_name(language).expect("a known language");
    analyze(source, language)
}

/// The names used, with their qualifiers, each at its place; what is no template but a script is left out.
fn used(language: &str, source: &str) -> Vec<String> {
    let facts = facts(language, source);
    let lines: Vec<&str> = source.lines().collect();
    let in_script = |line: u32| {
        let before = &lines[..line as usize];
        let begun = before.iter().rposition(|line| line.contains("<script"));
        let ended = before.iter().rposition(|line| line.contains("</script"));
        begun.is_some() && begun >= ended
    };
    let template = facts.references.iter();
    let template = template.filter(|used| !in_script(used.line));
    let shown = template.map(|used| {
        let text = &lines[used.line as usize - 1][used.column as usize..];
        let mark = if text.starts_with(used.name.as_str()) {
            ""
        } else {
            "~"
        };
        let call = if used.kind == ReferenceKind::Call {
            "()"
        } else {
            ""
        };
        let dot = if used.qualifier.is_empty() { "" } else { "." };
        format!("{mark}{}{dot}{}{call}", used.qualifier, used.name)
    });
    shown.collect()
}

fn check(language: &str, cases: &[(&str, &[&str])]) {
    for (template, expected) in cases {
        assert_eq!(used(language, template), *expected, "{template}");
    }
}

#[test]
fn expressions_of_svelte_are_code() {
    check(
        "svelte",
        &[
            ("<p>{label(n)}</p>", &["label()", "n"]),
            ("<b on:click={bump}/>", &["bump"]),
            ("<b on:click|once={() => bump(1)}>x</b>", &["bump()"]),
            (
                "<b onclick={bump} {disabled} {...rest}/>",
                &["bump", "disabled", "rest"],
            ),
            (
                "<b title=\"a {label(n)} b\" class='{kind}'/>",
                &["label()", "n", "kind"],
            ),
            (
                "<input bind:value={text} bind:checked/>",
                &["text", "checked"],
            ),
            (
                "<p class:active class:big={size > 1}/>",
                &["active", "size"],
            ),
            (
                "<p use:tip={text} transition:fade in:fly|local={{ x }} animate:flip/>",
                &["tip", "text", "fade", "fly", "x", "flip"],
            ),
        ],
    );
}

#[test]
fn blocks_of_svelte_are_code() {
    check(
        "svelte",
        &[
            (
                "{#if ok}{a}{:else if other}{b}{:else}{c}{/if}",
                &["ok", "a", "other", "b", "c"],
            ),
            (
                "{#each items as item (item.id)}{show(item)}{/each}{item}",
                &["items", "item.id", "show()", "item"],
            ),
            (
                "{#each items as { id, name }, i (id)}{id}{name}{i}{:else}{none}{/each}",
                &["items", "none"],
            ),
            (
                "{#each items as item(key(item, (1)))}{item}{/each}",
                &["items", "key()"],
            ),
            (
                "{#each items}{a}{/each}{#each items, i}{i}{b}{/each}",
                &["items", "a", "items", "b"],
            ),
            (
                "<script lang=\"ts\">\n</script>\n{#each (items as Item[]) as item}{item}{/each}",
                &["items", "Item"],
            ),
            (
                "{#await load() then value}{value}{:catch error}{error}{/await}{error}",
                &["load()", "error"],
            ),
            (
                "{#await load()}{wait}{:then value}{value}{/await}",
                &["load()", "wait"],
            ),
            (
                "{#key id}{a}{/key}{@html render(a)}{@debug b}",
                &["id", "a", "render()", "a", "b"],
            ),
            ("{@const area = w * h}{area}", &["w", "h"]),
            (
                "{#snippet row(item)}{item}{label(item)}{/snippet}{@render row(x)}",
                &["label()", "row()", "x"],
            ),
            (
                "<Child on:done={end}/><ui.Box/>",
                &["Child()", "end", "ui", "ui.Box()"],
            ),
            (
                "<List let:item>{item}{all}</List>{item}",
                &["List()", "all", "item"],
            ),
            (
                "{$count}{$count + store.x}",
                &["count", "count", "store", "store.x"],
            ),
            ("<!-- {no} --><style>a { b: c }</style>{yes}", &["yes"]),
            ("{'}'}{\"{\"}{a}", &["a"]),
        ],
    );
}

#[test]
fn expressions_of_vue_are_code() {
    let in_template = |inside: &str| format!("<template>{inside}</template>");
    for (template, expected) in [
        ("{{ label(n) }}", &["label()", "n"][..]),
        (
            "<b @click=\"bump\" v-on:input.stop=\"set($event, n)\"/>",
            &["bump", "set()", "n"],
        ),
        ("<b @click=\"n = 1; bump()\"/>", &["n", "bump()"]),
        (
            "<b :title=\"text\" v-bind:id=\"make(id)\" :[key]=\"x\" :class=\"{ a: on }\"/>",
            &["text", "make()", "id", "key", "x", "on"],
        ),
        (
            "<b v-if=\"ok\"/><b v-else-if=\"other\"/><b v-show=\"seen\" v-html=\"raw\" v-model=\"text\"/>",
            &["ok", "other", "seen", "raw", "text"],
        ),
        (
            "<p v-for=\"item in items\" :key=\"item.id\">{{ show(item) }}</p>{{ item }}",
            &["items", "item.id", "show()", "item"],
        ),
        (
            "<p v-for=\"({ id }, i) of items\" @click=\"go(id, i)\"/>",
            &["items", "go()"],
        ),
        (
            "<Box #head=\"{ item }\">{{ item }}{{ all }}</Box>",
            &["Box()", "all"],
        ),
        (
            "<Box><template #[name]=\"props\">{{ props.x }}</template></Box>",
            &["Box()", "name", "props.x"],
        ),
        (
            "<base-button/><BaseButton>x</BaseButton>",
            &["~BaseButton()", "BaseButton()"],
        ),
        (
            "<b v-focus=\"x\" v-click-outside/>",
            &["~vFocus", "x", "~vClickOutside"],
        ),
        ("<input ref=\"field\" :value>", &["field", "value"]),
        ("<br><img src='x'>{{ a }}", &["a"]),
        ("<!-- {{ no }} -->{{ yes }}", &["yes"]),
    ] {
        let template = in_template(template);
        assert_eq!(used("vue", &template), expected, "{template}");
    }
    check(
        "vue",
        &[
            ("<template lang=\"pug\">p {{ no }}</template>", &[]),
            (
                "<docs>{{ no }}</docs>\n<template>{{ a }}</template>\n",
                &["a"],
            ),
            (
                "<template><template v-if=\"a\">x</template>{{ b }}</template>",
                &["a", "b"],
            ),
        ],
    );
}

#[test]
fn expressions_of_astro_are_code() {
    check(
        "astro",
        &[
            (
                "<p title={text} {id} {...rest}>{label(n)}</p>",
                &["text", "id", "rest", "label()", "n"],
            ),
            (
                "<Card href=`/${slug}` set:html={raw}/>",
                &["Card()", "slug", "raw"],
            ),
            (
                "{items.map((item) => <Row name={item.name}>{show(item)}</Row>)}",
                &[
                    "items",
                    "items.map()",
                    "Row()",
                    "^0(Row).name",
                    "item.name",
                    "show()",
                ],
            ),
            ("<!-- {no} -->{ok && <b>Don't</b>}", &["ok", "b()"]),
        ],
    );
    let facts = facts(
        "astro",
        "---\nimport Card from './Card.astro';\nconst { title } = Astro.props;\nfunction show() {}\n---\n<Card>{show(title)}</Card>\n",
    );
    let names: Vec<&str> = facts
        .symbols
        .iter()
        .map(|symbol| symbol.name.as_str())
        .collect();
    assert_eq!(names, ["title", "show"]);
    assert_eq!(facts.imports[0].module, "./Card.astro");
}

#[test]
fn half_a_template_takes_nothing_from_the_script() {
    let script = "<script>\nimport { step } from './a';\nfunction bump() { step(1); }\n</script>\n";
    for template in [
        "{#if a}{#each items as",
        "<b on:click={bump",
        "{label(",
        "{)}{b}",
        "<p class=\"a",
        "{/if}{/each}</p>",
        "{#each as}{#each a as b (}{/each}",
        "{@const}{@const =}{#snippet}{#await}{:then}{:else}",
        "{`${",
        "<<<<{{{{",
        "{{ a",
        "<p v-for=\"in\" #=\"\" @=\"(\" :=\"}\" v-=\"\" v-for=\"(a in b\"/>",
        "---\nconst a = {\n",
    ] {
        for language in ["svelte", "vue", "astro"] {
            for source in [
                format!("{script}<template>{template}"),
                format!("<template>{template}</template>{script}"),
                format!("{template}\n{script}"),
            ] {
                let facts = facts(language, &source);
                let bump = facts.symbols.iter().find(|symbol| symbol.name == "bump");
                let n_lines = source.lines().count() as u32;
                assert!(facts.references.iter().all(|used| used.line <= n_lines));
                if language == "svelte" && source.starts_with("<script") {
                    let bump = bump.expect("the function");
                    assert_eq!(
                        (bump.span.start_line, bump.span.end_line),
                        (3, 3),
                        "{source}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_snippet_is_a_function_of_its_component() {
    let source = "<p/>\n{#snippet row(item)}\n  {label(item)}\n{/snippet}\n{@render row(1)}\n";
    let facts = facts("svelte", source);
    let row = &facts.symbols[0];
    assert_eq!(
        (row.name.as_str(), row.span.start_line, row.span.end_line),
        ("row", 2, 4)
    );
    let label = facts.references.iter().find(|used| used.name == "label");
    assert_eq!(label.and_then(|used| used.enclosing), Some(0));
}

#[test]
fn a_last_definition_ends_with_its_script() {
    for (language, source) in [
        (
            "svelte",
            "<script>\nconst a = 1\nconst b = 2\n</script>\n\n<p>{a}</p>\n",
        ),
        (
            "vue",
            "<script>\nconst a = 1\nconst b = 2\n</script>\n<style>\n</style>\n",
        ),
        ("astro", "---\nconst a = 1\nconst b = 2\n---\n<p>{a}</p>\n"),
    ] {
        let facts = facts(language, source);
        let b = &facts.symbols[1];
        assert_eq!((b.span.start_line, b.span.end_line), (3, 3), "{source}");
    }
}
