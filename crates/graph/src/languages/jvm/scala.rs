//! Scala: imports that begin where they stand, packages that a head names to be seen in, what the compiler
//! passes without its name.

use whyrank_syntax::{FileFacts, Import, ImportKind, ImportedName, Reference, Symbol, SymbolKind};

use super::imports::package_name;
use crate::{
    imports::resolve::{ImportResolver, Lead, to_leads},
    input::files::SymbolId,
    languages::visibility::{Visibility, by_private_words, says},
    resolution::resolver::{Resolution, Resolver, UseSite},
};

/// So many imports may say where one begins, each among so many before it.
const MOST_STEPS: usize = 8;
const MOST_BEFORE: usize = 64;
/// A name that more bear is no part of a path by itself.
const MOST_NAMED: usize = 64;

pub(super) fn is_scala(resolver: &Resolver<'_>, file: u32) -> bool {
    resolver.files[file as usize].language == "scala"
}

/// Says who sees a definition: `private[a]`, or `private` at the top, leaves it to a package and those inside.
pub(super) fn visibility(resolver: &Resolver<'_>, id: SymbolId) -> Visibility {
    let says_private = says(resolver.symbol(id), "private");
    match says_private && is_scala(resolver, id.file) {
        true if space_of_private(resolver, id).is_some() => Visibility::Packages,
        true => Visibility::File,
        false => by_private_words(resolver, id),
    }
}

/// The package in which, and in those inside it, a private definition is seen; none for one of its file.
pub(super) fn space_of_private<'r>(resolver: &'r Resolver<'_>, id: SymbolId) -> Option<&'r str> {
    let symbol = resolver.symbol(id);
    let package = resolver.graph.packages().name(id.file);
    let (_, rest) = symbol.signature.split_once("private")?;
    let Some(behind) = rest.strip_prefix('[') else {
        return symbol.parent.is_none().then_some(package);
    };
    let said = behind.split(']').next()?.trim();
    let mut end = 0;
    let ends = package.split('.').map(|part| {
        end += part.len() + 1;
        (part, end - 1)
    });
    // The innermost package of the name is meant.
    let innermost = ends.filter(|(part, _)| *part == said).last();
    innermost.map(|(_, end)| &package[..end])
}

/// The files that an import leads to: from what an import before it brings, from the package around, or from
/// the root.
pub(super) fn imported_files(
    imports: &ImportResolver<'_>,
    file: u32,
    import: &Import,
) -> Vec<Lead> {
    let facts = imports.places.files[file as usize].facts();
    let own = package_name(imports.places.files[file as usize].path, facts);
    let mut files: Vec<u32> = Vec::new();
    let starts = starts(facts, import, &own);
    for name in &import.names {
        let mut led = starts
            .iter()
            .map(|path| defining(imports, file, path, &name.name));
        match led.find(|files| !files.is_empty()) {
            Some(nearest) => files.extend(nearest),
            None => {
                let single = Import {
                    names: vec![name.clone()],
                    ..import.clone()
                };
                let leads = imports.classes(file, &single).into_iter();
                files.extend(leads.map(|lead| lead.file));
            }
        }
    }
    files.sort_unstable();
    files.dedup();
    to_leads(files)
}

/// The paths that an import's own may mean, the nearest first.
fn starts(facts: &FileFacts, import: &Import, own: &str) -> Vec<String> {
    let bare = |path: &str| path.replace('`', "");
    let mut module = bare(&import.module);
    if let Some(path) = module.strip_prefix("_root_.") {
        return vec![path.to_owned()];
    }
    let mut paths = Vec::new();
    let mut before = import;
    for _ in 0..MOST_STEPS {
        let (head, rest) = module.split_once('.').unwrap_or((&module, ""));
        let Some((other, name)) = bringing(facts, before, head) else {
            break;
        };
        let whole = [bare(&other.module).as_str(), &name.name, rest].join(".");
        module = whole.trim_end_matches('.').to_owned();
        paths.push(module.clone());
        before = other;
    }
    paths.reverse();
    let mut inside = around(own).map(|package| format!("{package}.{module}"));
    paths.extend(inside.next());
    let outer: Vec<String> = inside.collect();
    paths.push(module);
    paths.extend(outer);
    paths
}

/// The import before one that brings a name.
fn bringing<'f>(
    facts: &'f FileFacts,
    before: &Import,
    name: &str,
) -> Option<(&'f Import, &'f ImportedName)> {
    let earlier = facts.imports.iter().rev();
    let earlier = earlier.filter(|other| other.line < before.line);
    let earlier = earlier.filter(|other| other.kind == ImportKind::Import);
    earlier
        .take(MOST_BEFORE)
        .flat_map(|other| other.names.iter().map(move |name| (other, name)))
        .find(|(_, bound)| bound.local == name && bound.name != "*")
}

/// The files that define a name in a package, or the object that a path leads to from one.
fn defining(imports: &ImportResolver<'_>, file: u32, path: &str, name: &str) -> Vec<u32> {
    let name = name.trim_matches('`');
    let ends = path.match_indices('.').map(|(offset, _)| offset);
    let ends: Vec<usize> = ends.chain([path.len()]).collect();
    for end in ends.into_iter().rev() {
        let Some(package) = imports.declared(&path[..end]) else {
            continue;
        };
        let mut objects = path[end..].split('.').filter(|part| !part.is_empty());
        let files = match objects.next() {
            None if matches!(name, "*" | "_" | "given") => {
                return imports.used_of(&package, file);
            }
            None => package.defining(name),
            Some(object) => package.defining(object),
        };
        if !files.is_empty() {
            return files.to_vec();
        }
    }
    Vec::new()
}

/// The definitions that a part of an import's path means: `Fork` of `import a.Fork.run`.
pub(super) fn part_of_import(
    resolver: &Resolver<'_>,
    file: u32,
    reference: &Reference,
) -> Option<Resolution> {
    if !is_scala(resolver, file) {
        return None;
    }
    let facts = resolver.files[file as usize].facts();
    let imports = &facts.imports;
    let first = imports.partition_point(|import| import.line < reference.line);
    let here = imports[first..].iter();
    let mut here = here.take_while(|import| import.line == reference.line);
    let (import, offset) = here.find_map(|import| {
        let mut parts = import.module.split('.');
        Some((import, parts.position(|part| part == reference.name)?))
    })?;
    let before: Vec<&str> = import.module.split('.').take(offset).collect();
    let mut leading = import.clone();
    leading.module = before.join(".");
    let own = resolver.graph.packages().name(file);
    let paths = match offset {
        0 => around(own).map(str::to_owned).collect(),
        _ => starts(facts, &leading, own),
    };
    paths.iter().find_map(|path| {
        let there = top_of(resolver, path, reference.name.trim_matches('`'));
        (!there.is_empty()).then_some(Resolution::Definitions(there))
    })
}

/// The definitions that a package before a name tells: `internal.run`.
pub(super) fn by_package(
    resolver: &Resolver<'_>,
    file: u32,
    reference: &Reference,
) -> Option<Vec<SymbolId>> {
    let path = reference.qualifier.as_str();
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    if !is_scala(resolver, file) || !path.chars().all(is_path) {
        return None;
    }
    let head = path.split('.').next().unwrap_or(path);
    let scope = resolver.scope(file);
    if scope.locals.contains_key(head) || !head.starts_with(char::is_lowercase) {
        return None;
    }
    let site = UseSite::of(file, reference);
    if resolver.bare(site, head) != Resolution::Unknown {
        return None;
    }
    let own = resolver.graph.packages().name(file);
    let inside = around(own).map(|package| format!("{package}.{path}"));
    let mut paths = inside.chain([path.to_owned()]);
    paths.find_map(|path| {
        let there = top_of(resolver, &path, &reference.name);
        (!there.is_empty()).then_some(there)
    })
}

/// A package and those around it, the innermost first.
fn around(package: &str) -> impl Iterator<Item = &str> {
    let first = Some(package).filter(|package| !package.is_empty());
    std::iter::successors(first, |package| Some(package.rsplit_once('.')?.0))
}

/// The definitions of a name at the top of a package.
fn top_of(resolver: &Resolver<'_>, package: &str, name: &str) -> Vec<SymbolId> {
    resolver.lookups.anywhere(name);
    let all = resolver.table.named(name);
    if all.len() > MOST_NAMED {
        return Vec::new();
    }
    let packages = resolver.graph.packages();
    let is_there =
        |id: &SymbolId| resolver.symbol(*id).parent.is_none() && packages.name(id.file) == package;
    all.iter().copied().filter(is_there).collect()
}

/// Says whether a definition with members is an object: a value, and no type.
pub(super) fn is_object(symbol: &Symbol) -> bool {
    symbol.kind == SymbolKind::Class && says(symbol, "object")
}

/// Says how the compiler comes by what no text names.
pub(super) fn reached_unnamed(resolver: &Resolver<'_>, id: SymbolId) -> Option<String> {
    if !is_scala(resolver, id.file) {
        return None;
    }
    let is_passed = |symbol: &Symbol| {
        let is_class = symbol.kind == SymbolKind::Class && !is_object(symbol);
        !is_class && (says(symbol, "implicit") || says(symbol, "given"))
    };
    let symbol = resolver.symbol(id);
    if is_passed(symbol) {
        return Some("the compiler passes it where its type is asked for".to_owned());
    }
    let symbols = resolver.files[id.file as usize].symbols();
    let beside =
        |other: &Symbol| other.name == symbol.name && !is_object(other) && other.kind.has_members();
    let holds = |inner: &Symbol| {
        inner.parent == Some(id.symbol) && (is_passed(inner) || says(inner, "implicit"))
    };
    let is_searched = is_object(symbol)
        && resolver.table.named_in(id.file, &symbol.name).len() > 1
        && symbols.iter().any(beside)
        && symbols.iter().any(holds);
    is_searched.then(|| {
        format!(
            "the compiler looks into it where a `{}` is asked for",
            symbol.name
        )
    })
}
