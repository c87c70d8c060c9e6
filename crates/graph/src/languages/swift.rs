//! Swift: files of one target see each other.

use whyrank_syntax::{Family, SymbolKind};

use super::{rules::LanguageRules, visibility};
use crate::imports::resolve::{definers::those_defining, to_leads};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Swift,
    visibility: visibility::by_private_words,
    // `extension String`.
    opens_foreign_type: Some(|resolver, id| {
        let symbol = resolver.symbol(id);
        symbol.kind == SymbolKind::Impl && !resolver.defines_type(&RULES, &symbol.name)
    }),
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
