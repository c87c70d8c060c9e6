//! C, C++ and Objective-C: headers declare what other files define, and a linker joins the two.

mod imports;

use whyrank_syntax::{Family, Symbol, SymbolKind};

use super::{
    rules::{BuildChoice, InnerTypes, LanguageRules, Overriding},
    visibility::{Visibility, says},
};
use crate::{
    imports::resolve::to_leads,
    input::files::SymbolId,
    resolution::resolver::{Resolution, Resolver, UseSite},
    steps,
};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Native,
    headers: &["h", "hh", "hpp", "hxx", "inl"],
    imports_bind_names: false,
    paths_begin_at_root: true,
    visibility: |resolver, id| {
        let is_static = says(resolver.symbol(id), "static");
        match is_static && resolver.owner_name(id).is_none() {
            true => Visibility::Includers,
            false => Visibility::Everywhere,
        }
    },
    free_name_follows_dot: |symbol, _, _| symbol.kind == SymbolKind::Macro,
    of_receiver: |resolver, site, before, ids| {
        Resolution::Definitions(match before {
            None => of_nearest_space(resolver, site, ids),
            Some(_) => ids,
        })
    },
    members_are_defined_outside: true,
    types_have_tags: true,
    enums_convert: true,
    types_need_tags: &["c"],
    typedefs_end_types: true,
    pointers_are_arrays: true,
    inner_types: InnerTypes::Everywhere,
    inherited_members_fulfil: false,
    tables_hold_functions: true,
    overriding: Overriding::Virtual,
    joins_files,
    imported_files: |imports, file, import| {
        to_leads(imports::resolve(&imports.places, file, &import.module))
    },
    imports_name_files: true,
    reached_unnamed,
    build_choice: BuildChoice::Linked,
    ..LanguageRules::PLAIN
};

/// Of definitions in several namespaces those of the innermost one around a place, which hide the others; what
/// stands in a namespace within it may be shown by it. Where none is around it, what is behind the next header
/// may be.
fn of_nearest_space(
    resolver: &Resolver<'_>,
    site: UseSite,
    mut ids: Vec<SymbolId>,
) -> Vec<SymbolId> {
    let (file, Some(symbol)) = (site.file, site.enclosing) else {
        return ids;
    };
    let around = resolver
        .symbol(SymbolId { file, symbol })
        .qualified
        .as_str();
    if !ids.iter().all(|id| is_free(resolver, *id)) {
        return ids;
    }
    let mut nearest = nearest_space(resolver, &ids, around);
    let is_foreign = |id: &SymbolId| !space_of(resolver, *id).is_empty();
    if nearest.is_none() && !ids.is_empty() && ids.iter().all(is_foreign) {
        let name = &resolver.symbol(ids[0]).name;
        resolver.lookups.anywhere(name);
        let named = resolver.table.named(name);
        steps::count(named.len());
        let is_seen = |id: &SymbolId| {
            is_free(resolver, *id)
                && is_below(around, space_of(resolver, *id))
                && (id.file == file || resolver.opens_file(file, id.file))
        };
        let seen: Vec<SymbolId> = named.iter().copied().filter(is_seen).collect();
        nearest = nearest_space(resolver, &seen, around);
        if nearest.is_some() {
            ids = seen;
        }
    }
    if let Some(nearest) = nearest {
        ids.retain(|id| is_below(space_of(resolver, *id), &nearest));
    }
    ids
}

/// The innermost of the namespaces of some definitions that is around what has a qualified name.
fn nearest_space(resolver: &Resolver<'_>, ids: &[SymbolId], around: &str) -> Option<String> {
    let spaces = ids.iter().map(|id| space_of(resolver, *id));
    let nearest = spaces.filter(|space| is_below(around, space));
    nearest.max_by_key(|space| space.len()).map(str::to_owned)
}

/// What stands before the last name of a definition's qualified name.
fn space_of<'r>(resolver: &'r Resolver<'_>, id: SymbolId) -> &'r str {
    let qualified = resolver.symbol(id).qualified.as_str();
    qualified.rsplit_once("::").map_or("", |(space, _)| space)
}

/// Says whether a path is a namespace, or within it; the root counts for none.
fn is_below(path: &str, space: &str) -> bool {
    let below = path.strip_prefix(space).filter(|_| !space.is_empty());
    below.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Says whether a definition stands in no type.
fn is_free(resolver: &Resolver<'_>, id: SymbolId) -> bool {
    let parent = resolver
        .parent(id)
        .map(|parent| resolver.symbol(parent).kind);
    let is_member = resolver.symbol(id).kind.is_member();
    !is_member && parent.is_none_or(|it| it == SymbolKind::Namespace)
}

/// A declaration and its body in files that see each other, or that a linker joins.
fn joins_files(resolver: &Resolver<'_>, left: SymbolId, right: SymbolId) -> bool {
    is_declared_apart(resolver.symbol(left), resolver.symbol(right))
        && (is_linked(resolver, left, right)
            || resolver.reaches(left.file, right.file)
            || resolver.reaches(right.file, left.file))
}

/// Says whether a linker joins a prototype that says `extern` with the only body of that name.
fn is_linked(resolver: &Resolver<'_>, left: SymbolId, right: SymbolId) -> bool {
    let is_body = |symbol: &Symbol| {
        symbol.kind == SymbolKind::Function
            && !symbol.signature.ends_with(';')
            && !says(symbol, "static")
    };
    let is_prototype = |symbol: &Symbol| symbol.signature.ends_with(';') && says(symbol, "extern");
    let (a, b) = (resolver.symbol(left), resolver.symbol(right));
    let joins = is_prototype(a) && is_body(b) || is_prototype(b) && is_body(a);
    let named = resolver.table.named(&a.name).iter();
    joins && named.filter(|id| is_body(resolver.symbol(**id))).count() == 1
}

/// Says whether one of two definitions may be the declaration of the other; a macro has none, a
/// variable says `extern`.
fn is_declared_apart(a: &Symbol, b: &Symbol) -> bool {
    let is_value =
        |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant);
    let is_extern = |symbol: &Symbol| symbol.signature.contains("extern");
    let is_macro = a.kind == SymbolKind::Macro || b.kind == SymbolKind::Macro;
    !is_macro && (!(is_value(a) && is_value(b)) || is_extern(a) || is_extern(b))
}

fn reached_unnamed(resolver: &Resolver<'_>, id: SymbolId) -> Option<String> {
    let symbol = resolver.symbol(id);
    if symbol.kind == SymbolKind::Macro && symbol.name.starts_with('_') {
        return Some("a header from outside may ask for it".to_owned());
    }
    holds_functions(resolver, id)
        .then(|| "its end is not certain: the text around it does not parse".to_owned())
}

/// No function stands in another: where one does, braces are not balanced for a parser.
fn holds_functions(resolver: &Resolver<'_>, id: SymbolId) -> bool {
    let symbols = resolver.files[id.file as usize].symbols();
    let is_function = |kind| kind == SymbolKind::Function;
    is_function(symbols[id.symbol as usize].kind)
        && symbols
            .iter()
            .any(|inner| inner.parent == Some(id.symbol) && is_function(inner.kind))
}
