//! Dart: a library is a file with its parts, and sees what these declare; what begins with `_` is its own.

pub(crate) mod imports;

use whyrank_syntax::{
    Family, FileFacts, ImportKind, PACKAGE, Reference, ReferenceKind, SymbolKind,
};

use super::{
    rules::LanguageRules,
    visibility::{Visibility, says},
};
use crate::{
    imports::resolve::to_leads,
    input::{files::SymbolId, paths},
    resolution::resolver::{Resolution, Resolver, UseSite, joined},
};

/// What the name of a library begins with that is known by its name alone.
const BY_NAME: &str = "library ";
/// Ends of the names of files that generators write.
const GENERATED: [&str; 12] = [
    ".g.dart",
    ".freezed.dart",
    ".gr.dart",
    ".config.dart",
    ".mocks.dart",
    ".pb.dart",
    ".pbenum.dart",
    ".pbgrpc.dart",
    ".pbjson.dart",
    ".chopper.dart",
    ".gen.dart",
    "_generated.dart",
];

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Dart,
    by_path: set_in_type,
    is_undeclared_external: |_, _, _| true,
    in_spaces_around: |resolver, site, name| resolver.in_package(site.file, name),
    seen_of_opened,
    scope_hides_inherited: true,
    imports_of: |resolver, file| {
        let library = resolver.graph.packages().name(file);
        let library = resolver.view_paths.file(library)?;
        (library != file).then_some(library)
    },
    visibility,
    opens_foreign_type: Some(|resolver, id| {
        let symbol = resolver.symbol(id);
        symbol.kind == SymbolKind::Impl && !resolver.defines_type(&RULES, &symbol.name)
    }),
    stated_result: |symbol| result(&symbol.signature, &symbol.name),
    manifests: &[imports::MANIFEST],
    provided_names: imports::provided_names,
    imported_files: |imports, file, import| {
        to_leads(imports.dart.resolve(&imports.places, file, &import.module))
    },
    imports_name_files: true,
    // No library of the language gives what a package defines.
    opens_module: |import| !import.module.starts_with("dart:"),
    package_name: library,
    is_hidden: |path| {
        let in_package = path
            .split_once("lib/")
            .filter(|(before, _)| before.is_empty() || before.ends_with('/'));
        in_package.is_none_or(|(_, rest)| rest.starts_with("src/"))
    },
    reached_unnamed,
    is_program: |resolver, file| {
        let path = resolver.files[file as usize].path;
        path == "lib/main.dart" || path.ends_with("/lib/main.dart")
    },
    unit: package_folder,
    exports_have_alternatives: true,
    ..LanguageRules::PLAIN
};

/// The folder of a package: what lies above the folders that every package has.
fn package_folder(path: &str) -> &str {
    const PARTS: [&str; 6] = ["lib", "bin", "test", "tool", "integration_test", "web"];
    let mut n_bytes = 0;
    for part in paths::parent(path).split('/') {
        if PARTS.contains(&part) {
            return path[..n_bytes].trim_end_matches('/');
        }
        n_bytes += part.len() + 1;
    }
    paths::parent(path)
}

/// The library of a file: the path of its own file, or of the one that it says that it is a part of.
fn library(path: &str, facts: &FileFacts) -> String {
    let said = facts.locals.iter().find(|local| local.name == PACKAGE);
    let Some(said) = said.map(|local| local.text.as_str()) else {
        return path.to_owned();
    };
    let uri = said.trim_matches(['"', '\'']);
    if uri == said {
        return format!("{BY_NAME}{said}");
    }
    let by_path = match uri
        .strip_prefix("package:")
        .and_then(|uri| uri.split_once('/'))
    {
        Some((_, below)) => paths::join(package_folder(path), &format!("lib/{below}")),
        None => paths::join(paths::parent(path), uri),
    };
    by_path.unwrap_or_else(|| format!("{BY_NAME}{said}"))
}

/// Of what the opened files show, what they give to others by the names that they export and hide.
fn seen_of_opened(resolver: &Resolver<'_>, site: UseSite, ids: Vec<SymbolId>) -> Resolution {
    let Some(name) = ids.first().map(|id| resolver.symbol(*id).name.as_str()) else {
        return Resolution::Unknown;
    };
    let scope = resolver.scope(site.file);
    if name.starts_with('_') || scope.left_out.contains(&name) {
        return Resolution::Unknown;
    }
    let given = scope
        .open
        .iter()
        .map(|file| resolver.exported(*file, name, &mut std::collections::HashSet::new()));
    given.fold(Resolution::Unknown, joined)
}

/// `Type(name: 1)` names a parameter, and sets a field only where a constructor takes `this.name`;
/// `Type.name = 1` sets one of the type itself.
fn set_in_type(resolver: &Resolver<'_>, file: u32, reference: &Reference) -> Option<Resolution> {
    let last = reference.qualifier.rsplit('.').next()?;
    let is_type = last
        .trim_start_matches(['_', '$'])
        .starts_with(char::is_uppercase);
    if !is_type || reference.kind != ReferenceKind::Write {
        return None;
    }
    let site = UseSite::of(file, reference);
    let Resolution::Definitions(types) = resolver.expression(site, &reference.qualifier, 0) else {
        return None;
    };
    let mut members = resolver.members_of(&types, &reference.name);
    if members.is_empty() {
        return None;
    }
    members.retain(|id| says(resolver.symbol(*id), "static") || is_taken(resolver, *id));
    Some(Resolution::told(members))
}

/// Says whether a constructor of its type takes a field: `this.name`.
fn is_taken(resolver: &Resolver<'_>, field: SymbolId) -> bool {
    let taken = format!("this.{}", resolver.symbol(field).name);
    let symbols = resolver.files[field.file as usize].symbols();
    let owner = symbols[field.symbol as usize].parent;
    let takes = |head: &str| {
        let mut places = head.match_indices(&taken);
        places.any(|(at, _)| !head[at + taken.len()..].starts_with(is_word))
    };
    let beside = symbols.iter().filter(|symbol| symbol.parent == owner);
    let mut makers = beside.filter(|symbol| symbol.kind == SymbolKind::Constructor);
    makers.any(|symbol| takes(&symbol.signature))
}

/// What begins with `_` is seen in its library.
fn visibility(resolver: &Resolver<'_>, id: SymbolId) -> Visibility {
    let symbol = resolver.symbol(id);
    let parent = resolver.parent(id).map(|parent| resolver.symbol(parent));
    if parent.is_some_and(|parent| parent.kind.is_callable()) {
        return Visibility::File;
    }
    match symbol.name.starts_with('_') && !has_loose_parts(resolver, id.file) {
        true => Visibility::Package,
        false => Visibility::Everywhere,
    }
}

/// Says whether a file may be one library with files that nothing but a name tells.
fn has_loose_parts(resolver: &Resolver<'_>, file: u32) -> bool {
    let is_by_name = |file| resolver.graph.packages().name(file).starts_with(BY_NAME);
    let library = (RULES.imports_of)(resolver, file).unwrap_or(file);
    is_by_name(file)
        || parts(resolver, library)
            .into_iter()
            .any(|part| part.is_some_and(is_by_name))
}

/// The parts of a library; nothing for one that is not there.
fn parts(resolver: &Resolver<'_>, library: u32) -> Vec<Option<u32>> {
    let imports = &resolver.files[library as usize].facts().imports;
    let edges = resolver.graph.imports(library).iter();
    let is_part = |at: u32| imports[at as usize].kind == ImportKind::Include;
    let of_parts = edges.filter(|edge| is_part(edge.import_idx));
    of_parts.map(|edge| edge.target).collect()
}

fn reached_unnamed(resolver: &Resolver<'_>, id: SymbolId) -> Option<String> {
    let path = resolver.files[id.file as usize].path;
    if GENERATED.iter().any(|end| path.ends_with(end)) {
        return Some("a generator writes its file".to_owned());
    }
    let library = (RULES.imports_of)(resolver, id.file).unwrap_or(id.file);
    let has_lost_part = parts(resolver, library).contains(&None);
    has_lost_part.then(|| "a part of its library is not in the checkout".to_owned())
}

/// The type before the name of a function, an accessor or an operator.
fn result<'s>(signature: &'s str, name: &str) -> Option<&'s str> {
    let places = signature.match_indices(name);
    let name_start = places.map(|(start, _)| start).find(|start| {
        let (before, after) = (
            &signature[..*start],
            signature[start + name.len()..].trim_start(),
        );
        let is_accessor = before.trim_end().ends_with(" get") || before.trim() == "get";
        let is_whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        is_whole && (is_accessor || after.starts_with(['(', '<']))
    })?;
    let mut before = signature[..name_start].trim_end();
    for word in ["get", "operator"] {
        before = before.strip_suffix(word).unwrap_or(before).trim_end();
    }
    let mut depth = 0i32;
    let start = before.char_indices().rev().find(|(_, c)| {
        match c {
            '>' | ']' | ')' => depth += 1,
            '<' | '[' | '(' => depth -= 1,
            _ => {}
        }
        c.is_whitespace() && depth == 0
    });
    let stated = before[start.map_or(0, |(at, _)| at)..].trim();
    let is_type = stated.starts_with(is_word) && !WORDS.contains(&stated);
    is_type.then_some(stated)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Words before a name that are no type.
const WORDS: [&str; 7] = [
    "abstract",
    "covariant",
    "dynamic",
    "external",
    "late",
    "static",
    "set",
];

#[cfg(test)]
mod tests {
    use super::{package_folder, result};

    #[test]
    fn results_stand_before_names() {
        for (signature, name, expected) in [
            ("Foo run(int a)", "run", Some("Foo")),
            ("static Future<Foo?> run<T>()", "run", Some("Future<Foo?>")),
            (
                "@override Map<String, int> get size",
                "size",
                Some("Map<String, int>"),
            ),
            ("get size", "size", None),
            ("static run()", "run", None),
            ("@A('run') run()", "run", None),
            ("Foo operator +(Foo other)", "+", Some("Foo")),
        ] {
            assert_eq!(result(signature, name), expected, "{signature}");
        }
    }

    #[test]
    fn packages_lie_above_their_folders() {
        assert_eq!(package_folder("pkgs/a/lib/src/b.dart"), "pkgs/a");
        assert_eq!(package_folder("a/example/lib/b.dart"), "a/example");
        assert_eq!(package_folder("lib/b.dart"), "");
        assert_eq!(package_folder("tools/b.dart"), "tools");
    }
}
