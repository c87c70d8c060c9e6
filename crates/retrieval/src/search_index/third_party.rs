//! Copies of other projects that a repository holds as single files, known by their names: scripts for
//! browsers that somebody saved beside his own.

/// Libraries that pages load as a file of their name.
const LIBRARIES: [&str; 40] = [
    "angular",
    "backbone",
    "bootstrap",
    "ckeditor",
    "codemirror",
    "d3",
    "dojo",
    "ember",
    "fontawesome",
    "handlebars",
    "highlight",
    "html5shiv",
    "jquery",
    "jquery-ui",
    "knockout",
    "leaflet",
    "less",
    "lodash",
    "mathjax",
    "modernizr",
    "moment",
    "mootools",
    "mustache",
    "normalize",
    "polyfill",
    "popper",
    "prettify",
    "prototype",
    "raphael",
    "react",
    "react-dom",
    "require",
    "select2",
    "sizzle",
    "swfobject",
    "three",
    "tinymce",
    "underscore",
    "vue",
    "zepto",
];
/// Endings of what pages load.
const ENDINGS: [&str; 4] = [".js", ".mjs", ".cjs", ".css"];
/// Folders of what a server hands out as it is. A library's own file lies in none of them.
const ASSETS: [&str; 11] = [
    "_static",
    "assets",
    "javascript",
    "javascripts",
    "js",
    "media",
    "public",
    "static",
    "stylesheets",
    "www",
    "wwwroot",
];

/// Returns whether a file is another project's by its name: `jquery-3.5.1.js`, `x.min.js` and, among what a
/// server hands out, `jquery.js`. In lower case.
pub(super) fn is_third_party(folder: &str, name: &str) -> bool {
    let Some(stem) = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)) else {
        return false;
    };
    let minified = [".min", "-min", ".slim"];
    let plain = minified.iter().find_map(|mark| stem.strip_suffix(mark));
    let is_asset = || folder.split('/').any(|part| ASSETS.contains(&part));
    let (library, version) = without_version(plain.unwrap_or(stem));
    plain.is_some() || version > 2 || LIBRARIES.contains(&library) && (version > 0 || is_asset())
}

/// A name without the version at its end, and of how many numbers that is.
fn without_version(stem: &str) -> (&str, usize) {
    let name = stem.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
    let version = &stem[name.len()..];
    let n_numbers = version.split('.').filter(|part| !part.is_empty()).count();
    let name = name.strip_suffix(['v', 'V']).unwrap_or(name);
    match name.strip_suffix(['-', '.', '_', '@']) {
        Some(name) => (name, n_numbers),
        // `d3.js`, `select2.js`: the number is the name's.
        None => (stem, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::is_third_party;

    #[test]
    fn libraries_are_known_by_name_and_version() {
        for (folder, name) in [
            ("src", "jquery-3.5.1.js"),
            ("", "chart-2.9.4.js"),
            ("web", "d3.v7.js"),
            ("app", "site.min.js"),
            ("docs", "site-min.css"),
            ("app/static/js", "jquery.js"),
            ("public", "select2.js"),
            ("x", "jquery-3.5.1.slim.min.js"),
        ] {
            assert!(is_third_party(folder, name), "{folder}/{name}");
        }
        for (folder, name) in [
            ("src", "jquery.js"),
            ("src", "voilà.js"),
            ("src", "見-日本2.js"),
            ("lib", "handlebars.js"),
            ("static", "cart.js"),
            ("migrations", "step-2.js"),
            ("src", "upgrade-2.0.js"),
            ("src", "admin.js"),
            ("static", "jquery.py"),
        ] {
            assert!(!is_third_party(folder, name), "{folder}/{name}");
        }
    }
}
