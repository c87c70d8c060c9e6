//! Prints the syntax tree of a file with its fields: `tree LANGUAGE FILE`, to write tables from.
#![expect(clippy::print_stdout, reason = "it is a command-line program")]

fn main() {
    let mut args = std::env::args().skip(1);
    let (Some(language), Some(path)) = (args.next(), args.next()) else {
        return;
    };
    let grammar: tree_sitter::Language = match language.as_str() {
        "java" => tree_sitter_java::LANGUAGE.into(),
        "c" => tree_sitter_c::LANGUAGE.into(),
        "cpp" => tree_sitter_cpp::LANGUAGE.into(),
        "ruby" => tree_sitter_ruby::LANGUAGE.into(),
        "php" => tree_sitter_php::LANGUAGE_PHP.into(),
        "csharp" => tree_sitter_c_sharp::LANGUAGE.into(),
        "kotlin" => tree_sitter_kotlin_ng::LANGUAGE.into(),
        "swift" => tree_sitter_swift::LANGUAGE.into(),
        "scala" => tree_sitter_scala::LANGUAGE.into(),
        "bash" => tree_sitter_bash::LANGUAGE.into(),
        "dart" => tree_sitter_dart::LANGUAGE.into(),
        "lua" => tree_sitter_lua::LANGUAGE.into(),
        "python" => tree_sitter_python::LANGUAGE.into(),
        "go" => tree_sitter_go::LANGUAGE.into(),
        "rust" => tree_sitter_rust::LANGUAGE.into(),
        "javascript" => tree_sitter_javascript::LANGUAGE.into(),
        "html" => tree_sitter_html::LANGUAGE.into(),
        _ => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    };
    let mut parser = tree_sitter::Parser::new();
    let Ok(source) = std::fs::read_to_string(path) else {
        return;
    };
    if parser.set_language(&grammar).is_err() {
        return;
    }
    let Some(tree) = parser.parse(&source, None) else {
        return;
    };
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        if node.is_named() {
            let field = cursor
                .field_name()
                .map(|name| format!("{name}: "))
                .unwrap_or_default();
            let text = if node.named_child_count() == 0 {
                &source[node.byte_range()]
            } else {
                ""
            };
            println!("{}{field}{} {text:?}", "  ".repeat(depth), node.kind());
        }
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            depth -= 1;
        }
    }
}
