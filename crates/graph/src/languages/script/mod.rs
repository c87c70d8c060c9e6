//! JavaScript and TypeScript, and components that hold them: a module is an object.

mod configs;
pub(crate) mod imports;

use whyrank_syntax::{Family, ImportKind, Symbol, SymbolKind};

use super::{
    rules::{BuildChoice, LanguageRules},
    visibility::{Visibility, says},
};
use crate::{
    imports::{import_graph::ImportEdge, resolve::to_leads},
    input::files::{FileInput, SymbolId},
    resolution::{
        dotted_expression::Step,
        resolver::{Resolution, Resolver, UseSite},
    },
};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Script,
    modules_are_objects: true,
    unrecorded_words_are_locals: |input| !is_component(input),
    reached_unnamed: |resolver, id| {
        let is_shared = |id: &SymbolId| {
            let symbol = resolver.symbol(*id);
            symbol.kind == SymbolKind::Module && symbol.name == "global"
        };
        let mut around = std::iter::successors(Some(id), |id| resolver.parent(*id));
        let is_inside = around.any(|id| is_shared(&id));
        is_inside.then(|| "it adds to what all files see".to_owned())
    },
    types_are_hints: true,
    fields_are_set_when_made: true,
    is_of_type_alone: is_private,
    classes_are_structural: true,
    this_may_be_parameter: true,
    scripts_share_names: true,
    is_undeclared_external: |resolver, file, _| {
        // The template of a component has names that no declaration gives.
        let input = &resolver.files[file as usize];
        !is_component(input) && is_module(input)
    },
    loaded_by_call: |resolver, site, head| resolver.required(site, head),
    visibility: |resolver, id| match is_own(resolver, id) || is_private(resolver.symbol(id)) {
        true => Visibility::File,
        false => Visibility::Everywhere,
    },
    free_name_follows_dot: |_, visibility, _| visibility != Visibility::File,
    manifests: &["package.json"],
    provided_names: imports::provided_names,
    renamed_packages: imports::renamed_packages,
    imported_files: |imports, file, import| {
        to_leads(
            imports
                .script
                .resolve(&imports.places, file, &import.module),
        )
    },
    imports_name_files: true,
    paths_have_aliases: true,
    opens_module: |import| import.kind == ImportKind::ReExport,
    bind_module: |_, _, _| {},
    functions_stand_in_types: true,
    functions_build_objects: true,
    build_choice: BuildChoice::Alike,
    ..LanguageRules::PLAIN
};

fn is_private(symbol: &Symbol) -> bool {
    symbol.name.starts_with('#') || says(symbol, "private")
}

fn is_component(input: &FileInput<'_>) -> bool {
    matches!(input.language, "vue" | "svelte" | "astro")
}

/// A file that imports or shows something has names of its own; classic scripts share theirs.
fn is_module(input: &FileInput<'_>) -> bool {
    !input.facts().imports.is_empty() || input.symbols().iter().any(|symbol| symbol.exported)
}

/// What a module does not export is its own.
fn is_own(resolver: &Resolver<'_>, id: SymbolId) -> bool {
    let symbol = resolver.symbol(id);
    let input = &resolver.files[id.file as usize];
    let is_local = resolver
        .parent(id)
        .is_some_and(|parent| resolver.symbol(parent).kind == SymbolKind::Function);
    let is_hidden =
        || !symbol.exported && symbol.parent.is_none() && (is_component(input) || is_module(input));
    !symbol.kind.is_member() && resolver.owner_name(id).is_none() && (is_local || is_hidden())
}

impl Resolver<'_> {
    /// The module that the head of an expression loads; `None` where it loads none. Of several on one line
    /// none is known.
    fn required(&self, site: UseSite, head: &Step) -> Option<Resolution> {
        let loads = head.called && matches!(head.name.as_str(), "require" | "import");
        if !loads {
            return None;
        }
        let imports = &self.files[site.file as usize].facts().imports;
        let is_here = |edge: &&ImportEdge| {
            edge.name_idx.is_none() && imports[edge.import_idx as usize].line == site.line
        };
        let edges = self.graph.imports(site.file).iter();
        let here: Vec<&ImportEdge> = edges.filter(is_here).collect();
        Some(match here[..] {
            [edge] => edge
                .target
                .map_or(Resolution::External, |file| Resolution::Modules(vec![file])),
            _ => Resolution::Unknown,
        })
    }
}
