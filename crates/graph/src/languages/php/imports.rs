//! PHP: PSR-4 from composer.json, else the longest end of the path; `require` by path.

use std::collections::HashSet;

use serde_json::Value;
use whyrank_syntax::{Import, ImportKind};

use crate::{
    imports::resolve::{Lead, definers::UsedNames, full_paths, named::NamedModules},
    input::{files::ManifestInput, paths, view_paths::ViewPaths},
};

/// PSR-4: namespace prefix without a trailing backslash, folder; longest prefix first.
pub(crate) struct Autoload {
    roots: Vec<(String, String)>,
}

impl Autoload {
    pub(crate) fn new(manifests: &[ManifestInput<'_>]) -> Self {
        let mut roots = Vec::new();
        for manifest in manifests {
            if paths::base_name(manifest.path) != "composer.json" {
                continue;
            }
            let Ok(json) = serde_json::from_str::<Value>(manifest.text) else {
                continue;
            };
            for section in ["autoload", "autoload-dev"] {
                let Some(map) = json[section]["psr-4"].as_object() else {
                    continue;
                };
                for (prefix, folders) in map {
                    let one = folders.as_str().into_iter();
                    let many = folders
                        .as_array()
                        .into_iter()
                        .flatten()
                        .filter_map(|folder| folder.as_str());
                    roots.extend(one.chain(many).filter_map(|folder| {
                        let folder = paths::join(paths::parent(manifest.path), folder)?;
                        Some((prefix.trim_end_matches('\\').to_owned(), folder))
                    }));
                }
            }
        }
        roots.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        Self { roots }
    }

    pub(crate) fn resolve(
        &self,
        places: &ViewPaths<'_>,
        named: &NamedModules<'_>,
        file: u32,
        import: &Import,
    ) -> Vec<Lead> {
        if names_a_file(import) {
            return included(places, file, &import.module)
                .map(Lead::to)
                .into_iter()
                .collect();
        }
        // A class may bear the name of its namespace.
        let inner = full_paths(import, "\\").into_iter().map(|(path, name)| {
            let doubled = name.is_some() && path.len() == import.module.split('\\').count();
            let own = doubled.then(|| [path.as_slice(), &path[path.len() - 1..]].concat());
            own.and_then(|own| self.class_file(places, named, file, &own))
                .or_else(|| self.class_file(places, named, file, &path))
        });
        let mut leads: Vec<Lead> = inner.flatten().map(Lead::to).collect();
        leads.sort_unstable();
        leads.dedup();
        leads
    }

    fn class_file(
        &self,
        places: &ViewPaths<'_>,
        named: &NamedModules<'_>,
        file: u32,
        path: &[&str],
    ) -> Option<u32> {
        let class = path.join("\\");
        let by_prefix = self.roots.iter().find_map(|(prefix, folder)| {
            let rest = class.strip_prefix(prefix.as_str())?;
            let inside = rest.is_empty() || rest.starts_with('\\') || prefix.is_empty();
            let path = paths::join(folder, &format!("{}.php", rest.replace('\\', "/")))?;
            inside.then(|| places.file(&path)).flatten()
        });
        let (name, namespace) = path.split_last()?;
        by_prefix
            .or_else(|| named.defining_in(&namespace.join("."), name))
            .or_else(|| {
                (0..path.len().saturating_sub(1)).find_map(|skip| {
                    places.nearest_ending_with(&format!("{}.php", path[skip..].join("/")), file)
                })
            })
    }
}

/// Says whether an import names a file, and no class, function or namespace.
pub(super) fn names_a_file(import: &Import) -> bool {
    import.kind == ImportKind::Include || import.module.ends_with(".php")
}

fn included(places: &ViewPaths<'_>, file: u32, module: &str) -> Option<u32> {
    let written = module.trim_matches(['"', '\'']).trim_start_matches('/');
    let beside = paths::join(places.folder_of(file), written).and_then(|path| places.file(&path));
    let plain = written.trim_start_matches("./").trim_start_matches("../");
    beside.or_else(|| places.nearest_ending_with(plain, file))
}

/// `use A\B;` of a namespace: the files in it that define what this file names through it (`B\C`).
pub(super) fn below_namespace(
    named: &NamedModules<'_>,
    used: &UsedNames<'_>,
    import: &Import,
) -> Vec<u32> {
    let through = |local: &str| {
        let inside = used.behind(local).iter().filter_map(|reference| {
            let before = reference.qualifier.trim_end_matches(['\\', ':']);
            let path = format!("{before}\\{}", reference.name);
            Some(path.strip_prefix(local)?.strip_prefix('\\')?.to_owned())
        });
        inside.collect::<HashSet<String>>()
    };
    let mut found: Vec<u32> = Vec::new();
    for name in &import.names {
        let space = format!("{}.{}", import.module, name.name).replace('\\', ".");
        for path in through(&name.local) {
            // `B\C::made` is C's.
            let parts: Vec<&str> = path.split('\\').collect();
            let ways = (1..=parts.len()).rev();
            let file = ways.into_iter().find_map(|n| {
                let (name, inner) = parts[..n].split_last()?;
                let space = [&[space.as_str()], inner].concat().join(".");
                named.defining_in(&space, name)
            });
            found.extend(file);
        }
    }
    found
}

/// The namespaces that files are loaded for.
pub(super) fn provided_names(manifest: &ManifestInput<'_>, _: &[&str]) -> Vec<String> {
    let json: Value = serde_json::from_str(manifest.text).unwrap_or_default();
    let mut names = Vec::new();
    for rule in ["psr-4", "psr-0"] {
        let spaces = json["autoload"][rule].as_object();
        let spaces = spaces.into_iter().flat_map(|spaces| spaces.keys());
        names.extend(spaces.map(|space| space.trim_matches('\\').to_owned()));
    }
    names
}
