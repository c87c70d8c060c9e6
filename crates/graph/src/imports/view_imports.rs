//! Resolves the imports of a view: facts of its files in, edges between them out. Binds what one of several
//! repositories imports and another provides.

use std::borrow::Cow;
use std::collections::HashMap;

use whyrank_syntax::{FileFacts, Import};

use crate::{
    imports::{
        aliases::DependencyAliases,
        import_graph::{ImportEdge, ImportGraph},
        packages::Package,
        provided::ProvidedModules,
        resolve::{ImportResolver, Lead},
    },
    input::{
        files::{FileInput, ManifestInput},
        paths,
    },
    languages::LanguageRules,
    resolution::dependency_tracking::text_key,
};

/// A repository among those whose imports are bound to each other.
#[derive(Clone, Copy)]
pub struct LinkedPart<'a> {
    /// Its own imports.
    pub imports: &'a ImportGraph,
    /// Its files.
    pub n_files: usize,
    /// What others can import of it.
    pub provides: &'a ProvidedModules,
    /// Its own names for what it imports.
    pub aliases: &'a DependencyAliases,
}

impl ImportGraph {
    /// Says whether where a file's imports lead follows from those alone, and from which files and
    /// manifests there are: not from what other files define.
    pub fn follows_from_imports(language: &str) -> bool {
        LanguageRules::of(language).imports_name_files
    }

    /// Resolves every import of the files.
    pub fn resolve(files: &[FileInput<'_>], manifests: &[ManifestInput<'_>]) -> Self {
        let resolver = ImportResolver::new(files, manifests);
        let non_production = |(file, input): (u32, &FileInput<'_>)| {
            paths::is_non_production(input.path).then_some(file)
        };
        let mut graph = Self {
            offsets: vec![0],
            non_production: (0u32..).zip(files).filter_map(non_production).collect(),
            ..Self::default()
        };
        let mut module_ids: HashMap<String, u32> = HashMap::new();
        for (file, input) in (0u32..).zip(files) {
            input.with_facts(|facts| {
                graph.add(&resolver, file, &facts.imports, &mut module_ids);
                graph.packages.add(package_of(input, facts));
            });
            graph.offsets.push(graph.edges.len() as u32);
        }
        graph.turn_round();
        graph
    }

    /// Joins the graphs of several repositories as [`ImportGraph::joined`] does, and binds what one
    /// imports and another provides.
    ///
    /// `files` and `manifests` are those of all, below their repositories' names. O(files + imports).
    pub fn linked(
        parts: &[LinkedPart<'_>],
        files: &[FileInput<'_>],
        manifests: &[ManifestInput<'_>],
    ) -> Self {
        let joined = Self::joined(parts.iter().map(|part| (part.imports, part.n_files)));
        let ends: Vec<u32> = parts
            .iter()
            .scan(0, |end, part| {
                *end += part.n_files as u32;
                Some(*end)
            })
            .collect();
        let part_of = |file: u32| ends.partition_point(|end| *end <= file);
        let resolver = ImportResolver::new(files, manifests);
        let mut linked = Self {
            offsets: vec![0],
            modules: joined.modules.clone(),
            non_production: joined.non_production.clone(),
            packages: joined.packages.clone(),
            ..Self::default()
        };
        for (file, input) in (0u32..).zip(files) {
            for edge in joined.imports(file) {
                let own = part_of(file);
                let written = joined.module(edge);
                if edge.target.is_some() {
                    linked.edges.push(*edge);
                    continue;
                }
                let import = input.facts().imports.get(edge.import_idx as usize);
                let names = parts[own].aliases.names_of(input.language, written);
                let bound = names.iter().find_map(|module| {
                    let provides = |part: usize| {
                        let name = parts[part].provides.name_of(input.language, module);
                        part != own && name.is_some()
                    };
                    let import = import.filter(|_| (0..parts.len()).any(provides))?;
                    let mut leads = match module {
                        Cow::Borrowed(_) => leads(&resolver, file, import),
                        Cow::Owned(module) => leads(&resolver, file, &named(import, module)),
                    };
                    leads.retain(|lead| provides(part_of(lead.file)));
                    (!leads.is_empty()).then_some(leads)
                });
                linked.push(*edge, &bound.unwrap_or_default());
            }
            linked.offsets.push(linked.edges.len() as u32);
        }
        linked.turn_round();
        linked
    }

    fn add(
        &mut self,
        resolver: &ImportResolver<'_>,
        file: u32,
        imports: &[Import],
        module_ids: &mut HashMap<String, u32>,
    ) {
        for (import_idx, import) in (0u32..).zip(imports) {
            let next = module_ids.len() as u32;
            let known = module_ids.get(&import.module).copied();
            let module = known.unwrap_or_else(|| {
                self.modules.push(import.module.clone());
                module_ids.insert(import.module.clone(), next);
                next
            });
            let edge = ImportEdge {
                import_idx,
                name_idx: None,
                line: import.line,
                target: None,
                module,
            };
            self.push(edge, &leads(resolver, file, import));
        }
    }

    fn push(&mut self, edge: ImportEdge, leads: &[Lead]) {
        if leads.is_empty() {
            self.edges.push(edge);
        }
        self.edges.extend(leads.iter().map(|lead| ImportEdge {
            name_idx: lead.name_idx,
            target: Some(lead.file),
            ..edge
        }));
    }
}

/// Returns the files that an import of `file` means; none when it is not in the view.
fn leads(resolver: &ImportResolver<'_>, file: u32, import: &Import) -> Vec<Lead> {
    let rules = LanguageRules::of_family(resolver.families[file as usize]);
    (rules.imported_files)(resolver, file, import)
}

/// An import under its package's own name.
fn named(import: &Import, module: &str) -> Import {
    Import {
        module: module.to_owned(),
        ..import.clone()
    }
}

/// Returns the package that a file is in; `None` where files share no names by lying together.
fn package_of(input: &FileInput<'_>, facts: &FileFacts) -> Option<Package> {
    let rules = LanguageRules::of(input.language);
    if !rules.folder_is_scope {
        return None;
    }
    let name = (rules.package_name)(input.path, facts);
    if rules.free_name.is_some() && name.is_empty() {
        return None;
    }
    let is_outer = (rules.is_outside_package)(input.path, facts);
    Some(Package {
        key: text_key(&name) ^ rules.number() as u64 ^ u64::from(is_outer) << 32,
        is_open: rules.packages_span_repositories,
        name,
    })
}
