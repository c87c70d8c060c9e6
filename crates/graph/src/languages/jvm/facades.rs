//! Java beside Kotlin: the class that the functions of a file are members of, `TextKt` of `Text.kt`.

use crate::{
    input::{files::SymbolId, paths},
    languages::rules::LeadingPath,
    resolution::resolver::{Resolution, Resolver, UseSite},
};

/// Functions of a file of Kotlin that a path names by the file's class.
pub(super) fn defined_in(
    resolver: &Resolver<'_>,
    file: u32,
    path: &str,
    name: &str,
) -> Option<Vec<SymbolId>> {
    let (package, class) = path.rsplit_once('.').unwrap_or(("", path));
    let stem = class.strip_suffix("Kt")?;
    let is_path = path
        .chars()
        .all(|c| c.is_alphanumeric() || "_.".contains(c));
    let language = |file: u32| resolver.files[file as usize].language;
    if stem.is_empty() || !is_path || language(file) == "kotlin" {
        return None;
    }
    resolver.lookups.anywhere(name);
    let is_meant = |id: &SymbolId| {
        resolver.symbol(*id).parent.is_none()
            && language(id.file) == "kotlin"
            && is_class_of(resolver.view_paths.path(id.file), stem)
            && sees(resolver, file, id.file, (package, class))
    };
    let named = resolver.table.named(name).iter().copied();
    let found: Vec<SymbolId> = named.filter(is_meant).collect();
    (!found.is_empty()).then_some(found)
}

/// The function at the head of `TextKt.make().more`.
pub(super) fn leading(resolver: &Resolver<'_>, site: UseSite, text: &str) -> Option<LeadingPath> {
    let (before, rest) = text.split_once("Kt.")?;
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    let name = &rest[..end.unwrap_or(rest.len())];
    let path = &text[..before.len() + 2];
    let definitions = defined_in(resolver, site.file, path, name)?;
    Some(LeadingPath {
        meaning: Resolution::Definitions(definitions),
        n_parts: path.split('.').count() + 1,
    })
}

/// Says whether a file is the one whose class has a name.
fn is_class_of(path: &str, stem: &str) -> bool {
    let own = paths::base_name(paths::without_extension(path));
    let mut chars = own.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    first.is_some_and(|first| stem.strip_prefix(first.as_str()) == Some(chars.as_str()))
}

/// Says whether a class of another file is meant by its name: with its package before it, of the same
/// package, or imported.
fn sees(resolver: &Resolver<'_>, file: u32, other: u32, (package, class): (&str, &str)) -> bool {
    let packages = resolver.graph.packages();
    let own = packages.name(other);
    if !package.is_empty() {
        return package == own;
    }
    let imports = &resolver.files[file as usize].facts().imports;
    packages.name(file) == own
        || imports.iter().any(|import| {
            let mut names = import.names.iter();
            import.module == own && names.any(|name| name.name == class || name.name == "*")
        })
}
