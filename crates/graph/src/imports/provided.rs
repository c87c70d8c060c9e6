//! What a repository provides to others, by its manifests and by where its files lie: the names that an
//! import in another repository can mean.
//!
//! Only names that a package is known by outside: a folder `utils` in the root is no package.

use std::collections::HashSet;

use crate::{
    input::{files::ManifestInput, paths},
    languages::{LanguageRules, Rules},
};

/// The names that a repository provides, by the family of languages that imports them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProvidedModules {
    names: HashSet<(Rules, String)>,
}

impl ProvidedModules {
    /// Says whether a file says what a repository provides.
    pub fn is_manifest(path: &str) -> bool {
        LanguageRules::reading(path).next().is_some()
    }

    /// Reads what the files of a repository, by their paths, and its manifests provide. Manifests of
    /// tests, examples and copies of others provide nothing.
    pub fn of<'a>(files: impl Iterator<Item = &'a str>, manifests: &[ManifestInput<'_>]) -> Self {
        let files: Vec<&str> = files.collect();
        let mut provided = Self::default();
        let shipped = manifests.iter();
        for manifest in shipped.filter(|manifest| !paths::is_non_production(manifest.path)) {
            for rules in LanguageRules::reading(manifest.path) {
                let names = (rules.provided_names)(manifest, &files).into_iter();
                let names = names.map(|name| name.trim().to_owned());
                let names = names.filter(|name| !name.is_empty());
                provided.names.extend(names.map(|name| (rules, name)));
            }
        }
        provided
    }

    /// Says whether nothing is provided.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the name by which a module, as a file of a language imports it, is provided here.
    pub fn name_of(&self, language: &str, module: &str) -> Option<&str> {
        let rules = LanguageRules::of(language);
        let module = module.trim_start_matches('\\');
        let mut end = module.len();
        loop {
            let head = match rules.dashes_become_underscores {
                true => module[..end].replace('-', "_"),
                false => module[..end].to_owned(),
            };
            if let Some((_, name)) = self.names.get(&(rules, head)) {
                return Some(name);
            }
            let joint = rules.package_joint?;
            end = module[..module[..end].rfind(joint)?]
                .trim_end_matches(joint)
                .len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[&str], (path, text): (&str, &str), asked: &[(&str, &str, Option<&str>)]) {
        let manifest = ManifestInput { path, text };
        let provided = ProvidedModules::of(files.iter().copied(), &[manifest]);
        for (language, module, expected) in asked {
            assert_eq!(provided.name_of(language, module), *expected, "{module}");
        }
    }

    #[test]
    fn packages_are_known_by_the_names_of_their_manifests() {
        check(
            &[],
            ("package.json", r#"{"name": "@acme/got"}"#),
            &[
                ("typescript", "@acme/got", Some("@acme/got")),
                ("javascript", "@acme/got/sub", Some("@acme/got")),
                ("javascript", "@acme/gotten", None),
                ("python", "@acme/got", None),
            ],
        );
        check(
            &[],
            ("go.mod", "module github.com/go-chi/chi/v5\n\ngo 1.20\n"),
            &[
                (
                    "go",
                    "github.com/go-chi/chi/v5/middleware",
                    Some("github.com/go-chi/chi/v5"),
                ),
                ("go", "github.com/go-chi/chi", None),
            ],
        );
        check(
            &[],
            ("Cargo.toml", "[package]\nname = \"serde-lite\"\n"),
            &[
                ("rust", "serde_lite::de::Read", Some("serde_lite")),
                ("rust", "serde", None),
            ],
        );
        check(
            &[],
            (
                "composer.json",
                r#"{"autoload": {"psr-4": {"Acme\\Shop\\": "src/"}}}"#,
            ),
            &[
                ("php", "Acme\\Shop\\Cart", Some("Acme\\Shop")),
                ("php", "Acme", None),
            ],
        );
        check(
            &[],
            ("src/Serilog/Serilog.csproj", "<Project></Project>"),
            &[("csharp", "Serilog.Events", Some("Serilog"))],
        );
    }

    #[test]
    fn folders_are_packages_where_the_language_says_so() {
        check(
            &[
                "src/pacer/__init__.py",
                "tests/__init__.py",
                "utils/one.py",
                "pacer_cli.py",
                "conftest.py",
            ],
            (
                "pyproject.toml",
                "[project]\nname = \"pacer\"\nscripts = {p = \"pacer_cli:main\"}\n",
            ),
            &[
                ("python", "pacer.retry", Some("pacer")),
                ("python", "pacer_cli", Some("pacer_cli")),
                ("python", "tests.helpers", None),
                ("python", "utils", None),
                ("python", ".pacer", None),
            ],
        );
        check(
            &[
                "core/src/main/java/org/acme/shop/Cart.java",
                "core/src/test/java/org/acme/TestCart.java",
            ],
            ("core/pom.xml", "<project/>"),
            &[
                ("java", "org.acme.shop.Cart", Some("org.acme.shop")),
                ("java", "org.acme.Other", None),
            ],
        );
        check(
            &["lib/sinatra/base.rb", "spec/a.rb"],
            ("sinatra.gemspec", ""),
            &[
                ("ruby", "sinatra/base", Some("sinatra")),
                ("ruby", "spec", None),
            ],
        );
    }
}
