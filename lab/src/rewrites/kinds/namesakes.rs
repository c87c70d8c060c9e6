//! Rewrites that add what bears the name of a definition and has nothing to do with it.

use super::super::rewritten::{Rewritten, Written};
use super::super::site::Site;

/// Adds a member of a type of its own.
pub(super) fn method(site: &mut Site<'_>) -> Option<Rewritten> {
    beside(site, 0)
}

/// Adds a field of a type of its own.
pub(super) fn field(site: &mut Site<'_>) -> Option<Rewritten> {
    beside(site, 1)
}

/// Adds a local of a function of its own.
pub(super) fn local(site: &mut Site<'_>) -> Option<Rewritten> {
    beside(site, 2)
}

/// Adds a parameter of a function of its own.
pub(super) fn parameter(site: &mut Site<'_>) -> Option<Rewritten> {
    beside(site, 3)
}

/// Adds a function or a type of another package.
pub(super) fn elsewhere(site: &mut Site<'_>) -> Option<Rewritten> {
    beside(site, 4)
}

/// Adds one of the texts of the language: half of the time in a file of its own, else at the end of this
/// one, except what would hide the definition there.
fn beside(site: &mut Site<'_>, which: usize) -> Option<Rewritten> {
    let texts = TEXTS
        .iter()
        .find(|(language, ..)| *language == site.shape.language)?;
    let is_lower = site
        .shape
        .is_any(&["ruby", "rust", "scala", "kotlin", "swift"]);
    let is_value = which != 4;
    let is_fit = |name: &str, _| !(is_lower && is_value) || name.starts_with(char::is_lowercase);
    let name = site.definition(is_fit)?;
    let text = texts.2[which];
    if text.is_empty() {
        return None;
    }
    let number = site.number.to_string();
    let fill = |text: &str| text.replace("NAME", name).replace("NUMBER", &number);
    let needs_file = which == 4 && !text.starts_with('+');
    let text = fill(text.trim_start_matches('+'));
    if !needs_file && site.dice.below(2) == 0 {
        let mut edits = site.edits();
        edits.add(site.whole().len(), format!("\n{text}\n"));
        return Some(Rewritten::from(edits).about(name));
    }
    let head = fill(texts.1);
    // Rust: a file that no module names is none.
    if head.is_empty() {
        return None;
    }
    let stem = match site.shape.language {
        "java" => format!("Rw{number}"),
        _ => format!("rw{number}"),
    };
    let mut path = site.fresh_path(&stem);
    if site.shape.is_any(&["go", "java"]) {
        path = path
            .rsplit_once('/')
            .map_or(format!("rw{number}/{path}"), |(folder, file)| {
                format!("{folder}/rw{number}/{file}")
            });
    }
    // What a header's ending alone says may be C.
    if site.shape.language == "cpp" && path.ends_with(".h") {
        path.push_str("pp");
    }
    if path.ends_with("_test.go") || !site.path_is_free(&path) {
        return None;
    }
    let file = Written::fresh(path, format!("{head}{text}\n"));
    Some(Rewritten::default().and(file).about(name))
}

/// By language: the head of a file of its own, and texts: a method, a field, a local, a parameter, and a
/// function or type that must stand in such a file (behind `+`: that need not).
const TEXTS: [(&str, &str, [&str; 5]); 14] = [
    (
        "typescript",
        "export {};\n",
        [
            "class RwNUMBER { NAME(a: number): number { return a; } }\nnew RwNUMBER().NAME(1);",
            "class RwNUMBER { NAME = 1; own(): number { return this.NAME; } }\nnew RwNUMBER().own();",
            "function rwNUMBER(): number { const NAME = 1; return NAME + 1; }\nrwNUMBER();",
            "function rwNUMBER(NAME: number): number { return NAME + 1; }\nrwNUMBER(1);",
            "function NAME(): number { return 1; }\nNAME();",
        ],
    ),
    (
        "javascript",
        "export {};\n",
        [
            "class RwNUMBER { NAME(a) { return a; } }\nnew RwNUMBER().NAME(1);",
            "const rwNUMBER = { NAME: 1 };\nrwNUMBER.NAME + 1;",
            "function rwNUMBER() { const NAME = 1; return NAME + 1; }\nrwNUMBER();",
            "function rwNUMBER(NAME) { return NAME + 1; }\nrwNUMBER(1);",
            "function NAME() { return 1; }\nNAME();",
        ],
    ),
    (
        "python",
        "import os\n\n\n",
        [
            "class RwNUMBER:\n    def NAME(self, a):\n        return a\n\n\nRwNUMBER().NAME(1)",
            "class RwNUMBER:\n    NAME = 1\n\n    def own(self):\n        return self.NAME\n\n\nRwNUMBER().own()",
            "def rwNUMBER():\n    NAME = 1\n    return NAME + 1\n\n\nrwNUMBER()",
            "def rwNUMBER(NAME):\n    return NAME + 1\n\n\nrwNUMBER(1)",
            "def NAME():\n    return 1\n\n\nNAME()",
        ],
    ),
    (
        "go",
        "package rwNUMBER\n\n",
        [
            "type RwNUMBER struct{}\n\nfunc (r RwNUMBER) NAME(a int) int {\n\treturn a\n}\n\nvar _ = RwNUMBER{}.NAME(1)",
            "type RwNUMBER struct{ NAME int }\n\nfunc (r RwNUMBER) own() int {\n\treturn r.NAME\n}\n\nvar _ = RwNUMBER{}.own()",
            "func rwNUMBER() int {\n\tNAME := 1\n\treturn NAME + 1\n}\n\nvar _ = rwNUMBER()",
            "func rwNUMBER(NAME int) int {\n\treturn NAME + 1\n}\n\nvar _ = rwNUMBER(1)",
            "func NAME() int {\n\treturn 1\n}\n\nvar _ = NAME()",
        ],
    ),
    (
        "rust",
        "",
        [
            "pub struct RwNUMBER;\n\nimpl RwNUMBER {\n    pub fn NAME(&self, a: u32) -> u32 {\n        a\n    }\n}\n\npub fn rwNUMBER() -> u32 {\n    RwNUMBER.NAME(1)\n}",
            "pub struct RwNUMBER {\n    pub NAME: u32,\n}\n\npub fn rwNUMBER(r: &RwNUMBER) -> u32 {\n    r.NAME + 1\n}",
            "pub fn rwNUMBER() -> u32 {\n    let NAME = 1;\n    NAME + 1\n}",
            "pub fn rwNUMBER(NAME: u32) -> u32 {\n    NAME + 1\n}",
            "+pub mod rwNUMBER {\n    pub fn NAME() -> u32 {\n        1\n    }\n\n    pub fn own() -> u32 {\n        NAME() + self::NAME()\n    }\n}",
        ],
    ),
    (
        "java",
        "package other.rwNUMBER;\n\n",
        [
            "class RwNUMBER {\n    int NAME(int a) {\n        return a;\n    }\n\n    static int own() {\n        return new RwNUMBER().NAME(1);\n    }\n}",
            "class RwNUMBER {\n    int NAME = 1;\n\n    int own() {\n        return NAME + this.NAME;\n    }\n}",
            "class RwNUMBER {\n    static int own() {\n        int NAME = 1;\n        return NAME + 1;\n    }\n}",
            "class RwNUMBER {\n    static int own(int NAME) {\n        return NAME + 1;\n    }\n}",
            "class Other {\n    static class NAME {\n        static int NAME() {\n            return 1;\n        }\n    }\n\n    static int own() {\n        return NAME.NAME();\n    }\n}",
        ],
    ),
    (
        "kotlin",
        "package other.rwNUMBER\n\n",
        [
            "class RwNUMBER {\n    fun NAME(a: Int): Int {\n        return a\n    }\n}\n\nval rwNUMBER = RwNUMBER().NAME(1)",
            "class RwNUMBER {\n    val NAME = 1\n\n    fun own(): Int {\n        return NAME + this.NAME\n    }\n}",
            "fun rwNUMBER(): Int {\n    val NAME = 1\n    return NAME + 1\n}",
            "fun rwNUMBER(NAME: Int): Int {\n    return NAME + 1\n}",
            "fun NAME(): Int {\n    return 1\n}\n\nval rwNUMBER = NAME()",
        ],
    ),
    (
        "csharp",
        "using System;\n\n",
        [
            "class RwNUMBER\n{\n    int NAME(int a)\n    {\n        return a;\n    }\n\n    public int Own()\n    {\n        return NAME(1) + this.NAME(2);\n    }\n}",
            "class RwNUMBER\n{\n    int NAME = 1;\n\n    public int Own()\n    {\n        return NAME + this.NAME;\n    }\n}",
            "class RwNUMBER\n{\n    public static int Own()\n    {\n        int NAME = 1;\n        return NAME + 1;\n    }\n}",
            "class RwNUMBER\n{\n    public static int Own(int NAME)\n    {\n        return NAME + 1;\n    }\n}",
            "namespace Other.RwNUMBER\n{\n    class NAME\n    {\n        public int Own()\n        {\n            return new NAME().Own();\n        }\n    }\n}",
        ],
    ),
    (
        "php",
        "<?php\nnamespace Other\\RwNUMBER;\n\n",
        [
            "class RwNUMBER\n{\n    public function NAME($a)\n    {\n        return $a;\n    }\n\n    public static function own()\n    {\n        return (new RwNUMBER())->NAME(1);\n    }\n}",
            "class RwNUMBER\n{\n    public int $NAME = 1;\n\n    public function own()\n    {\n        return $this->NAME;\n    }\n}",
            "function rwNUMBER()\n{\n    $NAME = 1;\n    return $NAME + 1;\n}",
            "function rwNUMBER($NAME)\n{\n    return $NAME + 1;\n}",
            "function NAME()\n{\n    return 1;\n}\n\nNAME();\n\\Other\\RwNUMBER\\NAME();",
        ],
    ),
    (
        "ruby",
        "require 'set'\n\n",
        [
            "class RwNUMBER\n  def NAME(a)\n    a\n  end\nend\n\nRwNUMBER.new.NAME(1)",
            "class RwNUMBER\n  attr_reader :NAME\n\n  def own\n    @NAME = 1\n    self.NAME\n  end\nend",
            "class RwNUMBER\n  def own\n    NAME = 1\n    NAME + 1\n  end\nend",
            "class RwNUMBER\n  def own(NAME)\n    NAME + 1\n  end\nend",
            "module RwNUMBER\n  def self.NAME\n    1\n  end\n\n  def self.own\n    RwNUMBER.NAME\n  end\nend",
        ],
    ),
    (
        "scala",
        "package other.rwNUMBER\n\n",
        [
            "class RwNUMBER {\n  def NAME(a: Int): Int = {\n    a\n  }\n\n  def own(): Int = {\n    new RwNUMBER().NAME(1)\n  }\n}",
            "class RwNUMBER {\n  val NAME = 1\n\n  def own(): Int = {\n    NAME + this.NAME\n  }\n}",
            "object RwNUMBER {\n  def own(): Int = {\n    val NAME = 1\n    NAME + 1\n  }\n}",
            "object RwNUMBER {\n  def own(NAME: Int): Int = {\n    NAME + 1\n  }\n}",
            "object RwNUMBER {\n  object NAME {\n    def NAME(): Int = {\n      1\n    }\n  }\n\n  def own(): Int = {\n    NAME.NAME()\n  }\n}",
        ],
    ),
    (
        "swift",
        "import Foundation\n\n",
        [
            "struct RwNUMBER {\n    func NAME(a: Int) -> Int {\n        return a\n    }\n\n    static func own() -> Int {\n        return RwNUMBER().NAME(a: 1)\n    }\n}",
            "struct RwNUMBER {\n    var NAME = 1\n\n    func own() -> Int {\n        return NAME + self.NAME\n    }\n}",
            "func rwNUMBER() -> Int {\n    let NAME = 1\n    return NAME + 1\n}",
            "func rwNUMBER(NAME: Int) -> Int {\n    return NAME + 1\n}",
            "+enum RwNUMBER {\n    static func NAME() -> Int {\n        return 1\n    }\n\n    static func own() -> Int {\n        return RwNUMBER.NAME()\n    }\n}",
        ],
    ),
    (
        "cpp",
        "#include <cstddef>\n\n",
        [
            "struct RwNUMBER {\n    int NAME(int a) { return a; }\n    int own() { return NAME(1) + this->NAME(2); }\n};",
            "struct RwNUMBER {\n    int NAME = 1;\n    int own() { return NAME + this->NAME; }\n};",
            "static int rwNUMBER() {\n    int NAME = 1;\n    return NAME + 1;\n}",
            "static int rwNUMBER(int NAME) {\n    return NAME + 1;\n}",
            "+namespace rwNUMBER {\nstatic int NAME() {\n    return 1;\n}\n\nstatic int own() {\n    return NAME() + rwNUMBER::NAME();\n}\n}",
        ],
    ),
    (
        "c",
        "#include <stddef.h>\n\n",
        [
            "struct rwNUMBER {\n    int (*NAME)(int a);\n};\n\nstatic int rwNUMBER(struct rwNUMBER *r) {\n    return r->NAME(1);\n}",
            "struct rwNUMBER {\n    int NAME;\n};\n\nstatic int rwNUMBER(struct rwNUMBER *r) {\n    return r->NAME + 1;\n}",
            "static int rwNUMBER(void) {\n    int NAME = 1;\n    return NAME + 1;\n}",
            "static int rwNUMBER(int NAME) {\n    return NAME + 1;\n}",
            "static int NAME(int a) {\n    return a;\n}\n\nstatic int rwNUMBER(void) {\n    return NAME(1);\n}",
        ],
    ),
];
