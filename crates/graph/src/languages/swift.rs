//! Swift: files of one target see each other.

use whyrank_syntax::{Family, SymbolKind};

use super::{
    rules::LanguageRules,
    visibility::{self, says},
};
use crate::{
    imports::resolve::{definers::those_defining, to_leads},
    input::files::SymbolId,
    resolution::resolver::Resolver,
};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Swift,
    backticks_quote_names: true,
    visibility: visibility::by_private_words,
    // `extension String`, `extension String.Index`.
    opens_foreign_type: Some(|resolver, id| {
        let symbol = resolver.symbol(id);
        let name = symbol.name.rsplit('.').next().unwrap_or(&symbol.name);
        symbol.kind == SymbolKind::Impl && !resolver.defines_type(&RULES, name)
    }),
    may_fulfil,
    statics_stand_apart: true,
    calls_choose_overloads: &["swift"],
    // `import Target`: the sources of a package's target.
    imported_files: |imports, file, import| {
        let target = imports
            .together
            .target(&imports.places, &import.module, Family::Swift);
        to_leads(those_defining(&[target], &imports.used(file).heads))
    },
    // A target is a folder of `Sources`; an app without it is one module.
    package_name: |path, _| {
        let at = path.find("Sources/").map(|at| at + "Sources/".len());
        let end = at.and_then(|at| Some(at + path[at..].find('/')?));
        end.map_or("", |end| &path[..end]).to_owned()
    },
    functions_stand_in_types: true,
    // `let package = Package(…)` of Package.swift and Package@swift-5.9.swift.
    reached_unnamed: |resolver, id| {
        let path = resolver.files[id.file as usize].path;
        let file = path.rsplit('/').next().unwrap_or(path);
        let is_manifest = file == "Package.swift" || file.starts_with("Package@swift-");
        is_manifest.then(|| "the package manager reads its file".to_owned())
    },
    ..LanguageRules::PLAIN
};

/// Says whether a base from outside may mean a member: what meets a requirement is seen where its type is.
fn may_fulfil(resolver: &Resolver<'_>, id: SymbolId) -> bool {
    let symbol = resolver.symbol(id);
    let is_hidden = |id: &SymbolId| {
        let around = resolver.symbol(*id);
        says(around, "private") || says(around, "fileprivate")
    };
    let mut around = std::iter::successors(resolver.parent(id), |id| resolver.parent(*id));
    !says(symbol, "private") && (!says(symbol, "fileprivate") || around.any(|id| is_hidden(&id)))
}
