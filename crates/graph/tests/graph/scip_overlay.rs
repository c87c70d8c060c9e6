//! What a SCIP index changes about uses.
#![expect(
    clippy::unwrap_used,
    clippy::type_complexity,
    reason = "a fixture that does not hold is a failed test"
)]

use whyrank_external::Budget;
use whyrank_external::scip::{Document, Encoding, Index, Occurrence, Role, Symbol};
use whyrank_graph::ScipOverlay;

use crate::support::View;

type Files = [(&'static str, &'static str)];

/// Documents from marks: `path`, then `line name role symbol` each; columns are those of the name.
fn index(files: &Files, marks: &[(&str, &[(u32, &str, Role, &str)])]) -> Index {
    let mut index = Index::default();
    for (path, occurrences) in marks {
        let text = files.iter().find(|(file, _)| file == path).unwrap().1;
        let mut document = Document {
            path: (*path).to_owned(),
            encoding: Some(Encoding::Utf8),
            ..Document::default()
        };
        for (line, name, role, symbol) in *occurrences {
            let start = text
                .lines()
                .nth(*line as usize - 1)
                .unwrap()
                .find(name)
                .unwrap() as u32;
            let known = index.symbols.iter().position(|one| one.name == *symbol);
            let number = known.unwrap_or_else(|| {
                index.symbols.push(Symbol {
                    name: (*symbol).to_owned(),
                });
                index.symbols.len() - 1
            });
            document.occurrences.push(Occurrence {
                line: *line,
                start,
                end: start + name.len() as u32,
                symbol: number as u32,
                role: *role,
            });
        }
        index.documents.push(document);
    }
    // The marks tell symbols apart as `name/which`.
    for symbol in &mut index.symbols {
        let name = symbol.name.split('/').next().unwrap_or_default();
        symbol.name = name.to_owned();
    }
    index
}

fn precise(view: &View, files: &Files, index: &Index) -> ScipOverlay {
    let file = |path: &str| files.iter().position(|(file, _)| *file == path).unwrap() as u32;
    let documents = (0u32..).zip(&index.documents);
    let pairs: Vec<(u32, u32)> = documents.map(|(at, one)| (at, file(&one.path))).collect();
    let mut text = |file: u32| Some(files[file as usize].1.to_owned());
    let mut budget = Budget::new(&|| true);
    budget.allow(0);
    ScipOverlay::new(&view.inputs(), index, &pairs, &mut text, &mut budget)
}

/// `path:line!` for precise uses, `~` and `?` as ever.
fn uses(files: &Files, index: &Index, query: &str) -> Vec<String> {
    let view = View::new(files);
    let precise = precise(&view, files, index);
    view.precise_uses(query, &precise)
}

const TWO: &Files = &[
    (
        "a.py",
        "class A:\n    def go(self):\n        return 1\n\n\nclass B:\n    def go(self):\n        return 2\n",
    ),
    (
        "b.py",
        "from a import A, B\n\n\ndef run(x, y):\n    x.go()\n    y.go()\n",
    ),
];

const MARKS: &[(&str, &[(u32, &str, Role, &str)])] = &[
    (
        "a.py",
        &[
            (1, "A", Role::Definition, "A/1"),
            (2, "go", Role::Definition, "go/1"),
            (6, "B", Role::Definition, "B/1"),
            (7, "go", Role::Definition, "go/2"),
        ],
    ),
    (
        "b.py",
        &[(5, "go", Role::Read, "go/1"), (6, "go", Role::Read, "go/2")],
    ),
];

#[test]
fn an_index_tells_members_of_one_name_apart() {
    let nothing = Index::default();
    let all = ["b.py:5?", "b.py:6?"];
    assert_eq!(uses(TWO, &nothing, "A.go"), all);
    let index = index(TWO, MARKS);
    assert_eq!(uses(TWO, &index, "A.go"), ["b.py:5!"]);
    assert_eq!(uses(TWO, &index, "B.go"), ["b.py:6!"]);
}

#[test]
fn what_the_index_does_not_cover_stays() {
    let only_a_use = &[MARKS[0], ("b.py", &[(5, "go", Role::Read, "go/1")])];
    let index = index(TWO, only_a_use);
    assert_eq!(uses(TWO, &index, "A.go"), ["b.py:5!", "b.py:6?"]);
    assert_eq!(uses(TWO, &index, "B.go"), ["b.py:6?"]);
}

#[test]
fn a_document_of_another_text_counts_for_nothing() {
    let mut index = index(TWO, MARKS);
    for at in &mut index.documents[1].occurrences {
        at.start += 1;
    }
    let view = View::new(TWO);
    let fits = precise(&view, TWO, &index);
    let fits: Vec<bool> = fits.fits().iter().map(|fit| fit.fits).collect();
    assert_eq!(fits, [true, false]);
    assert_eq!(uses(TWO, &index, "A.go"), ["b.py:5?", "b.py:6?"]);
    for (start, line) in [(4_000_000, 1), (0, 4_000_000)] {
        let mut index = index.clone();
        (
            index.documents[1].occurrences[0].start,
            index.documents[1].occurrences[0].line,
        ) = (start, line);
        assert!(!precise(&view, TWO, &index).fits()[1].fits);
    }
}

#[test]
fn a_definition_in_a_changed_file_is_unclear_not_gone() {
    let mut index = index(TWO, MARKS);
    for at in &mut index.documents[0].occurrences {
        at.start += 1;
    }
    assert_eq!(uses(TWO, &index, "A.go"), ["b.py:5?", "b.py:6?"]);
}

#[test]
fn what_the_index_leads_outside_is_no_use_of_what_it_knows() {
    let outside = &[
        MARKS[0],
        (
            "b.py",
            &[(5, "go", Role::Read, "go/9"), (6, "go", Role::Read, "go/9")],
        ),
    ];
    let known = index(TWO, outside);
    assert!(uses(TWO, &known, "A.go").is_empty());
    // Nothing is said of files that the index does not know.
    let unknown = index(TWO, &outside[1..]);
    assert_eq!(uses(TWO, &unknown, "A.go"), ["b.py:5?", "b.py:6?"]);
}

#[test]
fn what_overrides_shares_the_uses_of_what_it_overrides() {
    let mut index = index(TWO, MARKS);
    let number = |which: usize| index.documents[0].occurrences[which].symbol;
    index.shared.push((number(3), number(1)));
    assert_eq!(uses(TWO, &index, "B.go"), ["b.py:5!", "b.py:6!"]);
    assert_eq!(uses(TWO, &index, "A.go"), ["b.py:5!"]);
}

#[test]
fn a_use_that_syntax_does_not_see_is_added() {
    let files = &[
        ("a.py", "def go():\n    return 1\n"),
        ("b.py", "RUN = {'x': 1}\nvalue = \"go\"\n"),
    ];
    let marks: &[(&str, &[(u32, &str, Role, &str)])] = &[
        ("a.py", &[(1, "go", Role::Definition, "go")]),
        ("b.py", &[(2, "go", Role::Read, "go")]),
    ];
    assert_eq!(uses(files, &index(files, marks), "go"), ["b.py:2!"]);
}

#[test]
fn a_name_that_the_indexer_numbered_is_still_the_name() {
    let files = &[
        ("a.py", "def go():\n    return 1\n"),
        ("b.py", "value = go\n"),
    ];
    let marks: &[(&str, &[(u32, &str, Role, &str)])] = &[
        ("a.py", &[(1, "go", Role::Definition, "go0")]),
        ("b.py", &[(1, "go", Role::Read, "go0")]),
    ];
    assert_eq!(uses(files, &index(files, marks), "go"), ["b.py:1!"]);
}

#[test]
fn an_occurrence_over_another_name_says_nothing_unless_an_import_renames() {
    let files = &[
        (
            "a.py",
            "def danger():\n    return 1\n\n\ndef check_token():\n    return 2\n",
        ),
        (
            "b.py",
            "from a import check_token\nfrom a import danger as safe\n\n\n\
             def handle():\n    check_token()\n    safe()\n",
        ),
    ];
    // A name that is no identifier may stand under other words, and names a definition all the same.
    for forged in ["danger", "<forged>"] {
        let marks: &[(&str, &[(u32, &str, Role, &str)])] = &[
            (
                "a.py",
                &[
                    (1, "danger", Role::Definition, forged),
                    (5, "check_token", Role::Definition, "check_token"),
                ],
            ),
            (
                "b.py",
                &[
                    (6, "check_token", Role::Read, forged),
                    (7, "safe", Role::Read, forged),
                ],
            ),
        ];
        let index = index(files, marks);
        let of = |name: &str| uses(files, &index, name);
        let danger = of("danger");
        assert!(danger.contains(&"b.py:7!".to_owned()), "{danger:?}");
        assert!(
            danger.iter().all(|one| !one.starts_with("b.py:6")),
            "{danger:?}"
        );
        let hidden = of("check_token");
        assert!(
            hidden.iter().any(|one| one.starts_with("b.py:6")),
            "{hidden:?}"
        );
        assert_eq!(precise(&View::new(files), files, &index).n_misnamed(), 1);
    }
    // Nor does one that leads out of the index hide a use.
    let marks: &[(&str, &[(u32, &str, Role, &str)])] = &[
        MARKS[0],
        (
            "b.py",
            &[(5, "go", Role::Read, "stop"), (6, "go", Role::Read, "go/2")],
        ),
    ];
    assert_eq!(uses(TWO, &index(TWO, marks), "A.go"), ["b.py:5?"]);
}

/// scip-typescript gives `module` and `exports` one local that it declares nowhere.
#[test]
fn a_local_that_is_declared_nowhere_does_not_speak_against_a_document() {
    let files = [("a.js", "var rows = 1;\nmodule.exports = rows;\n")];
    let marks: &[(u32, &str, Role, &str)] = &[
        (1, "rows", Role::Definition, "rows"),
        (2, "module", Role::Read, "/1"),
        (2, "exports", Role::Read, "/1"),
    ];
    let index = index(&files, &[("a.js", marks)]);
    let view = View::new(&files);
    assert!(precise(&view, &files, &index).fits()[0].fits);
}

#[test]
fn what_an_index_says_implements_is_kept_where_both_ends_are_here() {
    let mut index = index(
        TWO,
        &[(
            "a.py",
            &[
                (1, "A", Role::Definition, "A/1"),
                (6, "B", Role::Definition, "B/1"),
                (2, "go", Role::Definition, "go/outside"),
            ],
        )],
    );
    index.symbols.push(Symbol {
        name: "Base".to_owned(),
    });
    // B implements A; A implements what is defined nowhere.
    index.implementations = vec![(1, 0), (0, 3)];
    let view = View::new(TWO);
    let precise = precise(&view, TWO, &index);
    let names: Vec<(u32, u32)> = precise
        .implementations()
        .iter()
        .map(|(id, base)| (id.symbol, base.symbol))
        .collect();
    assert_eq!(names.len(), 1);
    assert!(names[0].0 > names[0].1, "{names:?}");
    assert_eq!(view.precise_heirs("A", &precise), ["B"]);
}

#[test]
fn the_first_of_two_documents_for_a_file_speaks() {
    let mut index = index(
        TWO,
        &[
            (
                "a.py",
                &[
                    (2, "go", Role::Definition, "go/A"),
                    (7, "go", Role::Definition, "go/B"),
                ],
            ),
            (
                "b.py",
                &[(5, "go", Role::Read, "go/A"), (6, "go", Role::Read, "go/B")],
            ),
        ],
    );
    let mut other = index.documents[1].clone();
    other.occurrences.swap(0, 1);
    for (at, line) in other.occurrences.iter_mut().zip([5, 6]) {
        at.line = line;
    }
    index.documents.push(other);
    assert_eq!(uses(TWO, &index, "A.go"), ["b.py:5!"]);
}

#[test]
fn an_empty_file_fits_the_module_that_starts_in_it() {
    let files: &Files = &[("a/__init__.py", "")];
    let mut index = Index::default();
    index.symbols.push(Symbol {
        name: "__init__".to_owned(),
    });
    index.documents.push(Document {
        path: "a/__init__.py".to_owned(),
        occurrences: vec![Occurrence {
            line: 1,
            start: 0,
            end: 0,
            symbol: 0,
            role: Role::Definition,
        }],
        ..Document::default()
    });
    let view = View::new(files);
    assert!(precise(&view, files, &index).fits()[0].fits);
}

#[test]
fn a_symbol_of_many_places_and_uses_is_left_out_rather_than_multiplied() {
    let definitions = "def work(): pass\n".repeat(1500);
    let text = format!("{definitions}{}", "work()\n".repeat(1500));
    let files = [("a.py", &*Box::leak(text.into_boxed_str()))];
    let definitions = (1..=1500).map(|line| (line, "work", Role::Definition, "work"));
    let uses = (1501..=3000).map(|line| (line, "work", Role::Read, "work"));
    let marks: Vec<(u32, &str, Role, &str)> = definitions.chain(uses).collect();
    let mut index = index(&files, &[("a.py", marks.as_slice())]);
    // Each use is stated nine times: a few bytes of the index each.
    let stated = &mut index.documents[0].occurrences;
    let uses = stated[1500..].to_vec();
    (0..8).for_each(|_| stated.extend(&uses));
    stated.sort_by_key(|at| (at.line, at.start, at.end));
    let laid = precise(&View::new(&files), &files, &index);
    assert_eq!(laid.n_uses(), 0, "each use leads to every definition");
    assert!(laid.fits()[0].fits, "{:?}", laid.fits());
}
