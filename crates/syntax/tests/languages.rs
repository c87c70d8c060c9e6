//! What each language's rules say about small sources: definitions, uses, imports.

use whyrank_syntax::{FileFacts, Language, Reference, ReferenceKind, analyze, detect, highlight};

fn facts(language: &str, source: &str) -> FileFacts {
    analyze(
        source,
        Language::from_name(language).expect("a known language"),
    )
}

/// One word an entry: `+Kind:qualified` (`-` when not exported).
fn symbols(facts: &FileFacts) -> Vec<String> {
    let mark = |exported| if exported { '+' } else { '-' };
    let line = |symbol: &whyrank_syntax::Symbol| {
        format!(
            "{}{:?}:{}",
            mark(symbol.exported),
            symbol.kind,
            symbol.qualified
        )
    };
    facts.symbols.iter().map(line).collect()
}

/// One word an entry: `Kind:qualifier|name`, without what is read.
fn uses(facts: &FileFacts) -> Vec<String> {
    let told = facts
        .references
        .iter()
        .filter(|found| found.kind != ReferenceKind::Read);
    let line = |found: &whyrank_syntax::Reference| match found.qualifier.as_str() {
        "" => format!("{:?}:{}", found.kind, found.name),
        qualifier => format!("{:?}:{qualifier}|{}", found.kind, found.name),
    };
    told.map(line).collect()
}

/// One word an entry: `Kind:module{name,name=local}`.
fn imports(facts: &FileFacts) -> Vec<String> {
    let name = |name: &whyrank_syntax::ImportedName| {
        if name.name == name.local {
            name.name.clone()
        } else {
            format!("{}={}", name.name, name.local)
        }
    };
    let line = |import: &whyrank_syntax::Import| {
        let names: Vec<_> = import.names.iter().map(name).collect();
        format!("{:?}:{}{{{}}}", import.kind, import.module, names.join(","))
    };
    facts.imports.iter().map(line).collect()
}

fn check(language: &str, source: &str, expected: [&str; 3]) {
    let facts = facts(language, source);
    let split = |text: &str| -> Vec<String> {
        text.lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let found = [symbols(&facts), uses(&facts), imports(&facts)];
    for (found, expected) in found.iter().zip(expected) {
        let expected: Vec<String> = split(expected)
            .iter()
            .flat_map(|line| line.split("  ").map(str::to_owned).collect::<Vec<_>>())
            .collect();
        assert_eq!(
            *found,
            expected,
            "{language}:\n{source}\nfound:\n{}",
            found.join("  ")
        );
    }
}

#[test]
fn what_stands_behind_a_macro_is_named_by_its_own_name() {
    check(
        "c",
        "API err f  (int s, unsigned long long x);\nAPI err g(foo* a) { return 1; }\n",
        [
            "+Function:f  +Function:g",
            "Type:err  Type:err  Type:foo",
            "",
        ],
    );
}

#[test]
fn calls_of_java_kotlin_and_csharp_say_their_arguments() {
    let told = |language, source| -> Vec<String> {
        let calls = facts(language, source).references.into_iter();
        let calls = calls.filter(|found| found.kind == ReferenceKind::Call);
        let told = calls.map(|found| match found.arguments {
            Some(arguments) => format!("{} {arguments}", found.name),
            None => found.name,
        });
        told.collect()
    };
    assert_eq!(
        told(
            "java",
            "class A { void f() { g(); this.h(1, /* two */ x); new B<C>(1.5, 'c'); } }"
        ),
        ["g ", "h 1,?", "B .,'"]
    );
    assert_eq!(
        told(
            "csharp",
            "class A { void F() { G(); x?.H(1, out var y); new B(n: null) { C = 1 }; I<int>(2); new J { }; } }"
        ),
        ["G ", "H 1,?", "B n=0", "I <1>(1", "J "]
    );
    assert_eq!(
        told(
            "kotlin",
            "fun f() {\n  g(\"$x\", n = true)\n  h(1L) { }\n  i { }\n  j(*k, { })\n  l\n}\n"
        ),
        ["g \",n=t", "h ?,}", "i }", "j *,{"]
    );
    assert_eq!(told("python", "g(1)\n"), ["g"]);
}

#[test]
fn constants_of_rubys_top_say_so() {
    check(
        "ruby",
        "class Out\n  def run\n    ::Logger.new\n    A::B\n  end\nend\n",
        ["+Class:Out  +Method:Out#run", "Call:::Logger|new", ""],
    );
    let facts = facts("ruby", "x = ::Logger\n");
    assert_eq!(
        facts
            .references
            .last()
            .map(|found| found.qualifier.as_str()),
        Some("::")
    );
}

#[test]
fn members_of_scala_types_without_names_are_methods() {
    check(
        "scala",
        "object A { def f = new B { def m(x: Int) = 1 } }\n",
        [
            "+Class:A  +Method:A.f  -Method:A.f.m",
            "Inherit:B  Call:B  Type:Int",
            "",
        ],
    );
}

#[test]
fn javascript_knows_commonjs_and_prototypes() {
    check(
        "javascript",
        "const { join, resolve: res } = require('node:path');\nexports = module.exports = create;\n\
         function create(opts) { return make(opts).go(); }\n\
         res.send = function send(body) { this.status(body); };\nFoo.prototype.bar = () => new Baz();\n\
         module.exports.x = function () {};\nconst o = { m() {}, f: function () {} };\n",
        [
            "+Function:create  +Function:res.send  +Method:Foo.bar  +Function:x  -Constant:o  -Method:o.m  -Method:o.f",
            "Import:join  Import:res  Call:require  Write:exports  Write:module|exports  Call:make  Call:make()|go  Call:this|status  Call:Baz",
            "Import:node:path{join,resolve=res}",
        ],
    );
}

#[test]
fn javascript_knows_modules_and_classes() {
    check(
        "javascript",
        "import d, { a as b } from './m';\nimport * as ns from 'ns';\nexport { x, y as z } from './re';\n\
         export * from './all';\nimport('./dyn');\nexport const f = async (q) => { q.run(); };\n\
         export class A extends B.C { #p = 1; constructor() { super(); } get v() { return 1; } }\n\
         function late() {}\nexport { late };\nexport default function () {}\n",
        [
            "+Function:f  +Class:A  -Field:A.#p  +Constructor:A.constructor  +Property:A.v  +Function:late  +Function:default",
            "Import:d  Import:a  ReExport:x  ReExport:y  Call:import  Call:q|run  Inherit:B|C  ReExport:late",
            "Import:./m{default=d,a=b}  Import:ns{*=ns}  ReExport:./re{x,y=z}  ReExport:./all{*}  Dynamic:./dyn{}",
        ],
    );
}

#[test]
fn typescript_knows_types() {
    check(
        "typescript",
        "export interface S<T> extends Base<T> { area(): N; }\nexport type Id = string | N;\n\
         export enum Color { Red, Green = 2 }\nnamespace M { export const z = 1; }\n\
         @Inj()\nexport abstract class C<T> extends F<T> implements S<T> {\n  private r: R = 1;\n\
         static make(o: O): P<C> { return new C(o); }\n}\nexport function over(a: string): void;\n",
        [
            "+Interface:S  +Method:S.area  +TypeAlias:Id  +Enum:Color  +EnumMember:Color.Red  +EnumMember:Color.Green
             -Namespace:M  -Constant:M.z  +Class:C  -Field:C.r  +Method:C.make  +Function:over",
            "Inherit:Base  Type:N  Type:N  Decorator:Inj  Inherit:F  Inherit:S  Type:R  Type:O  Type:P  Type:C
             Call:C",
            "",
        ],
    );
}

#[test]
fn python_knows_decorators_docstrings_and_relative_imports() {
    let source = "import os.path as osp, sys\nfrom .h import get as g, x\nfrom ..pkg import *\nT = 1\n\
         @app.route('/')\ndef view(name: str, *args) -> R:\n    '''Doc.'''\n    global n\n    n = 2\n    y = name.up()\n    return render(y)\n\
         class A(Base):\n    z = 1\n    def __init__(self, a): self.a = a\n    def _h(self): self.z.go()\n";
    check(
        "python",
        source,
        [
            "+Constant:T  +Function:view  +Class:A  +Field:A.z  +Constructor:A.__init__  -Method:A._h",
            "Import:os  Import:path  Import:sys  Import:h  Import:get  Import:x  Import:pkg  Decorator:app|route
             Type:str  Type:R  Write:n  Call:name|up  Call:render  Inherit:Base  Write:self|a  Call:self.z|go",
            "Import:os.path{*=osp}  Import:sys{}  Import:.h{get=g,x}  Import:..pkg{*}",
        ],
    );
    let view = &facts("python", source).symbols[1];
    assert_eq!(
        (
            view.span.start_line,
            view.name_line,
            view.doc.map(|doc| doc.start_line)
        ),
        (5, 6, Some(7))
    );
    assert_eq!(view.signature, "def view(name: str, *args) -> R");
}

#[test]
fn go_knows_receivers_and_capitals() {
    check(
        "go",
        "package main\nimport (\n\"fmt\"\nh \"net/http\"\n)\n// Max is.\nconst Max = 10\nvar x, y = 1, 2\n\
         type Server struct {\n\tAddr string\n}\ntype I interface { Do(n N) error }\n\
         func (s *Server) Run(c h.Ctx) error {\n\tv := fmt.Print(s.Addr)\n\tgo func() { s.loop(v) }()\n\ts.m = 3\n\treturn &Err{}\n}\n\
         func (r Ring[T]) len() int { return 1 }\n",
        [
            "+Constant:Max  -Variable:x  -Variable:y  +Struct:Server  +Field:Server.Addr  +Interface:I  +Method:I.Do
             +Method:Server.Run  -Method:Ring.len",
            "Type:string  Type:N  Type:error  Type:Server  Type:h|Ctx  Type:error  Call:fmt|Print  Call:s|loop
             Write:s|m  Type:Err  Type:Ring  Type:T  Type:int",
            "Import:fmt{}  Import:net/http{*=h}",
        ],
    );
}

#[test]
fn rust_knows_impls_use_trees_and_macro_arguments() {
    check(
        "rust",
        "use std::{fmt::{self, Display}, io as stdio, mem::*};\npub use crate::a::B;\nuse serde;\nmod child;\n\
         pub struct M<'a> { pub re: R, n: usize }\nimpl<'a> Display for M<'a> { fn fmt(&self) -> fmt::Result { write!(f, go(self.re.run())) } }\n\
         impl M<'_> { pub fn new(n: N) -> Self { match n { Some(x) => x.go(), None => E::A(1) } } }\n\
         enum E { A(u8) }\nmacro_rules! m { () => { foo() } }\npub trait T: Sized { fn f(&self); }\n",
        [
            "+Struct:M  +Field:M::re  -Field:M::n  +Impl:impl<'a> Display for M<'a>  +Method:M::fmt  -Impl:impl M<'_>
             +Method:M::new  -Enum:E  -EnumMember:E::A  -Macro:m  +Trait:T  +Method:T::f",
            "Import:std  Import:fmt  Import:Display  Import:io  Import:mem  ReExport:crate|a  ReExport:crate::a|B
             Import:serde  Import:child  Type:R  Inherit:Display  Type:M  Type:fmt|Result  Call:write  Call:go
             Call:self.re|run  Type:M  Type:N  Type:Self  Call:x|go  Call:E|A  Call:foo  Inherit:Sized",
            "Import:std{fmt,io=stdio}  Import:std::fmt{Display}  Import:std::mem{*}  ReExport:crate::a{B}
             Import:serde{*=serde}  ModuleDeclaration:child{}",
        ],
    );
}

#[test]
fn rust_items_that_a_macro_gets_are_items() {
    check(
        "rust",
        "feature! {\n    #![all(feature = \"std\")]\n    mod layer;\n    pub use self::layer::*;\n}\n\
         impl Pool {\n    cfg_rt! {\n        cfg_net! { pub fn run(&self) { go(); } }\n    }\n}\n\
         cfg_if! {\n    if #[cfg(unix)] { mod unix; } else { mod other; }\n}\n\
         pin_project! { pub struct Sleep { #[pin] entry: Entry } }\n\
         bitflags! { struct Flags: u32 { const A = 1; } }\n\
         fn late() { quote! { fn made() {} } }\n",
        [
            "-Impl:impl Pool  +Method:Pool::run  +Struct:Sleep  -Field:Sleep::entry  -Function:late",
            "Call:feature  Decorator:all  Import:layer  ReExport:self|layer  Call:cfg_rt  Call:cfg_net  Call:go
             Call:cfg_if  Import:unix  Import:other  Call:pin_project  Decorator:pin  Type:Entry
             Call:bitflags  Call:quote  Call:made",
            "ModuleDeclaration:layer{}  ReExport:self::layer{*}  ModuleDeclaration:unix{}  ModuleDeclaration:other{}",
        ],
    );
}

#[test]
fn typescript_without_semicolons_is_read_as_its_compiler_does() {
    check(
        "typescript",
        "interface Get<E> {\n  <K extends keyof E>(key: K): E[K]\n  <\n    K extends string\n  >(key: K): X[K]\n  (): void\n}\n\
         type Use = {\n  <T>(first: T): [T, () => void]\n  <T = undefined>(): [T]\n}\n\
         export type * from './types'\n\
         export class App {\n  start(): void { if (this.ready) { run() } }\n}\n",
        [
            "-Interface:Get  -TypeAlias:Use  +Class:App  +Method:App.start",
            "Type:X  Call:run",
            "ReExport:./types{*}",
        ],
    );
}

#[test]
fn members_without_semicolons_are_read_behind_comments_and_as_operators() {
    for text in [
        "type S = {\n  a(): Foo<string>\n  /** c */\n  <P>(a: P): P\n}\n",
        "interface S {\n  a: Foo\n  in: string\n  instanceof?: Foo\n}\n",
        "abstract class S {\n  abstract accessor y: string\n}\n",
        "interface S {\n  new (a: import(\"svelte\").Options<P>): import('./own').Kind<P, E> & X;\n}\n",
    ] {
        let facts = facts("typescript", text);
        assert!(facts.errors.is_empty(), "{text}: {:?}", facts.errors);
        assert_eq!(facts.symbols[0].name, "S");
    }
}

#[test]
fn statements_of_broken_code_are_no_members() {
    let source = "class App {\n  start() {\n    }} \n  run() {\n    if (this.ready) {\n      const a = 1\n      return a\n";
    for language in ["typescript", "javascript", "java", "csharp"] {
        let facts = facts(language, source);
        let named = |name: &str| facts.symbols.iter().any(|symbol| symbol.name == name);
        assert!(
            !named("if") && !named("const") && !named("return"),
            "{language}"
        );
    }
}

#[test]
fn java_knows_members_and_constructions() {
    check(
        "java",
        "package a.b;\nimport java.util.List;\nimport static x.Y.*;\npublic class A<T> extends B<T> implements C {\n\
         private final int x = 1, y;\npublic A(int a) { this.x = a; }\n\
         @Override List<S> run(S s) { foo(s); s.bar().baz(); new Z(1); }\nenum K { ONE }\n}\n",
        [
            "+Class:A  -Field:A.x  -Field:A.y  +Constructor:A.A  +Method:A.run  +Enum:A.K  +EnumMember:A.K.ONE",
            "Import:java  Import:java|util  Import:java.util|List  Import:x  Import:x|Y  Inherit:B  Type:T  Inherit:C
             Write:this|x  Decorator:Override  Type:List  Type:S  Type:S  Call:foo  Call:s|bar  Call:s.bar()|baz  Call:Z",
            "Import:java.util{List}  Import:x.Y{*}",
        ],
    );
}

#[test]
fn c_and_cpp_know_declarators() {
    check(
        "cpp",
        "#include <stdio.h>\n#include \"x.h\"\n#define BAR(a) foo(a)\nnamespace n {\ntemplate <class T> class A : public B<T> {\n\
         A(int x);\n~A() { free(p_); }\nint *p_;\n};\n}\nint n::A<T>::run(const S& s) { s.size(); return helper<int>(s); }\n\
         static int *fn(char *a) { return a + G; }\nint proto(int);\ntypedef struct { int a; } Foo;\nenum class E { ONE };\n",
        [
    "+Macro:BAR  +Namespace:n  +Class:n::A  +Method:n::A::A  +Method:n::A::~A  +Field:n::A::p_  +Method:n::A::run
     -Function:fn  +Function:proto  +Struct:Foo  +Field:Foo::a  +Enum:E  +EnumMember:E::ONE",
    "Call:foo  Inherit:B  Type:T  Call:free  Type:A  Type:T  Type:S  Call:s|size  Call:helper",
    "Include:<stdio.h>{}  Include:x.h{}",
],
    );
}

#[test]
fn macros_of_c_and_cpp_that_stand_for_something_else_hide_nothing() {
    check(
        "cpp",
        "#include <x.h>\nLIB_BEGIN_NAMESPACE\nclass LIB_API Base : public Root {\n  void go() OVERRIDE_IT;\n};\n\
         struct LIB_API Leaf final : Base { int a; };\nlocal int f OF((Base *b));\nenum E { A_B,\n  C_D\n};\n\
         int g() { return LIB_MAX((1)); }\n",
        [
            "+Class:Base  +Method:Base::go  +Struct:Leaf  +Field:Leaf::a  +Function:f  +Enum:E  +EnumMember:E::A_B
             +EnumMember:E::C_D  +Function:g",
            "Inherit:Root  Inherit:Base  Type:Base  Call:LIB_MAX",
            "Include:<x.h>{}",
        ],
    );
}

/// Each of these took time that grows with the square of its length.
#[test]
fn what_looks_like_the_beginning_of_a_macro_costs_no_more_than_it_is_long() {
    let shapes = [
        "\n",
        "a b C((\n",
        "((",
        "f() A_BC; ",
        "class A_BC ",
        "A_BC ",
        "f(int ",
        "A_BC(x, ",
        "static a * ",
        "#if a {\n",
        "} A_BC {\n",
    ];
    for shape in shapes {
        let facts = facts("cpp", &shape.repeat(100_000 / shape.len()));
        assert!(facts.references.len() < 100_000, "{shape:?}");
    }
}

#[test]
fn ruby_knows_modules_and_bare_calls() {
    check(
        "ruby",
        "require 'set'\nrequire_relative 'foo/bar'\nmodule A\n  # Doc\n  class B < C::D\n    K = 1\n    attr_reader :x\n    def initialize(a); end\n\
         def self.make(x) = new(x)\n    def run\n      y = helper(1)\n      y.foo { |z| z.bar }\n      other\n    end\n  end\nend\n",
        [
            "+Module:A  +Class:A::B  +Constant:A::B::K  +Property:A::B#x  +Constructor:A::B#initialize  +Method:A::B.make
             +Method:A::B#run",
            "Call:require  Call:require_relative  Inherit:C|D  Call:attr_reader  Call:new  Call:helper  Call:y|foo
             Call:z|bar  Call:other",
            "Import:set{}  Include:./foo/bar{}",
        ],
    );
}

#[test]
fn php_knows_namespaces() {
    check(
        "php",
        "<?php\nnamespace App\\M;\nuse Foo\\Bar as Baz;\nuse Foo\\{A, B};\nrequire_once __DIR__ . '/x.php';\n\
         final class User extends Model implements I {\n use T;\n const C = 1;\n private ?S $name = null;\n\
         public static function make(Foo $x): self { $y = new Baz($x); $y->go(); User::of(1); return helper(); }\n}\n\
         function helper($a) { return $a; }\n",
        [
            "+Namespace:App\\M  +Class:App\\M\\User  +Constant:App\\M\\User::C  -Field:App\\M\\User::name
             +Method:App\\M\\User::make  +Function:App\\M\\helper",
            "Import:Foo\\|Bar  Import:A  Import:B  Import:__DIR__  Inherit:Model  Inherit:I  Inherit:T  Type:S
             Type:Foo  Call:Baz  Call:$y|go  Type:User  Call:User|of  Call:helper",
            "Import:Foo{Bar=Baz}  Import:Foo{A}  Import:Foo{B}  Include:./x.php{}",
        ],
    );
}

#[test]
fn csharp_knows_namespaces_of_files() {
    check(
        "csharp",
        "using System;\nusing Y = A.B;\nnamespace N.M;\npublic class A<T> : B, I<T> {\n  private int _x = 1;\n  public string Name { get; set; }\n\
         public async Task<int> Run(Foo f) { f.Go(); var z = new Bar(); return await X.Y(z); }\n}\nenum K { One }\n",
        [
            "+Namespace:N.M  +Class:N.M.A  -Field:N.M.A._x  +Property:N.M.A.Name  +Method:N.M.A.Run  +Enum:N.M.K  +EnumMember:N.M.K.One",
            "Import:System  Import:A  Import:A|B  Inherit:B  Inherit:I  Type:T  Type:Task  Type:Foo  Call:f|Go  Call:Bar  Call:X|Y",
            "Import:System{}  Import:A.B{B=Y}",
        ],
    );
}

#[test]
fn kotlin_swift_and_scala_know_their_types() {
    check(
        "kotlin",
        "import x.y.Z\nimport q.W as V\ndata class A(val x: Int) : B(x), I {\n    private val z = 1\n    fun run(f: Foo): List<Bar> {\n        f.go(1)\n        return listOf()\n    }\n}\nobject Obj\n",
        [
            "+Class:A  +Field:A.x  -Field:A.z  +Method:A.run  +Class:Obj",
            "Import:x  Import:y  Import:Z  Import:q  Import:W  Type:Int  Inherit:B  Inherit:I  Type:Foo  Type:List  Type:Bar  Call:f|go  Call:listOf",
            "Import:x.y{Z}  Import:q{W=V}",
        ],
    );
    check(
        "swift",
        "import Foundation\npublic class A: B {\n    private let x = 1\n    init(a: Int) { self.x = a }\n    func run(with f: Foo) -> Bar { f.go(1) }\n}\nextension A: Q { func e() {} }\n",
        [
            "+Class:A  -Field:A.x  +Constructor:A.init  +Method:A.run  +Impl:extension A: Q  +Method:A.e",
            "Import:Foundation  Inherit:B  Type:Int  Write:self|x  Type:Foo  Type:Bar  Call:f|go  Type:A  Inherit:Q",
            "Import:Foundation{}",
        ],
    );
    check(
        "scala",
        "import x.y.{Z, W => V, _}\nclass A(val x: Int) extends B(x) with C {\n  def run(f: Foo): Bar = { f.go(1); new Baz(f) }\n}\nobject Obj\n",
        [
            "+Class:A  +Field:A.x  +Method:A.run  +Class:Obj",
            "Import:x  Import:y  Import:Z  Import:W  Type:Int  Inherit:B  Inherit:C  Type:Foo  Type:Bar  Call:f|go  Call:Baz",
            "Import:x.y{Z,W=V,*}",
        ],
    );
}

#[test]
fn dart_knows_its_members_and_where_names_are_used() {
    check(
        "dart",
        "import 'a.dart' as p show A;\nimport 'b.dart' if (dart.library.io) 'c.dart' hide H;\nexport 'd.dart' show D;\npart 'e.dart';\n\
         abstract interface class I {\n  int get n;\n}\nmixin M on I {}\n\
         class C<T extends N> extends p.B<T> with M implements I {\n  static const k = 1, _l = 2;\n  final X? x;\n  C(this.x, int a) : y = a, super.of(a);\n\
         \x20 C._();\n  factory C.from(Map m) => C._();\n  @override\n  int get n => 1;\n  set n(int v) { y = v; }\n  int operator +(C o) => o.run(x: 1);\n}\n\
         extension E on p.Box<int> {\n  void f() {}\n}\nextension type Id(int v) {}\nenum K { one, two.of(1); const K.of(this.r); final int r; }\n\
         typedef F = void Function(int);\nvoid main() { C<int>.from({})..run(1)..x = 2; new p.D.of(1); use(K.one, C(null, z: 1)); }\n",
        [
            "+Interface:I  +Property:I.n  +Trait:M  +Class:C  +Constant:C.k  -Constant:C._l  +Field:C.x  +Constructor:C.C  -Constructor:C._  \
             +Constructor:C.from  +Property:C.n  +Property:C.n  +Method:C.+  +Impl:extension E on p.Box<int>  +Namespace:E  +Method:Box.f  \
             +Class:Id  +Field:Id.v  +Enum:K  +EnumMember:K.one  +EnumMember:K.two  +Constructor:K.of  +Field:K.r  +TypeAlias:F  +Function:main",
            "Import:p  Import:A  ReExport:D  Type:int  Inherit:I  Type:N  Type:p  Inherit:p|B  Type:T  Inherit:M  Inherit:I  Type:X  Write:this|x  Type:int  \
             Write:this|y  Call:super|of  Type:Map  Call:C|_  Decorator:override  Type:int  Type:int  Write:y  Type:int  Type:C  Call:o|run  Type:p  Type:int  \
             Type:int  Write:this|r  Type:int  Type:int  Type:C  Type:int  Call:C|from  Call:C<int>.from()|run  Type:p  Call:p|D  Call:p.D|of  Call:use  Call:C  Write:C|z",
            "Import:a.dart{*=p}  Import:b.dart{*,H=}  Import:c.dart{*,H=}  ReExport:d.dart{D}  Include:e.dart{}",
        ],
    );
}

#[test]
fn protobuf_knows_messages_values_services_and_where_they_are_named() {
    check(
        "protobuf",
        "syntax = \"proto2\";\npackage a.b;\nimport \"x/y.proto\";\nimport public 'z.proto';\noption java_package = \"p\";\noption (own.opt).part = V;\n\
         message M {\n  optional .a.b.N n = 1 [default = ONE, (c.rule) = { min: 1 }];\n  map<string, M.In> all = 2;\n  oneof one { O o = 3; string s = 4; }\n\
         \x20 message In { In self = 1; }\n  extend M { optional E more = 9; }\n  optional group G = 5 { required bool b = 1; }\n  reserved \"gone\";\n}\n\
         enum E { ONE = 1; }\nextend x.Options { optional M opt = 7; }\nservice S { rpc Get(stream M) returns (a.b.N) { option (http) = { get: \"/\" }; } }\nlocal message Own {}\n",
        [
            "+Namespace:a.b  +Struct:a.b.M  +Field:a.b.M.n  +Field:a.b.M.all  +Field:a.b.M.one  +Field:a.b.M.o  +Field:a.b.M.s  +Struct:a.b.M.In  \
             +Field:a.b.M.In.self  +Field:a.b.M.more  +Struct:a.b.M.G  +Field:a.b.M.G.b  +Enum:a.b.E  +EnumMember:a.b.E.ONE  +Field:a.b.opt  \
             +Interface:a.b.S  +Method:a.b.S.Get  -Struct:a.b.Own",
            "Type:.|a  Type:..a|b  Type:..a.b|N  Type:M  Type:M|In  Type:O  Type:In  \
             Type:M  Type:E  Type:x  Type:x|Options  Type:M  Type:M  Type:a  Type:a|b  Type:a.b|N",
            "Import:x/y.proto{}  ReExport:z.proto{}",
        ],
    );
}

#[test]
fn terraform_knows_blocks_by_address_and_where_addresses_stand() {
    check(
        "terraform",
        "variable \"v\" { type = string }\noutput \"o\" { value = module.m[\"k\"].out }\nlocals {\n  a = var.v\n  b = { key = local.a, (var.v) = 1 }\n}\n\
         data \"t_d\" \"n\" { x = [for s in local.b : s.id] }\nresource \"t\" \"n\" {\n  y = data.t_d.n[0].id\n  z { w = t.n.*.id }\n  s = \"${local.a}-${f(t.n)}\"\n}\n\
         module \"m\" {\n  source = \"./m\"\n  in = each.value\n  nested { in = 1 }\n}\nprovider \"aws\" { alias = \"west\" }\nmoved { from = t.old }\ntop = 1\n",
        [
            "+Variable:var.v  +Variable:output.o  -Variable:local.a  -Variable:local.b  -Struct:data.t_d.n  +Struct:t.n  +Module:module.m  +Namespace:provider.aws.west",
            "Write:module.m|in  Write:var|top",
            "Import:./m{*=m}",
        ],
    );
}

#[test]
fn reads_of_terraform_have_the_address_before_them() {
    let text = "locals {\n  b = { key = local.a, (var.v) = 1 }\n  x = [for s in local.b : s.id]\n  y = data.t_d.n[0].id\n  w = t.n.*.id\n\
                \x20 s = \"${module.m[\"k\"].out}-${f(t.n)}\"\n  z = f(1).q\n}\n";
    let facts = facts("terraform", text);
    let shown = |found: &Reference| format!("{}|{}", found.qualifier, found.name);
    let found: Vec<String> = facts.references.iter().map(shown).collect();
    let expected = "local|a var|v local|b s|id data|t_d data.t_d|n data.t_d.n|id t|n t.n|id module|m module.m|out t|n …|q";
    assert_eq!(found.join(" "), expected);
}

#[test]
fn sql_knows_what_is_created_and_what_statements_name() {
    check(
        "sql",
        "create table if not exists s.t (id int primary key, \"Own\" s.kind, foreign key (id) references u (k) on delete cascade);\n\
         create view v as with w (a) as (select x.id from s.t x), z as (select 1) select w.a, f(t.id) from w, t, lateral g(1) as h join u on u.k = t.id where extract(year from t.at) > 1;\n\
         create function f(a int) returns setof t as $$ begin perform p(1); update u set k = 1; return query select * from s.t; end $$ language plpgsql;\n\
         create unique index i on only t (id);\ncreate trigger g after update of k on u for each row execute procedure f();\n\
         insert into t (id, own) select 1, 'x'::s.kind;\nalter table t rename to n;\ndrop function if exists f(int), q;\ncreate temp table tmp as select 1;\n\
         create type kind as enum ('a');\ngrant select on t to me;\ntruncate u;\n",
        [
            "+Struct:s.t  +Field:s.t.id  +Field:s.t.Own  +Struct:v  +Function:f  +Constant:i  +Function:g  -Struct:tmp  +TypeAlias:kind",
            "Type:s|kind  Type:u  Type:s|t  Call:f  Type:t  Call:g  Type:u  Call:extract  Type:t  Call:p  Type:u  Type:s|t  Type:t  Type:u  Call:f  \
             Type:t  Type:s|kind  Type:t  Call:f  Call:q  Type:t  Type:u",
            "",
        ],
    );
}

#[test]
fn columns_of_sql_have_their_tables_before_them() {
    let text = "select o.id, c.name, w.x, s.q from shop.orders o join customers as c on c.id = orders.id, (select 1) s;\n\
                with w as (select 1) select w.id from w where new.at > 1;\ninsert into t (a) values (1);\nselect x.a from a x; select x.b from b x;\n\
                update ##t set a = 1 from [#u] as u where u.k = 1 drop table #v\n";
    let facts = facts("sql", text);
    let reads = facts.references.iter();
    let reads = reads.filter(|found| found.kind == ReferenceKind::Read);
    let shown = |found: &Reference| format!("{}|{}", found.qualifier, found.name);
    let found: Vec<String> = reads.map(shown).collect();
    let expected = "shop.orders|id customers|name w|x …|q customers|id shop.orders|id …|id new|at t|a a|a b|b #u|k";
    assert_eq!(found.join(" "), expected);
}

#[test]
fn routines_of_sql_end_where_their_dialect_ends_them() {
    let ends = |text: &str| -> Vec<(String, u32)> {
        let symbols = facts("sql", text).symbols.into_iter();
        symbols
            .map(|symbol| (symbol.name, symbol.span.end_line))
            .collect()
    };
    let cases = [
        (
            "create function f() as $$\nbegin\nend;\n$$ language sql\n;\nselect 1;\n",
            4,
        ),
        (
            "create proc f as\nbegin\nselect 1;\nend\ngo\nselect 1;\n",
            4,
        ),
        (
            "delimiter //\ncreate procedure f()\nbegin\nif a then b; end if; case c when 1 then d; end case;\nend //\nselect 1;\n",
            5,
        ),
        (
            "create trigger f after insert on t begin\nupdate t set a = case when 1 then 2 end;\nend;\nselect 1;\n",
            3,
        ),
        (
            "create or replace procedure f is\nn int;\nm int;\nbegin\nnull;\nend;\n/\nselect 1;\n",
            6,
        ),
        ("create function f() returns int\nreturn 1;\nselect 1;\n", 2),
    ];
    for (text, end) in cases {
        assert_eq!(ends(text), [("f".to_owned(), end)], "{text}");
    }
}

#[test]
fn scripts_of_sql_run_others() {
    let text = "\\i a.sql\n\\ir 'b/c.sql'\n@d.sql\n:r e.sql\nsource f.sql;\n\\c other\nselect 1;\n";
    let found: Vec<String> = facts("sql", text)
        .imports
        .into_iter()
        .map(|import| import.module)
        .collect();
    assert_eq!(found, ["a.sql", "b/c.sql", "d.sql", "e.sql", "f.sql"]);
}

#[test]
fn dart_names_that_their_place_says_are_not_bare() {
    let text = "void f(A a, y) {\n  g(.red, #abc, y);\n  if (a case p.B(x: 1)) {}\n  const p.C.of()..run();\n}\n";
    let references = facts("dart", text).references;
    let qualifiers = |name: &str| -> Vec<String> {
        let named = references.iter().filter(|found| found.name == name);
        named.map(|found| found.qualifier.clone()).collect()
    };
    let cases = [("red", "…"), ("x", "p.B"), ("B", "p"), ("of", "p.C")];
    for (name, qualifier) in cases {
        assert_eq!(qualifiers(name), [qualifier], "{name}");
    }
    assert_eq!(qualifiers("run"), ["const p.C.of()"]);
    assert!(qualifiers("abc").is_empty() && qualifiers("y").is_empty());
}

#[test]
fn bash_and_lua_know_functions() {
    check(
        "bash",
        "source ./lib.sh\nX=1\nfoo() {\n  bar \"$X\" | grep a\n}\nfoo\n",
        [
            "+Variable:X  +Function:foo",
            "Import:source  Call:bar  Call:grep  Call:foo",
            "Include:./lib.sh{}",
        ],
    );
    check(
        "lua",
        "local x = require(\"a.b\")\nlocal M = {}\nfunction M.run(a) x.foo(a); self:bar(1) end\nfunction M:meth() return helper(1) end\nlocal function loc() end\nreturn M\n",
        [
            "-Variable:M  +Function:M.run  +Method:M.meth  -Function:loc",
            "Call:require  Call:x|foo  Call:self|bar  Call:helper",
            "Import:a.b{*=x}",
        ],
    );
}

#[test]
fn vue_scripts_keep_their_lines() {
    let source = include_str!("samples/a.vue");
    let facts = facts("vue", source);
    let save = facts
        .symbols
        .iter()
        .find(|symbol| symbol.name == "save")
        .expect("the function");
    assert_eq!((save.span.start_line, save.span.end_line), (9, 11));
    assert_eq!(&source[save.span.start_byte as usize..][..8], "function");
    let used = |name: &str, kind| {
        facts
            .references
            .iter()
            .any(|found| found.name == name && found.kind == kind)
    };
    assert!(used("BaseButton", ReferenceKind::Call) && used("TodoList", ReferenceKind::Call));
    assert!(used("save", ReferenceKind::Call) && used("title", ReferenceKind::Read));
    assert_eq!(imports(&facts), ["Import:./TodoList.vue{default=TodoList}"]);
}

#[test]
fn languages_without_grammar_are_read_by_patterns() {
    let elixir = facts("elixir", include_str!("samples/a.ex"));
    assert_eq!(
        symbols(&elixir),
        [
            "+Module:App.User",
            "+Function:App.User.find",
            "-Function:App.User.check"
        ]
    );
    assert_eq!(
        (
            elixir.symbols[1].span.start_line,
            elixir.symbols[1].span.end_line
        ),
        (4, 7)
    );
    assert_eq!(elixir.symbols[1].doc.map(|doc| doc.start_line), Some(3));
    assert_eq!(elixir.symbols[0].name, "User", "as uses call it");
    let used = elixir.references.iter();
    assert!(
        used.clone()
            .all(|used| used.line > 1 || used.name != "User")
    );
    assert_eq!(imports(&elixir), ["Import:App.Repo{}"]);
    let haskell = facts("haskell", include_str!("samples/a.hs"));
    assert_eq!(
        symbols(&haskell),
        ["+Struct:Thing", "+Trait:Pretty", "+Function:run"]
    );
    assert_eq!(
        (
            haskell.symbols[2].span.start_line,
            haskell.symbols[2].span.end_line
        ),
        (8, 11)
    );
    let zig = facts("zig", include_str!("samples/a.zig"));
    assert_eq!(
        symbols(&zig),
        [
            "+Constant:std",
            "+Struct:Point",
            "+Method:Point.add",
            "+Function:helper",
            "+Function:adds"
        ]
    );
    let calls = zig
        .references
        .iter()
        .filter(|found| found.kind == ReferenceKind::Call && found.name == "helper");
    assert_eq!(
        calls.map(|found| found.enclosing).collect::<Vec<_>>(),
        [Some(2), Some(4)]
    );
    assert_eq!(
        symbols(&facts("make", "all: build\n\tgo\n")),
        ["+Function:all"]
    );
}

#[test]
fn markdown_sections_nest_and_ignore_fences() {
    let facts = facts("markdown", include_str!("samples/a.md"));
    assert_eq!(
        symbols(&facts),
        [
            "+Section:Guide",
            "+Section:Setext title",
            "+Section:Setext title > Install"
        ]
    );
}

#[test]
fn docs_and_attributes_belong_to_what_follows() {
    let facts = facts(
        "rust",
        "/// Doc.\n/// More.\n#[derive(Debug)]\npub struct A;\n\n// Apart.\n\nfn b() {}\nlet x = 1; // trailing\nfn c() {}\n",
    );
    let symbol = |at: usize| {
        let symbol = &facts.symbols[at];
        (
            symbol.span.start_line,
            symbol.name_line,
            symbol.doc.map(|doc| (doc.start_line, doc.end_line)),
        )
    };
    assert_eq!(symbol(0), (3, 4, Some((1, 2))));
    assert_eq!(symbol(1), (8, 8, None));
    assert_eq!(symbol(2), (10, 10, None));
}

#[test]
fn unicode_names_are_names() {
    let facts = facts("python", "def größe(длина):\n    return вызов(длина)\n");
    assert_eq!(symbols(&facts), ["+Function:größe"]);
    assert_eq!(uses(&facts), ["Call:вызов"]);
}

#[test]
fn broken_code_keeps_what_is_whole() {
    let facts = facts(
        "javascript",
        "function a() { b(; }\nfunction c() { d(); }\n",
    );
    assert!(facts.symbols.iter().any(|symbol| symbol.name == "c"));
    assert!(!facts.errors.is_empty());
}

#[test]
fn highlights_name_what_they_paint() {
    let source = "// c\nconst f = (x) => call(`a${x}`, 1);";
    let language = Language::from_name("javascript").expect("a known language");
    let painted: Vec<String> = highlight(source, language)
        .iter()
        .map(|span| {
            format!(
                "{:?}:{}",
                span.class,
                &source[span.start as usize..span.end as usize]
            )
        })
        .collect();
    for expected in [
        "Comment:// c",
        "Keyword:const",
        "Function:call",
        "String:`a",
        "Number:1",
    ] {
        assert!(
            painted.iter().any(|found| found == expected),
            "{expected} in {painted:?}"
        );
    }
}

#[test]
fn a_doc_block_means_the_definition_behind_one_blank_line() {
    let source = "/** The file. */\n\nlet x;\n\n/**\n * Sends.\n */\n\nfunction send() {\n  return 1;\n}\n\n// ---- part ----\n\nfunction other() {}\n";
    let facts = facts("javascript", source);
    let doc_of = |name: &str| {
        let symbol = facts.symbols.iter().find(|symbol| symbol.name == name);
        symbol
            .and_then(|symbol| symbol.doc)
            .map(|doc| (doc.start_line, doc.end_line))
    };
    assert_eq!(doc_of("send"), Some((5, 7)));
    assert_eq!(doc_of("other"), None);
    assert_eq!(doc_of("x"), None);
}

#[test]
fn both_names_of_a_chained_assignment_are_defined() {
    let facts = facts(
        "javascript",
        "res.contentType =\nres.type = function type(t) {\n  return t;\n};\n",
    );
    let names: Vec<&str> = facts
        .symbols
        .iter()
        .map(|symbol| symbol.name.as_str())
        .collect();
    assert!(
        names.contains(&"contentType") && names.contains(&"type"),
        "{names:?}"
    );
}

#[test]
fn a_definition_that_the_grammar_cannot_read_is_found_by_patterns() {
    // Call signatures without semicolons: the grammar takes the next one for arguments.
    let text = "export interface Factory extends A {\n    <T extends F>(name: string, fn: T): T\n\n    (name: string): A & B\n\n    (target: Object, key: string | symbol): void\n}\nexport const x = 1\n";
    let facts = facts("typescript", text);
    let names: Vec<&str> = facts
        .symbols
        .iter()
        .map(|symbol| symbol.name.as_str())
        .collect();
    assert!(names.contains(&"Factory"), "{names:?}");
    assert_eq!(names.iter().filter(|name| **name == "Factory").count(), 1);
}

/// What a hostile file repeats, in a language: declarations in each other, and starts of what never ends.
const HOSTILE: &[(&str, &[&str])] = &[
    ("a.c", &["int a(){{\n", "struct a{\n", "(", "\"", "#if A\n"]),
    ("a.cpp", &["namespace a{\n", "class A{\n", "A<", "{"]),
    ("a.cs", &["namespace A{\n", "class A{\n", "[A("]),
    ("a.go", &["func a(){ func(){\n", "map[string]"]),
    ("a.java", &["class A{\n", "new A(){\n", "@A("]),
    ("a.js", &["class A{ a(){\n", "()=>{\n", "`${", "a?"]),
    ("a.kt", &["class A{\n", "{ a -> "]),
    ("a.lua", &["function a()\n", "[", "# a\n", "<<A\n"]),
    ("a.php", &["<?php class A{\n", "<?php function a(){\n"]),
    (
        "a.proto",
        &["message A{\n", "option (a) = {\n", "a: <", "oneof a{"],
    ),
    ("a.py", &["class A:\n ", "lambda: ", "f\"{"]),
    ("a.rb", &["class A\n", "\"#{", "<<~A\n"]),
    ("a.rs", &["mod a{\n", "macro_rules! a { ($x:expr) => {\n"]),
    ("a.scala", &["object A{\n", "s\"${"]),
    ("a.sh", &["$(", "if a; then\n", "<<A\n"]),
    (
        "a.sql",
        &[
            "create table a(",
            "create function a() begin ",
            "create view a as with a as (",
            "with a as (select 1 from a, ",
            "as $a$ ",
            "'\\",
            "/*",
            "create definer = ",
            "a.",
            "create trigger a is begin ",
            "insert into a (",
        ],
    ),
    ("a.swift", &["class A{\n", "\"\\("]),
    ("a.dart", &["class A{\n", "a(){{\n", "A<", "\"${", "(a, "]),
    (
        "a.tf",
        &[
            "a{\n",
            "a = [",
            "a = {\n",
            "\"${",
            "<<A\n",
            "a = b.",
            "a = (",
            "%{ if a }",
        ],
    ),
    ("a.ts", &["namespace a{\n", "type A = {a:", "A<"]),
    ("a.ex", &["defmodule A do\n"]),
    (
        "a.svelte",
        &[
            "{#each a as b}",
            "{",
            "<a b={",
            "{#snippet a(b)}",
            "<A let:b>",
            "{/if}</a>",
            "{`${",
        ],
    ),
    (
        "a.vue",
        &[
            "<template>",
            "<template><a v-for=\"b in c\">",
            "<template>{{",
            "<a b=\"",
        ],
    ),
    ("a.astro", &["---\n", "{a.map(b => <p>", "<a b={`", "{"]),
];

#[test]
fn a_hostile_file_has_few_definitions_with_short_names_and_ends() {
    for (path, units) in HOSTILE {
        for unit in *units {
            let text = unit.repeat(60_000 / unit.len());
            let language = detect(path, b"").expect("a known language");
            let facts = analyze(&text, language);
            let longest = facts
                .symbols
                .iter()
                .map(|symbol| symbol.qualified.len())
                .max();
            assert!(longest.unwrap_or(0) <= 600, "{path} {unit:?}");
            assert!(
                facts.symbols.len() <= 2_000,
                "{path} {unit:?}: {}",
                facts.symbols.len()
            );
        }
    }
}

/// The lines on which a name is used as one from outside of the function.
fn lines_of(language: &str, name: &str, source: &str) -> Vec<u32> {
    let mut lines: Vec<u32> = facts(language, source)
        .references
        .iter()
        .filter(|reference| reference.name == name && reference.qualifier.is_empty())
        .map(|reference| reference.line)
        .collect();
    lines.dedup();
    lines
}

#[test]
fn names_that_a_python_scope_binds_are_its_own() {
    let variants: [(&str, &str, &[u32]); 16] = [
        ("comprehension", "[total for total in range(3)]", &[]),
        ("condition", "[1 for total in range(3) if total]", &[]),
        ("parts", "{a: b for a, (total, b) in x if total}", &[]),
        ("second clause", "[1 for total in x for y in total]", &[]),
        ("generator", "sum(total for total in x)", &[]),
        (
            "what it goes through first",
            "[total for total in total]",
            &[1],
        ),
        ("behind it", "[total for total in x], total", &[1]),
        ("lambda", "(lambda total: total)(1)", &[]),
        (
            "default of a lambda",
            "(lambda total=total: total)(1)",
            &[1],
        ),
        (
            "closure before the assignment",
            "def f():\n    def g():\n        return total\n    total = 1\n    return g",
            &[],
        ),
        (
            "global",
            "def f():\n    global total\n    total = 1\n    return total",
            &[3, 4],
        ),
        (
            "global of another function",
            "def f():\n    global total\n    total = 1\ndef g():\n    total = 2\n    return total",
            &[3],
        ),
        (
            "global in a closure",
            "def f():\n    total = 1\n    def g():\n        global total\n        return total\n    return total",
            &[5],
        ),
        (
            "nonlocal",
            "def f():\n    total = 1\n    def g():\n        nonlocal total\n        total = 2\n    return total",
            &[],
        ),
        (
            "capture of a case",
            "def f(x):\n    match x:\n        case [total, *rest]: return total\n        case P(a=total) if total: return total",
            &[],
        ),
        (
            "class of a case",
            "def f(x):\n    match x:\n        case total(): return 1\n        case {'k': total.a}: return 2",
            &[3, 4],
        ),
    ];
    for (what, source, lines) in variants {
        assert_eq!(lines_of("python", "total", source), lines, "{what}");
    }
}

#[test]
fn names_that_a_javascript_block_binds_are_its_own() {
    let variants: [(&str, &str, &[u32]); 6] = [
        (
            "closure before the declaration",
            "function f() {\n  const g = () => total;\n  const total = 1;\n  return g;\n}",
            &[],
        ),
        (
            "pattern",
            "function f() {\n  run(() => total + a);\n  const { x: total, ...a } = y;\n}",
            &[],
        ),
        (
            "block beside",
            "function f() {\n  { const total = 1; use(total); }\n  return total;\n}",
            &[3],
        ),
        (
            "block around",
            "function f() {\n  if (x) { use(total); }\n  let total = 1;\n}",
            &[],
        ),
        (
            "function set later",
            "function f() {\n  go(() => total());\n  const total = () => 1;\n}",
            &[2],
        ),
        ("module", "const g = () => total;\nconst total = 1;", &[1]),
    ];
    for (what, source, lines) in variants {
        assert_eq!(lines_of("typescript", "total", source), lines, "{what}");
    }
}

#[test]
fn a_label_of_kotlin_is_no_use() {
    let source = "fun f() {\n  visit {\n    if (it) return@visit\n  }\n}\n";
    assert_eq!(lines_of("kotlin", "visit", source), [2]);
}
