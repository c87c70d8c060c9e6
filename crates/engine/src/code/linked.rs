//! Imports from one repository into another: what each provides, who imports it, and the view over
//! repositories that are tied by it.

use crate::Engine;
use crate::api::{
    ProposedWorkspace, RepoId, RepoImport, RepoName, RepoScope, SearchRequest, WorkspaceRepo,
};
use crate::code::graph_facts::GraphFacts;
use crate::code::outside::Outside;
use crate::error::Result;
use crate::views::{LivePart, LivePool, LiveView};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use whyrank_graph::{DependencyAliases, ImportGraph, LinkedPart, ManifestInput, ProvidedModules};

/// A manifest of more bytes is data.
const MAX_MANIFEST_BYTES: usize = 256 << 10;

impl LiveView {
    /// What of the view others can import, and what it imports of others. Worked out once.
    pub(crate) fn outside(&self) -> &Outside {
        self.outside.get_or_init(|| {
            let manifests = self.package_manifests();
            let manifests: Vec<ManifestInput<'_>> = manifests
                .iter()
                .map(|(path, text)| ManifestInput { path, text })
                .collect();
            let paths = self.files.iter().map(|file| file.path.as_str());
            let aliases = DependencyAliases::of(&manifests);
            Outside {
                provides: ProvidedModules::of(paths, &manifests),
                wants: self.wants(&aliases),
                aliases,
            }
        })
    }

    fn package_manifests(&self) -> Vec<(&str, String)> {
        let files = (0u32..).zip(&self.files);
        let manifests = files.filter(|(_, file)| ProvidedModules::is_manifest(&file.path));
        // A manifest that cannot be read provides nothing.
        let read =
            manifests.filter_map(|(at, file)| Some((file.path.as_str(), self.text(at).ok()?)));
        let read = read.filter(|(_, text)| text.len() <= MAX_MANIFEST_BYTES);
        read.collect()
    }

    fn wants(&self, aliases: &DependencyAliases) -> BTreeMap<(&'static str, String), u32> {
        let mut wants: BTreeMap<(&'static str, String), u32> = BTreeMap::new();
        for (at, file) in (0u32..).zip(&self.files) {
            let modules: HashSet<&str> = self.graph.imports.externals(at).collect();
            for module in modules {
                let language = file.language.name();
                for name in aliases.names_of(language, module) {
                    *wants.entry((language, name.into_owned())).or_default() += 1;
                }
            }
        }
        wants
    }
}

impl Engine {
    /// Groups repositories by what imports what: those of a group are asked as one, under the id that
    /// joins theirs.
    ///
    /// # Errors
    /// Those of opening a view that no other can stand in for.
    pub fn linked(&self, scope: &RepoScope) -> Result<Vec<RepoName>> {
        let (pool, _) = self.open_several(&scope.ids(), None)?;
        let groups = groups(&pool.parts);
        let named = groups.into_iter().map(|group| {
            let parts = || group.iter().map(|at| &pool.parts[*at]);
            let ids: Vec<RepoId> = parts().map(|part| part.repo.id.clone()).collect();
            let names: Vec<&str> = parts().map(|part| part.name.as_str()).collect();
            RepoName {
                id: RepoId::joined(&ids),
                name: names.join(" + "),
            }
        });
        Ok(named.collect())
    }

    /// Returns those repositories that the best hits of a question lie in, `n` at most, as one.
    ///
    /// # Errors
    /// Those of [`Engine::search`].
    pub fn best_repos(&self, scope: &RepoScope, question: &str, n: usize) -> Result<RepoName> {
        let found = self.find(&SearchRequest {
            repos: scope.ids(),
            query: question.to_owned(),
            distinct_files: true,
            ..SearchRequest::default()
        });
        let named = match found {
            Ok(found) => found.hits.into_iter().filter_map(|hit| hit.repo).collect(),
            // A question of lines and symbols has no words to search for.
            Err(error) if error.code == "bad-argument" => Vec::new(),
            Err(error) => return Err(error),
        };
        let mut best: Vec<&RepoName> = Vec::new();
        let by_hits = named
            .iter()
            .filter_map(|name| scope.repos.iter().find(|repo| repo.name == *name));
        for repo in by_hits.chain(&scope.repos) {
            if best.len() < n && !best.contains(&repo) {
                best.push(repo);
            }
        }
        if !named.is_empty() {
            best.retain(|repo| named.contains(&repo.name));
        }
        best.sort_by(|a, b| a.name.cmp(&b.name));
        let ids: Vec<RepoId> = best.iter().map(|repo| repo.id.clone()).collect();
        let names: Vec<&str> = best.iter().map(|repo| repo.name.as_str()).collect();
        Ok(RepoName {
            id: RepoId::joined(&ids),
            name: names.join(" + "),
        })
    }

    /// Proposes workspaces: repositories of which one imports what another provides.
    ///
    /// # Errors
    /// `registry-damaged`, `io`, and those of opening views.
    pub fn propose_workspaces(&self) -> Result<Vec<ProposedWorkspace>> {
        let scope = self.scope(&[crate::workspaces::ALL.to_owned()])?;
        let mut ids = scope.ids();
        let mut indexed = self.are_indexed(&ids)?.into_iter();
        ids.retain(|_| indexed.next() == Some(true));
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let (pool, _) = self.open_several(&ids, None)?;
        let groups = groups(&pool.parts).into_iter();
        let several = groups.filter(|group| group.len() > 1);
        Ok(several.map(|group| proposed(&pool, &group)).collect())
    }

    /// The repositories of a pool that one of them imports, each with that one's name.
    pub(crate) fn imported_by(
        &self,
        asking: &RepoId,
        pool: &LivePool,
    ) -> std::collections::HashMap<String, String> {
        let own = pool.parts.iter().find(|part| part.repo.id == *asking);
        let Some(own) = own.filter(|_| pool.is_pooled()) else {
            return Default::default();
        };
        let others = pool.parts.iter().filter(|part| part.repo.id != *asking);
        let imported = others.filter(|part| imports_of(&own.view, &part.view).is_some());
        let named = imported.map(|part| (part.name.clone(), own.name.clone()));
        named.collect()
    }

    /// The view over several repositories, with the imports between them bound.
    pub(crate) fn linked_view(
        &self,
        repos: &[RepoId],
        as_of: Option<&str>,
    ) -> Result<Arc<LiveView>> {
        let (pool, _) = self.open_several(repos, as_of)?;
        if let [only] = pool.parts.as_slice() {
            return Ok(Arc::clone(&only.view));
        }
        self.state.live.linked(&pool, || link(&pool))
    }
}

/// Parts that imports tie to each other, by index; each group and the groups in order.
fn groups(parts: &[LivePart]) -> Vec<Vec<usize>> {
    let mut group_of: Vec<usize> = (0..parts.len()).collect();
    for importer in 0..parts.len() {
        for provider in 0..parts.len() {
            let (one, other) = (group_of[importer], group_of[provider]);
            if one != other && imports_of(&parts[importer].view, &parts[provider].view).is_some() {
                let (low, high) = (one.min(other), one.max(other));
                let grouped = group_of.iter_mut().filter(|group| **group == high);
                grouped.for_each(|group| *group = low);
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, group) in group_of.into_iter().enumerate() {
        groups.entry(group).or_default().push(at);
    }
    groups.into_values().collect()
}

fn proposed(pool: &LivePool, group: &[usize]) -> ProposedWorkspace {
    let parts = || group.iter().map(|at| &pool.parts[*at]);
    let repos = parts().map(|part| WorkspaceRepo {
        id: part.repo.id.clone(),
        name: part.name.clone(),
        root: part.repo.root.display().to_string(),
    });
    let pairs = parts().flat_map(|importer| parts().map(move |provider| (importer, provider)));
    let imports = pairs.filter(|(importer, provider)| importer.name != provider.name);
    let imports = imports.filter_map(|(importer, provider)| {
        Some(RepoImport {
            importer: importer.name.clone(),
            provider: provider.name.clone(),
            ..imports_of(&importer.view, &provider.view)?
        })
    });
    ProposedWorkspace {
        repos: repos.collect(),
        imports: imports.collect(),
    }
}

/// Binds imports across the repositories of a pool. O(files and imports of all).
fn link(pool: &Arc<LivePool>) -> Result<LiveView> {
    let joined = LiveView::over(Arc::clone(pool), pool.with_imports(ImportGraph::default()));
    let facts = GraphFacts::new(&joined, true);
    let inputs = facts.inputs(&joined);
    let manifests = joined.package_manifests();
    let manifests: Vec<ManifestInput<'_>> = manifests
        .iter()
        .map(|(path, text)| ManifestInput { path, text })
        .collect();
    let parts: Vec<LinkedPart<'_>> = (pool.parts.iter())
        .map(|part| {
            let (view, outside) = (&part.view, part.view.outside());
            LinkedPart {
                imports: &view.graph.imports,
                n_files: view.files.len(),
                provides: &outside.provides,
                aliases: &outside.aliases,
            }
        })
        .collect();
    let imports = ImportGraph::linked(&parts, &inputs, &manifests);
    Ok(LiveView::over(Arc::clone(pool), pool.with_imports(imports)))
}

/// The names by which one view imports another, and how many of its imports do.
fn imports_of(importer: &LiveView, provider: &LiveView) -> Option<RepoImport> {
    let provider = provider.outside();
    if provider.provides.is_empty() {
        return None;
    }
    importer.outside().imports_of(provider)
}
