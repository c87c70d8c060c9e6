//! Dead code by `grep`: what nothing else names.

use super::imports::exported_names;
use super::{GrepStyle, Shell, definition_of, quote};
use std::collections::BTreeSet;

impl Shell<'_> {
    /// Dead when no other file, and no other line of its own, names it.
    pub(super) fn is_dead(&mut self, symbol: &str, file: &str) {
        let style = self.grep.style;
        let name = self.name_of(symbol);
        let filters = style.filters();
        let shape = definition_of(&name, style);
        let hits = self.hits(&format!(
            "grep -rnw {filters} {} . 2>/dev/null | head -100",
            quote(&name)
        ));
        let elsewhere = match style {
            GrepStyle::Naive => hits.iter().any(|hit| hit.file != file),
            _ => hits.iter().any(|hit| !shape.is_match(&hit.text)),
        };
        self.answer.dead = Some(!elsewhere);
    }

    pub(super) fn dead_names(&mut self) {
        let style = self.grep.style;
        let filters = match style {
            GrepStyle::Naive => {
                "--binary-files=without-match --include='*.ts' --include='*.js'".to_owned()
            }
            _ => style.filters(),
        };
        let (lines, names) = if style == GrepStyle::Naive {
            (100, 25)
        } else {
            (200, usize::MAX)
        };
        let pattern = quote("export (function|class|const|interface|type) [A-Za-z_]");
        let out = self.run(&format!(
            "grep -rnE {filters} {pattern} . 2>/dev/null | head -{lines}"
        ));
        let mut seen = BTreeSet::new();
        let exported = exported_names(&out)
            .into_iter()
            .filter(|(_, name)| seen.insert(name.clone()));
        let candidates: Vec<(String, String)> = exported.take(names).collect();
        for (file, name) in candidates {
            if style != GrepStyle::Naive && ["default", "main", "index"].contains(&name.as_str()) {
                continue;
            }
            if style != GrepStyle::Naive && self.answer.names.len() >= 30 {
                break;
            }
            let search_filters = if style == GrepStyle::Naive {
                "--binary-files=without-match".to_owned()
            } else {
                style.filters()
            };
            let found = self.run(&format!(
                "grep -rln {search_filters} {} . 2>/dev/null | head -3",
                quote(&name)
            ));
            let files: Vec<&str> = found
                .lines()
                .filter(|line| !line.is_empty())
                .map(|line| line.trim_start_matches("./"))
                .collect();
            let is_dead = match style {
                GrepStyle::Naive => files.len() <= 1,
                _ => files.is_empty() || files == [file.as_str()],
            };
            if is_dead {
                self.answer.names.push(name);
            }
        }
    }
}
