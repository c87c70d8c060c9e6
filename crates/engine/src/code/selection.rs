//! The definitions that a question names.

use crate::api::{ImpactRequest, RefsRequest, SymbolPlace};
use crate::code::narrowing::at_line;
use crate::error::{EngineError, Result};
use crate::views::LiveView;
use whyrank_graph::{ReferenceQuery, SymbolId, SymbolTable};

/// A name, and what tells its definitions apart where several share it.
#[derive(Clone, Copy)]
pub(crate) struct SymbolSelector<'a> {
    pub(crate) symbol: &'a str,
    pub(crate) path: Option<&'a str>,
    pub(crate) line: Option<u32>,
}

/// Defines which name a request means.
macro_rules! selects {
    ($($request:ty)+) => {$(
        impl<'a> From<&'a $request> for SymbolSelector<'a> {
            fn from(request: &'a $request) -> Self {
                Self {
                    symbol: &request.symbol,
                    path: request.path.as_deref(),
                    line: request.line,
                }
            }
        }
    )+};
}

selects! { RefsRequest ImpactRequest SymbolPlace }

/// The definitions that a name means.
pub(crate) fn targets(
    view: &LiveView,
    table: &SymbolTable,
    SymbolSelector { symbol, path, line }: SymbolSelector<'_>,
) -> Result<Vec<SymbolId>> {
    let Some(path) = path.filter(|path| !path.trim().is_empty()) else {
        return at_line(view, symbol, table.meant_definitions(symbol), line);
    };
    let inside = view.narrowed(Some(path))?;
    if let (Some(line), Some(file)) = (line, inside.only())
        && let Some(id) = table.at_line(file, line)
        && symbol.ends_with(&view.symbol(id).name)
    {
        return Ok(vec![id]);
    }
    let found = table.definitions(symbol);
    let here: Vec<SymbolId> = found
        .iter()
        .copied()
        .filter(|id| inside.has(id.file))
        .collect();
    if let (true, Some(first)) = (here.is_empty(), found.first()) {
        return Err(EngineError::new(
            "not-found",
            format!("no definition of `{symbol}` in `{path}`"),
            elsewhere(view, &found, *first),
        ));
    }
    at_line(view, symbol, here, line)
}

/// Definitions of one name that an answer tells apart.
pub(crate) const MAX_NAMESAKES: usize = 24;

/// Definitions of a name with what is one with each: overloads, declarations.
pub(crate) struct Namesakes {
    pub(crate) groups: Vec<Vec<SymbolId>>,
    /// Definitions beyond those.
    pub(crate) n_left_out: usize,
}

impl Namesakes {
    /// Groups `all` definitions of a name, the first of a group being its first.
    pub(crate) fn of(uses: &ReferenceQuery<'_>, all: &[SymbolId]) -> Self {
        let mut groups: Vec<Vec<SymbolId>> = Vec::new();
        let mut n_left_out = 0;
        for id in all {
            let is_known = groups.iter().any(|same| same.contains(id));
            match groups.len() < MAX_NAMESAKES {
                _ if is_known => {}
                true => {
                    let mut same = uses.same(*id);
                    same.retain(|other| other != id);
                    same.insert(0, *id);
                    groups.push(same);
                }
                false => n_left_out += 1,
            }
        }
        Self { groups, n_left_out }
    }
}

/// Where definitions are that a path left out.
fn elsewhere(view: &LiveView, found: &[SymbolId], first: SymbolId) -> String {
    let line = view.symbol_line(first);
    let more = match found.len() {
        1 => String::new(),
        n => format!(" and {} more", n - 1),
    };
    format!("it is defined in {}:{}{more}", line.path, line.name_line)
}
