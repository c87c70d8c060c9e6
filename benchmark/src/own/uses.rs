//! Where is this used? Uses of a name that means one thing.
//!
//! A line counts as a use when it holds the whole word outside of comments and texts, and lies in the
//! file of the definition, in one that imports it, or in one of its package.

use super::MIN_NAME;
use crate::error::Result;
use regex::Regex;
use std::collections::BTreeSet;
use std::path::Path;
use whyrank_engine::Engine;
use whyrank_engine::api::{
    DepsDirection, DepsRequest, LookupRequest, LookupResponse, OverviewRequest, RepoSummary,
};
use whyrank_eval::{Category, Expected, Matching, Place, Random, Task};
use whyrank_system::regular;

pub(super) const DEFECT: &str = "uses: truth is words in importing files and those of the package; a shadowed name counts, a use through an unresolved import does not";

/// Texts, and comments to the end of the line.
const UNSAID: &str = r#""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|//.*|\s#\s.*"#;

/// Longer texts are no code that a person wrote.
const MAX_BYTES: u64 = 4 << 20;
const USES: std::ops::RangeInclusive<usize> = 2..=40;

pub(super) fn tasks(
    engine: &Engine,
    repo: &RepoSummary,
    most: usize,
    random: &mut Random,
) -> Result<Vec<Task>> {
    let map = engine.overview(&OverviewRequest {
        repo: repo.id.clone(),
        depth: 4,
        ..OverviewRequest::default()
    })?;
    let mut symbols: Vec<_> = map
        .modules
        .iter()
        .flat_map(|module| &module.files)
        .flat_map(|file| &file.symbols)
        .collect();
    random.shuffle(&mut symbols);
    let mut tasks = Vec::new();
    let mut seen = BTreeSet::new();
    for symbol in symbols {
        if tasks.len() >= most {
            break;
        }
        let is_asked = symbol.name.len() >= MIN_NAME && symbol.exported && is_word(&symbol.name);
        if !is_asked || !seen.insert(&symbol.name) {
            continue;
        }
        let lookup = LookupRequest {
            repo: repo.id.clone(),
            symbol: symbol.name.clone(),
            ..LookupRequest::default()
        };
        // Only names that mean one thing: words cannot tell several apart.
        if !means_one_thing(&engine.lookup(&lookup)?) {
            continue;
        }
        let deps = DepsRequest {
            repo: repo.id.clone(),
            path: symbol.path.clone(),
            direction: DepsDirection::Importers,
            depth: 0,
            as_of: None,
        };
        let importers: BTreeSet<String> = engine
            .deps(&deps)?
            .importers
            .into_iter()
            .map(|edge| edge.path)
            .chain(of_package(Path::new(&repo.root), &symbol.path))
            .collect();
        let (places, optional) = words(
            repo,
            &symbol.name,
            &symbol.path,
            symbol.name_line,
            &importers,
        );
        if USES.contains(&places.len()) {
            tasks.push(use_task(repo, &symbol.name, places, optional));
        }
    }
    Ok(tasks)
}

fn use_task(repo: &RepoSummary, symbol: &str, places: Vec<Place>, optional: Vec<Place>) -> Task {
    Task {
        id: String::new(),
        repo: repo.name.clone(),
        language: String::new(),
        category: Category::P2,
        stratum: String::new(),
        question: super::about(symbol),
        expected: Expected::Places {
            places,
            optional,
            tolerance: 2,
            within_span: false,
            optional_tests: false,
            matching: Matching::OneToOne,
        },
    }
}

/// Whether a name has one definition, or one type and its constructors.
fn means_one_thing(found: &LookupResponse) -> bool {
    let others = found.definitions.iter();
    let n_others = others.filter(|one| one.kind != "constructor").count();
    n_others == 1 && found.n_definitions as usize == found.definitions.len()
}

/// Headings of documents and operators are no words to look for.
fn is_word(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The other files of a file's folder, in languages where those see each other without an import.
fn of_package(root: &Path, path: &str) -> Vec<String> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    if !["go", "java", "kt", "scala", "cs", "swift"].contains(&ending) {
        return Vec::new();
    }
    let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
        return Vec::new();
    };
    let files = entries
        .filter_map(std::result::Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let names = files.filter_map(|entry| entry.file_name().into_string().ok());
    let of_language =
        names.filter(|other| other.rsplit_once('.').is_some_and(|(_, own)| own == ending));
    of_language
        .filter(|other| other != name)
        .map(|other| match folder {
            "" => other,
            folder => format!("{folder}/{other}"),
        })
        .collect()
}

/// Lines that hold the word in the definition's file and its importers: uses, and import lines.
fn words(
    repo: &RepoSummary,
    name: &str,
    file: &str,
    line: u32,
    importers: &BTreeSet<String>,
) -> (Vec<Place>, Vec<Place>) {
    // Ruby: `save!` and `save?` are other names.
    let Ok(word) = Regex::new(&format!(r"\b{}\b(?:[^!?]|$)", regex::escape(name))) else {
        return Default::default();
    };
    let mut uses = Vec::new();
    let mut others = Vec::new();
    let Ok(unsaid) = Regex::new(UNSAID) else {
        return Default::default();
    };
    for path in importers.iter().map(String::as_str).chain([file]) {
        // A folder may hold what is no file, or has no end.
        let text = Path::new(&repo.root).join(path);
        let text = regular::read_text(&text, MAX_BYTES).unwrap_or_default();
        for (index, content) in text
            .lines()
            .enumerate()
            .filter(|(_, content)| word.is_match(content))
        {
            let place = Place {
                file: path.to_owned(),
                line: index as u32 + 1,
                ..Place::default()
            };
            let is_definition = path == file && place.line == line;
            let is_code = word.is_match(&unsaid.replace_all(content, " "));
            if is_definition || !is_code || is_non_production(content) {
                others.push(place)
            } else {
                uses.push(place)
            }
        }
    }
    (uses, others)
}

/// Comments, imports and exports: neither asked for nor wrong.
fn is_non_production(line: &str) -> bool {
    let line = line.trim_start();
    let beginnings = [
        "//", "#", "*", "/*", "--", "\"\"\"", "import ", "from ", "use ", "pub use ", "export {",
        "export *", "mod ", "pub mod ",
    ];
    beginnings
        .iter()
        .any(|beginning| line.starts_with(beginning))
        || line.contains("require(")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_package_see_each_other() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("p")).unwrap();
        std::fs::create_dir(folder.path().join("p/d.go")).unwrap();
        for name in ["p/a.go", "p/b.go", "p/c.md", "p/a.py", "p/b.py"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(of_package(folder.path(), "p/a.go"), ["p/b.go"]);
        assert!(of_package(folder.path(), "p/a.py").is_empty());
    }

    #[test]
    fn texts_and_comments_are_cut_out() {
        let unsaid = Regex::new(UNSAID).unwrap();
        let cut = |line: &str| unsaid.replace_all(line, "").into_owned();
        assert_eq!(cut(r#"log("tax \"x\"", tax) // tax"#), "log(, tax) ");
        assert_eq!(cut("a = 'tax' # tax"), "a = ");
    }

    #[test]
    fn imports_and_comments_are_no_uses() {
        assert!(is_non_production("  // tax(x)"));
        assert!(is_non_production("import { tax } from './tax';"));
        assert!(!is_non_production("total = tax(x)"));
    }
}
