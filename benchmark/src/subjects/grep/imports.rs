//! What a person reads off a file by eye: imports and exported names, by pattern.

use regex::Regex;

fn matches(pattern: &str, text: &str) -> Vec<Vec<String>> {
    let regex = Regex::new(pattern).unwrap_or_else(|_| never());
    let groups = |captures: regex::Captures<'_>| {
        captures
            .iter()
            .skip(1)
            .map(|group| group.map_or_else(String::new, |group| group.as_str().to_owned()))
            .collect()
    };
    regex.captures_iter(text).map(groups).collect()
}

/// A pattern that matches nothing.
#[expect(clippy::unwrap_used, reason = "the pattern is fixed")]
pub(super) fn never() -> Regex {
    Regex::new(r"[^\s\S]").unwrap()
}

pub(super) fn exported_names(out: &str) -> Vec<(String, String)> {
    let pattern = r"(?m)^\.?/?(.+?):\d+:.*export (?:function|class|const|interface|type)\s+([A-Za-z_][A-Za-z0-9_]*)";
    matches(pattern, out)
        .into_iter()
        .filter_map(|groups| <[String; 2]>::try_from(groups).ok())
        .map(|[file, name]| (file, name))
        .collect()
}

pub(super) fn relative_imports(text: &str, file: &str) -> Vec<String> {
    let import = r#"(?:^|\n)\s*import\s+(?:[^'"]*?from\s+)?['"]([^'"]+)['"]"#;
    let require = r#"require\(\s*['"]([^'"]+)['"]\s*\)"#;
    let specifiers = matches(import, text)
        .into_iter()
        .chain(matches(require, text))
        .flatten();
    let mut imports: Vec<String> = Vec::new();
    for specifier in specifiers.filter(|specifier| specifier.starts_with('.')) {
        let path = join(folder_of(file), &specifier);
        let path = path.strip_suffix(".js").unwrap_or(&path);
        let path = path.strip_suffix(".ts").unwrap_or(path).to_owned();
        if !imports.contains(&path) {
            imports.push(path);
        }
    }
    imports
}

/// Modules that a Python file may import, as paths without an extension.
pub(super) fn python_imports(text: &str, file: &str) -> Vec<String> {
    let mut modules = Vec::new();
    for groups in matches(
        r"(?m)^\s*from\s+(\.*)([\w.]*)\s+import\s+\(?([^\n#)]*)",
        text,
    ) {
        let [dots, module, names] = groups.as_slice() else {
            continue;
        };
        let mut base = match dots.len() {
            0 => String::new(),
            n => join(folder_of(file), &"../".repeat(n - 1)),
        };
        if !module.is_empty() {
            base = join(&base, &module.replace('.', "/"));
        }
        let parts = names
            .split(',')
            .map(|name| name.split_whitespace().next().unwrap_or_default());
        modules.extend(
            parts
                .filter(|name| !name.is_empty())
                .map(|name| join(&base, name)),
        );
        modules.push(base);
    }
    let plain = matches(r"(?m)^\s*import\s+([\w.]+)", text)
        .into_iter()
        .flatten();
    modules.extend(plain.map(|module| module.replace('.', "/")));
    modules
}

fn folder_of(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Joins and tidies a relative path.
fn join(folder: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(relative.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
