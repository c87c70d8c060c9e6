//! Names under which a repository imports packages that are called something else: `npm:` aliases,
//! Cargo's `package =`, Go's `replace`.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use crate::input::{family::Family, files::ManifestInput, paths::base_name};

/// The sections of a Cargo manifest that name dependencies.
const CARGO: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
/// The same of a `package.json`.
const NPM: [&str; 4] = [
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "optionalDependencies",
];

/// What the packages are called that a repository imports under names of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DependencyAliases {
    real: HashMap<(Family, String), String>,
}

impl DependencyAliases {
    /// Reads the manifests of a repository. A name that two of them give to different packages is
    /// left as it is written.
    pub fn of(manifests: &[ManifestInput<'_>]) -> Self {
        let mut aliases = Self::default();
        let mut refused = Vec::new();
        for manifest in manifests {
            for (family, alias, real) in read(manifest) {
                let known = aliases.real.insert((family, alias.clone()), real.clone());
                if known.is_some_and(|known| known != real) {
                    refused.push((family, alias));
                }
            }
        }
        for alias in refused {
            aliases.real.remove(&alias);
        }
        aliases
    }

    /// Returns a module, as a file of a language imports it, under the names that its package may have
    /// for itself: its own, and for Go, where a replacement may keep the name of what it replaces,
    /// the one that is written.
    pub fn names_of<'a>(&self, language: &str, module: &'a str) -> Vec<Cow<'a, str>> {
        let family = Family::of(language);
        let real = self.real_module(family, module);
        let is_kept = family == Family::Go && matches!(real, Cow::Owned(_));
        let written = is_kept.then_some(Cow::Borrowed(module));
        [real].into_iter().chain(written).collect()
    }

    fn real_module<'a>(&self, family: Family, module: &'a str) -> Cow<'a, str> {
        let joint = family.rules().package_joint;
        let Some(joint) = joint.filter(|_| !self.real.is_empty()) else {
            return Cow::Borrowed(module);
        };
        let mut end = module.len();
        loop {
            let head = &module[..end];
            if let Some(real) = self.real.get(&(family, head.to_owned())) {
                return Cow::Owned(format!("{real}{}", &module[end..]));
            }
            match head.rfind(joint) {
                Some(shorter) => end = head[..shorter].trim_end_matches(joint).len(),
                None => return Cow::Borrowed(module),
            }
        }
    }
}

fn read(manifest: &ManifestInput<'_>) -> Vec<(Family, String, String)> {
    match base_name(manifest.path) {
        "package.json" => read_npm(manifest.text),
        "Cargo.toml" => read_cargo(manifest.text),
        "go.mod" => read_go(manifest.text),
        _ => Vec::new(),
    }
}

/// `"got": "npm:@acme/got@^1"`, and `workspace:NAME@RANGE` as pnpm has it.
fn read_npm(text: &str) -> Vec<(Family, String, String)> {
    let json: Value = serde_json::from_str(text).unwrap_or_default();
    let sections = NPM.iter().filter_map(|section| json[section].as_object());
    let aliases = sections.flatten().filter_map(|(alias, range)| {
        let range = range.as_str()?;
        let target = range
            .strip_prefix("npm:")
            .or_else(|| range.strip_prefix("workspace:"))?;
        // The first sign of a scope is no version's.
        let scope = usize::from(target.starts_with('@'));
        let end = target[scope..].find('@').map(|at| at + scope);
        let name = match end {
            Some(end) => &target[..end],
            None if range.starts_with("npm:") => target,
            None => return None,
        };
        (!name.is_empty() && name != alias)
            .then(|| (Family::Script, alias.clone(), name.to_owned()))
    });
    aliases.collect()
}

/// `got = { package = "acme-got" }`, of the package, its targets and its workspace.
fn read_cargo(text: &str) -> Vec<(Family, String, String)> {
    let Ok(manifest) = text.parse::<toml::Table>() else {
        return Vec::new();
    };
    let of_targets = manifest.get("target").and_then(toml::Value::as_table);
    let of_targets = of_targets.into_iter().flat_map(toml::Table::values);
    let tables = of_targets
        .chain(manifest.get("workspace"))
        .filter_map(toml::Value::as_table)
        .chain([&manifest]);
    let sections = tables.flat_map(|table| {
        let named = CARGO.iter().filter_map(|section| table.get(*section));
        named.filter_map(toml::Value::as_table)
    });
    let crate_name = |name: &str| name.replace('-', "_");
    let aliases = sections.flatten().filter_map(|(alias, dependency)| {
        let package = dependency.get("package")?.as_str()?;
        let (alias, package) = (crate_name(alias), crate_name(package));
        (alias != package).then_some((Family::Rust, alias, package))
    });
    aliases.collect()
}

/// `replace old => new v1`, alone or in a block; a folder has the name that is imported.
fn read_go(text: &str) -> Vec<(Family, String, String)> {
    let mut aliases = Vec::new();
    let mut is_in_block = false;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let rule = match line.strip_prefix("replace") {
            Some(rest) if rest.trim() == "(" => {
                is_in_block = true;
                continue;
            }
            Some(rest) if rest.starts_with(char::is_whitespace) => rest,
            _ if line.starts_with(')') => {
                is_in_block = false;
                continue;
            }
            _ if is_in_block => line,
            _ => continue,
        };
        let Some((old, new)) = rule.split_once("=>") else {
            continue;
        };
        let first = |side: &str| side.split_whitespace().next().map(str::to_owned);
        if let (Some(old), Some(new)) = (first(old), first(new))
            && !new.starts_with(['.', '/'])
            && old != new
        {
            aliases.push((Family::Go, old, new));
        }
    }
    aliases
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
