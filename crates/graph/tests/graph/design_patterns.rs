//! Roles by structure: what is found in small files of many languages, and what is not.

use whyrank_graph::{
    DesignPattern, DesignPatternFinding, DesignPatternInput, FileInput, PatternConfidence,
    design_patterns,
};
use whyrank_syntax::{FileFacts, analyze, detect};

struct Files(Vec<(&'static str, &'static str, FileFacts)>);

fn files(files: &[(&'static str, &'static str)]) -> Files {
    let read = |(path, text): &(&'static str, &'static str)| {
        let language = detect(path, text.as_bytes()).expect("a language");
        (*path, *text, analyze(text, language))
    };
    Files(files.iter().map(read).collect())
}

impl Files {
    fn find(&self, pattern: DesignPattern) -> Vec<DesignPatternFinding> {
        let inputs: Vec<FileInput<'_>> = self
            .0
            .iter()
            .map(|(path, text, facts)| FileInput {
                path,
                language: detect(path, text.as_bytes()).expect("a language").name(),
                facts,
            })
            .collect();
        let texts: Vec<String> = self
            .0
            .iter()
            .map(|(_, text, _)| (*text).to_owned())
            .collect();
        let input = DesignPatternInput {
            files: &inputs,
            texts: &texts,
            is_test: &|file| self.0[file as usize].0.starts_with("test"),
        };
        design_patterns(&input, Some(pattern))
    }

    /// `name confidence`, with the lines of evidence.
    fn names(&self, pattern: DesignPattern) -> Vec<String> {
        let one = |finding: &DesignPatternFinding| {
            let symbol =
                &self.0[finding.symbol.file as usize].2.symbols[finding.symbol.symbol as usize];
            let confidence = match finding.confidence {
                PatternConfidence::High => "high",
                PatternConfidence::Medium => "medium",
                PatternConfidence::Low => "low",
            };
            format!("{} {confidence}", symbol.qualified)
        };
        self.find(pattern).iter().map(one).collect()
    }
}

#[track_caller]
fn check(pattern: DesignPattern, path: &'static str, text: &'static str, expected: &[&str]) {
    let found = files(&[(path, text)]);
    assert_eq!(
        found.names(pattern),
        expected,
        "{path} {:?}",
        found.find(pattern)
    );
}

#[test]
fn a_factory_hands_out_what_it_makes() {
    check(
        DesignPattern::Factory,
        "a.ts",
        "interface Shape {}\nclass Sq implements Shape {}\nclass Ci implements Shape {}\nfunction createShape(kind: string): Shape {\n  if (kind === 'sq') {\n    return new Sq();\n  }\n  return new Ci();\n}\n",
        &["createShape high"],
    );
    check(
        DesignPattern::Factory,
        "a.py",
        "class A:\n    pass\n\ndef make_a(x):\n    return A(x)\n\ndef use():\n    return A\n",
        &["make_a medium"],
    );
    check(
        DesignPattern::Factory,
        "a.go",
        "package a\n\ntype Server struct{}\n\nfunc NewServer() *Server {\n\ts := &Server{}\n\treturn s\n}\n",
        &["NewServer medium"],
    );
    check(
        DesignPattern::Factory,
        "a.js",
        "function createApp() {\n  var app = function (req, res) {};\n  app.a = 1;\n  app.b = 2;\n  return app;\n}\n",
        &["createApp high"],
    );
    check(
        DesignPattern::Factory,
        "b.py",
        "def create_nothing(x):\n    return x + 1\n",
        &[],
    );
}

#[test]
fn a_builder_returns_itself_until_it_builds() {
    let rust = "struct B;\nstruct T;\nimpl B {\n    pub fn a(mut self) -> Self { self }\n    pub fn b(mut self) -> Self { self }\n    pub fn c(mut self) -> Self { self }\n    pub fn build(self) -> T { T }\n}\n";
    check(DesignPattern::Builder, "a.rs", rust, &["B high"]);
    let kotlin = "class B {\n  fun a(x: Int) = apply {\n    this.x = x\n  }\n  fun b() = apply { this.y = 1 }\n  fun c(): B =\n    apply {\n      this.z = 1\n    }\n  fun build(): T = T(this)\n}\n";
    check(DesignPattern::Builder, "a.kt", kotlin, &["B high"]);
    check(
        DesignPattern::Builder,
        "a.php",
        "<?php\nclass Q {\n  function a() {\n    return $this;\n  }\n  function b() {\n    return $this;\n  }\n  function c() {\n    return $this;\n  }\n}\n",
        &[],
    );
}

#[test]
fn middleware_hands_over_to_the_next() {
    check(
        DesignPattern::Middleware,
        "a.js",
        "function log(req, res, next) {\n  console.log(req.url);\n  next();\n}\nfunction other(req, res, next) {\n  res.end();\n}\n",
        &["log medium"],
    );
    check(
        DesignPattern::Middleware,
        "a.php",
        "<?php\nclass TrimMiddleware {\n  public function handle($request, Closure $next) {\n    return $next($request);\n  }\n}\n",
        &["TrimMiddleware::handle high"],
    );
    check(
        DesignPattern::Middleware,
        "a.go",
        "package a\n\nfunc Log(h http.Handler) http.Handler {\n\treturn http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {\n\t\th.ServeHTTP(w, r)\n\t})\n}\n",
        &["Log medium"],
    );
    check(
        DesignPattern::Middleware,
        "b.go",
        "package a\n\ntype Gzip struct{}\n\nfunc (g Gzip) ServeHTTP(w http.ResponseWriter, r *http.Request, next Handler) error {\n\treturn next.ServeHTTP(w, r)\n}\n",
        &["Gzip.ServeHTTP medium"],
    );
}

#[test]
fn errors_are_known_by_what_they_have() {
    check(
        DesignPattern::ErrorType,
        "a.py",
        "class NotFound(Exception):\n    pass\n\ndef f():\n    raise NotFound()\n",
        &["NotFound high"],
    );
    check(
        DesignPattern::ErrorType,
        "a.go",
        "package a\n\ntype E struct{}\n\nfunc (e *E) Error() string { return \"\" }\n",
        &["E high"],
    );
    check(
        DesignPattern::ErrorType,
        "a.rs",
        "#[derive(Debug, thiserror::Error)]\npub enum E { A }\n",
        &["E medium"],
    );
    check(
        DesignPattern::ErrorType,
        "b.py",
        "class ErrorPage:\n    pass\n",
        &[],
    );
}

#[test]
fn evidence_names_its_lines_and_tests_come_last() {
    let class = "class E1(Exception):\n    pass\n";
    let found = files(&[
        ("test/a.py", "class E2(Exception):\n    pass\n"),
        ("z.py", class),
    ]);
    assert_eq!(
        found.names(DesignPattern::ErrorType),
        ["E1 medium", "E2 medium"]
    );
    let first = &found.find(DesignPattern::ErrorType)[0];
    assert_eq!((first.evidence[0].file, first.evidence[0].line), (1, 1));
    assert_eq!(first.evidence[0].why, "is an Exception");
}

/// How often it is asked whether a file is a test, for this many error types, each raised by the next.
fn n_asked(n_files: usize) -> usize {
    let texts: Vec<String> = (0..n_files)
        .map(|at| {
            let before = at.checked_sub(1).unwrap_or(n_files - 1);
            format!(
                "class E{at}Error(Exception):\n    pass\n\n\ndef f():\n    raise E{before}Error()\n"
            )
        })
        .collect();
    let paths: Vec<String> = (0..n_files).map(|at| format!("e{at}.py")).collect();
    let language = detect("e.py", b"").expect("a language");
    let facts: Vec<FileFacts> = texts.iter().map(|text| analyze(text, language)).collect();
    let inputs: Vec<FileInput<'_>> = (paths.iter().zip(&facts))
        .map(|(path, facts)| FileInput {
            path,
            language: language.name(),
            facts,
        })
        .collect();
    let n_asked = std::cell::Cell::new(0);
    let input = DesignPatternInput {
        files: &inputs,
        texts: &texts,
        is_test: &|_| {
            n_asked.set(n_asked.get() + 1);
            false
        },
    };
    assert_eq!(
        design_patterns(&input, Some(DesignPattern::ErrorType)).len(),
        n_files
    );
    n_asked.get()
}

#[test]
fn twice_the_files_are_twice_the_work() {
    let (once, twice) = (n_asked(40), n_asked(80));
    assert!(twice <= once * 5 / 2, "{once} {twice}");
}

#[test]
fn what_only_looks_like_a_role_is_none() {
    // A bound that is no base, what is made to be given on.
    check(
        DesignPattern::ErrorType,
        "a.rs",
        "struct X<E>(E);\nimpl<E> Clone for X<E> where E: Error { fn clone(&self) -> Self { todo!() } }\n",
        &[],
    );
    check(
        DesignPattern::Factory,
        "b.rs",
        "struct D;\nimpl D { fn new() -> Self { D } }\nfn walk(v: V) -> u8 {\n    v.visit(D::new())\n}\n",
        &[],
    );
}
