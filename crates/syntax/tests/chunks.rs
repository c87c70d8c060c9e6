//! The contract of chunks, and that nothing read makes the crate fail: over real files, cut files,
//! arbitrary text and strange extremes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use whyrank_syntax::{Chunk, ChunkKind, FileFacts, Language, analyze, detect, highlight};

fn language(name: &str) -> Language {
    Language::from_name(name).expect("a known language")
}

/// Every non-blank line in exactly one chunk, chunks in order and at line ends, indices valid.
fn check_contract(source: &str, facts: &FileFacts) {
    let lines: Vec<&str> = source.split('\n').collect();
    let mut covered = vec![0_u32; lines.len() + 2];
    let mut last_end = 0;
    for chunk in &facts.chunks {
        assert!(chunk.span.start_line > last_end, "out of order: {chunk:?}");
        assert!(chunk.span.end_line >= chunk.span.start_line, "{chunk:?}");
        assert!(
            (chunk.span.start_line..=chunk.span.end_line).contains(&chunk.focus_line),
            "{chunk:?}"
        );
        let text = &source[chunk.span.start_byte as usize..chunk.span.end_byte as usize];
        assert!(!text.trim().is_empty(), "blank chunk: {chunk:?}");
        let one_line = chunk.span.start_line == chunk.span.end_line;
        assert!(
            one_line || text.len() <= 6_000,
            "{} bytes: {chunk:?}",
            text.len()
        );
        assert!(
            chunk
                .symbol
                .is_none_or(|at| (at as usize) < facts.symbols.len())
        );
        (chunk.span.start_line..=chunk.span.end_line).for_each(|line| covered[line as usize] += 1);
        last_end = chunk.span.end_line;
    }
    for (at, line) in lines.iter().enumerate() {
        if !line.trim().is_empty() {
            assert_eq!(covered[at + 1], 1, "line {}: {line:.80}", at + 1);
        }
    }
    let starts: Vec<_> = facts
        .symbols
        .iter()
        .map(|symbol| symbol.span.start_byte)
        .collect();
    assert!(starts.is_sorted(), "symbols out of order");
    for (at, symbol) in facts.symbols.iter().enumerate() {
        assert!(
            symbol.parent.is_none_or(|parent| (parent as usize) < at),
            "{symbol:?}"
        );
        assert!(symbol.signature.chars().count() <= 600);
        assert!(!symbol.signature.contains('\n'));
        assert!(symbol.span.end_line as usize <= lines.len());
    }
    for reference in &facts.references {
        assert!(
            reference
                .enclosing
                .is_none_or(|at| (at as usize) < facts.symbols.len())
        );
        let line = lines[reference.line as usize - 1];
        assert!(line.len() >= reference.column as usize, "{reference:?}");
    }
    let places = facts
        .references
        .iter()
        .map(|reference| (reference.line, reference.column));
    assert!(places.is_sorted(), "references out of order");
}

fn check_highlight(source: &str, language: Language) {
    let mut last_end = 0;
    for span in highlight(source, language) {
        assert!(span.start >= last_end && span.end > span.start, "{span:?}");
        assert!(
            source.get(span.start as usize..span.end as usize).is_some(),
            "{span:?}"
        );
        last_end = span.end;
    }
}

fn check(source: &str, language: Language) {
    check_contract(source, &analyze(source, language));
    check_highlight(source, language);
}

fn registry_files(limit: usize) -> Vec<PathBuf> {
    let Some(cargo) = option_env!("CARGO") else {
        return Vec::new();
    };
    let home = Path::new(cargo)
        .ancestors()
        .find(|path| path.ends_with(".rustup") || path.ends_with(".cargo"));
    let root = home
        .and_then(Path::parent)
        .unwrap_or(Path::new("/root"))
        .join(".cargo/registry/src");
    let mut files = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let size = entry.metadata().map_or(0, |metadata| metadata.len());
            match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true => folders.push(path),
                false if size < 300_000 => files.push(path),
                false => {}
            }
        }
    }
    files.sort();
    let step = (files.len() / limit).max(1);
    files.into_iter().step_by(step).collect()
}

/// A small deterministic generator: tests need no seed from outside.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

#[test]
fn real_files_are_covered_exactly_once() {
    for path in registry_files(300) {
        let Ok(source) = std::fs::read_to_string(&path) else {
            continue;
        };
        let Some(language) = detect(&path.to_string_lossy(), source.as_bytes()) else {
            continue;
        };
        check(&source, language);
    }
}

const SAMPLES: &[(&str, &str)] = &[
    ("typescript", include_str!("samples/a.ts")),
    ("javascript", include_str!("samples/a.js")),
    ("python", include_str!("samples/a.py")),
    ("go", include_str!("samples/a.go")),
    ("rust", include_str!("samples/a.rs.txt")),
    ("java", include_str!("samples/a.java")),
    ("cpp", include_str!("samples/a.cpp")),
    ("ruby", include_str!("samples/a.rb")),
    ("php", include_str!("samples/a.php")),
    ("csharp", include_str!("samples/a.cs")),
    ("kotlin", include_str!("samples/a.kt")),
    ("swift", include_str!("samples/a.swift")),
    ("dart", include_str!("samples/a.dart")),
    ("protobuf", include_str!("samples/a.proto")),
    ("scala", include_str!("samples/a.scala")),
    ("sql", include_str!("samples/a.sql")),
    ("terraform", include_str!("samples/a.tf")),
    ("bash", include_str!("samples/a.sh")),
    ("lua", include_str!("samples/a.lua")),
    ("vue", include_str!("samples/a.vue")),
    ("svelte", include_str!("samples/a.svelte")),
    ("astro", include_str!("samples/a.astro")),
    ("elixir", include_str!("samples/a.ex")),
    ("haskell", include_str!("samples/a.hs")),
    ("zig", include_str!("samples/a.zig")),
    ("markdown", include_str!("samples/a.md")),
];

#[test]
fn cut_samples_never_fail() {
    for (name, source) in SAMPLES {
        check(source, language(name));
        let mut random = Random(7);
        for _ in 0..120 {
            let mut from = random.below(source.len());
            let mut to = from + random.below(source.len() - from);
            while !source.is_char_boundary(from) {
                from -= 1;
            }
            while !source.is_char_boundary(to) {
                to -= 1;
            }
            check(&source[..to], language(name));
            check(&source[from..], language(name));
        }
    }
}

#[test]
fn every_sample_survives_every_language() {
    for (_, source) in SAMPLES {
        Language::all().for_each(|language| check(source, language));
    }
}

#[test]
fn arbitrary_text_never_fails() {
    const WORDS: &[&str] = &[
        "fn ",
        "class ",
        "def ",
        "{",
        "}",
        "(",
        ")",
        "\n",
        "\n\n",
        "\r\n",
        "    ",
        "\t",
        "\"",
        "'",
        "`",
        "//",
        "/*",
        "*/",
        "#",
        "é",
        "日本",
        "\u{feff}",
        "x",
        "=",
        ";",
        ":",
        "end",
        "=>",
        "<",
        ">",
        "\\",
        "import ",
        "a.b",
        "::",
        "--",
        "---\n",
        "```\n",
        "# h\n",
        "0",
        "export ",
        "function ",
        "\u{0}",
        "\r",
    ];
    let mut random = Random(3);
    for language in Language::all() {
        for _ in 0..25 {
            let n_words = random.below(120);
            let source: String = (0..n_words)
                .map(|_| WORDS[random.below(WORDS.len())])
                .collect();
            check(&source, language);
        }
    }
}

#[test]
fn line_breaks_and_byte_order_marks_change_nothing() {
    for (name, source) in SAMPLES {
        let plain = analyze(source, language(name));
        let crlf = source.replace('\n', "\r\n");
        let facts = analyze(&crlf, language(name));
        check_contract(&crlf, &facts);
        let names = |facts: &FileFacts| -> Vec<_> {
            facts
                .symbols
                .iter()
                .map(|symbol| (symbol.qualified.clone(), symbol.name_line))
                .collect()
        };
        let lines = |chunk: &Chunk| (chunk.span.start_line, chunk.span.end_line);
        assert_eq!(names(&plain), names(&facts), "{name}");
        let (plain_lines, facts_lines): (Vec<_>, Vec<_>) = (
            plain.chunks.iter().map(lines).collect(),
            facts.chunks.iter().map(lines).collect(),
        );
        assert_eq!(plain_lines, facts_lines, "{name}");
        check(&format!("\u{feff}{source}"), language(name));
    }
}

#[test]
fn extremes_are_survived() {
    for name in [
        "javascript",
        "python",
        "rust",
        "go",
        "cpp",
        "java",
        "ruby",
        "json",
    ] {
        let language = language(name);
        check("", language);
        check("\n\n  \n", language);
        check("\u{feff}", language);
        check(&"x".repeat(2_000_000), language);
        check(&format!("{}\n", "a b ".repeat(20_000)), language);
        check(
            &format!("x = {}1{}", "(".repeat(10_000), ")".repeat(10_000)),
            language,
        );
        check(&"{ [ ( ".repeat(10_000), language);
        check(&"function a(){".repeat(2_000), language);
        check(&"class A { def f\n".repeat(2_000), language);
        check(&"a.b().".repeat(10_000), language);
        check(&"if x {\n".repeat(5_000), language);
    }
}

#[test]
fn a_large_function_is_cut_between_statements() {
    let mut source = "/** Does much. */\nfunction big() {\n".to_owned();
    for at in 0..100 {
        writeln!(source, "  if (a{at}) {{\n    b({at});\n  }}").unwrap();
    }
    source.push_str("}\n");
    let facts = analyze(&source, language("javascript"));
    assert!(
        facts.chunks.len() >= 5 && facts.chunks.len() <= 10,
        "{:?}",
        facts.chunks
    );
    for chunk in &facts.chunks {
        assert_eq!((chunk.kind, chunk.symbol), (ChunkKind::Definition, Some(0)));
        let text = &source[chunk.span.start_byte as usize..];
        assert!(
            text.starts_with("  if") || text.starts_with("/**"),
            "{text:.40}"
        );
    }
    assert_eq!(facts.chunks[0].focus_line, 2);
}

#[test]
fn a_large_class_is_a_head_and_its_methods() {
    let mut source = "class A {\n  x = 1;\n  y = 2;\n".to_owned();
    for at in 0..12 {
        writeln!(
            source,
            "  m{at}() {{\n    one();\n    two();\n    three();\n    four();\n  }}\n"
        )
        .unwrap();
    }
    source.push_str("}\n");
    let facts = analyze(&source, language("javascript"));
    assert_eq!(facts.chunks.len(), 13, "{:?}", facts.chunks);
    let name = |chunk: &Chunk| {
        facts.symbols[chunk.symbol.unwrap() as usize]
            .qualified
            .as_str()
    };
    assert_eq!(name(&facts.chunks[0]), "A");
    assert_eq!(name(&facts.chunks[1]), "A.m0");
    assert_eq!(name(&facts.chunks[12]), "A.m11");
    assert_eq!(
        facts.chunks[12].span.end_line,
        source.lines().count() as u32,
        "the brace goes along"
    );
}

#[test]
fn tiny_neighbours_are_one_chunk() {
    let source =
        "const A = 1;\nconst B = 2;\nconst C = 3;\n\nfunction f() {\n  a();\n  b();\n  c();\n}\n";
    let facts = analyze(source, language("javascript"));
    let lines: Vec<_> = facts
        .chunks
        .iter()
        .map(|chunk| (chunk.span.start_line, chunk.span.end_line))
        .collect();
    assert_eq!(lines, [(1, 3), (5, 9)]);
    assert_eq!(facts.chunks[0].kind, ChunkKind::Residue);
    assert_eq!(facts.chunks[0].symbol, None);
}

#[test]
fn prose_is_cut_by_section() {
    let source = format!(
        "# A\n\nintro\n\n## B\n\n{}\n## C\n\ntext\n",
        "line\n".repeat(70)
    );
    let facts = analyze(&source, language("markdown"));
    assert!(
        facts
            .chunks
            .iter()
            .all(|chunk| chunk.kind == ChunkKind::Doc)
    );
    let names: Vec<_> = facts
        .symbols
        .iter()
        .map(|symbol| symbol.qualified.as_str())
        .collect();
    assert_eq!(names, ["A", "A > B", "A > C"]);
    let last = facts.chunks.last().unwrap();
    assert_eq!(last.symbol, Some(2));
    check_contract(&source, &facts);
}

#[test]
fn a_library_in_one_file_is_parsed() {
    let mut source = "package a;\n\n/** All of it. */\npublic class Line {\n".to_owned();
    for n in 0..9_000 {
        let _ = write!(
            source,
            "    /** Adds the {n}th. */\n    public int add{n}(int a, String b) {{\n        \
             int sum = a + {n};\n        return b == null ? sum : sum + b.length() + this.own({n});\n    }}\n\n",
        );
    }
    source.push_str("    private int own(int n) { return n; }\n}\n");
    assert!(source.len() > 1 << 20, "{}", source.len());
    let facts = analyze(&source, language("java"));
    assert!(facts.errors.is_empty(), "{:?}", facts.errors);
    assert!(facts.symbols.iter().any(|one| one.qualified == "Line.own"));
    let uses = facts.references.iter().filter(|one| one.name == "own");
    assert_eq!(uses.count(), 9_000);
}

#[test]
fn text_of_other_scripts_makes_nothing_fail() {
    // Marks, wide spaces, quotes and letters of several bytes where one byte is expected.
    let strange = ["\u{17d2}", "\u{a0}", "„", "é", "\u{1f600}"];
    for (name, source) in SAMPLES {
        for text in strange {
            for before in ['(', ')', '.', '"', '=', ' ', '{'] {
                let with = format!("{text}{before}");
                let changed = source.replace(before, &with);
                let facts = analyze(&changed, language(name));
                check_contract(&changed, &facts);
            }
        }
    }
}
