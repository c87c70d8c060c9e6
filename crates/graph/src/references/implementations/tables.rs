//! Functions that fill the fields of tables: `.read = file_read`, `{ "get", get_command }`.

use rustc_hash::FxHashMap;
use whyrank_syntax::{Symbol, SymbolKind};

use super::{Descent, Gathered, Tie};
use crate::{
    input::files::SymbolId,
    references::{
        reference_query::ReferenceQuery,
        uses::{Key, Value},
    },
    resolution::resolver::{Resolution, UseSite},
};

/// A field by its name alone leads nowhere when more fields bear the name.
const MAX_NAMESAKES: usize = 4;
/// A table with more fields for functions than this does not tell which of them is filled.
const MAX_FIELDS: usize = 3;

/// The fields of the types that variables are declared with.
pub(super) type FieldsOfVariables = FxHashMap<SymbolId, Vec<SymbolId>>;

/// Ties the functions that a file names to the fields that they fill.
pub(super) fn filled(
    uses: &ReferenceQuery<'_>,
    file: u32,
    of_variable: &mut FieldsOfVariables,
    made: &mut Gathered,
) {
    if !uses.resolver.rules(file).tables_hold_functions {
        return;
    }
    let known = &mut TableFields { uses, of_variable };
    for read in uses.known.glance(file).values() {
        let Some(enclosing) = read.enclosing else {
            continue;
        };
        let table = SymbolId {
            file,
            symbol: enclosing,
        };
        let functions = functions(uses, &read);
        if functions.is_empty() {
            continue;
        }
        let (fields, is_certain) = match read.key {
            Some(Key::Field(field)) => (vec![field], true),
            Some(Key::Name(name)) => known.named(table, name),
            None => (known.for_functions(table), false),
        };
        for function in &functions {
            for field in &fields {
                let tie = Tie {
                    other: *field,
                    block: None,
                    descent: Descent::Implements,
                    is_certain: is_certain && functions.len() == 1,
                    line: None,
                    is_slot: true,
                    from: Some(file),
                };
                made.tie(*function, tie);
            }
        }
    }
}

fn functions(uses: &ReferenceQuery<'_>, value: &Value<'_>) -> Vec<SymbolId> {
    let named = value
        .name
        .map_or(&[][..], |name| uses.resolver.table.named(name));
    let all = value.targets.iter().map(|(_, id)| id).chain(named);
    let is_function = |id: &&SymbolId| {
        uses.resolver.rules(id.file).tables_hold_functions
            && uses.resolver.symbol(**id).kind == SymbolKind::Function
    };
    let found: Vec<SymbolId> = all.filter(is_function).copied().collect();
    if found.len() <= MAX_NAMESAKES {
        found
    } else {
        Vec::new()
    }
}

/// The fields of the types of tables.
struct TableFields<'u, 'a> {
    uses: &'u ReferenceQuery<'a>,
    of_variable: &'u mut FieldsOfVariables,
}

impl TableFields<'_, '_> {
    /// The field of a name: of the table's type, or the only ones of that name.
    fn named(&mut self, table: SymbolId, name: &str) -> (Vec<SymbolId>, bool) {
        let resolver = &self.uses.resolver;
        let has_name = |id: &SymbolId| resolver.symbol(*id).name == name;
        let own: Vec<SymbolId> = self.of(table).iter().copied().filter(has_name).collect();
        if !own.is_empty() {
            return (own, true);
        }
        let is_field = |id: &SymbolId| {
            resolver.rules(id.file).tables_hold_functions
                && resolver.symbol(*id).kind == SymbolKind::Field
        };
        let named = resolver.table.named(name).iter().copied();
        let named: Vec<SymbolId> = named.filter(is_field).collect();
        if named.len() <= MAX_NAMESAKES {
            (named, false)
        } else {
            (Vec::new(), false)
        }
    }

    /// The fields of the table's type that hold functions, where they are few.
    fn for_functions(&mut self, table: SymbolId) -> Vec<SymbolId> {
        let uses = self.uses;
        let holds = |id: &SymbolId| holds_function(uses, *id);
        let found: Vec<SymbolId> = self.of(table).iter().copied().filter(holds).collect();
        if found.len() <= MAX_FIELDS {
            found
        } else {
            Vec::new()
        }
    }

    fn of(&mut self, table: SymbolId) -> &[SymbolId] {
        let uses = self.uses;
        self.of_variable
            .entry(table)
            .or_insert_with(|| fields_of(uses, table))
    }
}

/// The fields of the type that a variable's head names.
fn fields_of(uses: &ReferenceQuery<'_>, table: SymbolId) -> Vec<SymbolId> {
    let resolver = &uses.resolver;
    let symbol = resolver.symbol(table);
    if !matches!(
        symbol.kind,
        SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field
    ) {
        return Vec::new();
    }
    let before = before_name(symbol);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = before
        .split(|c: char| !is_word(c))
        .filter(|word| !word.is_empty());
    let Some(stated) = words.next_back() else {
        return Vec::new();
    };
    let types = types_named(uses, table.file, stated);
    let is_inside = |id: &SymbolId| {
        resolver
            .parent(*id)
            .is_some_and(|parent| types.contains(&parent))
    };
    let files: Vec<u32> = types.iter().map(|id| id.file).collect();
    let all = files.into_iter().flat_map(|file| {
        let symbols = (0u32..).zip(resolver.files[file as usize].symbols());
        symbols
            .filter(|(_, symbol)| symbol.kind == SymbolKind::Field)
            .map(move |(symbol, _)| SymbolId { file, symbol })
    });
    let mut found: Vec<SymbolId> = all.filter(is_inside).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// What a head says before the name that it declares: `proc_t *` of `proc_t *proc`.
fn before_name(symbol: &Symbol) -> &str {
    let (head, name) = (symbol.signature.as_str(), symbol.name.as_str());
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let is_whole = |at: &usize| {
        let (before, after) = (&head[..*at], &head[at + name.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    };
    let mut places = head.match_indices(name).map(|(at, _)| at);
    places.find(is_whole).map_or("", |at| &head[..at])
}

/// The types that a name means; a macro without parameters means what it is defined as.
fn types_named(uses: &ReferenceQuery<'_>, file: u32, name: &str) -> Vec<SymbolId> {
    let resolver = &uses.resolver;
    let typed = |name: &str| match resolver.typed(UseSite::inside(file, None), name, 0) {
        Resolution::Instances(ids) | Resolution::Definitions(ids) => ids,
        _ => {
            let named = resolver.table.named(name).iter().copied();
            let is_type = |id: &SymbolId| {
                resolver.rules(id.file).tables_hold_functions
                    && resolver.symbol(*id).kind.has_members()
            };
            named.filter(is_type).collect()
        }
    };
    let found = typed(name);
    if !found.is_empty() {
        return found;
    }
    let macros = resolver
        .table
        .named(name)
        .iter()
        .map(|id| resolver.symbol(*id));
    let stated = macros
        .filter(|symbol| symbol.kind == SymbolKind::Macro)
        .find_map(|symbol| {
            let (_, value) = symbol.signature.split_once(name)?;
            Some(value.trim().to_owned())
                .filter(|value| !value.is_empty() && !value.starts_with('('))
        });
    stated.map_or_else(Vec::new, |value| {
        typed(value.rsplit(' ').next().unwrap_or(&value))
    })
}

/// Says whether a field is declared as a pointer to a function, or with a type that is one.
fn holds_function(uses: &ReferenceQuery<'_>, field: SymbolId) -> bool {
    let resolver = &uses.resolver;
    let symbol = resolver.symbol(field);
    if symbol.signature.contains("(*") {
        return true;
    }
    let before = before_name(symbol);
    let stated = before
        .trim_end_matches(['*', ' '])
        .rsplit([' ', '*'])
        .next()
        .unwrap_or("");
    let mut named = resolver
        .table
        .named(stated)
        .iter()
        .map(|id| resolver.symbol(*id));
    named.any(|symbol| symbol.signature.starts_with("typedef") && symbol.signature.contains('('))
}
