//! SQL: a name means what a statement of the checkout creates, in whatever case it is written; files of one folder
//! are steps of one schema. Queries in the texts of other languages may name all of it.

use whyrank_syntax::{Family, Import, Reference, ReferenceKind, Symbol, SymbolKind};

use super::{
    rules::LanguageRules,
    spellings::{in_capitals, with_small_head},
};
use crate::{
    imports::resolve::to_leads,
    input::{files::SymbolId, paths, view_paths::ViewPaths},
    resolution::{
        resolver::{Resolution, Resolver},
        wanted::Wanted,
    },
    steps,
};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Sql,
    free_name: Some(|resolver, site, name, wanted| {
        resolver.sql_meaning(site.file, "", name, wanted)
    }),
    by_path: |resolver, file, reference| Some(resolver.sql_path(file, reference)),
    calls_ignore_case: true,
    names_cross_languages: true,
    sentences_name_it: true,
    names_elsewhere,
    joins_files: |resolver, left, right| {
        let home = |id: SymbolId| home(resolver.view_paths.path(id.file));
        home(left) == home(right)
    },
    reached_unnamed: |resolver, id| {
        let is_kept = resolver.symbol(id).exported;
        is_kept.then(|| "whoever connects to the database may name it".to_owned())
    },
    imported_files: |imports, file, import| to_leads(included(&imports.places, file, import)),
    imports_name_files: true,
    does_by_being_there: |symbol| DOING.iter().any(|word| is_created_as(symbol, word)),
    entry_functions: &[],
    ..LanguageRules::PLAIN
};

/// What works without being named.
const DOING: [&str; 7] = [
    "event", "index", "package", "policy", "rule", "schema", "trigger",
];
/// Schemas that a name is of which says none.
const OWN_SCHEMAS: [&str; 3] = ["dbo", "main", "public"];
/// Schemas that come with a database.
const OUTER_SCHEMAS: [&str; 6] = [
    "information_schema",
    "mysql",
    "performance_schema",
    "pg_catalog",
    "sqlite_master",
    "sys",
];
/// Names of files that have a folder each in the folder of all steps.
const STEPS: [&str; 3] = ["down.sql", "migration.sql", "up.sql"];

impl Resolver<'_> {
    /// Resolves a name behind a schema, or a column behind its table.
    fn sql_path(&self, file: u32, reference: &Reference) -> Resolution {
        let (before, name) = (reference.qualifier.as_str(), reference.name.as_str());
        match reference.kind {
            ReferenceKind::Call => self.sql_meaning(file, before, name, Wanted::Function),
            ReferenceKind::Type => self.sql_meaning(file, before, name, Wanted::Type),
            _ => {
                let (schema, table) = before.rsplit_once('.').unwrap_or(("", before));
                match self.sql_meaning(file, schema, table, Wanted::Type) {
                    Resolution::Definitions(tables) => self.sql_column(&tables, name),
                    // A row that a variable holds, or a schema.
                    _ => match self.sql_meaning(file, before, name, Wanted::Constant) {
                        Resolution::External => Resolution::Unknown,
                        found => found,
                    },
                }
            }
        }
    }

    /// A column of a table; of a view, or where another statement adds it, nothing says.
    fn sql_column(&self, tables: &[SymbolId], name: &str) -> Resolution {
        let mut found = Vec::new();
        for table in tables {
            let symbols = (0u32..).zip(self.files[table.file as usize].symbols());
            self.lookups.in_file(table.file, name);
            let columns = symbols.skip(table.symbol as usize + 1);
            steps::count(1);
            let columns = columns.take_while(|(_, column)| column.parent == Some(table.symbol));
            let named = columns.filter(|(_, column)| column.name.eq_ignore_ascii_case(name));
            found.extend(named.map(|(symbol, _)| SymbolId {
                file: table.file,
                symbol,
            }));
        }
        match found.is_empty() {
            true => Resolution::Unknown,
            false => Resolution::Definitions(found),
        }
    }

    /// The definition that a name means of a schema, if it says one.
    fn sql_meaning(&self, file: u32, schema: &str, name: &str, wanted: Wanted) -> Resolution {
        self.lookups.anywhere(name);
        let schema = last_part(schema).to_lowercase();
        if OUTER_SCHEMAS.contains(&schema.as_str()) {
            return Resolution::External;
        }
        let spellings = self.table.spellings(name).into_iter().flatten().copied();
        let is_meant = |id: &SymbolId| {
            steps::count(1);
            self.rules(id.file) == &RULES && fits(self.symbol(*id), name, wanted)
        };
        let mut named: Vec<SymbolId> = spellings.filter(is_meant).collect();
        let is_exact = |id: &SymbolId| is_quoted(self.symbol(*id)) && self.symbol(*id).name == name;
        if named.iter().any(is_exact) {
            named.retain(is_exact);
        }
        if named.is_empty() {
            return Resolution::External;
        }
        let says = |id: &SymbolId, schema: &str| schema_of(self.symbol(*id)) == schema;
        let is_own = |id: &SymbolId| OWN_SCHEMAS.iter().chain(&[""]).any(|own| says(id, own));
        let of_schema: Vec<SymbolId> = match schema.as_str() {
            "" => named.iter().copied().filter(is_own).collect(),
            schema => named
                .iter()
                .copied()
                .filter(|id| says(id, schema))
                .collect(),
        };
        match of_schema.is_empty() {
            false => named = of_schema,
            true if OWN_SCHEMAS.contains(&schema.as_str()) => named.retain(is_own),
            true if !schema.is_empty() => named.retain(|id| says(id, "")),
            true => {}
        }
        match schema.is_empty() || named.iter().all(|id| says(id, &schema)) {
            true => self.sql_nearest(file, named),
            false if OWN_SCHEMAS.contains(&schema.as_str()) => self.sql_nearest(file, named),
            false if named.is_empty() => Resolution::External,
            // It may have been made where this schema was the one at work.
            false => Resolution::Unknown,
        }
    }

    /// Of definitions of a name those of one schema: in the folder of the use, or in the only one that has any.
    fn sql_nearest(&self, file: u32, mut named: Vec<SymbolId>) -> Resolution {
        let home_of = |file: u32| home(self.view_paths.path(file));
        let first = named.first().map(|id| home_of(id.file));
        if named.iter().any(|id| Some(home_of(id.file)) != first) {
            named.retain(|id| home_of(id.file) == home_of(file));
        }
        let schemas = named.iter().map(|id| schema_of(self.symbol(*id)));
        let schemas: Vec<String> = schemas.collect();
        let is_one = schemas
            .windows(2)
            .all(|pair| pair[0] == pair[1] || is_default(&pair[0]) && is_default(&pair[1]));
        let heads = named.iter().map(|id| n_parameters(self.symbol(*id)));
        let heads: Vec<usize> = heads.collect();
        match !named.is_empty() && is_one && heads.windows(2).all(|pair| pair[0] == pair[1]) {
            true => Resolution::Definitions(named),
            false if named.is_empty() && first.is_none() => Resolution::External,
            false => Resolution::Unknown,
        }
    }
}

fn is_default(schema: &str) -> bool {
    schema.is_empty() || OWN_SCHEMAS.contains(&schema)
}

/// Says whether a name means a definition by its kind, and by its quotes: what a quoted name has in capitals is its own.
fn fits(symbol: &Symbol, name: &str, wanted: Wanted) -> bool {
    let is_kind = match wanted {
        Wanted::Type => symbol.kind.has_members(),
        Wanted::Function => symbol.kind == SymbolKind::Function,
        Wanted::Constant => matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant),
        _ => symbol.kind != SymbolKind::Field,
    };
    let is_folded = !is_quoted(symbol) || symbol.name.to_lowercase() == symbol.name;
    is_kind && (is_folded || symbol.name == name)
}

fn is_quoted(symbol: &Symbol) -> bool {
    symbol.signature.contains(&format!("\"{}\"", symbol.name))
}

/// How many parameters a function takes, as far as its head says.
fn n_parameters(symbol: &Symbol) -> usize {
    let head = symbol
        .signature
        .split_once('(')
        .map_or("", |(_, rest)| rest);
    match symbol.kind == SymbolKind::Function {
        true => head.matches(',').count(),
        false => 0,
    }
}

/// The schema that a definition says, folded; empty for none.
fn schema_of(symbol: &Symbol) -> String {
    let before = symbol
        .qualified
        .strip_suffix(symbol.name.as_str())
        .unwrap_or("");
    last_part(before.trim_end_matches('.')).to_lowercase()
}

fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The folder of a schema: that of its files, or of the folders that each step has.
fn home(path: &str) -> &str {
    let folder = paths::parent(path);
    match STEPS.contains(&paths::base_name(path)) {
        true => paths::parent(folder),
        false => folder,
    }
}

fn is_created_as(symbol: &Symbol, word: &str) -> bool {
    let head = symbol
        .signature
        .split(symbol.name.as_str())
        .next()
        .unwrap_or("");
    let mut words = head.split_whitespace();
    words.any(|said| said.eq_ignore_ascii_case(word))
}

/// `\\i file`: beside the file, or below a folder above it.
fn included(places: &ViewPaths<'_>, file: u32, import: &Import) -> Option<u32> {
    let path = import.module.replace('\\', "/");
    let beside = paths::join(places.folder_of(file), &path);
    let beside = beside.and_then(|path| places.file(&path));
    beside.or_else(|| places.nearest_ending_with(path.trim_start_matches("./"), file))
}

/// A name in other cases, and as classes and fields of it are called.
fn names_elsewhere(symbol: &Symbol) -> Vec<String> {
    let name = symbol.name.as_str();
    let lower = name.to_lowercase();
    let one = singular(&lower);
    let mut names = vec![name.to_uppercase(), one.clone()];
    for spelled in [&lower, &one] {
        let capitals = in_capitals(spelled);
        names.extend([with_small_head(&capitals), capitals]);
    }
    names.push(lower);
    names.retain(|other| other != name && !other.is_empty());
    names.sort_unstable();
    names.dedup();
    names
}

/// `users` as `user`.
fn singular(name: &str) -> String {
    for (end, one) in [
        ("ies", "y"),
        ("sses", "ss"),
        ("xes", "x"),
        ("ss", "ss"),
        ("s", ""),
    ] {
        if let Some(stem) = name.strip_suffix(end).filter(|stem| stem.len() > 1) {
            return format!("{stem}{one}");
        }
    }
    name.to_owned()
}
