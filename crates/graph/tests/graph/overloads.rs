//! Kotlin, Java, C# and Scala: which of several functions of one name a call means.

use crate::verdicts::{check, check_uses};

#[test]
fn a_call_chooses_among_functions_of_one_name() {
    check_uses(&[
        (
            &[(
                "A.kt",
                "package x\nclass Vm { val s = \"\" }\nfun dialog(onDismiss: () -> Unit, vm: Vm = Vm()) {\n\
                 \x20 dialog(onDismiss = onDismiss, state = vm.s, dark = true)\n}\n\
                 fun dialog(state: String, dark: Boolean = false, onDismiss: () -> Unit) {\n  println(state + dark)\n}\n\
                 fun main() {\n  dialog(state = \"x\", onDismiss = {})\n  dialog(\"x\") { }\n  dialog({ })\n}\n",
            )],
            &[
                ("A.kt:3", &["A.kt:12"]),
                ("A.kt:6", &["A.kt:4", "A.kt:10", "A.kt:11"]),
            ],
        ),
        (
            &[(
                "A.kt",
                "package x\nprivate fun pick(a: Int) = a\nprivate fun pick(a: Int, b: Int) = a + b\n\
                 private fun typ(a: Int) = a\nprivate fun typ(a: String) = a\n\
                 fun main(n: Int, s: Any) {\n  pick(1)\n  typ(1)\n  typ(\"$s\")\n  typ(n)\n}\n",
            )],
            &[
                ("A.kt:2", &["A.kt:7"]),
                ("A.kt:3", &[]),
                ("A.kt:4", &["A.kt:8", "A.kt:10?"]),
                ("A.kt:5", &["A.kt:9", "A.kt:10?"]),
            ],
        ),
        (
            &[
                (
                    "A.kt",
                    "package x\nfun far(a: Int) = a\nfun wide(a: Vm) = a\n",
                ),
                (
                    "B.kt",
                    "package x\nfun far(a: Int, b: Int) = a\nfun wide(a: Int) = a\nclass Vm\n\
                     fun t(x: Any) {\n  far(1)\n  far(1, 2)\n  wide(x)\n  wide(1)\n}\n",
                ),
            ],
            &[
                ("A.kt:2", &["B.kt:6"]),
                ("B.kt:2", &["B.kt:7"]),
                ("B.kt:3", &["B.kt:8?", "B.kt:9"]),
            ],
        ),
        (
            &[(
                "A.kt",
                "package x\nimport ext.Device\nfun Device.dumpIt(): String {\n  val b = Buf()\n  dumpIt(b)\n  return b.text()\n}\n\
                 class Buf { fun text() = \"t\" }\n",
            )],
            &[("dumpIt", &[])],
        ),
    ]);
}

#[test]
fn a_call_that_fits_no_member_means_what_a_base_or_an_extension_has() {
    check_uses(&[
        (
            &[(
                "A.kt",
                "package x\nclass Sayer {\n  fun dup() = 1\n}\nfun Sayer.dup(x: Int) = x\nclass Conf {\n  val size = 1\n}\n\
                 fun Conf.size() = 3\nopen class Base {\n  fun m(a: Int) = a\n  fun n(a: String) = a\n}\n\
                 class Kid : Base() {\n  fun m() = 2\n  fun n(a: Int) = a\n}\n\
                 fun main(x: Any) {\n  Sayer().dup(3)\n  Sayer().dup()\n  Conf().size()\n  Conf().size\n\
                 \x20 Kid().m(1)\n  Kid().m()\n  Kid().n(\"\")\n  Kid().n(1)\n  Kid().n(x)\n}\n",
            )],
            &[
                ("A.kt:3", &["A.kt:20"]),
                ("A.kt:5", &["A.kt:19"]),
                ("A.kt:7", &["A.kt:22"]),
                ("A.kt:9", &["A.kt:21"]),
                ("Base.m", &["A.kt:23"]),
                ("Kid.m", &["A.kt:24"]),
                ("Base.n", &["A.kt:25", "A.kt:27?"]),
                ("Kid.n", &["A.kt:26", "A.kt:27?"]),
            ],
        ),
        (
            &[(
                "A.cs",
                "namespace X;\ninternal class Sayer { public void Dup() { } }\n\
                 internal static class Exts { internal static void Dup(this Sayer s, int x) { } }\n\
                 internal class Base { internal int M(int a) => a; internal int N(string s) => 1; }\n\
                 internal class Kid : Base { internal int M() => 2; internal int N(int s) => 1; }\n\
                 public static class P {\n  public static void Main() {\n    var s = new Sayer();\n    s.Dup(3);\n    s.Dup();\n\
                 \x20   var k = new Kid();\n    k.M(1);\n    k.N(\"x\");\n    k.N(s: 1);\n  }\n}\n",
            )],
            &[
                ("Sayer.Dup", &["A.cs:10"]),
                ("Exts.Dup", &["A.cs:9"]),
                ("Base.M", &["A.cs:12"]),
                ("Kid.M", &[]),
                ("Base.N", &["A.cs:13"]),
                ("Kid.N", &["A.cs:14"]),
            ],
        ),
    ]);
}

#[test]
fn an_overload_that_no_call_chooses_is_dead() {
    check(&[
        (
            &[(
                "A.cs",
                "namespace X;\ninternal static class R\n{\n  private static string Render(int v) => \"i\";\n\
                 \x20 private static string Render(string v) => \"s\";\n  private static string Draw(int v) => \"i\";\n\
                 \x20 private static string Draw(int v, int w) => \"s\";\n  internal static string Go() => Render(1) + Draw(1);\n}\n\
                 public static class P { public static string Main() => R.Go(); }\n",
            )],
            &[("Render", &["alive", "dead"]), ("Draw", &["alive", "dead"])],
        ),
        (
            &[(
                "A.java",
                "package x;\nclass S {\n  private int pick(int a) { return a; }\n  private int pick(int a, int b) { return a; }\n\
                 \x20 int go() { return pick(1); }\n}\n\
                 public class A { public static void main(String[] a) { System.out.println(new S().go()); } }\n",
            )],
            &[("pick", &["alive", "dead"])],
        ),
        (
            &[(
                "A.kt",
                "package x\nprivate fun pick(a: Int) = a\nprivate fun pick(a: Int, b: Int) = a + b\n\
                 fun main() {\n  println(pick(1))\n}\n",
            )],
            &[("pick", &["alive", "dead"])],
        ),
    ]);
}

#[test]
fn what_makes_an_object_may_leave_its_type_to_the_place() {
    check_uses(&[(
        &[(
            "A.cs",
            "namespace X;\ninternal class Item {\n  internal Item(int a) { }\n  internal Item(int a, int b) { }\n}\n\
             public static class P {\n  private static Item Make() => new(2);\n  private static Item _one = new(1);\n\
             \x20 private static Item Two { get; } = new(1, 2);\n  public static void Main() {\n    Item a = new Item(1);\n\
             \x20   Item b = new(3);\n    var c = Many(new(4));\n  }\n\
             \x20 private static Item Back(bool x) { if (x) { return new(1, 2); } return null; }\n}\n",
        )],
        &[
            ("A.cs:3", &["A.cs:7", "A.cs:8", "A.cs:11", "A.cs:12"]),
            ("A.cs:4", &["A.cs:9", "A.cs:15"]),
        ],
    )]);
}

#[test]
fn scala_tells_functions_apart_by_how_many_arguments_a_call_has() {
    check_uses(&[(
        &[(
            "A.scala",
            "package x\nclass Box {\n  def go(a: Int): Int = a\n  def go(a: Int, b: Int): Int = a\n\
             \x20 def far(a: Int)(b: Int): Int = a\n  def far(a: Int, b: Int)(c: Int): Int = a\n\
             \x20 def all(a: Int*): Int = 1\n  def all(a: String, b: Int, c: Int = 1): Int = 1\n\
             \x20 def one(pair: (Int, Int)): Int = 1\n  def on(f: Int => Int): Int = 1\n  def on(f: Int => Int, g: Int): Int = 1\n}\n\
             object Main {\n  def main(b: Box): Unit = {\n    b.go(1)\n    b.go(1, 2)\n    b.far(1)(2)\n    b.far(1, 2)(3)\n\
             \x20   b.all(1, 2)\n    b.all()\n    b.one(1, 2)\n    b.on { x => x }\n    b.on({ x => x }, 2)\n    b go 3\n  }\n}\n",
        )],
        &[
            ("A.scala:3", &["A.scala:15", "A.scala:24~"]),
            ("A.scala:4", &["A.scala:16", "A.scala:24~"]),
            ("A.scala:5", &["A.scala:17"]),
            ("A.scala:6", &["A.scala:18"]),
            ("A.scala:7", &["A.scala:19?", "A.scala:20"]),
            ("A.scala:8", &["A.scala:19?"]),
            ("A.scala:9", &["A.scala:21"]),
            ("A.scala:10", &["A.scala:22?"]),
            ("A.scala:11", &["A.scala:22?", "A.scala:23"]),
        ],
    )]);
}
