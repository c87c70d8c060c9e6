//! `Cargo.toml`: what a package is called, here and where it is imported.

use crate::input::files::ManifestInput;

/// The sections that name dependencies.
const SECTIONS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// The name of the library, as paths have it.
pub(super) fn provided_names(manifest: &ManifestInput<'_>, _: &[&str]) -> Vec<String> {
    let Ok(toml) = manifest.text.parse::<toml::Table>() else {
        return Vec::new();
    };
    let of = |section: &str| toml.get(section)?.get("name")?.as_str();
    let name = of("lib").or_else(|| of("package"));
    name.map(|name| name.replace('-', "_"))
        .into_iter()
        .collect()
}

/// `got = { package = "acme-got" }`, of the package, its targets and its workspace.
pub(super) fn renamed_packages(text: &str) -> Vec<(String, String)> {
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
        let named = SECTIONS.iter().filter_map(|section| table.get(*section));
        named.filter_map(toml::Value::as_table)
    });
    let crate_name = |name: &str| name.replace('-', "_");
    let aliases = sections.flatten().filter_map(|(alias, dependency)| {
        let package = dependency.get("package")?.as_str()?;
        let (alias, package) = (crate_name(alias), crate_name(package));
        (alias != package).then_some((alias, package))
    });
    aliases.collect()
}
