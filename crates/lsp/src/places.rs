//! Definitions as the editor's places and kinds.

use crate::ask::Ask;
use crate::failure::Failure;
use crate::roots::ServedRepo;
use crate::shown::ShownFile;
use lsp_types::{Location, Range, SymbolKind, Uri};
use std::rc::Rc;
use whyrank_engine::api::{RefHit, SymbolLine};

/// The files of a repository, as an answer names them.
pub(crate) struct Places<'a> {
    ask: &'a Ask<'a>,
    repo: ServedRepo,
}

/// A definition in the editor.
pub(crate) struct PlacedSymbol {
    pub(crate) uri: Uri,
    pub(crate) name: Range,
    pub(crate) span: Range,
}

impl<'a> Places<'a> {
    pub(crate) fn new(ask: &'a Ask<'a>, repo: &ServedRepo) -> Self {
        Self {
            ask,
            repo: repo.clone(),
        }
    }

    pub(crate) fn file(&self, path: &str) -> Result<Rc<ShownFile>, Failure> {
        self.ask.shown(&self.ask.sibling(&self.repo, path))
    }

    /// The place of a definition.
    pub(crate) fn symbol(&self, symbol: &SymbolLine) -> Result<PlacedSymbol, Failure> {
        let file = self.file(&symbol.path)?;
        let (name, span) = (file.name_range(symbol), file.span(symbol));
        Ok(PlacedSymbol {
            uri: file.uri.clone(),
            name,
            span: if holds(span, name) { span } else { name },
        })
    }

    /// The places of the names of some definitions.
    pub(crate) fn symbols(&self, symbols: &[SymbolLine]) -> Result<Vec<Location>, Failure> {
        let mut locations = Vec::new();
        for symbol in symbols {
            let placed = self.symbol(symbol)?;
            let location = Location::new(placed.uri, placed.name);
            if !locations.contains(&location) {
                locations.push(location);
            }
        }
        Ok(locations)
    }

    /// The places of a use: none, once its line was edited or is gone.
    pub(crate) fn uses(
        &self,
        hit: &RefHit,
        meant: &[SymbolLine],
    ) -> Result<Vec<Location>, Failure> {
        let file = self.file(&hit.path)?;
        let Some(line) = file.shown_line(hit.line) else {
            return Ok(Vec::new());
        };
        let name = meant.first().map_or("", |symbol| &symbol.name);
        let places = file.places(hit.line, name);
        if let [only] = places[..] {
            return Ok(vec![file.location(only)]);
        }
        // Several of the name, or another name that an import gave it.
        let names = self.ask.names(&self.repo, &hit.path)?;
        let is_meant = |target: &u32| {
            let target = names.definitions.get(*target as usize);
            target.is_some_and(|target| meant.iter().any(|symbol| is_same(symbol, target)))
        };
        let here = names.names.iter().filter(|place| place.line == hit.line);
        let here = here.filter(|place| place.targets.iter().any(is_meant));
        let ranges: Vec<Range> = here
            .map(|place| file.range_of_units(line, (place.start, place.end)))
            .collect();
        let ranges = match (ranges.is_empty(), places.first()) {
            (false, _) => ranges,
            (true, Some(first)) => vec![*first],
            (true, None) => vec![file.trimmed(line)],
        };
        Ok(ranges
            .into_iter()
            .map(|range| file.location(range))
            .collect())
    }
}

/// Says whether two answers name one definition.
pub(crate) fn is_same(one: &SymbolLine, other: &SymbolLine) -> bool {
    one.path == other.path && one.name_line == other.name_line && one.name == other.name
}

fn holds(outer: Range, inner: Range) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The editor's word for a kind of definition.
pub(crate) fn kind_of(kind: &str) -> SymbolKind {
    match kind {
        "method" => SymbolKind::METHOD,
        "constructor" => SymbolKind::CONSTRUCTOR,
        "class" => SymbolKind::CLASS,
        "struct" => SymbolKind::STRUCT,
        "enum" => SymbolKind::ENUM,
        "interface" | "trait" => SymbolKind::INTERFACE,
        "impl" => SymbolKind::OBJECT,
        "type" => SymbolKind::CLASS,
        "module" => SymbolKind::MODULE,
        "namespace" => SymbolKind::NAMESPACE,
        "constant" => SymbolKind::CONSTANT,
        "variable" => SymbolKind::VARIABLE,
        "field" => SymbolKind::FIELD,
        "enum-member" => SymbolKind::ENUM_MEMBER,
        "property" => SymbolKind::PROPERTY,
        "section" | "doc" => SymbolKind::STRING,
        _ => SymbolKind::FUNCTION,
    }
}

/// Says whether a definition is called, and not only named.
pub(crate) fn is_callable(kind: &str) -> bool {
    matches!(kind, "function" | "method" | "constructor" | "macro")
}

/// Says whether a definition is a type.
pub(crate) fn is_type(kind: &str) -> bool {
    matches!(
        kind,
        "class" | "struct" | "enum" | "interface" | "trait" | "type"
    )
}
