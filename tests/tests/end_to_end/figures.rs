//! Figures a crate that a change must not raise unseen: lines of code, doc comments that begin with a
//! question word, locals whose name says nothing, and tuples of unlike things as parameters.
//! `figures.txt` has those of today.

mod tuples;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::circles::modules::root;
use super::circles::tokens::{after_group, is_word, tokens};
use tuples::tuple_parameters;

/// Percent by which a crate may grow before somebody has to say what for.
const ROOM: usize = 3;
/// Lines from which on a function's locals need names of their own.
const LONG_FUNCTION: usize = 15;
const QUESTION_WORDS: [&str; 6] = ["What", "Whether", "How", "Where", "Which", "Who"];
const VAGUE: [&str; 5] = ["found", "one", "at", "known", "named"];
const RECORD: &str =
    "WHYRANK_UPDATE_FIGURES=1 cargo test -p whyrank-tests --test end_to_end figures";

/// The figures of a crate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Figures {
    code: usize,
    questions: usize,
    vague: usize,
    tuples: usize,
}

#[test]
fn code_stays_in_its_budget_and_sentences_only_get_better() {
    let file = root().join("tests/tests/end_to_end/figures.txt");
    let now = measured();
    if std::env::var_os("WHYRANK_UPDATE_FIGURES").is_some() {
        return std::fs::write(&file, written(&now)).expect("the figures can be written");
    }
    let recorded = read(&std::fs::read_to_string(&file).expect("figures.txt is there"));
    let unknown = Figures::default();
    let pairs = now.iter().map(|(name, figures)| {
        let before = recorded.get(name).unwrap_or(&unknown);
        (name.as_str(), figures, before)
    });
    let fallen = pairs.clone().filter(|(_, figures, before)| {
        figures.questions < before.questions
            || figures.vague < before.vague
            || figures.tuples < before.tuples
    });
    let fallen: Vec<&str> = fallen.map(|(name, ..)| name).collect();
    if !fallen.is_empty() {
        // Past the capture of a test that passes.
        let note = format!(
            "sentences are better in {}; hold them there: {RECORD}",
            fallen.join(", ")
        );
        let _ = writeln!(std::io::stderr(), "{note}");
    }
    let risen: Vec<String> = pairs
        .flat_map(|(name, figures, before)| figures.beyond(before, name))
        .collect();
    assert!(risen.is_empty(), "\n{}", risen.join("\n"));
}

impl Figures {
    /// Says which figures of a crate are higher than those recorded allow, and what to do.
    fn beyond(&self, before: &Self, name: &str) -> Vec<String> {
        let mut risen = Vec::new();
        if self.questions > before.questions {
            risen.push(format!(
                "{name}: {} doc comments begin with What, Whether, How, Where, Which or Who, {} did: \
                 name the thing instead",
                self.questions, before.questions
            ));
        }
        if self.vague > before.vague {
            risen.push(format!(
                "{name}: {} locals of long functions are called found, one, at, known or named, {} \
                 were: say what they hold",
                self.vague, before.vague
            ));
        }
        if self.tuples > before.tuples {
            risen.push(format!(
                "{name}: {} parameters are tuples of unlike things, {} were: make them parameters of \
                 their own, or a struct with named fields",
                self.tuples, before.tuples
            ));
        }
        let budget = before.code + before.code * ROOM / 100;
        if self.code > budget {
            risen.push(format!(
                "{name}: {} lines of code, the budget is {budget} ({} and {ROOM} %): who needs more \
                 raises it in the commit that says what it buys and what leaves: {RECORD}",
                self.code, before.code
            ));
        }
        risen
    }
}

/// The figures of each crate, by the name of its folder.
fn measured() -> BTreeMap<String, Figures> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root().join("crates"))
        .expect("the crates")
        .map(|entry| entry.expect("a crate").path())
        .collect();
    folders.extend(["benchmark", "src-tauri"].map(|name| root().join(name)));
    let of_crate = |folder: &PathBuf| {
        let name = folder.file_name().expect("a name").to_string_lossy();
        let mut figures = Figures::default();
        for file in sources(&folder.join("src")) {
            let text = std::fs::read_to_string(&file).expect("a source");
            figures.questions += question_heads(&text);
            if !is_for_tests(&file) {
                figures.code += code_lines(&text);
                figures.vague += vague_locals(&text);
                figures.tuples += tuple_parameters(&text);
            }
        }
        (name.into_owned(), figures)
    };
    folders.iter().map(of_crate).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of sources");
    let paths = entries.map(|entry| entry.expect("a source").path());
    paths
        .flat_map(|path| match path.extension() {
            _ if path.is_dir() => sources(&path),
            Some(ending) if ending == "rs" => vec![path],
            _ => Vec::new(),
        })
        .collect()
}

fn is_for_tests(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let below = path.strip_prefix(root()).unwrap_or(path);
    let is_in_folder = below.components().any(|part| part.as_os_str() == "tests");
    is_in_folder || name == "tests.rs" || name.ends_with("_tests.rs")
}

/// Lines that are neither blank nor comment, without what is compiled for tests alone.
fn code_lines(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let (mut n_lines, mut idx) = (0, 0);
    while let Some(line) = lines.get(idx).map(|line| line.trim()) {
        if line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test") {
            idx = after_test_item(&lines, idx + 1);
            continue;
        }
        n_lines += usize::from(!line.is_empty() && !line.starts_with("//"));
        idx += 1;
    }
    n_lines
}

/// The line after an item, which ends with its last brace or, if it has none, with a semicolon.
fn after_test_item(lines: &[&str], mut idx: usize) -> usize {
    while lines
        .get(idx)
        .is_some_and(|line| line.trim().starts_with("#["))
    {
        idx += 1;
    }
    if lines
        .get(idx)
        .is_some_and(|line| line.trim_end().ends_with(';'))
    {
        return idx + 1;
    }
    let (mut depth, mut is_open) = (0_isize, false);
    while let Some(line) = lines.get(idx) {
        depth += line.matches('{').count() as isize - line.matches('}').count() as isize;
        is_open |= line.contains('{');
        idx += 1;
        if is_open && depth <= 0 {
            break;
        }
    }
    idx
}

/// Doc comments that begin with a question word.
fn question_heads(text: &str) -> usize {
    let marker = |line: &str| {
        ["///", "//!"]
            .into_iter()
            .find(|marker| line.starts_with(marker))
    };
    let mut before = None;
    let heads = text.lines().map(str::trim).filter(|line| {
        let marker = marker(line);
        let is_head = marker.is_some() && marker != before;
        before = marker;
        let word = line.get(3..).and_then(|doc| doc.split_whitespace().next());
        let word = word.map(|word| word.trim_end_matches(|char: char| !char.is_alphanumeric()));
        is_head && word.is_some_and(|word| QUESTION_WORDS.contains(&word))
    });
    heads.count()
}

/// Bindings of `let`, `for` and closures in long functions whose name says nothing.
fn vague_locals(text: &str) -> usize {
    let tokens = tokens(text);
    let line_of = line_numbers(text, &tokens);
    let (mut n_vague, mut idx) = (0, 0);
    while idx < tokens.len() {
        let is_function =
            tokens[idx] == "fn" && tokens.get(idx + 1).is_some_and(|name| is_word(name));
        let body = is_function.then(|| body(&tokens, idx)).flatten();
        let Some((open, end)) = body else {
            idx += 1;
            continue;
        };
        if line_of[end - 1] + 1 - line_of[idx] > LONG_FUNCTION {
            n_vague += bindings(&tokens[open..end])
                .filter(|name| VAGUE.contains(name))
                .count();
        }
        idx = end;
    }
    n_vague
}

/// The line of each token.
fn line_numbers(text: &str, tokens: &[&str]) -> Vec<usize> {
    let (mut line, mut read) = (0, 0);
    let lines = tokens.iter().map(|token| {
        let offset = token.as_ptr() as usize - text.as_ptr() as usize;
        line += text[read..offset].matches('\n').count();
        read = offset;
        line
    });
    lines.collect()
}

/// The body of the function at `idx`: its brace, and the index after it. None for a mere signature.
fn body(tokens: &[&str], mut idx: usize) -> Option<(usize, usize)> {
    loop {
        match *tokens.get(idx)? {
            ";" => return None,
            "{" => return Some((idx, after_group(tokens, idx))),
            "(" | "[" => idx = after_group(tokens, idx),
            _ => idx += 1,
        }
    }
}

/// The words that patterns of `let`, `for` and closures bind, types and paths among them.
fn bindings<'a>(tokens: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    let patterns = (0..tokens.len()).filter_map(|idx| {
        let before = idx.checked_sub(1).map_or("", |before| tokens[before]);
        let opens_closure =
            "(,={;>}&:".contains(before) || ["move", "return", "else"].contains(&before);
        let ends: &[&str] = match tokens[idx] {
            "let" => &["=", ";"],
            "for" => &["in", "<", "{"],
            "|" if opens_closure => &["|"],
            _ => return None,
        };
        Some(pattern(&tokens[idx + 1..], ends))
    });
    patterns.flat_map(names)
}

/// The tokens up to one that ends a pattern, outside of brackets.
fn pattern<'a>(tokens: &'a [&'a str], ends: &[&str]) -> &'a [&'a str] {
    let mut idx = 0;
    while let Some(token) = tokens.get(idx) {
        if ends.contains(token) {
            break;
        }
        idx = match *token {
            "(" | "[" | "{" => after_group(tokens, idx),
            ")" | "]" | "}" => break,
            _ => idx + 1,
        };
    }
    &tokens[..idx.min(tokens.len())]
}

/// The words of a pattern; the name of a field that is bound to another is none.
fn names<'a>(pattern: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    let is_name = |(idx, token): &(usize, &&str)| {
        is_word(token) && (pattern.get(idx + 1) != Some(&":") || *idx == 0)
    };
    pattern
        .iter()
        .enumerate()
        .filter(is_name)
        .map(|(_, token)| *token)
}

fn written(figures: &BTreeMap<String, Figures>) -> String {
    let mut text = format!(
        "# Lines of code, doc comments that begin with a question word, locals of long functions without\n\
         # a name of their own, and parameters that are tuples of unlike things, by crate. See figures.rs;\n\
         # to record today's:\n# {RECORD}\n"
    );
    for (
        name,
        Figures {
            code,
            questions,
            vague,
            tuples,
        },
    ) in figures
    {
        let _ = writeln!(
            text,
            "{name:<17}{code:>7}{questions:>6}{vague:>6}{tuples:>6}"
        );
    }
    text
}

fn read(text: &str) -> BTreeMap<String, Figures> {
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| {
        let mut cells = row.split_whitespace();
        let name = cells.next().expect("a crate").to_owned();
        let mut figure = || cells.next().expect("a figure").parse().expect("a number");
        let figures = Figures {
            code: figure(),
            questions: figure(),
            vague: figure(),
            tuples: figure(),
        };
        (name, figures)
    })
    .collect()
}

#[test]
fn what_rose_is_named_with_its_bound() {
    let before = Figures {
        code: 1_000,
        questions: 2,
        vague: 3,
        tuples: 1,
    };
    let higher = Figures {
        code: 1_031,
        questions: 3,
        vague: 4,
        tuples: 2,
    };
    let within = Figures {
        code: 1_030,
        questions: 0,
        ..before
    };
    assert!(within.beyond(&before, "cli").is_empty());
    let risen = higher.beyond(&before, "cli");
    assert_eq!(risen.len(), 4);
    assert!(risen[2].starts_with("cli: 2 parameters are tuples of unlike things, 1 were"));
    assert!(risen[3].starts_with("cli: 1031 lines of code, the budget is 1030 (1000 and 3 %)"));
}

#[test]
fn figures_are_read_as_they_are_written() {
    let figures = Figures {
        code: 12_345,
        questions: 6,
        vague: 0,
        tuples: 4,
    };
    let figures = BTreeMap::from([("late-interaction".to_owned(), figures)]);
    assert_eq!(read(&written(&figures)), figures);
}

#[test]
fn code_is_counted_without_comments_and_tests() {
    let text = "//! Head.\nuse a;\n\n/// Doc.\nfn f() {\n    g(); // why\n}\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n#[cfg(test)]\nmod more;\nfn h() {}\n";
    assert_eq!(code_lines(text), 5);
}

#[test]
fn only_the_head_of_a_doc_comment_counts() {
    let text = "//! What it is.\n//! How so.\n/// A line.\n/// Where it lies.\nfn f() {}\n    /// Whether, so.\n    is: bool,\n// What\n";
    assert_eq!(question_heads(text), 2);
}

#[test]
fn vague_names_count_where_long_functions_bind_them() {
    let long = |body: &str| format!("fn f(at: u8) {{\n{body}{}}}\n", "\n".repeat(LONG_FUNCTION));
    let check =
        |body: &str, expected: usize| assert_eq!(vague_locals(&long(body)), expected, "{body}");
    check("let Some(found) = known else { return };", 1);
    check("for (at, line) in named.iter() {}", 1);
    check(
        "let n = list.iter().map(|one| one.at).filter(|(known, _)| a | b);",
        2,
    );
    check("let Place { at: line, named } = f(|at: u8| at);", 2);
    check("let x = \"let at = 1\"; // let one = 2", 0);
    assert_eq!(vague_locals("fn f() { let at = 1; }"), 0);
}
