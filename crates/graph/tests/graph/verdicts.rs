//! Kotlin, Java and C#: what is dead, what may be used, what is used.

use crate::support::View;

/// Files, and the verdicts on the definitions of each name.
pub(crate) type Row = (
    &'static [(&'static str, &'static str)],
    &'static [(&'static str, &'static [&'static str])],
);

pub(crate) fn check(rows: &[Row]) {
    let mut wrong = Vec::new();
    for (files, expected) in rows {
        let view = View::new(files);
        for (query, verdicts) in *expected {
            let told = view.verdicts(query);
            if told != *verdicts {
                wrong.push(format!("{query}: {told:?}, not {verdicts:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files, and the uses of the definitions that a query means.
pub(crate) fn check_uses(rows: &[Row]) {
    let mut wrong = Vec::new();
    for (files, expected) in rows {
        let view = View::new(files);
        for (query, uses) in *expected {
            for told in [view.uses(query), view.kept_uses(query)] {
                if told != *uses {
                    wrong.push(format!("{query}: {told:?}, not {uses:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_only_an_import_of_its_members_names_is_not_dead() {
    check(&[
        (
            &[(
                "A.kt",
                "package x\nimport x.Mode.ON\ninternal enum class Mode {\n  ON,\n}\nfun main() = println(ON)\n",
            )],
            &[("Mode", &["maybe, listed alive"])],
        ),
        (
            &[
                (
                    "A.kt",
                    "package x\nimport x.Mode.*\ninternal enum class Mode {\n  ON,\n  OFF,\n}\n\
                     internal object Pal {\n  fun blue() = 2\n}\ninternal object Idle {\n  fun red() = 2\n}\n\
                     internal class Holder {\n  companion object {\n    const val LIMIT = 1\n  }\n}\n\
                     internal object Lone {\n  fun only() = 2\n}\nfun main() {\n  println(if (true) ON else OFF)\n}\n",
                ),
                (
                    "B.kt",
                    "package y\nimport x.Pal.blue as bl\nimport x.Idle.red\nimport x.Holder.Companion.LIMIT\n\
                     import x.Lone.only\nfun p() = bl() + LIMIT + only()\n",
                ),
            ],
            &[
                ("Mode", &["maybe, listed alive"]),
                ("Pal", &["maybe, listed alive"]),
                ("Idle", &["dead"]),
                ("Holder", &["maybe, listed alive"]),
                ("Lone", &["maybe, listed alive"]),
            ],
        ),
        (
            &[
                (
                    "x/Util.java",
                    "package x;\nclass Util { static int f() { return 1; } }\n",
                ),
                ("x/State.java", "package x;\nenum State { ACTIVE, OFF }\n"),
                (
                    "x/Main.java",
                    "package x;\nimport static x.Util.f;\nimport static x.State.OFF;\npublic class Main {\n\
                     \x20 public static void main(String[] a) { System.out.println(f() + \"\" + OFF); }\n}\n",
                ),
            ],
            &[
                ("Util", &["maybe, listed shown"]),
                ("State", &["maybe, listed shown"]),
            ],
        ),
        (
            &[
                (
                    "A.cs",
                    "using static X.Y.State;\nnamespace X.Y;\ninternal enum State { Active, Off }\n\
                     internal static class Palette { public static int Red = 1; public static int Blue() => 2; }\n\
                     public static class P { public static void Main() { var s = Off; s = Active; } }\n",
                ),
                (
                    "B.cs",
                    "using static X.Y.Palette;\nnamespace X.Z;\npublic static class Q { public static int Paint() => Red + Blue(); }\n",
                ),
            ],
            &[
                ("State", &["maybe, listed alive"]),
                ("Palette", &["maybe, listed alive"]),
            ],
        ),
    ]);
}

#[test]
fn an_alias_of_csharp_means_what_it_names() {
    let files: &[(&str, &str)] = &[
        (
            "A.cs",
            "using Al = X.Y.Target;\nusing Gen = System.Collections.Generic.List<X.Y.Item>;\nusing Ns = X.Y;\n\
             namespace X.Z;\ninternal static class Host {\n  public static int Run() => Al.Go();\n\
             \x20 public static int Walk() => new Gen().Count + Ns.Third.Stay();\n}\n\
             public static class P { public static void Main() { Host.Run(); Host.Walk(); } }\n",
        ),
        (
            "B.cs",
            "namespace X.Y;\ninternal static class Target { public static int Go() => 1; }\ninternal class Item { }\n\
             internal static class Third { public static int Stay() => 1; }\ninternal static class Idle { }\n",
        ),
        ("G.cs", "global using Sh = X.S.Shared;\n"),
        (
            "S.cs",
            "namespace X.S;\ninternal static class Shared { public static int Give() => 1; }\n",
        ),
        (
            "T.cs",
            "namespace X.Z;\npublic static class T { public static int Take() => Sh.Give(); }\n",
        ),
    ];
    check(&[(
        files,
        &[
            ("Target", &["alive"]),
            ("Target.Go", &["alive"]),
            ("Item", &["alive"]),
            ("Third", &["alive"]),
            ("Stay", &["alive"]),
            ("Idle", &["dead"]),
            ("Shared", &["alive"]),
            ("Give", &["alive"]),
        ],
    )]);
    check_uses(&[(
        files,
        &[
            ("Target", &["A.cs:6"]),
            ("Target.Go", &["A.cs:6"]),
            ("Third", &["A.cs:7"]),
            ("Shared", &["T.cs:2"]),
        ],
    )]);
}

#[test]
fn what_is_private_overrides_nothing() {
    check(&[
        (
            &[(
                "A.kt",
                "package x\ninternal class C(private val item: Int) {\n  private fun twice() = 1\n  fun get2() = item\n}\n\
                 internal class D(item: Int) {\n  private fun twice3() = 1\n  internal fun open3() = 1\n  val g = item\n}\n\
                 internal class E {\n  private fun twice4() = 1\n  val g = 1\n}\n\
                 internal class F<T> {\n  private fun twice5() = 1\n  val g = 1\n}\n\
                 internal data class G(val a: Int) {\n  private fun twice6() = 1\n  companion object {\n\
                 \x20   private fun twice7() = 1\n  }\n}\n\
                 internal class H : Outside() {\n  private fun twice8() = 1\n  internal fun open8() = 1\n}\n\
                 fun main() {\n  println(C(1).get2() + D(1).g + E().g + F<Int>().g + G(1).a + H())\n}\n",
            )],
            &[
                ("twice", &["dead"]),
                ("twice3", &["dead"]),
                ("open3", &["dead"]),
                ("twice4", &["dead"]),
                ("twice5", &["dead"]),
                ("twice6", &["dead"]),
                ("twice7", &["dead"]),
                ("twice8", &["dead"]),
                ("open8", &["maybe"]),
            ],
        ),
        (
            &[(
                "A.cs",
                "namespace X;\ninternal class Box<T>\n{\n  private int Twice() => 2;\n  int Implied() => 2;\n\
                 \x20 private static int Stat() => 1;\n  internal int Used() => 1;\n}\n\
                 internal class Sub : System.Exception, IShape { private int Priv() => 1; void IShape.Draw() { } internal int Over() => 1; }\n\
                 internal class Hero : Engine.Behaviour { private void Update() { } void OnHit() { } void Helper() { } }\n\
                 public static class P { public static int Main() => new Box<int>().Used() + new Sub().HResult + new Hero().Id; }\n",
            )],
            &[
                ("Twice", &["dead"]),
                ("Implied", &["dead"]),
                ("Stat", &["dead"]),
                ("Priv", &["dead"]),
                ("Draw", &["maybe"]),
                ("Over", &["maybe"]),
                ("Update", &["maybe"]),
                ("OnHit", &["maybe"]),
                ("Helper", &["dead"]),
            ],
        ),
        (
            &[(
                "A.java",
                "package x;\nclass Gen<T> { private int twice() { return 1; } int g() { return 1; } }\n\
                 class Heir extends Outside { private int twice3() { return 1; } int open3() { return 1; } }\n\
                 public class A { public static void main(String[] a) { System.out.println(new Gen<String>().g() + new Heir().id()); } }\n",
            )],
            &[
                ("twice", &["dead"]),
                ("twice3", &["dead"]),
                ("open3", &["maybe"]),
            ],
        ),
        (
            &[
                (
                    "a/A.scala",
                    "package a\nclass Box {\n  private def idle() = 1\n  private[a] def wide() = 1\n  private[this] def own() = 1\n  def g() = 1\n}\n\
                 object Main { def main(args: Array[String]): Unit = println(new Box().g()) }\n",
                ),
                (
                    "a/B.scala",
                    "package a\nobject B { def b(box: Box) = box.wide() }\n",
                ),
            ],
            &[
                ("idle", &["dead"]),
                ("own", &["dead"]),
                ("wide", &["alive"]),
            ],
        ),
    ]);
}

#[test]
fn what_the_compiler_calls_is_not_dead() {
    check(&[
        (
            &[(
                "A.cs",
                "namespace X;\ninternal class Seq { internal Seq Where(System.Func<int, bool> f) => this; }\ninternal class Pair { }\n\
                 internal static class PairExt {\n  internal static void Deconstruct(this Pair s, out int a, out int b) { a = 1; b = 2; }\n}\n\
                 internal static class Idle { internal static void Stay(this Pair s) { } }\n\
                 internal class Idx { internal int Length => 1; internal int Slice(int a, int b) => 1; }\n\
                 public static class P { public static object Main() { var (x, y) = new Pair(); return from i in new Seq() where i > 1 select i; } }\n",
            )],
            &[
                ("Where", &["maybe"]),
                ("Deconstruct", &["maybe"]),
                ("PairExt", &["maybe"]),
                ("Stay", &["dead"]),
                ("X.Idle", &["dead"]),
                ("Slice", &["maybe"]),
            ],
        ),
        (
            &[(
                "A.cs",
                "namespace System.Runtime.CompilerServices { internal static class IsExternalInit { } }\n\
                 namespace X { internal partial class Q\n{\n  partial void OnX();\n  internal void G() => OnX();\n}\n\
                 internal partial class Q\n{\n  partial void OnX() { }\n}\n\
                 public static class P { public static void Main() => new Q().G(); } }\n",
            )],
            &[("IsExternalInit", &["maybe"]), ("OnX", &["alive", "alive"])],
        ),
    ]);
}

#[test]
fn what_a_function_from_outside_is_told_may_be_what_it_gives() {
    check(&[
        (
            &[(
                "A.kt",
                "package x\nimport ext.Accessors\ninternal class Made {\n  internal fun build() = 1\n}\n\
                 internal class Made2 {\n  internal fun build2() = 1\n}\ninternal class Made3 {\n  internal fun build3() = 1\n}\n\
                 internal interface Entry {\n  fun makeIt(): Int\n}\ninternal class Idle {\n  internal fun build4() = 1\n}\n\
                 fun main() {\n  println(Accessors.of(Made::class).build())\n  println(Accessors.of<Made2>().build2())\n\
                 \x20 println(Accessors().of<Made3>().build3())\n  println(Accessors.from<Entry>(\"a\").makeIt())\n\
                 \x20 println(Accessors.of(1).build4())\n  println(Idle())\n}\n",
            )],
            &[
                ("build", &["alive"]),
                ("build2", &["alive"]),
                ("build3", &["alive"]),
                ("makeIt", &["alive"]),
                ("build4", &["dead"]),
            ],
        ),
        (
            &[(
                "A.java",
                "package x;\nimport ext.Accessors;\nclass Made { int build() { return 1; } }\nclass Made2 { int build2() { return 1; } }\n\
                 public class A { public static void main(String[] a) {\n  System.out.println(Accessors.of(Made.class).build());\n\
                 \x20 System.out.println(Accessors.<Made2>of().build2());\n} }\n",
            )],
            &[("build", &["alive"]), ("build2", &["alive"])],
        ),
    ]);
}

#[test]
fn types_of_csharp_differ_by_what_they_take() {
    check_uses(&[(
        &[
            (
                "A.cs",
                "namespace X;\ninternal class Foo { public int Size() => 1; }\ninternal class OnlyPlain { }\ninternal class OnlyPlain<T> { }\n",
            ),
            (
                "B.cs",
                "namespace X;\ninternal class Foo<T> { public int Size() => 2; }\n",
            ),
            (
                "C.cs",
                "namespace X;\npublic static class P {\n  private static OnlyPlain<int> F() => null;\n  public static void Main() {\n\
                 \x20   var f = new Foo<int>();\n    f.Size();\n    F();\n    Foo g = new Foo();\n    g.Size();\n  }\n}\n",
            ),
        ],
        &[
            ("A.cs:2", &["C.cs:8", "C.cs:8"]),
            ("B.cs:2", &["C.cs:5"]),
            ("A.cs:3", &[]),
            ("A.cs:4", &["C.cs:3"]),
        ],
    )]);
}

#[test]
fn a_template_of_kotlin_uses_the_names_in_it() {
    check_uses(&[(
        &[(
            "A.kt",
            "package x\nconst val NAME = \"n\"\nfun a() = println(NAME)\nfun b() = println(\"hello $NAME!\")\n\
             fun c() = println(\"$NAME\")\nfun d() = println(\"$NAME/x\")\nfun e() = println(\"x${NAME}\")\n\
             fun f(NAME: Int) = println(\"a $NAME\")\nfun g() = println(\"\\$NAME\")\n",
        )],
        &[("NAME", &["A.kt:3", "A.kt:4", "A.kt:5", "A.kt:6", "A.kt:7"])],
    )]);
}

#[test]
fn tests_and_parts_of_types_are_judged() {
    check(&[
        (
            &[(
                "A.kt",
                "package x\nimport org.junit.Test\ninternal class Checks {\n  @Test\n  fun go() = println(1)\n}\n",
            )],
            &[
                ("Checks", &["maybe, listed alive"]),
                ("go", &["maybe, listed alive"]),
            ],
        ),
        (
            &[(
                "A.cs",
                "namespace X;\ninternal static class G {\n  private enum M { A, B }\n  private static int s_dead;\n\
                 \x20 private static int s_used = 1;\n  private event System.Action Changed;\n  private int _plain;\n\
                 \x20 internal static int Go() => (int)M.A + s_used;\n}\n\
                 internal enum Kind { One, Two }\n\
                 public static class P { public static int Main(Kind k) => G.Go() + (int)Kind.One; }\n",
            )],
            &[
                ("M.A", &["alive"]),
                ("M.B", &["dead"]),
                ("s_dead", &["dead"]),
                ("s_used", &["alive"]),
                ("Changed", &["dead"]),
                ("_plain", &["maybe, listed alive"]),
                ("Kind.Two", &["maybe"]),
            ],
        ),
        (
            &[(
                "A.java",
                "package x;\nenum Mode { ON, OFF, NEVER }\nenum All { YES, NO }\n\
                 public class A { public static void main(String[] a) { System.out.println(\"\" + Mode.ON + Mode.OFF);\n\
                 \x20 System.out.println(All.values()); } }\n",
            )],
            &[("NEVER", &["dead, listed shown"]), ("NO", &["maybe"])],
        ),
        (
            &[(
                "A.kt",
                "package x\nprivate fun ping(n: Int): Int = if (n > 0) pong(n) else 0\nprivate fun pong(n: Int): Int = ping(n - 1)\n\
                 private fun idle() = used()\nprivate fun used() = 1\nfun main() = println(1)\n",
            )],
            &[
                ("ping", &["dead"]),
                ("pong", &["dead"]),
                ("idle", &["dead"]),
                ("used", &["dead"]),
            ],
        ),
    ]);
}

#[test]
fn a_property_may_bear_the_name_of_its_type() {
    check_uses(&[(
        &[(
            "A.cs",
            "namespace X;\ninternal enum Kind { A, B }\ninternal class Node {\n  internal Kind Kind { get; set; }\n\
             \x20 internal Kind Pick() => Kind.B;\n  internal string Show() => Kind.ToString();\n}\n",
        )],
        &[
            ("Node.Kind", &["A.cs:6"]),
            ("X.Kind", &["A.cs:4", "A.cs:5", "A.cs:5"]),
        ],
    )]);
}

#[test]
fn a_product_as_an_argument_declares_nothing() {
    check_uses(&[(
        &[(
            "A.cs",
            "namespace X;\ninternal static class A {\n  private const int W = 10;\n\
             \x20 internal static bool F(long d, long r) => d < G(r * W) ? true : H(1, W);\n\
             \x20 private static long G(long a) => a;\n  private static bool H(int a, int b) => true;\n}\n",
        )],
        &[("A.W", &["A.cs:4"])],
    )]);
}

#[test]
fn what_the_grammars_cannot_read_is_read_all_the_same() {
    check_uses(&[
        (
            &[
                (
                    "A.kt",
                    "package x\nclass K { val f = 2 }\ninterface I { val h: Int }\nprivate object P { private val i = listOf(1) }\n",
                ),
                ("B.kt", "package x\nfun t(k: K, i: I) = k.f + i.h\n"),
            ],
            &[
                ("K", &["B.kt:2"]),
                ("K.f", &["B.kt:2"]),
                ("I.h", &["B.kt:2"]),
            ],
        ),
        (
            &[(
                "A.cs",
                "#:package Foo@1.0\nclass A {\n  int F() =>\n#if NET6\n    G(1);\n#else\n    2;\n#endif\n\
                 \x20 int H(int t) { return t switch {\n    1 => 2,\n#if NET6\n    2 => G(3),\n#elif NET5\n    2 => 4,\n#endif\n\
                 \x20   _ => 5 }; }\n  int G(int x) => x;\n}\n",
            )],
            &[("A.G", &["A.cs:5", "A.cs:12"])],
        ),
    ]);
}

#[test]
fn a_named_argument_is_no_use_of_a_property() {
    check_uses(&[(
        &[
            (
                "A.kt",
                "package x\nclass Card {\n  private lateinit var label: String\n  fun g() = label\n}\ndata class Shop(val name: String)\n",
            ),
            (
                "B.kt",
                "package x\nimport ext.widget\nfun f(s: Shop) {\n  widget(label = \"a\")\n  Shop(name = \"a\")\n  s.copy(name = \"b\")\n}\n",
            ),
        ],
        &[
            ("Card.label", &["A.kt:4"]),
            ("Shop.name", &["B.kt:5", "B.kt:6"]),
        ],
    )]);
}

#[test]
fn members_of_an_enumeration_may_be_meant_by_number_by_text_or_as_a_whole() {
    check(&[
        (
            &[(
                "a.py",
                "from enum import Enum\nclass Called(Enum):\n    A1 = 1\nclass Run(Enum):\n    A2 = 1\n\
                 class Keyed(str, Enum):\n    A3 = 1\nclass Listed(Enum):\n    A4 = 1\n    A5 = 2\n\
                 def main(n):\n    print(Called(n), Keyed[n], list(Listed))\n    for one in Run:\n        print(one)\n\
                 class Named(Enum):\n    B1 = 1\n    B2 = 2\nclass Plain:\n    B3 = 2\n\
                 def take(it: Named): return it == Named.B1\nprint(main, take, Plain())\n",
            )],
            &[
                ("Called.A1", &["maybe"]),
                ("Run.A2", &["maybe"]),
                ("Keyed.A3", &["maybe"]),
                ("Listed.A4", &["maybe"]),
                ("Named.B1", &["alive"]),
                ("Named.B2", &["dead, listed shown"]),
                ("Plain.B3", &["dead, listed shown"]),
            ],
        ),
        (
            &[(
                "a.php",
                "<?php\nenum Made: string { case C1 = 'h'; }\nenum All: string { case C2 = 'h'; }\n\
                 enum Named: string { case D1 = 'h'; case D2 = 's'; }\n\
                 function f(Named $n, $v) { Made::tryFrom($v); All::cases(); return $n == Named::D1; }\nf(1, 2);\n",
            )],
            &[
                ("Made.C1", &["maybe, listed alive"]),
                ("All.C2", &["maybe, listed alive"]),
                ("Named.D1", &["alive"]),
                ("Named.D2", &["maybe, listed alive"]),
            ],
        ),
        (
            &[(
                "a.ts",
                "enum Keyed { E1 }\nenum All { E2 }\nenum Named { F1, F2 }\n\
                 function f(n: Named, k: string) { return [Keyed[k], Object.values(All), n === Named.F1]; }\nf(1, '');\n",
            )],
            &[
                ("Keyed.E1", &["maybe, listed alive"]),
                ("All.E2", &["maybe, listed alive"]),
                ("Named.F1", &["alive"]),
                ("Named.F2", &["maybe, listed alive"]),
            ],
        ),
        (
            &[(
                "a.swift",
                "enum Raw: Int { case g1 }\nenum All: CaseIterable { case g2 }\nenum Named { case h1, h2 }\n\
                 func f(n: Named, k: Int) { print(Raw(rawValue: k), All.allCases, n == Named.h1) }\nf(n: .h1, k: 2)\n",
            )],
            &[
                ("Raw.g1", &["maybe, listed alive"]),
                ("All.g2", &["maybe, listed alive"]),
                ("Named.h2", &["maybe, listed alive"]),
            ],
        ),
        (
            &[(
                "a.c",
                "enum mode { OFF, ON };\nstatic int f(enum mode m) { return m == OFF; }\nint main(int n, char **v) { return f((enum mode) n); }\n",
            )],
            &[("ON", &["maybe, listed alive"])],
        ),
        (
            &[(
                "src/main.rs",
                "enum Mode { Off, On }\nfn f(m: &Mode) -> bool { matches!(m, Mode::Off) }\nfn main() { f(&Mode::Off); }\n",
            )],
            &[("Mode::On", &["maybe, listed alive"])],
        ),
    ]);
}
