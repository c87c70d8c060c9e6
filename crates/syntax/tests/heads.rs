//! Heads of definitions say the same however they are written, and something else once a parameter is
//! another: over the samples of all languages, each definition in turn.

use std::path::Path;
use whyrank_syntax::{FileFacts, Language, analyze, detect, head_words};

/// How a language lets a list of parameters be written.
struct Form {
    /// A comment that may follow a comma, with the break of line.
    comment: &'static str,
    /// Whether a comma may follow the last parameter.
    trailing: bool,
}

fn form(language: &str) -> Form {
    let comment = match language {
        "python" | "ruby" | "elixir" | "bash" => " # why\n",
        "lua" | "haskell" => " -- why\n",
        "zig" => " // why\n",
        _ => " /* why */\n",
    };
    let trailing = matches!(
        language,
        "go" | "javascript"
            | "typescript"
            | "kotlin"
            | "php"
            | "python"
            | "rust"
            | "scala"
            | "vue"
            | "zig"
    );
    Form { comment, trailing }
}

/// The parameters of a definition: where they stand, and each by itself. Lists with strings, comments or
/// line breaks of their own are left out.
fn parameters(source: &str, facts: &FileFacts, at: usize) -> Option<(usize, usize, Vec<String>)> {
    let symbol = &facts.symbols[at];
    if !symbol.kind.is_callable() {
        return None;
    }
    let line = symbol.name_line as usize - 1;
    let line_start: usize = source.split_inclusive('\n').take(line).map(str::len).sum();
    let text = source[line_start..].lines().next()?;
    let name = text.find(&symbol.name)? + symbol.name.len();
    let open = name + text[name..].find('(')?;
    let between = &text[name..open];
    if !(between.trim().is_empty() || between.starts_with(['<', '['])) {
        return None;
    }
    let mut depth = 0;
    let close = text[open..].find(|char| {
        depth += match char {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        };
        depth == 0
    })?;
    let inner = &text[open + 1..open + close];
    if inner.trim().is_empty() || inner.contains(['"', '\'', '#', '`', '/', '<']) {
        return None;
    }
    let mut parts = vec![String::new()];
    for char in inner.chars() {
        depth += i32::from(matches!(char, '(' | '[' | '{'));
        depth -= i32::from(matches!(char, ')' | ']' | '}'));
        if char == ',' && depth == 0 {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push(char);
        }
    }
    let parts = parts.into_iter().map(|part| part.trim().to_owned());
    Some((
        line_start + open + 1,
        line_start + open + close,
        parts.collect(),
    ))
}

fn names(facts: &FileFacts) -> Vec<(&str, u32)> {
    let symbols = facts.symbols.iter();
    symbols
        .map(|one| (one.qualified.as_str(), one.kind as u32))
        .collect()
}

fn heads(source: &str, facts: &FileFacts, language: Language) -> Vec<String> {
    let symbols = facts.symbols.iter();
    symbols
        .map(|one| head_words(source, one, language))
        .collect()
}

/// Checks one sample, and returns how many heads were written anew.
fn check(path: &Path) -> usize {
    let source = std::fs::read_to_string(path).expect("a sample");
    let name = path.to_string_lossy().replace(".rs.txt", ".rs");
    let language = detect(&name, source.as_bytes()).expect("a language");
    let facts = analyze(&source, language);
    let before = heads(&source, &facts, language);
    let form = form(language.name());
    let mut n_checked = 0;
    for at in 0..facts.symbols.len() {
        let Some((start, end, parts)) = parameters(&source, &facts, at) else {
            continue;
        };
        let with = |list: &str| format!("{}{list}{}", &source[..start], &source[end..]);
        let qualified = &facts.symbols[at].qualified;
        let spread = parts.join(&format!(",{}\t  ", form.comment));
        let comma = if form.trailing { ",\n" } else { "\n" };
        let forms = [
            with(&format!("  {}  ", parts.join(" ,  "))),
            with(&format!("\n    {spread}{comma}")),
        ];
        for text in forms {
            let again = analyze(&text, language);
            // Not every language lets every list break.
            if names(&again) != names(&facts) {
                continue;
            }
            n_checked += 1;
            let after = heads(&text, &again, language);
            assert_eq!(after, before, "{name}: {qualified}");
        }
        let last = parts.last().expect("there is one");
        let word = last
            .rfind(|char: char| char.is_alphanumeric())
            .expect("a word");
        let other = format!("{}zz9{}", &last[..=word], &last[word + 1..]);
        let mut others = parts.clone();
        *others.last_mut().expect("there is one") = other;
        let text = with(&others.join(", "));
        let again = analyze(&text, language);
        if names(&again) == names(&facts) {
            let after = heads(&text, &again, language);
            assert_ne!(after[at], before[at], "{name}: {qualified}");
        }
    }
    n_checked
}

#[test]
fn a_head_in_other_lines_is_the_same() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let mut checked = Vec::new();
    for entry in std::fs::read_dir(samples).expect("samples").flatten() {
        let path = entry.path();
        let n = check(&path);
        checked.push((path.file_name().expect("a name").to_owned(), n));
    }
    checked.sort();
    let n_languages = checked.iter().filter(|(_, n)| *n > 0).count();
    assert!(n_languages >= 14, "{checked:?}");
}

fn heads_of(language: &str, source: &str) -> Vec<String> {
    let language = Language::from_name(language).expect("known");
    let facts = analyze(source, language);
    let symbols = facts.symbols.iter();
    symbols
        .map(|symbol| head_words(source, symbol, language))
        .collect()
}

#[test]
fn another_form_is_the_same_head() {
    let same = |language: &str, one: &str, other: &str| {
        assert_eq!(
            heads_of(language, one),
            heads_of(language, other),
            "{language}"
        );
    };
    same(
        "python",
        "def f(a, b=(1,)):\n    pass\n",
        "def f(  # why\n    a,\n    b=(1,),  # two\n):\n    pass\n",
    );
    same(
        "rust",
        "fn f<T>(a: T, b: u8) -> u8 { 1 }",
        "fn f<T,>(\n    a: T, // one\n    b: u8,\n) -> u8 {\n    1\n}",
    );
    same(
        "typescript",
        "const { a, b } = make();\nexport function g(x: number, y = 2) {}",
        "const {\n  a,\n  b,\n} = make();\nexport function g(\n  x: number, /* n */\n  y = 2,\n) {}",
    );
    same(
        "zig",
        "pub fn add(a: i32, b: i32) i32 {\n}\n",
        "pub fn add(\n    a: i32,\n    b: i32, // two\n) i32 {\n}\n",
    );
}

#[test]
fn another_parameter_is_another_head() {
    let other = |language: &str, one: &str, other: &str| {
        assert_ne!(
            heads_of(language, one),
            heads_of(language, other),
            "{language}"
        );
    };
    other("python", "def f(a): pass\n", "def f(a, b): pass\n");
    other("python", "def f(a=(1,)): pass\n", "def f(a=(1)): pass\n");
    other("python", "def f(a='x'): pass\n", "def f(a='y'): pass\n");
    let long = |last: &str| {
        let many: Vec<String> = (0..90).map(|at| format!("argument_{at}: usize")).collect();
        format!("fn f({}, {last}) {{}}", many.join(",\n    "))
    };
    other("rust", &long("last: u8"), &long("last: u16"));
}

#[test]
fn comments_change_no_head_however_long_it_is() {
    let head = |comment: &str| {
        let parameters: String = (0..40)
            .map(|n| format!("    parameter{n}: Int,{comment}\n"))
            .collect();
        let source = format!("fun tab(\n{parameters}) {{}}\n");
        let language = detect("a.kt", source.as_bytes()).expect("Kotlin");
        let facts = analyze(&source, language);
        assert!(!facts.symbols[0].signature.contains("why"));
        head_words(&source, &facts.symbols[0], language)
    };
    assert_eq!(head(""), head(" // why, (and"));
    assert_eq!(head(""), head(" /* why */"));
}
