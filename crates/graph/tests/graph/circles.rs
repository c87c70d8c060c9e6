//! Code whose few names stand for everything: types, what extends them, what stands around them, imports and
//! bases lead in circles, and every question about them ends, on a small stack.

use crate::support::View;

const SEEDS: u64 = 30;
const FILES: u64 = 4;
const LINES: u64 = 7;
/// As deep as a debug build may go.
const STACK: usize = 1 << 20;

/// A language: the name of a file, how it begins, and what it may hold. `A` is a name drawn, `p` a package.
struct Grammar {
    file: &'static str,
    head: &'static str,
    parts: &'static [&'static str],
}

const GRAMMARS: [Grammar; 12] = [
    Grammar {
        file: "p/F.kt",
        head: "package p\nimport p.*\nimport p.A\n",
        parts: &[
            "class A : A.A() { class A : A() { fun A.A(A: A) = A(A) } }",
            "fun A.A(a: A) = A(a).A.A(A)",
            "val A.A: A get() = A",
            "typealias A = A.A",
            "object A : A by A { fun A() = A.A { A() } }",
            "interface A<A : A> { companion object : A }",
        ],
    },
    Grammar {
        file: "p/F.java",
        head: "package p;\nimport p.*;\nimport static p.A.*;\n",
        parts: &[
            "class A extends A.A { class A extends A { A A(A a) { return A(a).A().A; } } }",
            "interface A<A extends A> extends A.A { A A = A.A; }",
            "enum A implements A { A { A A() { return A; } } }",
        ],
    },
    Grammar {
        file: "p/F.cs",
        head: "using p;\nusing static p.A;\nusing A = p.A;\nnamespace p;\n",
        parts: &[
            "partial class A : A.A { public class A : A { A A(A a) => A(a).A.A; } }",
            "static class A { public static A A(this A a) => a.A(A); }",
            "interface A<A> : A.A where A : A { A A { get; } }",
        ],
    },
    Grammar {
        file: "p/F.scala",
        head: "package p\nimport p._\nimport p.A._\n",
        parts: &[
            "trait A extends A.A with A { self: A => def A(a: A): A = A(a).A }",
            "object A extends A { class A extends A.A; implicit def A(a: A): A = a.A }",
            "type A = A.A",
        ],
    },
    Grammar {
        file: "p/F.swift",
        head: "import p\n",
        parts: &[
            "extension A: A { struct A: A.A { func A(_ a: A) -> A { A(a).A } } }",
            "protocol A: A where A: A { associatedtype A: A.A }",
            "typealias A = A.A",
            "class A: A.A { var A: A { A.A } }",
        ],
    },
    Grammar {
        file: "p/f.ts",
        head: "export * from '../p/f0';\nimport { A } from '../p/f1';\n",
        parts: &[
            "export class A extends A.A { A = new A().A; A(a: A): A { return this.A.A(a); } }",
            "export namespace A { export import A = A.A; export interface A extends A {} }",
            "export type A = A['A'] | A<A>;",
            "export { A as A } from '../p/f2';",
            "export default A;",
        ],
    },
    Grammar {
        file: "p/f.py",
        head: "from p.f0 import *\nfrom p.f1 import A as A\n",
        parts: &[
            "class A(A.A):\n    class A(A): A = A.A\n    def A(self, A: 'A') -> 'A': return self.A.A(A)",
            "A = A.A",
            "def A(A=A): return A().A",
        ],
    },
    Grammar {
        file: "p/f.rb",
        head: "require_relative '../p/f0'\n",
        parts: &[
            "class A::A < A\n  include A\n  def A = A::A.new.A\nend",
            "module A\n  extend A::A\n  class A < A; end\nend",
            "A = A::A",
        ],
    },
    Grammar {
        file: "p/f.php",
        head: "<?php\nnamespace p;\nuse p\\A;\nuse p\\A as A;\n",
        parts: &[
            "class A extends A implements A { use A; public A $A; function A(A $a): A { return $this->A->A(A::A()); } }",
            "trait A { use A; abstract function A(): A; }",
            "interface A extends A {}",
        ],
    },
    Grammar {
        file: "src/f.rs",
        head: "mod f0;\npub use self::f0::*;\npub use crate::f1::A as A;\n",
        parts: &[
            "pub trait A: A + A::A { type A: A; fn A(self) -> Self::A; }",
            "impl A for A { type A = A; fn A(self) -> A { A::A(self).A } }",
            "pub struct A { A: A }",
            "pub type A = A::A;",
            "pub mod A { pub use super::A::*; pub struct A; }",
        ],
    },
    Grammar {
        file: "p/f.go",
        head: "package p\nimport . \"p\"\n",
        parts: &[
            "type A struct { A; *A }",
            "type A = A",
            "func (a A) A(b A) A { return a.A.A(A{}).A }",
            "type A interface { A; A() A }",
        ],
    },
    Grammar {
        file: "p/f.cpp",
        head: "#include \"../p/f0.cpp\"\nusing namespace A;\n",
        parts: &[
            "namespace A { using namespace A; struct A : A::A { A A(A a); }; }",
            "A A::A(A a) { return A(a).A->A; }",
            "typedef A::A A;",
            "template <class A> class A : public A<A> { using A = A::A; };",
        ],
    },
];

/// Numbers that a seed gives.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }

    /// Each name and package of a text drawn for itself.
    fn filled(&mut self, text: &str) -> String {
        let is_word = |c: char| c.is_alphanumeric();
        let mut filled = String::new();
        for piece in text.split_inclusive(|c| !is_word(c)) {
            let word = piece.trim_end_matches(|c| !is_word(c));
            filled.push_str(match word {
                "A" => self.of(&["A", "B", "C"]),
                "p" => self.of(&["p", "q"]),
                _ => word,
            });
            filled.push_str(&piece[word.len()..]);
        }
        filled
    }

    fn file(&mut self, grammar: &Grammar, at: u64) -> (&'static str, &'static str) {
        let (stem, end) = grammar.file.split_once('.').expect("an extension");
        let path = self.filled(&format!("{stem}{at}.{end}"));
        let mut text = self.filled(grammar.head);
        for _ in 0..LINES {
            let part = self.of(grammar.parts);
            text += &self.filled(part);
            text.push('\n');
        }
        (path.leak(), text.leak())
    }
}

fn ask(grammar: &Grammar, seed: u64) {
    let mut draw = Draw(seed);
    let mut files = vec![("Cargo.toml", "[package]\nname = \"p\"\n")];
    files.extend((0..FILES).map(|at| draw.file(grammar, at)));
    let view = View::new(&files);
    for name in ["A", "B", "C"] {
        if !view.definitions(name).is_empty() {
            view.uses(name);
            view.kept_uses(name);
            view.callers(name, 3);
        }
    }
    view.dead();
}

#[test]
fn names_that_lead_in_circles_end() {
    let small = std::thread::Builder::new().stack_size(STACK);
    let asked = small.spawn(|| {
        for grammar in &GRAMMARS {
            (0..SEEDS).for_each(|seed| ask(grammar, seed));
        }
    });
    asked
        .expect("a thread")
        .join()
        .expect("an answer to every question");
}
