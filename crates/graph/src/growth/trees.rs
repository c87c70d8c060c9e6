//! Trees of any size in which there is much of one thing.

/// What a tree is made of. In texts and paths `#` is the number of the repetition and `@` that of the one before.
pub(super) enum Part {
    Once(&'static str, &'static str),
    /// A file, as often as the tree is large.
    Files(&'static str, &'static str),
    /// One file, with so many of what stands between head and end.
    Rows(&'static str, [&'static str; 3]),
}

use Part::{Files, Once, Rows};

/// What there is many of, in which language, and the tree.
pub(super) const TREES: &[(&str, &[Part])] = &[
    (
        "kotlin: files of a package",
        &[Files(
            "src/kotlin/a/b/C#.kt",
            "package a.b\nclass C# { fun own(o: C@) = o.other(make@())\n fun other(x: Any) = x }\n\
             fun make#() = C#()\n",
        )],
    ),
    (
        "kotlin: imports of a package",
        &[
            Files("src/p/C#.kt", "package p\nclass C# { fun f#() = 1 }\n"),
            Files(
                "src/q#/D.kt",
                "package q#\nimport p.*\nclass D { fun f(c: C#) = c.f#() }\n",
            ),
        ],
    ),
    (
        "kotlin: namesakes",
        &[Files(
            "src/p#/Config.kt",
            "package p#\nclass Config(val size: Int) { fun load() = size\n fun copy(o: Config) = o.load() }\n\
             fun start(c: Config) = c.load() + c.size + c.missing()\n",
        )],
    ),
    (
        "kotlin: extensions of a type",
        &[
            Once("src/a/Base.kt", "package a\nclass Base { fun own() = 1 }\n"),
            Files(
                "src/p#/E.kt",
                "package p#\nimport a.Base\nfun Base.ext#() = own()\nfun use(b: Base) = b.ext#()\n",
            ),
        ],
    ),
    (
        "kotlin: extensions of a name",
        &[Files(
            "src/p#/E.kt",
            "package p#\nclass T#\nfun T#.render() = 1\nfun use(t: T#) = t.render()\nfun any(t) = t.render()\n",
        )],
    ),
    (
        "kotlin: members",
        &[
            Rows(
                "src/a/A.kt",
                ["package a\nclass A {\n", "fun m#() = m@()\n", "}\n"],
            ),
            Rows(
                "src/a/B.kt",
                ["package a\nfun use(a: A) {\n", "a.m#()\n", "}\n"],
            ),
        ],
    ),
    (
        "kotlin: heirs",
        &[
            Once(
                "src/a/Base.kt",
                "package a\nopen class Base { open fun run() = 1\n open fun stop() = 2 }\n",
            ),
            Files(
                "src/a/H#.kt",
                "package a\nclass H# : Base() { override fun run() = stop() }\nfun use(h: H#) = h.run()\n",
            ),
        ],
    ),
    (
        "kotlin: heirs in a file",
        &[Rows(
            "src/a/A.kt",
            [
                "package a\nopen class Base { open fun run() = 1 }\n",
                "class H# : Base() { override fun run() = 1 }\nfun use#(h: H#) = h.run()\n",
                "",
            ],
        )],
    ),
    (
        "kotlin: overloads",
        &[
            Rows(
                "src/a/A.kt",
                ["package a\nclass A {\n", "fun m(x: T#) = 1\n", "}\n"],
            ),
            Rows("src/a/T.kt", ["package a\n", "class T#\n", ""]),
            Files("src/a/U#.kt", "package a\nfun use#(a: A, t: T#) = a.m(t)\n"),
        ],
    ),
    (
        "java: files of a package",
        &[Files(
            "src/main/java/a/C#.java",
            "package a;\nclass C# { C@ next; int f() { return next.f() + next.g(); } int g() { return C@.h(); }\n\
             static int h() { return 1; } }\n",
        )],
    ),
    (
        "java: namesakes",
        &[Files(
            "src/main/java/p#/Config.java",
            "package p#;\nclass Config { int size; int load() { return size; }\n\
             static Config of(Config c) { c.load(); c.missing(); return c; } }\n",
        )],
    ),
    (
        "java: heirs",
        &[
            Once(
                "src/main/java/a/Base.java",
                "package a;\npublic interface Base { int run(); int stop(); }\n",
            ),
            Files(
                "src/main/java/a/H#.java",
                "package a;\nclass H# implements Base { public int run() { return stop(); }\n\
                 public int stop() { return 1; } int use(Base b) { return b.run(); } }\n",
            ),
        ],
    ),
    (
        "java: imports in a file",
        &[
            Files(
                "src/main/java/p#/A#.java",
                "package p#;\npublic class A# { public void f() {} }\n",
            ),
            Rows(
                "src/main/java/q/B.java",
                ["package q;\n", "import p#.A#;\n", "class B { }\n"],
            ),
        ],
    ),
    (
        "java: imports of a file",
        &[
            Once(
                "src/main/java/p/A.java",
                "package p;\npublic class A { public void f() {} }\n",
            ),
            Files(
                "src/main/java/q#/B#.java",
                "package q#;\nimport p.A;\nclass B# { void g(A a) { a.f(); } }\n",
            ),
        ],
    ),
    (
        "java: overloads",
        &[
            Rows(
                "src/main/java/a/A.java",
                ["package a;\nclass A {\n", "void m(T# x) { }\n", "}\n"],
            ),
            Files(
                "src/main/java/a/T#.java",
                "package a;\nclass T# { void f(A a) { a.m(this); } }\n",
            ),
        ],
    ),
    (
        "scala: files of a package",
        &[Files(
            "src/main/scala/a/C#.scala",
            "package a\nclass C# { def f(o: C@) = o.g\n def g = 1 }\nobject C# { def make = new C# }\n",
        )],
    ),
    (
        "csharp: files of a namespace",
        &[Files(
            "src/C#.cs",
            "namespace A.B { public class C# { C@ next; public int F() { return next.G(); }\n\
             public int G() { return C@.H(); } public static int H() { return 1; } } }\n",
        )],
    ),
    (
        "csharp: uses of a namespace",
        &[
            Files(
                "lib/C#.cs",
                "namespace A.B { public class C# { public int F() { return 1; } } }\n",
            ),
            Files(
                "app/D#.cs",
                "using A.B;\nnamespace P# { class D { int G(C# c) { return c.F(); } } }\n",
            ),
        ],
    ),
    (
        "csharp: namesakes",
        &[Files(
            "src/P#/Config.cs",
            "namespace P# { class Config { int size; int Load() { return size; }\n\
             static void Of(Config c) { c.Load(); c.Missing(); } } }\n",
        )],
    ),
    (
        "csharp: parts of a class",
        &[Files(
            "src/A#.cs",
            "namespace N { partial class A { int F#() { return F@(); } int s#; } }\n",
        )],
    ),
    (
        "csharp: extensions of a name",
        &[Files(
            "src/P#/E.cs",
            "namespace P# { class T# { } static class E { static int Render(this T# t) { return 1; }\n\
             static int Use(T# t) { return t.Render(); } } }\n",
        )],
    ),
    (
        "ruby: openings of a module",
        &[Files(
            "lib/a/b/c#.rb",
            "module A\n  module B\n    class C#\n      def f#\n        B::C@.new.f@\n      end\n    end\n  end\nend\n",
        )],
    ),
    (
        "ruby: openings of a class",
        &[
            Files("lib/a#.rb", "class A\n  def f#\n    f@\n  end\nend\n"),
            Once("lib/use.rb", "def use\n  A.new.f1\nend\n"),
        ],
    ),
    (
        "ruby: namesakes",
        &[Files(
            "lib/p#/config.rb",
            "module P#\n  class Config\n    def load\n      size\n    end\n    def size\n      1\n    end\n  end\n\
             \x20 def self.use\n    Config.new.load\n  end\nend\n",
        )],
    ),
    (
        "ruby: heirs",
        &[
            Once(
                "lib/base.rb",
                "class Base\n  def run\n    1\n  end\n  def stop\n    run\n  end\nend\n",
            ),
            Files(
                "lib/h#.rb",
                "class H# < Base\n  def run\n    stop\n  end\nend\n",
            ),
        ],
    ),
    (
        "php: files of a namespace",
        &[Files(
            "src/C#.php",
            "<?php\nnamespace A\\B;\nclass C# { function f(C@ $o) { return $o->g(); } function g() { return C@::h(); }\n\
             static function h() { return 1; } }\n",
        )],
    ),
    (
        "php: uses of a namespace",
        &[
            Files(
                "lib/C#.php",
                "<?php\nnamespace A\\B;\nclass C# { function f() { return 1; } }\n",
            ),
            Files(
                "app/D#.php",
                "<?php\nnamespace P#;\nuse A\\B\\C#;\nclass D { function g(C# $c) { return $c->f(); } }\n",
            ),
        ],
    ),
    (
        "swift: files of a target",
        &[Files(
            "Sources/App/C#.swift",
            "class C# { func f(_ o: C@) -> Int { return o.g() }\n func g() -> Int { return 1 } }\n",
        )],
    ),
    (
        "swift: imports of a target",
        &[
            Files(
                "Sources/Lib/C#.swift",
                "public class C# { public func f() -> Int { return 1 } }\n",
            ),
            Files(
                "Sources/App#/D.swift",
                "import Lib\nclass D { func g(_ c: C#) -> Int { return c.f() } }\n",
            ),
        ],
    ),
    (
        "swift: extensions of a type",
        &[
            Once(
                "Sources/App/A.swift",
                "class A { func own() -> Int { return 1 } }\n",
            ),
            Files(
                "Sources/App/E#.swift",
                "extension A { func ext#() -> Int { return own() } }\nfunc use#(_ a: A) -> Int { return a.ext#() }\n",
            ),
        ],
    ),
    (
        "typescript: imports of a file",
        &[
            Once(
                "src/a.ts",
                "export class A { f() { return 1; } }\nexport function make() { return new A(); }\n",
            ),
            Files(
                "src/b#.ts",
                "import { A, make } from './a';\nexport function use#(a: A) { return a.f() + make().f(); }\n",
            ),
        ],
    ),
    (
        "typescript: files of a name",
        &[Files(
            "src/p#/index.ts",
            "import { f as g } from '../p@/index';\nexport function f() { return g(); }\n",
        )],
    ),
    (
        "typescript: re-exports",
        &[
            Rows("src/index.ts", ["", "export { f# } from './m#';\n", ""]),
            Files("src/m#.ts", "export function f#() { return 1; }\n"),
            Files(
                "src/u#.ts",
                "import { f# } from './index';\nexport const u# = f#();\n",
            ),
        ],
    ),
    (
        "typescript: members",
        &[
            Rows(
                "src/a.ts",
                ["export class A {\n", "m#() { return this.m@(); }\n", "}\n"],
            ),
            Rows(
                "src/b.ts",
                [
                    "import { A } from './a';\nexport function use(a: A) {\n",
                    "a.m#();\n",
                    "}\n",
                ],
            ),
        ],
    ),
    (
        "typescript: namesakes",
        &[Files(
            "src/p#/config.ts",
            "export class Config { size = 1; load() { return this.size; } }\n\
             export function start(c: Config, o) { return c.load() + o.load(); }\n",
        )],
    ),
    (
        "python: fields",
        &[Rows(
            "a.py",
            [
                "class A:\n    def __init__(self, x):\n",
                "        self.f# = x.g#()\n",
                "",
            ],
        )],
    ),
    (
        "python: namesakes",
        &[Files(
            "p#/config.py",
            "class Config:\n    def load(self):\n        return self.load()\n\ndef start(c: Config):\n    return c.load()\n",
        )],
    ),
    (
        "go: files of a package",
        &[Files(
            "a/c#.go",
            "package a\ntype C# struct { next *C@ }\nfunc (c *C#) F() int { return c.next.G() }\n\
             func (c *C#) G() int { return make@() }\nfunc make#() int { return 1 }\n",
        )],
    ),
    (
        "go: namesakes",
        &[Files(
            "p#/config.go",
            "package p#\ntype Config struct { size int }\nfunc (c *Config) Load() int { return c.size }\n\
             func Start(c *Config) int { return c.Load() }\n",
        )],
    ),
    (
        "rust: blocks of a type",
        &[
            Once("src/lib.rs", "pub struct A;\n"),
            Files(
                "src/m#.rs",
                "use crate::A;\nimpl A { pub fn f#(&self) -> u32 { self.f@() } }\n",
            ),
        ],
    ),
    (
        "rust: namesakes",
        &[Files(
            "src/p#.rs",
            "pub struct Config { size: u32 }\nimpl Config { pub fn load(&self) -> u32 { self.size } }\n\
             pub fn start(c: &Config) -> u32 { c.load() }\n",
        )],
    ),
    (
        "c: inclusions of a file",
        &[
            Once("a.h", "struct a { int size; };\nint load(struct a *x);\n"),
            Once(
                "a.c",
                "#include \"a.h\"\nint load(struct a *x) { return x->size; }\n",
            ),
            Files(
                "b#.c",
                "#include \"a.h\"\nstatic int own(struct a *x) { return load(x) + x->size; }\nint b#(struct a *x) { return own(x); }\n",
            ),
        ],
    ),
];
