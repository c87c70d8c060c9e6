//! Rewrites that put what bears a name beside its uses: in a block, a lambda, a literal or a type of its own.

use whyrank_graph::SymbolId;
use whyrank_syntax::SymbolKind;

use super::super::rewritten::Rewritten;
use super::super::site::{Site, is_plain, named};

/// Adds a block with a local.
pub(super) fn sibling_block(site: &mut Site<'_>) -> Option<Rewritten> {
    within(site, 0)
}

/// Adds a lambda with a parameter.
pub(super) fn lambda_parameter(site: &mut Site<'_>) -> Option<Rewritten> {
    within(site, 1)
}

/// Adds a literal with a key, which is read.
pub(super) fn key(site: &mut Site<'_>) -> Option<Rewritten> {
    within(site, 2)
}

/// Adds a type within the function, with a method, which is called.
pub(super) fn local_type(site: &mut Site<'_>) -> Option<Rewritten> {
    within(site, 3)
}

/// Adds one of the texts of the language before the last statement of a function that uses the name.
fn within(site: &mut Site<'_>, which: usize) -> Option<Rewritten> {
    let texts = TEXTS
        .iter()
        .find(|(language, _)| *language == site.shape.language)?;
    let text = texts.1[which];
    if text.is_empty() {
        return None;
    }
    let functions = site.shape.functions;
    for function in site.shuffled(functions).into_iter().take(8) {
        if function.kind().contains("constructor") {
            continue;
        }
        let blocks = site.nodes_in(function, site.shape.blocks);
        let block = blocks.first().copied()?;
        let Some(last) = named(block).last().copied() else {
            continue;
        };
        let before = site.before_on_line(last.start_byte());
        let Some(name) = used_name(site, function) else {
            continue;
        };
        if !before.trim().is_empty() || last.kind().contains("comment") {
            continue;
        }
        let number = site.number.to_string();
        let text = text.replace("NAME", name).replace("NUMBER", &number);
        let text = text.replace('\n', &format!("\n{before}"));
        let mut edits = site.edits();
        edits.add(last.start_byte(), format!("{text}\n{before}"));
        return Some(Rewritten::from(edits).about(name));
    }
    None
}

/// A name of the checkout's definitions that a function uses, and that is none of its locals.
fn used_name<'v>(site: &mut Site<'v>, function: tree_sitter::Node<'v>) -> Option<&'v str> {
    let own = function.child_by_field_name("name").map(|it| site.text(it));
    let is_lower = site.shape.is_any(&["ruby", "rust", "scala"]);
    let view = site.view;
    let is_defined = |name: &str| {
        let files = 0..view.files.len() as u32;
        let mut ids = files.flat_map(|file| view.definitions(file));
        ids.any(|id: SymbolId| {
            let symbol = view.symbol(id);
            symbol.name == name && symbol.kind != SymbolKind::Macro
        })
    };
    let names: Vec<&str> = site
        .names(function)
        .into_iter()
        .map(|name| site.text(name))
        .filter(|name| is_plain(name) && Some(*name) != own)
        .filter(|name| !is_lower || name.starts_with(char::is_lowercase))
        .collect();
    let declared: Vec<&str> = site
        .nodes_in(function, site.shape.locals)
        .into_iter()
        .chain(site.nodes_in(function, site.shape.parameters))
        .flat_map(|node| site.names(node))
        .map(|name| site.text(name))
        .collect();
    let names: Vec<&str> = names
        .into_iter()
        .filter(|name| !declared.contains(name) && is_defined(name))
        .collect();
    site.dice.pick(&names).copied()
}

/// By language: a block, a lambda, a literal, a type.
const TEXTS: [(&str, [&str; 4]); 14] = [
    (
        "typescript",
        [
            "{\n  const NAME = 1;\n  void (NAME + 1);\n}",
            "void ((NAME: number) => NAME + 1)(1);",
            "const rwNUMBER = { NAME: 1 };\nvoid rwNUMBER.NAME;",
            "class RwNUMBER { NAME(): number { return 1; } }\nnew RwNUMBER().NAME();",
        ],
    ),
    (
        "javascript",
        [
            "{\n  const NAME = 1;\n  void (NAME + 1);\n}",
            "void ((NAME) => NAME + 1)(1);",
            "const rwNUMBER = { NAME: 1 };\nvoid rwNUMBER.NAME;",
            "class RwNUMBER { NAME() { return 1; } }\nnew RwNUMBER().NAME();",
        ],
    ),
    (
        "python",
        [
            "rwNUMBER = [NAME for NAME in (1, 2)]",
            "rwNUMBER = (lambda NAME: NAME + 1)(1)",
            "rwNUMBER = dict(NAME=1)",
            "class RwNUMBER:\n    def NAME(self):\n        return 1\n\nRwNUMBER().NAME()",
        ],
    ),
    (
        "go",
        [
            "{\n\tNAME := 1\n\t_ = NAME + 1\n}",
            "_ = func(NAME int) int { return NAME + 1 }(1)",
            "rwNUMBER := struct{ NAME int }{NAME: 1}\n_ = rwNUMBER.NAME",
            "",
        ],
    ),
    (
        "rust",
        [
            "{\n    let NAME = 1;\n    let _ = NAME + 1;\n}",
            "let _ = (|NAME: u32| NAME + 1)(1);",
            "",
            "struct RwNUMBER;\nimpl RwNUMBER {\n    fn NAME(&self) -> u32 {\n        1\n    }\n}\nlet _ = RwNUMBER.NAME();",
        ],
    ),
    (
        "java",
        [
            "{\n    int NAME = 1;\n    NAME++;\n}",
            "java.util.function.IntUnaryOperator rwNUMBER = NAME -> NAME + 1;\nrwNUMBER.applyAsInt(1);",
            "",
            "class RwNUMBER { int NAME() { return 1; } }\nnew RwNUMBER().NAME();",
        ],
    ),
    (
        "kotlin",
        [
            "if (true) {\n    val NAME = 1\n    println(NAME)\n}",
            "val rwNUMBER = { NAME: Int -> NAME + 1 }\nrwNUMBER(1)",
            "val rwNUMBER = object { val NAME = 1 }\nprintln(rwNUMBER.NAME)",
            "class RwNUMBER { fun NAME(): Int { return 1 } }\nRwNUMBER().NAME()",
        ],
    ),
    (
        "csharp",
        [
            "",
            "System.Func<int, int> rwNUMBER = NAME => NAME + 1;\nrwNUMBER(1);",
            "var rwNUMBER = new { NAME = 1 };\nSystem.Console.WriteLine(rwNUMBER.NAME);",
            "",
        ],
    ),
    (
        "php",
        [
            "(function () { $NAME = 1; return $NAME; })();",
            "(fn($NAME) => $NAME + 1)(1);",
            "$rwNUMBER = ['NAME' => 1];",
            "$rwNUMBER = new class { public function NAME() { return 1; } };\n$rwNUMBER->NAME();",
        ],
    ),
    (
        "ruby",
        [
            "[1].each { |NAME| NAME + 1 }",
            "->(NAME) { NAME + 1 }.call(1)",
            "rwNUMBER = { NAME: 1 }",
            "",
        ],
    ),
    (
        "scala",
        [
            "locally {\n  val NAME = 1\n  NAME + 1\n}",
            "val rwNUMBER = (NAME: Int) => NAME + 1",
            "",
            "class RwNUMBER { def NAME(): Int = { 1 } }\nnew RwNUMBER().NAME()",
        ],
    ),
    (
        "swift",
        [
            "do {\n    let NAME = 1\n    _ = NAME + 1\n}",
            "let rwNUMBER = { (NAME: Int) -> Int in NAME + 1 }\n_ = rwNUMBER(1)",
            "let rwNUMBER = (NAME: 1, other: 2)\n_ = rwNUMBER.NAME",
            "struct RwNUMBER {\n    func NAME() -> Int {\n        return 1\n    }\n}\n_ = RwNUMBER().NAME()",
        ],
    ),
    (
        "cpp",
        [
            "{\n    int NAME = 1;\n    (void)NAME;\n}",
            "(void)[](int NAME) { return NAME + 1; }(1);",
            "",
            "struct RwNUMBER { int NAME() { return 1; } };\nRwNUMBER().NAME();",
        ],
    ),
    (
        "c",
        [
            "{\n    int NAME = 1;\n    (void)NAME;\n}",
            "",
            "struct { int NAME; } rwNUMBER = { .NAME = 1 };\n(void)rwNUMBER.NAME;",
            "",
        ],
    ),
];
