//! What patterns find in each language.

use super::check;
use whyrank_syntax::{Language, StructuralPattern, structural_grammar, structural_languages};

#[test]
fn one_node_any_number_and_the_same_text() {
    let js = "f(1); f(1, 2); f(); g(x == x); g(x == y); f(h(a, 1, a, b));";
    check(
        "javascript",
        "f($A)",
        js,
        &["f(1) = 1", "f(h(a, 1, a, b)) = h(a, 1, a, b)"],
    );
    check(
        "javascript",
        "f($$$A)",
        js,
        &[
            "f(1) = 1",
            "f(1, 2) = 1, 2",
            "f() = ",
            "f(h(a, 1, a, b)) = h(a, 1, a, b)",
        ],
    );
    check("javascript", "$A == $A", js, &["x == x = x"]);
    check("javascript", "$_ == $_", js, &["x == x", "x == y"]);
    check("javascript", "h($$$, a, b)", js, &["h(a, 1, a, b)"]);
    check("javascript", "h($$$, $A, b)", js, &["h(a, 1, a, b) = a"]);
    check("javascript", "f($$$A, 2)", js, &["f(1, 2) = 1"]);
}

#[test]
fn operators_keywords_and_missing_parts_are_compared() {
    check(
        "javascript",
        "$A + 1",
        "a + 1; a - 1; a * 1",
        &["a + 1 = a"],
    );
    check(
        "javascript",
        "const $A = $B",
        "const a = 1; let b = 2; var c = 3",
        &["const a = 1; = a"],
    );
    check(
        "javascript",
        "function f() { return }",
        "function f() { return x }",
        &[],
    );
    check(
        "javascript",
        "if ($A) { b() }",
        "if (q) { b() } else { c() }",
        &[],
    );
    check("python", "not $A", "x = not a", &["not a = a"]);
}

#[test]
fn what_a_pattern_does_not_write_is_passed_over() {
    check(
        "rust",
        "fn $A($$$) { $$$ }",
        "pub async fn f<T: X>(a: T) -> u8 where T: Y { 1 }",
        &["pub async fn f<T: X>(a: T) -> u8 where T: Y { 1 } = f"],
    );
    check(
        "typescript",
        "class $A { $$$ }",
        "export class B<T> extends C implements D { x = 1 }",
        &["class B<T> extends C implements D { x = 1 } = B"],
    );
    check(
        "javascript",
        "f('a', /* no */ $A)",
        "f(\"a\", // why\n 1,)",
        &["f(\"a\", // why 1,) = 1"],
    );
    check(
        "python",
        "def $A($$$): $$$",
        "def f(a: int) -> int:\n    x = 1\n    return x\n",
        &["def f(a: int) -> int: x = 1 return x = f"],
    );
    check(
        "java",
        "void $A() { $$$ }",
        "class C { @Override public void run() { go(); } }",
        &["@Override public void run() { go(); } = run"],
    );
    check(
        "rust",
        "let $A = $B;",
        "fn f() { let mut a: u8 = 1; }",
        &["let mut a: u8 = 1; = a"],
    );
}

#[test]
fn code_is_found_however_far_it_is_indented() {
    let python =
        "class C:\n    def f(self):\n        \"\"\"One\n        two.\"\"\"\n        return 1\n";
    let pattern = "    def f(self):\n        \"\"\"One\n        two.\"\"\"\n        return $A\n";
    check(
        "python",
        pattern,
        python,
        &["def f(self): \"\"\"One two.\"\"\" return 1 = 1"],
    );
    check(
        "bash",
        "echo \"$A\"",
        "echo \"$HOME\"",
        &["echo \"$HOME\" = $HOME"],
    );
}

#[test]
fn neighbours_are_found_together() {
    let js = "a(); lock(x);\nuse(1);\nunlock(x); lock(y); unlock(z)";
    check(
        "javascript",
        "lock($A); $$$; unlock($A)",
        js,
        &["lock(x); use(1); unlock(x); = x"],
    );
}

#[test]
fn patterns_of_scripts_are_read() {
    check(
        "typescript",
        "$A as any",
        "const x = y as any;",
        &["y as any = y"],
    );
    check(
        "tsx",
        "<Button onClick={$A} />",
        "const x = <Button onClick={go} />;",
        &["<Button onClick={go} /> = go"],
    );
    check(
        "javascript",
        "constructor($$$A) { $$$ }",
        "class X { constructor(a) { this.a = a } }",
        &["constructor(a) { this.a = a } = a"],
    );
    check(
        "javascript",
        "timeout: $A",
        "f({ timeout: 5, b: 1 })",
        &["timeout: 5 = 5"],
    );
}

#[test]
fn patterns_of_python_are_read() {
    check(
        "python",
        "@$A\ndef $F($$$): $$$",
        "@app.route('/')\ndef home():\n    pass\n",
        &["@app.route('/') def home(): pass = app.route('/')"],
    );
    check(
        "python",
        "except $A: $$$",
        "try:\n    f()\nexcept E:\n    pass\n",
        &["except E: pass = E"],
    );
}

#[test]
fn patterns_of_go_and_rust_are_read() {
    check(
        "go",
        "fmt.Println($A)",
        "package p\nfunc f() { fmt.Println(1) }",
        &["fmt.Println(1) = 1"],
    );
    check(
        "go",
        "if err != nil { $$$A }",
        "package p\nfunc f() {\n if err != nil {\n  return err\n }\n}",
        &["if err != nil { return err } = return err"],
    );
    check(
        "go",
        "func ($R $T) $A($$$) { $$$ }",
        "package p\nfunc (s *S) Get(k string) (int, error) { return 1, nil }",
        &["func (s *S) Get(k string) (int, error) { return 1, nil } = Get"],
    );
    check(
        "go",
        "type $A struct { $$$ }",
        "package p\ntype S struct {\n a int\n}",
        &["type S struct { a int } = S"],
    );
    check(
        "rust",
        "$A.unwrap()",
        "fn f() { x.y().unwrap(); }",
        &["x.y().unwrap() = x.y()"],
    );
    check(
        "rust",
        "assert_eq!($A, $B)",
        "fn f() { assert_eq!(a.b(), 1 + 2); }",
        &["assert_eq!(a.b(), 1 + 2) = a.b()"],
    );
    check(
        "rust",
        "println!($A, $$$)",
        "fn f() { println!(\"x\"); println!(\"{}\", y); }",
        &["println!(\"x\") = \"x\"", "println!(\"{}\", y) = \"{}\""],
    );
    check(
        "rust",
        "struct $A { $$$ }",
        "pub struct S { a: u8, b: u8 }",
        &["pub struct S { a: u8, b: u8 } = S"],
    );
    check(
        "rust",
        "impl $T for $A { $$$ }",
        "impl X for Y { fn f(&self) {} }",
        &["impl X for Y { fn f(&self) {} } = Y"],
    );
    check(
        "rust",
        "match $A { $$$ }",
        "fn f() { match x { 1 => a(), _ => b() } }",
        &["match x { 1 => a(), _ => b() } = x"],
    );
}

#[test]
fn patterns_of_jvm_languages_are_read() {
    check(
        "java",
        "$A.equals($B)",
        "class C { void f() { if (x.equals(y)) {} } }",
        &["x.equals(y) = x"],
    );
    check(
        "java",
        "class $A { $$$ }",
        "public class C extends D { int x; void f() {} }",
        &["public class C extends D { int x; void f() {} } = C"],
    );
    check(
        "java",
        "void $A($$$P) { $$$ }",
        "class C { void f(int a, int b) { g(); h(); } }",
        &["void f(int a, int b) { g(); h(); } = f"],
    );
    check(
        "java",
        "try { $$$ } catch ($E $X) { }",
        "class C { void f() { try { g(); } catch (IOException e) { } } }",
        &["try { g(); } catch (IOException e) { }"],
    );
    check(
        "kotlin",
        "$X.map { $$$A }",
        "fun f() { xs.map { it + 1 } }",
        &["xs.map { it + 1 } = it + 1"],
    );
    check(
        "kotlin",
        "fun $A($$$) { $$$ }",
        "class C { override fun f(a: Int): Int { return a } }",
        &["override fun f(a: Int): Int { return a } = f"],
    );
    check(
        "kotlin",
        "class $A { $$$ }",
        "open class C<T> : B() { val x = 1 }",
        &["open class C<T> : B() { val x = 1 } = C"],
    );
    check(
        "scala",
        "$X.map($A)",
        "object O { xs.map(f) }",
        &["xs.map(f) = f"],
    );
    check(
        "scala",
        "def $A($$$) = $B",
        "object O { def f(a: Int): Int = a }",
        &["def f(a: Int): Int = a = f"],
    );
}

#[test]
fn patterns_of_c_and_cpp_are_read() {
    check(
        "c",
        "malloc($A)",
        "void f() { char *p = malloc(sizeof(x)); }",
        &["malloc(sizeof(x)) = sizeof(x)"],
    );
    check(
        "c",
        "if ($A) { $$$ }",
        "void f() { if (p) { g(); h(); } }",
        &["if (p) { g(); h(); } = p"],
    );
    check(
        "cpp",
        "std::move($A)",
        "void f() { auto y = std::move(x); }",
        &["std::move(x) = x"],
    );
    check(
        "cpp",
        "class $A { $$$ };",
        "class X : public Y { int a; };",
        &["class X : public Y { int a; }; = X"],
    );
}

#[test]
fn patterns_of_ruby_and_php_are_read() {
    check(
        "ruby",
        "$X.each { |$A| $$$ }",
        "xs.each { |x| puts x\n y }",
        &["xs.each { |x| puts x y } = x"],
    );
    check(
        "ruby",
        "class $A < $B; $$$; end",
        "class Foo < Bar\n  def x; end\nend",
        &["class Foo < Bar def x; end end = Foo"],
    );
    check(
        "ruby",
        "def $A($$$) $$$ end",
        "def foo(a, b)\n  1\n  2\nend",
        &["def foo(a, b) 1 2 end = foo"],
    );
    check(
        "php",
        "$this->$A($$$)",
        "<?php class C { function f() { $this->go(1); $x->go(1); } }",
        &["$this->go(1) = go"],
    );
    check(
        "php",
        "function $A($$$) { $$$ }",
        "<?php class C { public function f(int $a): int { return 1; } }\nfunction g($x) {}",
        &[
            "public function f(int $a): int { return 1; } = f",
            "function g($x) {} = g",
        ],
    );
    check(
        "php",
        "class $A extends $B { $$$ }",
        "<?php class C extends D { public $x; function f() {} }",
        &["class C extends D { public $x; function f() {} } = C"],
    );
}

#[test]
fn patterns_of_csharp_and_swift_are_read() {
    check(
        "csharp",
        "throw new $A($$$)",
        "class C { void F() { throw new E(\"x\"); } }",
        &["throw new E(\"x\"); = E"],
    );
    check(
        "csharp",
        "public void $A($$$) { $$$ }",
        "class C { [Fact] public void F(int a) { G(); } }",
        &["[Fact] public void F(int a) { G(); } = F"],
    );
    check(
        "swift",
        "guard let $A = $B else { $$$ }",
        "func f() { guard let x = y else { return } }",
        &["guard let x = y else { return } = x"],
    );
    check(
        "swift",
        "func $A($$$) { $$$ }",
        "public func f(a: Int) throws -> Int { return a }",
        &["public func f(a: Int) throws -> Int { return a } = f"],
    );
}

#[test]
fn patterns_of_dart_are_read() {
    check(
        "dart",
        "$X.map($A)",
        "void f() { xs.map(g); }",
        &["xs.map(g) = g"],
    );
    check(
        "dart",
        "class $A { $$$ }",
        "sealed class C<T> extends D { final int x = 1; }",
        &["sealed class C<T> extends D { final int x = 1; } = C"],
    );
    check(
        "dart",
        "if ($A) { $$$ }",
        "void f() { if (x) { y(); } }",
        &["if (x) { y(); } = x"],
    );
}

#[test]
fn patterns_of_protobuf_are_read() {
    check(
        "protobuf",
        "rpc $A ($B) returns ($C);",
        "service S { rpc Get(Request) returns (Answer); }",
        &["rpc Get(Request) returns (Answer); = Get"],
    );
    check(
        "protobuf",
        "message $A { $$$ }",
        "package p; message M { string id = 1; }",
        &["message M { string id = 1; } = M"],
    );
}

#[test]
fn patterns_of_terraform_are_read() {
    check(
        "terraform",
        "resource $TYPE $NAME { $$$ }",
        "resource \"aws_vpc\" \"this\" {\n  a = 1\n}\n",
        &["resource \"aws_vpc\" \"this\" { a = 1 }"],
    );
    check(
        "terraform",
        "merge($$$ARGS)",
        "locals {\n  a = merge(var.x, {})\n}\n",
        &["merge(var.x, {})"],
    );
}

#[test]
fn patterns_of_shell_and_lua_are_read() {
    check(
        "bash",
        "echo $A",
        "if true; then echo hello; fi",
        &["echo hello = hello"],
    );
    check(
        "lua",
        "require($A)",
        "local x = require('a.b')",
        &["require('a.b') = 'a.b'"],
    );
    check(
        "lua",
        "function $A($$$) $$$ end",
        "function M.f(a)\n  local x = 1\n  return x\nend",
        &["function M.f(a) local x = 1 return x end = M.f"],
    );
}

#[test]
fn scripts_of_vue_and_svelte_are_searched() {
    let vue = "<template><p @click=\"go\"/></template>\n<script lang=\"ts\">\nwatch(x, () => 1)\n</script>\n";
    let language = Language::from_name("vue").unwrap();
    let script = structural_grammar(vue, language).unwrap();
    assert_eq!(script.name(), "typescript");
    let pattern = StructuralPattern::new("watch($A, $$$)", script).unwrap();
    let found = pattern.search(vue, language, &|| false).matches;
    assert_eq!((found.len(), found[0].start_line), (1, 3));
    assert_eq!(structural_grammar("<template/>", language), None);
}

#[test]
fn languages_have_short_names() {
    let names = |name: &str| {
        let languages = structural_languages(name).into_iter();
        languages.map(Language::name).collect::<Vec<_>>()
    };
    assert_eq!(names("TS"), ["typescript", "tsx"]);
    assert_eq!(names("c++"), ["cpp"]);
    assert_eq!(names("vue"), ["vue"]);
    assert!(names("cobol").is_empty() && names("yaml").is_empty());
}
