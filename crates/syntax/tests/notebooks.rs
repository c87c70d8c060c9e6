//! Notebooks as they are shown: their cells at the lines of the file, some joined on one.

use whyrank_syntax::{FileFacts, analyze, detect};

/// Each definition, use and import with its line.
fn places(facts: &FileFacts) -> Vec<String> {
    let symbols = facts.symbols.iter();
    let symbols = symbols.map(|one| {
        format!(
            "def {} {}-{}",
            one.name, one.span.start_line, one.span.end_line
        )
    });
    let uses = facts.references.iter();
    let uses = uses.map(|one| format!("use {} {}:{}", one.name, one.line, one.column));
    let imports = facts.imports.iter();
    let imports = imports.map(|one| format!("import {} {}", one.module, one.line));
    let mut places: Vec<String> = symbols.chain(uses).chain(imports).collect();
    places.sort();
    places
}

fn facts(shown: &str) -> FileFacts {
    let language = detect("a.ipynb", shown.as_bytes()).expect("a text");
    let facts = analyze(shown, language);
    assert_eq!(facts.errors, [], "{shown}");
    let mut end = 0;
    for chunk in &facts.chunks {
        let span = chunk.span;
        assert!(span.start_byte >= end && span.end_byte >= span.start_byte);
        end = span.end_byte;
    }
    facts
}

#[test]
fn lines_that_are_joined_are_lines() {
    let facts = facts(
        "#!jupyter python \n\n\n# # Prose␊␊# more\nfrom a import load␊def f(x):␊    return load(x)␊\n\nf(1)\n",
    );
    assert_eq!(
        places(&facts),
        [
            "def f 5-5",
            "import a 5",
            "use a 5:5",
            "use f 7:0",
            "use load 5:14",
            "use load 5:44",
        ]
    );
    let f = &facts.symbols[0];
    assert_eq!((f.signature.as_str(), f.name_line), ("def f(x)", 5));
}

#[test]
fn a_notebook_on_one_line_is_on_line_one() {
    let facts = facts("#!jupyter python ␊def f():␊    pass␊f()");
    assert_eq!(places(&facts), ["def f 1-1", "use f 1:42"]);
    assert_eq!(facts.chunks.len(), 1);
}

#[test]
fn cells_are_in_the_language_of_their_kernel() {
    for (shown, expected) in [
        (
            "#!jupyter javascript \n\nfunction f() {}\nf();\n",
            "def f 3-3",
        ),
        ("#!jupyter rust \nfn f() {}\n", "def f 2-2"),
        ("#!jupyter r \n\nf <- function(x) x\n", "def f 3-3"),
        ("#!jupyter julia \nfunction f(x)␊  x␊end\n", "def f 2-2"),
        ("\ndef f():\n    pass\n", "def f 2-3"),
    ] {
        let language = detect("a.ipynb", shown.as_bytes()).expect("a text");
        let facts = analyze(shown, language);
        assert!(
            places(&facts).contains(&expected.to_owned()),
            "{shown}: {:?}",
            places(&facts)
        );
    }
}
