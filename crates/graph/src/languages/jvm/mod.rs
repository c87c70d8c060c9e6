//! Java, Kotlin, Scala, Groovy: packages that heads declare, wherever their files lie.

mod facades;
mod imports;
mod scala;

use whyrank_syntax::{Family, Symbol};

use super::rules::{BuildChoice, LanguageRules, TypeExports};
use crate::{
    input::files::SymbolId,
    resolution::{
        resolver::{Resolution, Resolver},
        scope::{Binding, Bound},
        signature_types, signatures,
        type_names::is_word,
    },
};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Jvm,
    imports_may_be_implicit: &["scala"],
    backticks_quote_names: true,
    types_in_space: Some(|resolver, _, space, name| resolver.types_in_package(space, name)),
    visibility: scala::visibility,
    space_of_private: scala::space_of_private,
    calls_choose_overloads: &["java", "kotlin", "scala"],
    // One argument may be a tuple of several, and a block none that is counted.
    calls_adapt_arguments: &["scala"],
    classes_take_parameters: true,
    type_exports: TypeExports::Members,
    imports_name_packages: true,
    extended_type,
    made_by,
    extended_by_class,
    copied_by: "copy",
    types_may_be_named_as_wrappers: true,
    functions_have_receivers: true,
    names_of_itself: &["Companion", "INSTANCE"],
    by_path: |resolver, file, reference| {
        facades::defined_in(resolver, file, &reference.qualifier, &reference.name)
            .or_else(|| scala::by_package(resolver, file, reference))
            .map(Resolution::told)
    },
    part_of_import: scala::part_of_import,
    is_value: scala::is_object,
    reached_unnamed: scala::reached_unnamed,
    by_leading_path: facades::leading,
    stated_result,
    manifests: &["pom.xml"],
    provided_names: imports::provided_names,
    imported_files: |imports, file, import| match imports.places.files[file as usize].language {
        "scala" => scala::imported_files(imports, file, import),
        _ => imports.classes(file, import),
    },
    packages_span_repositories: true,
    // Scala: an import within a definition.
    may_begin_at_value: |symbols, import| {
        let first = symbols.partition_point(|symbol| symbol.span.start_line < import.line);
        let last = symbols[..first].last();
        let mut around = std::iter::successors(last, |symbol| symbols.get(symbol.parent? as usize));
        around.any(|symbol| symbol.span.end_line >= import.line)
    },
    opens_module: |import| import.module.ends_with(".*") || import.module.ends_with("._"),
    bind_module: |scope, import, files| {
        let module = import.module.as_str();
        let last = module.rsplit('.').next().unwrap_or(module);
        scope.add(last, Binding::of(import, files, Bound::Name(last)));
    },
    package_name: imports::package_name,
    functions_stand_in_types: true,
    // An agent begins there.
    entry_functions: &["main", "premain", "agentmain"],
    build_choice: BuildChoice::Platforms,
    private_is_final: true,
    enums_convert: true,
    texts_reach_private: true,
    ..LanguageRules::PLAIN
};

impl Resolver<'_> {
    /// Types of a name at the top of files in a package, or in one whose name ends so.
    fn types_in_package(&self, space: &str, name: &str) -> Vec<SymbolId> {
        let packages = self.graph.packages();
        let end_of = |id: SymbolId| {
            let is_type = *self.rules(id.file) == RULES
                && self.symbol(id).kind.has_members()
                && self.parent(id).is_none();
            is_type.then(|| last_part(packages.name(id.file)))
        };
        let end = last_part(space);
        let mut found = self.sharing(name, |known| &known.by_package_end, end_of, end);
        found.retain(|id| {
            let rest = packages.name(id.file).strip_suffix(space);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        });
        found
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// `Type` of `fun Type<T>?.name()`.
/// A name in capitals makes a value of its type; of the library, so do `listOf()` and its like.
fn made_by(maker: &str) -> Option<&str> {
    const HOLDERS: [&str; 7] = [
        "list",
        "mutableList",
        "set",
        "mutableSet",
        "map",
        "mutableMap",
        "sequence",
    ];
    if maker.starts_with(char::is_uppercase) {
        return Some(maker);
    }
    maker
        .strip_suffix("Of")
        .filter(|held| HOLDERS.contains(held))
}

fn extended_type(symbol: &Symbol) -> Option<&str> {
    let signature = symbol.signature.as_str();
    let at = signature
        .match_indices(symbol.name.as_str())
        .map(|(at, _)| at);
    let before = at
        .filter_map(|at| signature[..at].strip_suffix('.'))
        .next()?;
    let before = before.trim_end_matches('?');
    let is_function = ["fun ", "val ", "var "]
        .iter()
        .any(|word| before.contains(word));
    let mut depth = 0i32;
    let start = before.char_indices().rev().find(|(_, c)| {
        match c {
            '>' => depth += 1,
            '<' => depth -= 1,
            _ => {}
        }
        depth == 0 && c.is_whitespace()
    });
    let start = start.map(|(at, _)| at + 1).filter(|_| is_function)?;
    before[start..].split('<').next()
}

/// `Type` of `implicit class Name(val value: Type)`.
fn extended_by_class(class: &Symbol) -> Option<&str> {
    let (before, rest) = class.signature.split_once(class.name.as_str())?;
    let mut words = before.split_whitespace();
    words.any(|word| word == "implicit").then_some(())?;
    let (_, stated) = rest.split_once(':')?;
    let end = stated.find([')', ',', '[', '=']).unwrap_or(stated.len());
    Some(stated[..end].trim())
}

/// The type behind the parameters of `fun name(…): Type`, `def name: Type`.
fn stated_result(symbol: &Symbol) -> Option<&str> {
    let (signature, name) = (symbol.signature.as_str(), symbol.name.as_str());
    let mut rest = match signatures::parameters(signature, name) {
        Some((_, rest)) => rest,
        None => behind_name(signature, name)?,
    };
    while rest.trim_start().starts_with('(') {
        let list = rest.trim_start();
        rest = &list[signatures::closing(list)? + 1..];
    }
    let stated = rest.trim_start().strip_prefix(':')?;
    let text = signature_types::type_text(stated);
    Some(text.split(" where ").next().unwrap_or(text).trim())
}

fn behind_name<'s>(signature: &'s str, name: &str) -> Option<&'s str> {
    signature.match_indices(name).find_map(|(at, _)| {
        let rest = &signature[at + name.len()..];
        let is_whole = !signature[..at].ends_with(is_word) && !rest.starts_with(is_word);
        is_whole.then_some(rest)
    })
}
