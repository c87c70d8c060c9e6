//! What must stay bounded: hubs, cycles, generated files, broken ones, modules that lead nowhere.

use std::time::{Duration, Instant};

use whyrank_graph::{
    Confidence, FileInput, ImportGraph, ReferenceIndex, ReferenceQuery, SymbolId, SymbolTable,
    ViewParts, impact, import_path, symbol_rank,
};
use whyrank_syntax::{
    FileFacts, HintKind, Import, ImportKind, ImportedName, Local, Reference, ReferenceKind, Span,
    Symbol, SymbolKind,
};

use crate::support::View;
use crate::updates::Snapshot;

/// Far more than it takes; what is quadratic takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

fn symbol(name: &str, line: u32) -> Symbol {
    Symbol {
        name: name.to_owned(),
        qualified: name.to_owned(),
        kind: SymbolKind::Function,
        span: Span {
            start_line: line,
            end_line: line,
            start_byte: 0,
            end_byte: 0,
        },
        name_line: line,
        signature: format!("function {name}()"),
        doc: None,
        parent: None,
        exported: true,
    }
}

fn call(name: &str, qualifier: &str, line: u32) -> Reference {
    Reference {
        name: name.to_owned(),
        qualifier: qualifier.to_owned(),
        kind: ReferenceKind::Call,
        line,
        column: 0,
        enclosing: Some(0),
        arguments: None,
    }
}

fn import(module: &str, name: &str) -> Import {
    let name = ImportedName {
        name: name.to_owned(),
        local: name.to_owned(),
    };
    Import {
        module: module.to_owned(),
        names: vec![name],
        kind: ImportKind::Import,
        line: 1,
    }
}

/// The number of uses of the first definition, after everything was asked that tools ask.
fn asked(files: &[(String, FileFacts)]) -> (usize, Vec<Confidence>) {
    let started = Instant::now();
    let inputs: Vec<FileInput<'_>> = files
        .iter()
        .map(|(path, facts)| FileInput {
            path,
            language: "typescript",
            facts,
        })
        .collect();
    let imports = ImportGraph::resolve(&inputs, &[]);
    let table = SymbolTable::new(&inputs, &imports);
    let contents = vec![1; inputs.len()];
    let parts = ViewParts {
        files: &inputs,
        imports: &imports,
        table: &table,
        contents: &contents,
    };
    let known = ReferenceIndex::default().update(&parts);
    let known = known.update(&parts);
    let uses = ReferenceQuery::new(&inputs, &imports, &table, &known);
    let ranks = symbol_rank(&uses);
    let target = SymbolId { file: 0, symbol: 0 };
    let hits = uses.all(&[target]);
    impact(&uses, &[target], 3, &ranks);
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
    let mut sure: Vec<Confidence> = hits.iter().map(|hit| hit.confidence).collect();
    sure.dedup();
    (hits.len(), sure)
}

#[test]
fn a_hub_with_a_million_uses_is_answered() {
    let hub = FileFacts {
        symbols: vec![symbol("hub", 1)],
        ..FileFacts::default()
    };
    let mut files = vec![("src/a.ts".to_owned(), hub)];
    for n in 0..1000 {
        let facts = FileFacts {
            symbols: vec![symbol(&format!("caller{n}"), 2)],
            references: (3..1003).map(|line| call("hub", "", line)).collect(),
            imports: vec![import("./a", "hub")],
            ..FileFacts::default()
        };
        files.push((format!("src/m{n:04}.ts"), facts));
    }
    assert_eq!(asked(&files), (1_000_000, vec![Confidence::Resolved]));
}

#[test]
fn a_name_that_hundreds_bear_stays_ambiguous() {
    let mut files = Vec::new();
    for n in 0..300 {
        let mut own = symbol("get", 1);
        own.qualified = format!("Type{n}.get");
        own.kind = SymbolKind::Method;
        // A parameter: what nothing declares would be from outside.
        let it = Local {
            column: 0,
            name: "it".to_owned(),
            kind: HintKind::Nothing,
            text: String::new(),
            line: 2,
            end_line: 103,
            enclosing: None,
        };
        let facts = FileFacts {
            symbols: vec![own],
            references: (3..103).map(|line| call("get", "it", line)).collect(),
            locals: vec![it],
            ..FileFacts::default()
        };
        files.push((format!("src/m{n:04}.ts"), facts));
    }
    assert_eq!(asked(&files), (30_000, vec![Confidence::Ambiguous]));
}

#[test]
fn a_generated_module_that_is_used_as_a_value_is_no_square() {
    let generated = FileFacts {
        symbols: (1..20_000)
            .map(|line| symbol(&format!("made{line}"), line))
            .collect(),
        ..FileFacts::default()
    };
    let user = FileFacts {
        symbols: vec![symbol("user", 1)],
        references: (2..20_000)
            .map(|line| call(&format!("made{line}"), "all", line))
            .collect(),
        imports: vec![Import {
            names: vec![ImportedName {
                name: "default".to_owned(),
                local: "all".to_owned(),
            }],
            ..import("./a", "")
        }],
        ..FileFacts::default()
    };
    let files = [
        ("src/a.ts".to_owned(), generated),
        ("src/b.ts".to_owned(), user),
    ];
    assert_eq!(asked(&files).0, 0);
}

#[test]
fn five_megabytes_of_one_file_are_resolved() {
    use std::fmt::Write as _;
    let mut text = String::new();
    let mut line = 0;
    while text.len() < 5 << 20 {
        let _ = writeln!(
            text,
            "export function made{line}(a) {{ return made{}(a) + shared.at(a); }}",
            line / 2
        );
        line += 1;
    }
    let view = Snapshot::new(vec![("src/a.ts".to_owned(), text)]);
    let started = Instant::now();
    let known = view.graph(ReferenceIndex::default());
    assert_eq!(view.n_resolved(known), 0);
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}

#[test]
fn cycles_broken_files_and_missing_modules_end() {
    let text = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let view = Snapshot::new(vec![
        text(
            "src/a.ts",
            "export * from './b';\nexport class A extends C {}\nimport { C } from './c';\n",
        ),
        text(
            "src/b.ts",
            "export * from './c';\nexport class B extends A {}\nimport { A } from './a';\n",
        ),
        text(
            "src/c.ts",
            "export * from './a';\nexport class C extends B {}\nimport { B } from './b';\nnew C().go();\n",
        ),
        text(
            "src/d.ts",
            "import { gone } from './nowhere';\nimport x from 'pkg';\ngone(); x.y();\nclass {{{ ((\n",
        ),
    ]);
    let known = view.graph(ReferenceIndex::default());
    assert_eq!(view.n_resolved(known), 0);
    let inputs: Vec<FileInput<'_>> = view
        .files
        .iter()
        .map(|(path, language, facts, _)| FileInput {
            path,
            language,
            facts,
        })
        .collect();
    let imports = ImportGraph::resolve(&inputs, &[]);
    let missing: Vec<&str> = imports.externals(3).collect();
    assert_eq!(missing, ["./nowhere", "pkg"]);
    assert!(!inputs[3].facts().errors.is_empty());
    assert_eq!(import_path(&imports, &[0], &[2]).len(), 2);
    assert!(import_path(&imports, &[0], &[3]).is_empty());
}

/// A stemmer's state: twelve fields, each set from the others in forty methods.
#[test]
fn fields_that_are_set_from_each_other_are_not_followed_along_every_path() {
    let mut text =
        String::from("class Thing:\n    def go(self):\n        return 1\n\nclass State:\n");
    text.push_str("    def __init__(self):\n        self.f0 = Thing()\n");
    for method in 0..40 {
        text.push_str(&format!("    def m{method}(self):\n"));
        for field in 1..12 {
            let from = (field * 7 + method) % 12;
            text.push_str(&format!("        self.f{field} = self.f{from}.next\n"));
        }
        text.push_str("        self.f3.go()\n        self.f0.go()\n");
    }
    let started = Instant::now();
    let view = View::new(&[("state.py", text.leak())]);
    let uses = view.uses("Thing.go");
    let sure = uses.iter().filter(|hit| !hit.ends_with(['?', '~']));
    assert_eq!(sure.count(), 40, "{uses:?}");
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}
