//! What a repository provides to others, by its manifests and by where its files lie: the names that an
//! import in another repository can mean.
//!
//! Only names that a package is known by outside: a folder `utils` in the root is no package.

use std::collections::HashSet;

use serde_json::Value;

use crate::input::{
    family::Family,
    files::ManifestInput,
    paths::{self, base_name, parent},
};

/// Names of manifests that say what a repository provides, besides those that end as
/// [`ENDINGS`] do.
const NAMES: [&str; 7] = [
    "package.json",
    "go.mod",
    "Cargo.toml",
    "composer.json",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
];
const ENDINGS: [&str; 4] = [".gemspec", ".csproj", ".fsproj", "pom.xml"];
/// Folders below which a package of Python, Java or Ruby begins.
const PYTHON_ROOTS: [&str; 4] = ["", "src", "lib", "python"];
const JVM_ROOTS: [&str; 8] = [
    "src/main/java/",
    "src/main/kotlin/",
    "src/main/scala/",
    "src/commonMain/kotlin/",
    "src/jvmMain/kotlin/",
    "src/main/groovy/",
    "src/java/",
    "src/",
];

/// The names that a repository provides, by the family of languages that imports them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProvidedModules {
    /// A name and what joins it to the rest of a path.
    names: HashSet<(Family, String)>,
}

impl ProvidedModules {
    /// Says whether a file says what a repository provides.
    pub fn is_manifest(path: &str) -> bool {
        let name = base_name(path);
        NAMES.contains(&name) || ENDINGS.iter().any(|ending| name.ends_with(ending))
    }

    /// Reads what the files of a repository, by their paths, and its manifests provide. Manifests of
    /// tests, examples and copies of others provide nothing.
    pub fn of<'a>(
        files: impl Iterator<Item = &'a str> + Clone,
        manifests: &[ManifestInput<'_>],
    ) -> Self {
        let mut provided = Self::default();
        let shipped = manifests.iter();
        for manifest in shipped.filter(|manifest| !paths::is_non_production(manifest.path)) {
            provided.read(manifest, files.clone());
        }
        provided
    }

    /// Says whether nothing is provided.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the name by which a module, as a file of a language imports it, is provided here.
    pub fn name_of(&self, language: &str, module: &str) -> Option<&str> {
        let family = Family::of(language);
        let module = module.trim_start_matches('\\');
        let mut end = module.len();
        loop {
            let head = match family {
                Family::Rust => module[..end].replace('-', "_"),
                _ => module[..end].to_owned(),
            };
            if let Some((_, name)) = self.names.get(&(family, head)) {
                return Some(name);
            }
            end = module[..end].rfind(family.rules().package_joint?)?;
            if family == Family::Rust {
                end = module[..end].trim_end_matches(':').len();
            }
        }
    }

    fn add(&mut self, family: Family, name: &str) {
        if !name.trim().is_empty() {
            self.names.insert((family, name.trim().to_owned()));
        }
    }

    fn read<'a>(
        &mut self,
        manifest: &ManifestInput<'_>,
        files: impl Iterator<Item = &'a str> + Clone,
    ) {
        let (name, folder) = (base_name(manifest.path), parent(manifest.path));
        match name {
            "package.json" => {
                let json: Value = serde_json::from_str(manifest.text).unwrap_or_default();
                self.add(Family::Script, json["name"].as_str().unwrap_or_default());
            }
            "composer.json" => self.read_composer(manifest.text),
            "Cargo.toml" => self.read_cargo(manifest.text),
            "go.mod" => {
                let mut lines = manifest.text.lines();
                let module = lines.find_map(|line| line.trim().strip_prefix("module "));
                let path = module.and_then(|path| path.split("//").next());
                self.add(
                    Family::Go,
                    path.unwrap_or_default().trim().trim_matches('"'),
                );
            }
            "pyproject.toml" | "setup.cfg" | "setup.py" => {
                self.read_python(folder, manifest.text, files);
            }
            "pom.xml" => self.read_jvm(folder, files),
            _ if name.ends_with(".gemspec") => self.read_gem(folder, files),
            _ => self.read_dotnet(name, manifest.text),
        }
    }

    fn read_cargo(&mut self, text: &str) {
        let Ok(toml) = text.parse::<toml::Table>() else {
            return;
        };
        let of = |section: &str| toml.get(section)?.get("name")?.as_str();
        let name = of("lib").or_else(|| of("package"));
        self.add(Family::Rust, &name.unwrap_or_default().replace('-', "_"));
    }

    fn read_composer(&mut self, text: &str) {
        let json: Value = serde_json::from_str(text).unwrap_or_default();
        for rule in ["psr-4", "psr-0"] {
            let spaces = json["autoload"][rule].as_object();
            for space in spaces.into_iter().flat_map(|spaces| spaces.keys()) {
                self.add(Family::Php, space.trim_matches('\\'));
            }
        }
    }

    /// Packages are folders with `__init__.py`; one module, or a folder without, only if the manifest
    /// names it.
    fn read_python<'a>(
        &mut self,
        folder: &str,
        text: &str,
        files: impl Iterator<Item = &'a str> + Clone,
    ) {
        let is_named = |name: &str| {
            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
            words.any(|word| word.replace('-', "_").eq_ignore_ascii_case(name))
        };
        for root in PYTHON_ROOTS {
            let Some(root) = paths::join(folder, root) else {
                continue;
            };
            for path in files.clone() {
                let Some(rest) = below(path, &root) else {
                    continue;
                };
                let Some((top, inside)) = rest.split_once('/') else {
                    let module = rest.strip_suffix(".py").filter(|name| is_named(name));
                    let module = module.filter(|name| !matches!(*name, "setup" | "conftest"));
                    self.add(Family::Python, module.unwrap_or_default());
                    continue;
                };
                let is_package = matches!(inside, "__init__.py" | "__init__.pyi");
                let is_source = inside.ends_with(".py") && is_named(top);
                let is_other = paths::is_non_production(path) || PYTHON_ROOTS.contains(&top);
                if (is_package || is_source) && !is_other {
                    self.add(Family::Python, top);
                }
            }
        }
    }

    /// The packages whose folders hold sources; those of one part are everybody's.
    fn read_jvm<'a>(&mut self, folder: &str, files: impl Iterator<Item = &'a str>) {
        for path in files.filter(|path| !paths::is_non_production(path)) {
            let Some(rest) = below(path, folder) else {
                continue;
            };
            let is_source = [".java", ".kt", ".scala", ".groovy"];
            if !is_source.iter().any(|ending| rest.ends_with(ending)) {
                continue;
            }
            let package = JVM_ROOTS.iter().find_map(|root| {
                let at = rest
                    .find(root)
                    .filter(|at| *at == 0 || rest[..*at].ends_with('/'))?;
                Some(parent(&rest[at + root.len()..]))
            });
            if let Some(package) = package.filter(|package| package.contains('/')) {
                self.add(Family::Jvm, &package.replace('/', "."));
            }
        }
    }

    fn read_gem<'a>(&mut self, folder: &str, files: impl Iterator<Item = &'a str>) {
        let Some(root) = paths::join(folder, "lib") else {
            return;
        };
        for path in files {
            let rest = below(path, &root).and_then(|rest| rest.strip_suffix(".rb"));
            let top = rest.and_then(|rest| rest.split('/').next());
            self.add(Family::Ruby, top.unwrap_or_default());
        }
    }

    fn read_dotnet(&mut self, name: &str, text: &str) {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let tags = ["RootNamespace", "AssemblyName", "PackageId"];
        let said = tags.iter().filter_map(|tag| {
            let (_, rest) = text.split_once(&format!("<{tag}>"))?;
            rest.split_once('<').map(|(name, _)| name)
        });
        let said: Vec<&str> = said.filter(|name| !name.contains('$')).collect();
        for name in said.into_iter().chain([stem]) {
            self.add(Family::Dotnet, name);
        }
    }
}

fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    if folder.is_empty() {
        return Some(path);
    }
    path.strip_prefix(folder)?.strip_prefix('/')
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
