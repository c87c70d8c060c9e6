//! The border of a repository: what others can import of it, and what it imports of others.

use crate::api::RepoImport;
use std::collections::{BTreeMap, BTreeSet};
use whyrank_graph::{DependencyAliases, ProvidedModules};

/// What crosses the border of a repository.
pub(crate) struct Outside {
    pub(super) provides: ProvidedModules,
    pub(super) aliases: DependencyAliases,
    /// Language and module of each import that leads to no file here, with the files that have it.
    pub(super) wants: BTreeMap<(&'static str, String), u32>,
}

impl Outside {
    /// Returns the names by which it imports what another provides, and how many of its imports do.
    pub(super) fn imports_of(&self, provider: &Self) -> Option<RepoImport> {
        let provides = &provider.provides;
        let mut names: BTreeSet<&str> = BTreeSet::new();
        let mut n_files = 0;
        for ((language, module), n) in &self.wants {
            if let Some(name) = provides.name_of(language, module) {
                names.insert(name);
                n_files = n_files.max(*n);
            }
        }
        let modules: Vec<String> = names.into_iter().map(str::to_owned).collect();
        (!modules.is_empty()).then(|| RepoImport {
            modules,
            n_files,
            ..RepoImport::default()
        })
    }
}
