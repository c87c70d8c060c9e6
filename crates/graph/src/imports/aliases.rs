//! Names under which a repository imports packages that are called something else: `npm:` aliases,
//! Cargo's `package =`, Go's `replace`.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::{
    input::files::ManifestInput,
    languages::{LanguageRules, Rules},
};

/// What the packages are called that a repository imports under names of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DependencyAliases {
    real: HashMap<(Rules, String), String>,
}

impl DependencyAliases {
    /// Reads the manifests of a repository. A name that two of them give to different packages is
    /// left as it is written.
    pub fn of(manifests: &[ManifestInput<'_>]) -> Self {
        let mut aliases = Self::default();
        let mut refused = Vec::new();
        for manifest in manifests {
            let read = LanguageRules::reading(manifest.path).flat_map(|rules| {
                let renamed = (rules.renamed_packages)(manifest.text).into_iter();
                renamed.map(move |(alias, real)| (rules, alias, real))
            });
            for (rules, alias, real) in read {
                let known = aliases.real.insert((rules, alias.clone()), real.clone());
                if known.is_some_and(|known| known != real) {
                    refused.push((rules, alias));
                }
            }
        }
        for alias in refused {
            aliases.real.remove(&alias);
        }
        aliases
    }

    /// Returns a module, as a file of a language imports it, under the names that its package may have
    /// for itself: its own, and where a replacement may keep the name of what it replaces, the one that is
    /// written.
    pub fn names_of<'a>(&self, language: &str, module: &'a str) -> Vec<Cow<'a, str>> {
        let rules = LanguageRules::of(language);
        let real = self.real_module(rules, module);
        let is_kept = rules.replacements_keep_names && matches!(real, Cow::Owned(_));
        let written = is_kept.then_some(Cow::Borrowed(module));
        [real].into_iter().chain(written).collect()
    }

    fn real_module<'a>(&self, rules: Rules, module: &'a str) -> Cow<'a, str> {
        let joint = rules.package_joint;
        let Some(joint) = joint.filter(|_| !self.real.is_empty()) else {
            return Cow::Borrowed(module);
        };
        let mut end = module.len();
        loop {
            let head = &module[..end];
            if let Some(real) = self.real.get(&(rules, head.to_owned())) {
                return Cow::Owned(format!("{real}{}", &module[end..]));
            }
            match head.rfind(joint) {
                Some(shorter) => end = head[..shorter].trim_end_matches(joint).len(),
                None => return Cow::Borrowed(module),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(manifests: &[(&str, &str)], asked: &[(&str, &str, &str)]) {
        let manifests: Vec<ManifestInput<'_>> = manifests
            .iter()
            .map(|(path, text)| ManifestInput { path, text })
            .collect();
        let aliases = DependencyAliases::of(&manifests);
        for (language, module, expected) in asked {
            assert_eq!(aliases.names_of(language, module)[0], *expected);
        }
    }

    #[test]
    fn a_package_is_found_under_the_name_that_imports_it() {
        check(
            &[(
                "package.json",
                r#"{"dependencies": {"got": "npm:@acme/got@^1.2", "same": "^1", "tip": "npm:top",
                    "near": "workspace:far@*", "own": "workspace:*"}}"#,
            )],
            &[
                ("typescript", "got", "@acme/got"),
                ("javascript", "got/sub/deep", "@acme/got/sub/deep"),
                ("javascript", "gotten", "gotten"),
                ("javascript", "same", "same"),
                ("javascript", "tip", "top"),
                ("javascript", "near", "far"),
                ("javascript", "own", "own"),
                ("python", "got", "got"),
            ],
        );
        check(
            &[(
                "Cargo.toml",
                "[dependencies]\nold-rand = { package = \"rand-core\", version = \"1\" }\n\
                 [target.'cfg(unix)'.dev-dependencies.sys]\npackage = \"unix-sys\"\n\
                 [workspace.dependencies]\nlater = { package = \"now\" }\n",
            )],
            &[
                ("rust", "old_rand::Rng", "rand_core::Rng"),
                ("rust", "sys", "unix_sys"),
                ("rust", "later::a::b", "now::a::b"),
                ("rust", "old", "old"),
            ],
        );
        check(
            &[(
                "go.mod",
                "module m\nreplace example.org/a => example.org/fork/a v1.2.0\nreplace (\n\
                 \texample.org/b v1.0.0 => ../b\n\texample.org/c v1 => example.org/d v2 // why\n)\n",
            )],
            &[
                ("go", "example.org/a/x", "example.org/fork/a/x"),
                ("go", "example.org/b", "example.org/b"),
                ("go", "example.org/c", "example.org/d"),
                ("go", "example.org/ab", "example.org/ab"),
            ],
        );
    }

    #[test]
    fn a_name_with_two_meanings_stays_as_it_is() {
        let alias = |name: &str| format!(r#"{{"dependencies": {{"x": "npm:{name}@1"}}}}"#);
        let (one, other) = (alias("one"), alias("other"));
        check(
            &[("a/package.json", &one), ("b/package.json", &other)],
            &[("javascript", "x", "x")],
        );
    }
}
