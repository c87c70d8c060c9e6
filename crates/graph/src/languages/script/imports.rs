//! TypeScript, JavaScript, Vue: paths, folders, tsconfig `paths`, packages of the workspace.

use serde_json::Value;

use super::configs::{Config, WrittenConfigs, is_config};
use crate::input::{files::ManifestInput, paths, view_paths::ViewPaths};

/// The sections of a `package.json` that name dependencies.
const NPM: [&str; 4] = [
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "optionalDependencies",
];
const TYPED: [&str; 5] = ["ts", "tsx", "mts", "cts", "d.ts"];
const PLAIN: [&str; 4] = ["js", "jsx", "mjs", "cjs"];
const OTHER: [&str; 5] = ["vue", "svelte", "astro", "json", "d.mts"];
/// What a source file is called for each extension that its output has.
const SOURCES: [(&str, &[&str]); 4] = [
    ("js", &["ts", "tsx", "jsx", "d.ts", "vue"]),
    ("mjs", &["mts", "d.mts", "ts"]),
    ("cjs", &["cts", "ts"]),
    ("jsx", &["tsx", "jsx"]),
];
/// Folders that a build writes; the source lies in `src`, or without the folder.
const OUTPUTS: [&str; 10] = [
    "dist", "lib", "build", "out", "es", "esm", "cjs", "dist-cjs", "umd", "types",
];

/// Packages by name, and path mappings by folder.
pub(crate) struct ScriptRoots {
    packages: Vec<Package>,
    configs: Vec<Config>,
}

struct Package {
    name: String,
    folder: String,
    json: Value,
}

impl ScriptRoots {
    pub(crate) fn new(manifests: &[ManifestInput<'_>]) -> Self {
        let mut packages = Vec::new();
        let mut written = WrittenConfigs::default();
        for manifest in manifests {
            let name = paths::base_name(manifest.path);
            let folder = paths::parent(manifest.path).to_owned();
            if name == "package.json" {
                let json: Value = serde_json::from_str(manifest.text).unwrap_or_default();
                let name = json["name"].as_str().unwrap_or_default().to_owned();
                packages.push(Package { name, folder, json });
            } else if is_config(name) {
                written.add(manifest.path, manifest.text);
            }
        }
        let mut configs = written.configs(&|module| in_workspace(&packages, module));
        // The nearest folder decides.
        packages.sort_by(|a, b| {
            b.folder
                .len()
                .cmp(&a.folder.len())
                .then_with(|| a.folder.cmp(&b.folder))
        });
        configs.sort_by(|a, b| {
            b.folder
                .len()
                .cmp(&a.folder.len())
                .then_with(|| a.folder.cmp(&b.folder))
        });
        Self { packages, configs }
    }

    pub(crate) fn resolve(&self, places: &ViewPaths<'_>, file: u32, module: &str) -> Option<u32> {
        let module = module.rsplit('!').next()?.split('?').next()?;
        let module = module.strip_prefix("node:").map_or(module, |_| "");
        let typed = !PLAIN.contains(&paths::extension(places.path(file)));
        let at = |path: Option<String>| self.module_at(places, &path?, typed);
        let found = if module.is_empty() {
            None
        } else if module.starts_with('.') {
            at(paths::join(places.folder_of(file), module))
        } else if let Some(rooted) = module.strip_prefix('/') {
            at(paths::join("", rooted))
        } else {
            self.mapped(places, file, module, typed)
                .or_else(|| self.package(places, file, module, typed))
                .or_else(|| self.by_habit(places, file, module, typed))
        };
        found.filter(|target| *target != file)
    }

    fn module_at(&self, places: &ViewPaths<'_>, path: &str, typed: bool) -> Option<u32> {
        file_at(places, path, typed).or_else(|| {
            let package = self.packages.iter().find(|package| package.folder == path);
            package
                .and_then(|package| self.entry(places, package, ".", typed))
                .or_else(|| file_at(places, &paths::join(path, "index")?, typed))
        })
    }

    fn mapped(&self, places: &ViewPaths<'_>, file: u32, module: &str, typed: bool) -> Option<u32> {
        let path = places.path(file);
        let around = self
            .configs
            .iter()
            .filter(|config| is_inside(path, &config.folder));
        for config in around {
            for (pattern, targets) in &config.mappings {
                let Some(rest) = matched(pattern, module) else {
                    continue;
                };
                let found = targets.iter().find_map(|target| {
                    self.module_at(places, &target.replacen('*', rest, 1), typed)
                });
                if found.is_some() {
                    return found;
                }
            }
            let below_base = config
                .base
                .as_ref()
                .and_then(|base| paths::join(base, module));
            if let Some(found) = below_base.and_then(|path| self.module_at(places, &path, typed)) {
                return Some(found);
            }
        }
        None
    }

    /// A package of the workspace, or `#name` of the own one.
    fn package(&self, places: &ViewPaths<'_>, file: u32, module: &str, typed: bool) -> Option<u32> {
        if module.starts_with('#') {
            let path = places.path(file);
            let own = self
                .packages
                .iter()
                .find(|package| is_inside(path, &package.folder))?;
            let target = exported(&own.json["imports"], module)?;
            return self.source_at(places, own, &target, typed);
        }
        let named = self.packages.iter().filter_map(|package| {
            let rest = module.strip_prefix(package.name.as_str())?;
            let whole = !package.name.is_empty() && (rest.is_empty() || rest.starts_with('/'));
            whole.then_some((package, rest))
        });
        let (package, rest) = named.max_by_key(|(package, _)| package.name.len())?;
        self.entry(places, package, &format!(".{rest}"), typed)
    }

    /// What a package means by `.` or `./sub`.
    fn entry(
        &self,
        places: &ViewPaths<'_>,
        package: &Package,
        key: &str,
        typed: bool,
    ) -> Option<u32> {
        let target = exported(&package.json["exports"], key);
        if let Some(found) =
            target.and_then(|target| self.source_at(places, package, &target, typed))
        {
            return Some(found);
        }
        let rest = key.trim_start_matches('.').trim_start_matches('/');
        if !rest.is_empty() {
            return ["", "src", "lib"].iter().find_map(|root| {
                let path = paths::join(&paths::join(&package.folder, root)?, rest)?;
                file_at(places, &path, typed)
                    .or_else(|| file_at(places, &paths::join(&path, "index")?, typed))
            });
        }
        ["source", "main", "module", "types", "typings"]
            .iter()
            .filter_map(|field| package.json[*field].as_str())
            .find_map(|target| self.source_at(places, package, target, typed))
            .or_else(|| {
                ["index", "src/index", "src/main", "lib/index"]
                    .iter()
                    .find_map(|path| file_at(places, &paths::join(&package.folder, path)?, typed))
            })
    }

    /// The file that a manifest names, or the source that it is built from.
    fn source_at(
        &self,
        places: &ViewPaths<'_>,
        package: &Package,
        target: &str,
        typed: bool,
    ) -> Option<u32> {
        let whole = |path: &str| {
            let path = paths::join(&package.folder, path)?;
            file_at(places, &path, typed)
                .or_else(|| file_at(places, &paths::join(&path, "index")?, typed))
        };
        let target = target.trim_start_matches("./");
        if let Some(found) = whole(target) {
            return Some(found);
        }
        let mut rest = target;
        while let Some((first, tail)) = rest
            .split_once('/')
            .filter(|(first, _)| OUTPUTS.contains(first))
        {
            let stem = stem_of_output(tail);
            let found = [
                format!("src/{stem}"),
                stem.to_owned(),
                format!("lib/{stem}"),
            ]
            .iter()
            .filter(|path| !path.starts_with(first))
            .find_map(|path| whole(path));
            if found.is_some() {
                return found;
            }
            rest = tail;
        }
        None
    }

    /// `@/x` and `~/x` below `src` of the own package, as bundlers are commonly set up.
    fn by_habit(
        &self,
        places: &ViewPaths<'_>,
        file: u32,
        module: &str,
        typed: bool,
    ) -> Option<u32> {
        let rest = module
            .strip_prefix("@/")
            .or_else(|| module.strip_prefix("~/"))?;
        let path = places.path(file);
        let own = self
            .packages
            .iter()
            .find(|package| is_inside(path, &package.folder));
        let folder = own.map_or("", |package| package.folder.as_str());
        ["src", "", "app"].iter().find_map(|root| {
            self.module_at(
                places,
                &paths::join(&paths::join(folder, root)?, rest)?,
                typed,
            )
        })
    }
}

fn is_inside(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
}

fn stem_of_output(path: &str) -> &str {
    [".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs"]
        .iter()
        .find_map(|end| path.strip_suffix(end))
        .unwrap_or(path)
}

/// A file, with the extension left out or written as that of its output.
fn file_at(places: &ViewPaths<'_>, path: &str, typed: bool) -> Option<u32> {
    if let Some(file) = places.file(path) {
        return Some(file);
    }
    let written = paths::extension(path);
    let sources = SOURCES
        .iter()
        .find(|(output, _)| *output == written)
        .map_or(&[][..], |(_, s)| s);
    let stem = paths::without_extension(path);
    if let Some(file) = sources
        .iter()
        .find_map(|ext| places.file(&format!("{stem}.{ext}")))
    {
        return Some(file);
    }
    let with = |extension: &&str| places.file(&format!("{path}.{extension}"));
    let (first, second): (&[&str], &[&str]) = if typed {
        (&TYPED, &PLAIN)
    } else {
        (&PLAIN, &TYPED)
    };
    first.iter().chain(second).chain(&OTHER).find_map(with)
}

/// The path of a package's module below the package's folder.
fn in_workspace(packages: &[Package], module: &str) -> Option<String> {
    let named = packages.iter().filter(|package| !package.name.is_empty());
    let mut leads = named.filter_map(|package| {
        let rest = module.strip_prefix(package.name.as_str())?;
        let is_below = rest.is_empty() || rest.starts_with('/');
        is_below.then(|| paths::join(&package.folder, rest))?
    });
    leads.next()
}

/// What `*` matches when a pattern matches.
fn matched<'a>(pattern: &str, module: &'a str) -> Option<&'a str> {
    match pattern.split_once('*') {
        Some((head, tail)) => module.strip_prefix(head)?.strip_suffix(tail),
        None => (pattern == module).then_some(""),
    }
}

/// Follows `exports` or `imports` of package.json to a path, the source condition first.
fn exported(map: &Value, key: &str) -> Option<String> {
    let object = match map {
        Value::Object(object) if object.keys().any(|name| name.starts_with(['.', '#'])) => object,
        Value::Null => return None,
        whole => return (key == ".").then(|| condition(whole)).flatten(),
    };
    if let Some(target) = object.get(key) {
        return condition(target);
    }
    object.iter().find_map(|(pattern, target)| {
        let rest = matched(pattern, key).filter(|_| pattern.contains('*'))?;
        Some(condition(target)?.replace('*', rest))
    })
}

fn condition(target: &Value) -> Option<String> {
    match target {
        Value::String(path) => Some(path.clone()),
        Value::Array(targets) => targets.iter().find_map(condition),
        Value::Object(conditions) => [
            "source", "import", "module", "require", "default", "node", "types", "browser",
        ]
        .iter()
        .find_map(|name| condition(conditions.get(*name)?))
        .or_else(|| conditions.values().find_map(condition)),
        _ => None,
    }
}

/// The name of the package.
pub(super) fn provided_names(manifest: &ManifestInput<'_>, _: &[&str]) -> Vec<String> {
    let json: Value = serde_json::from_str(manifest.text).unwrap_or_default();
    json["name"]
        .as_str()
        .map(str::to_owned)
        .into_iter()
        .collect()
}

/// `"got": "npm:@acme/got@^1"`, and `workspace:NAME@RANGE` as pnpm has it.
pub(super) fn renamed_packages(text: &str) -> Vec<(String, String)> {
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
        (!name.is_empty() && name != alias).then(|| (alias.clone(), name.to_owned()))
    });
    aliases.collect()
}
