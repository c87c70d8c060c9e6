//! When imports run: what makes a cycle of them hurt.

/// Languages that run files in the order of their imports, so that a cycle can meet half a module.
pub(super) fn loads_in_order(language: &str) -> bool {
    matches!(
        language,
        "javascript"
            | "jsx"
            | "typescript"
            | "tsx"
            | "vue"
            | "svelte"
            | "astro"
            | "python"
            | "c"
            | "cpp"
            | "lua"
    )
}

/// Says whether an import waits for a function to run, stands under a condition, or is for types alone.
pub(super) fn is_soft(language: &str, line: &str) -> bool {
    let is_indented = line.starts_with([' ', '\t']);
    match language {
        "python" | "lua" => is_indented,
        "javascript" | "jsx" | "typescript" | "tsx" | "vue" | "svelte" | "astro" => {
            let text = line.trim_start();
            text.starts_with("import type")
                || (is_indented && text.contains("require("))
                || text.contains("import(")
        }
        _ => false,
    }
}
