//! Checks of one answer: files read in part, imports that lead nowhere, places without a ruling.

use std::collections::{BTreeMap, HashSet};

use whyrank_engine::api::{
    DeadCodeRequest, DepsDirection, DepsRequest, GrepRequest, OverviewRequest, RefsRequest, RepoId,
};
use whyrank_engine::{Engine, holds_uses};

use super::LanguageFigures;
use crate::violation::Violation;

/// Files of a language may be read in part up to this share; in C and C++ macros stand in the way.
const MAX_HALF_READ: f64 = 0.02;
const MAX_HALF_READ_C: f64 = 0.10;

/// A check's yield.
#[derive(Default)]
pub(super) struct Checked {
    pub(super) n_checked: usize,
    pub(super) violations: Vec<Violation>,
}

/// Counts files, lines and files that were read in part, by language.
pub(super) fn languages(
    engine: &Engine,
    repo: &RepoId,
) -> anyhow::Result<BTreeMap<String, LanguageFigures>> {
    let request = OverviewRequest {
        repo: repo.clone(),
        path: String::new(),
        depth: 1,
        as_of: None,
    };
    let mut figures: BTreeMap<String, LanguageFigures> = BTreeMap::new();
    for share in engine.overview(&request)?.languages {
        let language = figures.entry(share.language).or_default();
        language.n_files = share.files;
        language.n_lines = share.lines;
    }
    for file in engine.health(repo)?.parse_errors {
        if let Ok(preview) = engine.preview(repo, &file.path, None) {
            figures.entry(preview.language).or_default().n_half_read += 1;
        }
    }
    Ok(figures)
}

/// Languages of which too many files were read in part; a few files tell nothing.
pub(super) fn half_read(languages: &BTreeMap<String, LanguageFigures>) -> Vec<Violation> {
    let violation = |(language, figures): (&String, &LanguageFigures)| {
        let share = f64::from(figures.n_half_read) / f64::from(figures.n_files.max(1));
        let most = match &language[..] {
            "c" | "cpp" => MAX_HALF_READ_C,
            _ => MAX_HALF_READ,
        };
        (figures.n_half_read > 1 && share > most).then(|| Violation {
            check: "half-read",
            place: language.clone(),
            what: format!(
                "{} of {} files were read in part",
                figures.n_half_read, figures.n_files
            ),
        })
    };
    languages.iter().filter_map(violation).collect()
}

/// Imports of so many files that are written like a file of the repository and lead to none.
pub(super) fn imports(
    engine: &Engine,
    repo: &RepoId,
    files: &[String],
    n_files: usize,
) -> anyhow::Result<Checked> {
    let stems: HashSet<String> = files.iter().flat_map(|path| ends_of(path)).collect();
    let mut checked = Checked::default();
    let mut n_seen = 0;
    for path in files {
        if n_seen >= n_files {
            break;
        }
        let request = DepsRequest {
            repo: repo.clone(),
            path: path.clone(),
            direction: DepsDirection::Imports,
            depth: 1,
            as_of: None,
        };
        let Ok(deps) = engine.deps(&request) else {
            continue;
        };
        checked.n_checked += deps.imports.len();
        for edge in deps.imports.iter().filter(|edge| edge.external) {
            if looks_own(&edge.module, &stems) {
                checked.violations.push(Violation {
                    check: "import",
                    place: format!("{path}:{}", edge.line),
                    what: format!("`{}` leads to no file", edge.module),
                });
            }
        }
        n_seen += usize::from(!deps.imports.is_empty());
    }
    Ok(checked)
}

/// The ends of a path without its ending, of two and more parts: `src/card`, `web/src/card`.
fn ends_of(path: &str) -> Vec<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name
        .split_once('.')
        .map_or(0, |(_, ending)| ending.len() + 1);
    let stem = &path[..path.len() - ending];
    let stem = ["/index", "/__init__", "/mod"]
        .iter()
        .find_map(|last| stem.strip_suffix(last))
        .unwrap_or(stem);
    let starts = std::iter::once(0).chain(stem.match_indices('/').map(|(at, _)| at + 1));
    starts
        .map(|at| &stem[at..])
        .filter(|end| end.contains('/'))
        .map(str::to_owned)
        .collect()
}

/// Says whether a module is written like a file: below a dot, or with the end of a path.
fn looks_own(module: &str, ends: &HashSet<String>) -> bool {
    let plain = module.trim_matches(['"', '\'', '<', '>']);
    if plain.starts_with("./") || plain.starts_with("../") {
        return true;
    }
    let is_path = plain.contains('/') && !plain.contains("://");
    let path = match is_path {
        true => plain.to_owned(),
        false => plain.replace("::", "/").replace(['.', '\\'], "/"),
    };
    let last = path.rsplit('/').next().unwrap_or("");
    let stem = match last.rsplit_once('.') {
        Some((_, ending)) if is_path => &path[..path.len() - ending.len() - 1],
        _ => &path[..],
    };
    ends.contains(stem.trim_start_matches('/'))
}

/// Definitions called dead of which a line holds the name without a ruling.
pub(super) fn unruled(engine: &Engine, repo: &RepoId, most: usize) -> anyhow::Result<Checked> {
    let request = DeadCodeRequest {
        repo: repo.clone(),
        kinds: vec!["dead".to_owned()],
        coverage: vec!["none".to_owned()],
        ..DeadCodeRequest::default()
    };
    let mut checked = Checked::default();
    for finding in engine.dead_code(&request)?.findings.into_iter().take(most) {
        let symbol = finding.symbol;
        let name = symbol.name.as_str();
        if !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        checked.n_checked += 1;
        let refs = engine.refs(&RefsRequest {
            repo: repo.clone(),
            symbol: symbol.qualified.clone(),
            path: Some(symbol.path.clone()),
            line: Some(symbol.name_line),
            mentions: true,
            ..RefsRequest::default()
        })?;
        let ruled: HashSet<(&str, u32)> = refs
            .references
            .iter()
            .map(|hit| (hit.path.as_str(), hit.line))
            .collect();
        let lines = engine.grep(&GrepRequest {
            repo: repo.clone(),
            pattern: format!(r"\b{name}\b"),
            regex: true,
            match_case: true,
            ..GrepRequest::default()
        })?;
        let own = symbol.start_line..=symbol.end_line;
        let files = lines.files.iter().filter(|file| holds_uses(&file.path));
        for file in files {
            let without = file.lines.iter().map(|line| line.text.line).find(|line| {
                let is_own = file.path == symbol.path && own.contains(line);
                !is_own && !ruled.contains(&(file.path.as_str(), *line))
            });
            checked.violations.extend(without.map(|line| Violation {
                check: "ruling",
                place: format!("{}:{line}", file.path),
                what: format!(
                    "no ruling on `{}`, dead at {}:{}",
                    symbol.qualified, symbol.path, symbol.name_line
                ),
            }));
        }
    }
    Ok(checked)
}

#[cfg(test)]
mod tests {
    use super::{ends_of, looks_own};

    #[test]
    fn what_is_written_like_a_file_is_one() {
        let files = [
            "web/src/card.tsx",
            "pkg/util/index.ts",
            "app/core/run.py",
            "a.rs",
        ];
        let ends = files.iter().flat_map(|path| ends_of(path)).collect();
        for own in [
            "./gone",
            "../x/y",
            "src/card",
            "pkg/util",
            "app.core.run",
            "src/card.tsx",
        ] {
            assert!(looks_own(own, &ends), "{own}");
        }
        for other in [
            "react",
            "os.path",
            "lodash/debounce",
            "std::fmt",
            "https://x.io/src/card",
        ] {
            assert!(!looks_own(other, &ends), "{other}");
        }
    }
}
