//! Which language a file is in: by its name, its first line, or, for `.h`, what it says.

/// A language, by its place in the table of languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(u8);

/// What a language is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Code,
    Prose,
    Data,
}

struct LanguageRow {
    name: &'static str,
    kind: Use,
    /// Extensions without dot, and whole file names, lower-cased.
    files: &'static [&'static str],
}

const fn code(name: &'static str, files: &'static [&'static str]) -> LanguageRow {
    LanguageRow {
        name,
        kind: Use::Code,
        files,
    }
}

const fn prose(name: &'static str, files: &'static [&'static str]) -> LanguageRow {
    LanguageRow {
        name,
        kind: Use::Prose,
        files,
    }
}

const fn data(name: &'static str, files: &'static [&'static str]) -> LanguageRow {
    LanguageRow {
        name,
        kind: Use::Data,
        files,
    }
}

/// The first row is what an unknown file is in.
const ROWS: &[LanguageRow] = &[
    prose(
        "text",
        &[
            "txt", "text", "log", "license", "notice", "authors", "copying", "changes",
        ],
    ),
    code("typescript", &["ts", "mts", "cts"]),
    code("tsx", &["tsx"]),
    code(
        "javascript",
        &["js", "mjs", "cjs", "jsx", "es6", "jsm", "jakefile"],
    ),
    code(
        "python",
        &[
            "py",
            "pyi",
            "pyw",
            "pyx",
            "pxd",
            "ipynb",
            "sconstruct",
            "sconscript",
            "wscript",
        ],
    ),
    code("go", &["go"]),
    code("rust", &["rs"]),
    code("java", &["java"]),
    code("c", &["c"]),
    code(
        "cpp",
        &[
            "cc", "cpp", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "inl", "tpp", "txx", "cu",
            "cuh", "ino", "mm",
        ],
    ),
    code(
        "ruby",
        &[
            "rb",
            "rake",
            "gemspec",
            "ru",
            "gemfile",
            "rakefile",
            "podfile",
            "vagrantfile",
            "guardfile",
            "brewfile",
            "fastfile",
        ],
    ),
    code("php", &["php", "phtml", "php5", "php7", "inc"]),
    code("csharp", &["cs", "csx"]),
    code("vue", &["vue"]),
    code("svelte", &["svelte"]),
    code("astro", &["astro"]),
    code("kotlin", &["kt", "kts"]),
    code("swift", &["swift"]),
    code("scala", &["scala", "sc", "sbt"]),
    code(
        "bash",
        &[
            "sh",
            "bash",
            "zsh",
            "ksh",
            "bats",
            "ebuild",
            "bashrc",
            "zshrc",
            "bash_profile",
            "profile",
            "pkgbuild",
        ],
    ),
    code("lua", &["lua", "luau", "rockspec"]),
    code("elixir", &["ex", "exs"]),
    code("erlang", &["erl", "hrl"]),
    code("haskell", &["hs", "lhs", "hsc"]),
    code("zig", &["zig", "zon"]),
    code("perl", &["pl", "pm", "t", "pod"]),
    code("r", &["r"]),
    code("julia", &["jl"]),
    code("ocaml", &["ml", "mli"]),
    code("fsharp", &["fs", "fsi", "fsx"]),
    code("dart", &["dart"]),
    code("groovy", &["groovy", "gradle", "gvy", "jenkinsfile"]),
    code("clojure", &["clj", "cljs", "cljc", "edn"]),
    code("lisp", &["lisp", "lsp", "cl", "el", "scm", "rkt", "ss"]),
    code("objc", &["m"]),
    code("nim", &["nim", "nims"]),
    code("crystal", &["cr"]),
    code("d", &["d"]),
    code("v", &["v", "sv", "svh", "vh"]),
    code("vhdl", &["vhd", "vhdl"]),
    code("fortran", &["f", "f90", "f95", "f03", "for"]),
    code("pascal", &["pas", "pp", "dpr"]),
    code("ada", &["adb", "ads"]),
    code("assembly", &["s", "asm"]),
    code("powershell", &["ps1", "psm1", "psd1"]),
    code("batch", &["bat", "cmd"]),
    code("fish", &["fish"]),
    code("tcl", &["tcl"]),
    code("vim", &["vim", "vimrc"]),
    code("nix", &["nix"]),
    code("solidity", &["sol"]),
    code("sql", &["sql", "psql", "mysql", "ddl"]),
    code("graphql", &["graphql", "gql", "graphqls"]),
    code("protobuf", &["proto"]),
    code("thrift", &["thrift"]),
    code("terraform", &["tf", "tfvars", "hcl"]),
    code("cmake", &["cmake", "cmakelists.txt"]),
    code(
        "make",
        &["mk", "mak", "makefile", "gnumakefile", "justfile"],
    ),
    code("dockerfile", &["dockerfile", "containerfile"]),
    code(
        "starlark",
        &["bzl", "bazel", "star", "build", "workspace", "tiltfile"],
    ),
    code(
        "wgsl",
        &["wgsl", "glsl", "vert", "frag", "hlsl", "metal", "comp"],
    ),
    data(
        "html",
        &[
            "html",
            "htm",
            "xhtml",
            "ejs",
            "hbs",
            "handlebars",
            "mustache",
            "njk",
            "jinja",
            "j2",
            "twig",
            "erb",
            "haml",
            "pug",
            "jade",
            "liquid",
            "tmpl",
        ],
    ),
    data("css", &["css", "scss", "sass", "less", "styl", "pcss"]),
    data(
        "xml",
        &[
            "xml", "xsd", "xsl", "xslt", "svg", "plist", "csproj", "vbproj", "fsproj", "props",
            "targets", "pom", "xaml", "ui",
        ],
    ),
    data(
        "json",
        &[
            "json",
            "jsonc",
            "json5",
            "jsonl",
            "ndjson",
            "geojson",
            "webmanifest",
            "lock",
        ],
    ),
    data("yaml", &["yaml", "yml", "clang-format"]),
    data("toml", &["toml", "pipfile"]),
    data(
        "ini",
        &[
            "ini",
            "cfg",
            "conf",
            "properties",
            "editorconfig",
            "gitconfig",
            "gitignore",
            "gitattributes",
            "npmrc",
            "desktop",
            "service",
        ],
    ),
    data("csv", &["csv", "tsv"]),
    data("diff", &["diff", "patch"]),
    prose(
        "markdown",
        &["md", "markdown", "mdx", "mdown", "mkd", "qmd", "rmd"],
    ),
    prose("rst", &["rst"]),
    prose("asciidoc", &["adoc", "asciidoc"]),
    prose("org", &["org"]),
    prose("tex", &["tex", "sty", "cls"]),
];

impl Language {
    /// What a text file is in when nothing says more.
    pub const TEXT: Self = Self(0);

    /// Returns the lower-case name: `typescript`, `cpp`, `text`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the language of that name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        ROWS.iter()
            .position(|row| row.name == name)
            .map(|at| Self(at as u8))
    }

    /// Says whether it is a programming language (markup, style sheets and data are not).
    pub fn is_code(self) -> bool {
        self.row().kind == Use::Code
    }

    /// Says whether it is written for readers: its chunks are sections.
    pub fn is_prose(self) -> bool {
        self.row().kind == Use::Prose
    }

    /// Returns all languages, in a fixed order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..ROWS.len()).map(|at| Self(at as u8))
    }

    fn row(self) -> &'static LanguageRow {
        ROWS.get(usize::from(self.0)).unwrap_or(&ROWS[0])
    }
}

/// Returns the language of a file, by its path and the first bytes of its content.
///
/// `None` for content that is no text (it holds a NUL byte); a text that nothing names is `text`.
pub fn detect(path: &str, head: &[u8]) -> Option<Language> {
    let head = &head[..head.len().min(8192)];
    if head.contains(&0) {
        return None;
    }
    let file = path
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(path)
        .to_ascii_lowercase();
    let named = by_being_included(&file, head)
        .or_else(|| by_file_name(&file))
        .or_else(|| by_shebang(head));
    Some(named.map_or(Language::TEXT, |language| by_content(language, &file, head)))
}

fn by_file_name(file: &str) -> Option<Language> {
    let bare = file.trim_start_matches('.');
    let find = |name: &str| {
        ROWS.iter()
            .position(|row| row.files.contains(&name))
            .map(|at| Language(at as u8))
    };
    if let Some(language) = find(bare) {
        return Some(language);
    }
    if file.starts_with("dockerfile.") || file.starts_with("makefile.") {
        return find(&file[..file.find('.')?]);
    }
    let (_, extension) = bare.rsplit_once('.')?;
    if extension == "h" {
        return Language::from_name("c");
    }
    find(extension)
}

fn by_shebang(head: &[u8]) -> Option<Language> {
    let line = head.split(|&byte| byte == b'\n').next()?;
    let line = std::str::from_utf8(line)
        .ok()?
        .trim_start_matches('\u{feff}')
        .strip_prefix("#!")?;
    let mut words = line.split_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
        program = program.rsplit('/').next()?;
    }
    if program == "jupyter" {
        program = words.next()?;
    }
    let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    Language::from_name(match program {
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "bats" => "bash",
        "python" | "pypy" | "uv" => "python",
        "node" | "nodejs" | "bun" => "javascript",
        "deno" | "ts-node" | "tsx" => "typescript",
        "ruby" | "jruby" => "ruby",
        "Rscript" => "r",
        "pwsh" => "powershell",
        "make" => "make",
        "runghc" | "runhaskell" | "stack" => "haskell",
        "escript" => "erlang",
        "tclsh" | "wish" => "tcl",
        name => name,
    })
}

/// Parts of C that others `#include`: tables in `.def`, `.inc` (PHP's as well) and the like.
fn by_being_included(file: &str, head: &[u8]) -> Option<Language> {
    let (_, extension) = file.rsplit_once('.')?;
    if !matches!(extension, "def" | "inc" | "tcc" | "tbl") {
        return None;
    }
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next()?;
    let opens = [
        "/*", "//", "#include", "#define", "#if", "#pragma", "#undef",
    ];
    let is_c = opens.iter().any(|mark| first.starts_with(mark))
        && std::iter::once(first)
            .chain(lines)
            .any(|line| line.ends_with([';', ',', '{', ')', '\\']))
        && !text.contains("<?php");
    let is_cpp = text.contains("::") || text.contains("template") || text.contains("namespace ");
    is_c.then(|| Language::from_name(if is_cpp { "cpp" } else { "c" }))?
}

fn by_content(language: Language, file: &str, head: &[u8]) -> Language {
    let text = String::from_utf8_lossy(head);
    let says = |marks: &[&str]| {
        text.lines()
            .any(|line| marks.iter().any(|mark| line.trim_start().starts_with(mark)))
    };
    let other = match language.name() {
        "c" if file.ends_with(".h") => {
            let cpp = [
                "class ",
                "namespace ",
                "template",
                "using ",
                "public:",
                "private:",
                "protected:",
            ];
            let objc = ["@interface", "@protocol", "#import"];
            if says(&objc) {
                "objc"
            } else if says(&cpp) || text.contains("std::") {
                "cpp"
            } else {
                "c"
            }
        }
        "objc"
            if says(&["function", "%"]) && !says(&["#import", "@interface", "@implementation"]) =>
        {
            "text"
        }
        "starlark"
            if file.starts_with("build")
                && file.ends_with("build")
                && !says(&["load(", "cc_", "py_", "go_"]) =>
        {
            "starlark"
        }
        "json" if file.ends_with(".lock") && !text.trim_start().starts_with('{') => "toml",
        "python" if file.ends_with(".ipynb") => return of_notebook(language, &text),
        "typescript" if text.trim_start().starts_with("<?xml") => "xml",
        _ => return language,
    };
    Language::from_name(other).unwrap_or(language)
}

/// The language of a notebook as it is shown: that of its kernel. What is none is JSON.
fn of_notebook(python: Language, text: &str) -> Language {
    if text.starts_with("#!") {
        by_shebang(text.as_bytes()).unwrap_or(Language::TEXT)
    } else if text.trim_start().starts_with('{') {
        Language::from_name("json").unwrap_or(python)
    } else {
        python
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, detect};

    fn check(path: &str, head: &str, expected: &str) {
        assert_eq!(
            detect(path, head.as_bytes()).map(Language::name),
            Some(expected),
            "{path}"
        );
    }

    #[test]
    fn files_are_known_by_name_then_by_first_line() {
        check("src/a.ts", "", "typescript");
        check("src/A.TSX", "", "tsx");
        check("x/index.mjs", "", "javascript");
        check("Makefile", "", "make");
        check("Dockerfile.dev", "", "dockerfile");
        check(".gitignore", "", "ini");
        check("CMakeLists.txt", "", "cmake");
        check("notes.txt", "", "text");
        check("README", "", "text");
        check("a.unknown", "", "text");
        check("run", "#!/usr/bin/env -S python3.12 -u\n", "python");
        check("run", "#!/bin/sh\n", "bash");
        check("README.md", "", "markdown");
        check("a/commands.def", "/* Made. */\nint n = 1;\n", "c");
        check("a/ops.inc", "#define X(a) \\\n  N::a\n", "cpp");
        check("a/exports.def", "EXPORTS\n  f\n", "text");
        check("a/view.inc", "<?php\nf();\n", "php");
        check("a.ipynb", "", "python");
        check("a.ipynb", "\nimport a\n", "python");
        check("a.ipynb", "#!jupyter julia \n\nf(1)\n", "julia");
        check("a.ipynb", "#!jupyter sas \n\nf(1)\n", "text");
        check("a.ipynb", "{\n", "json");
    }

    #[test]
    fn headers_are_known_by_content() {
        check("a.h", "int f(void);\n", "c");
        check("a.h", "namespace x {\n", "cpp");
        check("a.h", "  template <class T>\n", "cpp");
        check("a.h", "#import <Foundation/Foundation.h>\n", "objc");
    }

    #[test]
    fn binary_has_no_language() {
        assert_eq!(detect("a.ts", b"a\0b"), None);
    }

    #[test]
    fn names_round_trip_and_are_unique() {
        for language in Language::all() {
            assert_eq!(Language::from_name(language.name()), Some(language));
        }
    }
}
