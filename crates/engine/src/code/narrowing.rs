//! The files that a path means: one file, all below a folder, or those that a glob fits; and the
//! definitions that a line means.

use super::deps::find_file;
use crate::error::{EngineError, Result};
use crate::views::LiveView;
use std::collections::HashSet;
use whyrank_graph::SymbolId;
use whyrank_retrieval::PathFilter;

/// Near definitions that an answer names where it has none.
pub(crate) const MAX_NEAR: usize = 8;
/// A definition so far from the line that was given is not the one that is meant.
const MAX_LINES_AWAY: u32 = 40;

/// Files that an answer is narrowed to.
pub(crate) enum Narrowed {
    /// Nothing was said.
    All,
    /// These.
    Files(HashSet<u32>),
}

impl Narrowed {
    /// Whether a file is one of them.
    pub(crate) fn has(&self, file: u32) -> bool {
        match self {
            Self::All => true,
            Self::Files(files) => files.contains(&file),
        }
    }

    /// The file, where it is one alone.
    pub(crate) fn only(&self) -> Option<u32> {
        match self {
            Self::Files(files) if files.len() == 1 => files.iter().next().copied(),
            _ => None,
        }
    }
}

impl LiveView {
    /// The files that a path means: a file or the end of one, a folder, or a glob.
    ///
    /// # Errors
    /// `bad-argument` where no indexed file fits, with near ones.
    pub(crate) fn narrowed(&self, path: Option<&str>) -> Result<Narrowed> {
        let Some(path) = path.map(str::trim).filter(|path| !is_all(path)) else {
            return Ok(Narrowed::All);
        };
        let folder = format!("{}/", path.trim_start_matches("./").trim_matches('/'));
        let files = (0u32..).zip(&self.files);
        let below = files.filter(|(_, file)| file.path.starts_with(&folder));
        let below: HashSet<u32> = below.map(|(file, _)| file).collect();
        if !below.is_empty() {
            return Ok(Narrowed::Files(below));
        }
        if self.file(path.trim_start_matches("./")).is_none() {
            let filter = PathFilter::new(&[path.to_owned()])?;
            let files = (0u32..).zip(&self.files);
            let fitting = files.filter(|(_, file)| filter.passes(&file.path));
            let fitting: HashSet<u32> = fitting.map(|(file, _)| file).collect();
            if !fitting.is_empty() {
                return Ok(Narrowed::Files(fitting));
            }
        }
        Ok(Narrowed::Files(HashSet::from([find_file(self, path)?])))
    }
}

/// Whether a path means the whole repository.
fn is_all(path: &str) -> bool {
    matches!(path, "" | "." | "./" | "/")
}

/// Those definitions around a line, else the nearest: of a line that is a little old. One far from all
/// means none of them.
pub(crate) fn at_line(
    view: &LiveView,
    symbol: &str,
    found: Vec<SymbolId>,
    line: Option<u32>,
) -> Result<Vec<SymbolId>> {
    let Some(line) = line else { return Ok(found) };
    let away = |id: &SymbolId| {
        let span = &view.symbol(*id).span;
        let before = span.start_line.saturating_sub(line);
        before.max(line.saturating_sub(span.end_line))
    };
    let Some(least) = found.iter().map(away).min() else {
        return Ok(found);
    };
    if least > MAX_LINES_AWAY {
        let places = found.iter().take(MAX_NEAR).map(|id| {
            let line = view.symbol_line(*id);
            format!("{} ({}:{})", line.qualified, line.path, line.name_line)
        });
        let places = places.collect::<Vec<_>>().join(", ");
        return Err(EngineError::new(
            "not-found",
            format!("no definition of `{symbol}` at or near line {line}"),
            format!("there is {places}"),
        ));
    }
    let mut near = found;
    near.retain(|id| away(id) == least);
    // Of several in one another, or as near, the one whose name is nearest.
    let by_name = |id: &SymbolId| view.symbol(*id).name_line.abs_diff(line);
    let nearest = near.iter().map(by_name).min();
    near.retain(|id| Some(by_name(id)) == nearest);
    Ok(near)
}
