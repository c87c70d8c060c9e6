//! Scala: parameters of case classes are fields, wherever they are named.

use crate::{marked::check, support::View};

#[test]
fn parameters_of_case_classes_are_fields() {
    let text = r#"package demo

object SomeApp {
  case class Config(field1: String, retries: Int = 3, next: Option[Config] = None) {
    def again: Config = copy(retries = retries + 1) //= Config.retries
    def label: String = field1 + this.retries //= Config.field1 Config.retries
  }
  case class Rival(field1: String, retries: Int) { def pretty: String = field1 } //= Rival.field1
  class Plain(val field1: String, var retries: Int, hidden: Int) { def sum: Int = hidden + retries } //= Plain.retries
  trait Named { def name: String }
  implicit class Rich(val c: Config) extends AnyVal { def pretty: String = c.field1 } //= Config.field1
  object Config { def load(): Config = Config("x"); def make = new Config("y", 1) }

  def show(c: Config): String = c.field1 + c.retries //= Config.field1 Config.retries
  def maybe(c: Option[Config]): Option[String] = c.map(_.field1) //= Config.field1
  def maybe2(c: Option[Config]): Option[String] = c.map(x => x.field1) //= Config.field1
  def many(cs: List[Config]): Seq[String] = cs.map(_.field1) ++ cs.filter(_.retries > 1).map(c => c.field1) //= Config.field1 Config.retries
  def each(cs: Seq[Config]): Unit = cs.foreach { c => println(c.field1) } //= Config.field1
  def loop(cs: Seq[Config]): Unit = for (c <- cs) println(c.field1) //= Config.field1
  def yields(cs: Seq[Config]): Seq[String] = for { c <- cs; if c.retries > 1 } yield c.field1 //= Config.field1 Config.retries
  def rivals(cs: Seq[Rival]): Seq[String] = cs.map(_.field1) //= Rival.field1

  def run(): Unit = {
    val c = Config("a")
    println(c.field1) //= Config.field1
    println(c.copy(field1 = "b").pretty) //= Config.field1 Rich.pretty
    println(c.copy(field1 = "b", retries = 2).field1) //= Config.field1 Config.retries
    c match { case Config(f, _, _) => println(f) } //= Config.field1
    c match { case Config(f, n, _) if n > 1 => println(f) } //= Config.field1 Config.retries
    val d = Config(field1 = "a", retries = 2) //= Config.field1 Config.retries
    println(d.next.get.field1) //= Config.next Config.field1
    val e = new Config(field1 = "x") //= Config.field1
    println(e.retries) //= Config.retries
    val r = Rival("a", 1)
    println(r.field1 + r.copy(retries = 2).retries) //= Rival.field1 Rival.retries
    r match { case Rival(f, _) => println(f) } //= Rival.field1
    r match { case Rival("x", n) => println(n) } //= Rival.field1 Rival.retries
    println(r.pretty) //= Rival.pretty
    val p = new Plain("a", 1, 2)
    println(p.field1) //= Plain.field1
    p.retries = 3 //= Plain.retries
    val Config(g, _, _) = c //= Config.field1
    println(Config.load().field1) //= Config.field1
    println(unknown.field1) //= Config.field1?
    val t: Config = load()
    println(t.field1) //= Config.field1
    println(c.pretty + t.again.pretty) //= Rich.pretty Config.again
    c.next.foreach(n => println(n.field1)) //= Config.next Config.field1
    c match {
      case x: Config => println(x.field1) //= Config.field1
      case y @ Config(_, k, _) => println(y.field1 + k) //= Config.field1 Config.retries
    }
    Some(c).map(_.field1) //= Config.field1
    List(c, d).map(_.field1) //= Config.field1
    val lazyOne = List(c).head.field1 //= Config.field1
  }
  def load(): Config = Config("z")
}
"#;
    check(&[("src/App.scala", text)]);
}

/// The definitions of sources that are certainly dead, apart by blanks.
fn dead(files: &[(&'static str, &'static str)]) -> String {
    let verdicts = View::new(files).dead();
    let names = verdicts
        .iter()
        .filter_map(|line| line.strip_prefix("dead "));
    names.collect::<Vec<&str>>().join(" ")
}

const FORK: &str = "package org.h\nobject Fork {\n  private[h] def forking(n: Int) = n\n  private[h] case class Box(n: Int)\n  private[h] type Alias = Int\n  private[h] val four = 4\n  private[h] object Inner { def z = 3 }\n  private[h] trait Sh\n  private[h] def never(n: Int) = n\n}\n";

#[test]
fn imports_begin_where_they_stand() {
    let uses = [
        "package org.h\nimport Fork.forking\nobject Use { val x = forking(3) }\n",
        "package org.h\nimport Fork.{forking => top}\nobject Use { val x = top(3) }\n",
        "package org.h\nimport Fork._\nobject Use { val x = forking(3) }\n",
        "package org.h\nimport Fork.*\nobject Use { val x = forking(3) }\n",
        "package org.h\nobject Use {\n  import Fork.forking\n  val x = forking(3)\n}\n",
        "package org.h\nobject Use { val x = Fork.forking(3) }\n",
        "package org\npackage h\npackage deep\nimport Fork.forking\nobject Use { val x = forking(3) }\n",
        "package org.h.deep\nimport org.h.Fork.forking\nobject Use { val x = forking(3) }\n",
        "package org.h.deep\nimport _root_.org.h.Fork.forking\nobject Use { val x = forking(3) }\n",
        "package org.h.deep\nimport org.h.Fork\nimport Fork.forking\nobject Use { val x = forking(3) }\n",
        "package org.h.deep\nimport org.h.{Fork => F}\nimport F.forking\nobject Use { val x = forking(3) }\n",
        "package org.h.deep\nimport org.h\nobject Use { val x = h.Fork.forking(3) }\n",
    ];
    for text in uses {
        let view = View::new(&[("a/Fork.scala", FORK), ("b/Use.scala", text)]);
        let n = text.lines().count() - usize::from(text.contains("  val"));
        let found: Vec<String> = view
            .uses("Fork.forking")
            .iter()
            .map(|place| place.trim_end_matches(['?', '~']).to_owned())
            .collect();
        assert_eq!(found, [format!("b/Use.scala:{n}")], "{text}");
        let is_maybe = text.contains("import org.h\n");
        assert!(is_maybe || view.uses("Fork.forking") == found, "{text}");
        let verdicts = view.dead();
        assert!(
            !verdicts.contains(&"dead Fork.forking".to_owned()),
            "{text}"
        );
        assert!(verdicts.contains(&"dead Fork.never".to_owned()), "{text}");
    }
    let all = "package org.h\nclass Use {\n  import Fork.{Box, Alias, four, Inner, Sh}\n  def run(a: Alias) = Box(four)\n  def run2(a: Box) = Inner.z\n  class Z extends Sh\n}\n";
    let found = dead(&[("a/Fork.scala", FORK), ("b/Use.scala", all)]);
    assert_eq!(found, "Fork.forking Fork.never");
}

#[test]
fn an_import_may_begin_at_a_value() {
    let text = "package org.h\nclass Fork { private[h] def forking(n: Int) = n; private[h] def never = 3 }\n";
    let found = dead(&[
        ("a/Fork.scala", text),
        (
            "b/Use.scala",
            "package org.h\nclass Use {\n  def run(fork: Fork) = {\n    import fork.forking\n    forking(3)\n  }\n}\n",
        ),
    ]);
    assert_eq!(found, "Fork.never");
}

#[test]
fn a_path_tells_objects_of_one_name_apart() {
    let files = [
        (
            "ember/Client.scala",
            "package org.h.ember.core.h2\nimport org.h.h2.H2Keys.Prior\nclass Client { def a = Prior }\n",
        ),
        (
            "ember/H2Keys.scala",
            "package org.h.ember.core.h2\nobject H2Keys { val Prior = 4; val Other = 5 }\n",
        ),
        (
            "core/H2Keys.scala",
            "package org.h.h2\nprivate[h] object H2Keys { val Prior = 3 }\n",
        ),
    ];
    let view = View::new(&files);
    assert_eq!(
        view.uses("core/H2Keys.scala:Prior"),
        ["ember/Client.scala:3"]
    );
    assert_eq!(view.uses("ember/H2Keys.scala:Prior"), Vec::<String>::new());
    let import = whyrank_syntax::ReferenceKind::Import;
    assert_eq!(
        view.uses_of_kind("core/H2Keys.scala:H2Keys", import),
        ["ember/Client.scala:2"]
    );
    assert_eq!(
        view.uses_of_kind("ember/H2Keys.scala:H2Keys", import),
        Vec::<String>::new()
    );
    // Two platforms have one each.
    let scaffold =
        "package org.h.s\nprivate[h] object Scaffold { def apply[F[_]](n: Int): Int = n }\n";
    let found = dead(&[
        ("jvm/src/main/scala/org/h/s/Scaffold.scala", scaffold),
        ("js/src/main/scala/org/h/s/Scaffold.scala", scaffold),
        (
            "js-jvm/src/main/scala/org/h/Battery.scala",
            "package org.h\nimport org.h.s.Scaffold\nobject Battery { val x = Scaffold[Option](3) }\n",
        ),
    ]);
    assert_eq!(found, "");
}

#[test]
fn packages_hold_what_their_objects_hold() {
    let object = "package org.h\npackage object inner {\n  private[h] def forking(n: Int): Int = n\n  private[h] def never(n: Int): Int = n\n}\n";
    for (text, line) in [
        (
            "package org.h\nimport org.h.inner.forking\nobject Use { val x = forking(3) }\n",
            3,
        ),
        (
            "package org.h\nimport inner.forking\nobject Use { val x = forking(3) }\n",
            3,
        ),
        (
            "package org.h\nimport org.h.inner._\nobject Use { val x = forking(3) }\n",
            3,
        ),
        (
            "package org.h\nobject Use { val x = inner.forking(3) }\n",
            2,
        ),
        (
            "package org.h.inner\nobject Use { val x = forking(3) }\n",
            2,
        ),
    ] {
        for other in [
            "package org.h.inner\nclass Other\n",
            "package org.h\nclass Other\n",
        ] {
            let files = [
                ("org/h/inner/package.scala", object),
                ("org/h/inner/Other.scala", other),
                ("org/h/Use.scala", text),
            ];
            let view = View::new(&files);
            assert_eq!(
                view.uses("forking"),
                [format!("org/h/Use.scala:{line}")],
                "{text}"
            );
            assert_eq!(dead(&files), "never", "{text}");
        }
    }
}

#[test]
fn the_compiler_passes_what_no_text_names() {
    let cases: [(&[(&str, &str)], &str); 4] = [
        (
            &[(
                "A.scala",
                "package org.h\nclass P {\n  private implicit val ec: Int = 3\n  private val used = 4\n  private val never = 4\n  def f(implicit i: Int) = i\n  def go = f + used\n}\n",
            )],
            "P.never",
        ),
        (
            &[
                (
                    "A.scala",
                    "package org.h\nobject Outer {\n  private[h] implicit val dflt: Int = 3\n  private[h] implicit def mkS: String = \"x\"\n  private[h] implicit object Bb extends Ordering[Z] { def compare(a: Z, b: Z) = 0 }\n}\nclass Z\n",
                ),
                (
                    "B.scala",
                    "package org.h\nimport Outer._\nobject B {\n  def f(implicit i: Int) = i\n  val r = f + List(new Z).sorted.size\n}\n",
                ),
            ],
            "",
        ),
        (
            &[
                (
                    "A.scala",
                    "package org.h\nprivate[h] object Ext:\n  given ord: Ordering[Z] = Ordering.by(_.hashCode)\n  given strs: Ordering[X] with\n    def compare(a: X, b: X) = 0\nclass Z\nclass X\n",
                ),
                (
                    "B.scala",
                    "package org.h\nimport Ext.given\nobject B:\n  def go = (List(new Z).sorted, List(new X).sorted)\n",
                ),
            ],
            "",
        ),
        // An object beside its class is looked into.
        (
            &[(
                "A.scala",
                "package org.h\nprivate class Z\nprivate object Z { implicit val ord: Ordering[Z] = null }\nprivate class X\nprivate object X { val n = 3 }\nobject B { def go = (List(new Z).sorted, new X) }\n",
            )],
            "X.n",
        ),
    ];
    for (files, expected) in cases {
        assert_eq!(dead(files), expected, "{}", files[0].1);
    }
}

#[test]
fn a_class_and_its_object_are_two() {
    let files = [
        (
            "S.scala",
            "package org.h\nclass H(val l: List[Int]) {\n  def has(i: Int): Boolean = l.contains(i)\n}\nobject H {\n  private def has(s: String): Boolean = s.isEmpty\n  def of(n: Int): H = new H(Nil)\n  private[h] val n = 3\n}\n",
        ),
        (
            "U.scala",
            "package org.h\nobject U {\n  def f(h: H): Boolean = h.has(3)\n  def g: Boolean = H.of(3).has(4)\n  def i = { val h = new H(Nil); h.has(5) }\n  def j = H.of(H.n).l\n}\n",
        ),
    ];
    let view = View::new(&files);
    assert_eq!(
        view.uses("S.scala:3"),
        ["U.scala:3", "U.scala:4", "U.scala:5"]
    );
    assert_eq!(view.uses("S.scala:6"), Vec::<String>::new());
    assert_eq!(view.uses("H.of"), ["U.scala:4", "U.scala:6"]);
    assert_eq!(view.uses("H.n"), ["U.scala:6"]);
    assert_eq!(dead(&files), "H.has");
}

#[test]
fn backticks_are_no_part_of_a_path() {
    let files = [
        (
            "A.scala",
            "package org.h\nobject `If-Range` {\n  private[h] def mk(s: String) = 3\n  private[h] def never(s: String) = 3\n}\nprivate[h] object IfR { private[h] def lim = 4 }\n",
        ),
        (
            "B.scala",
            "package org.h\nobject B {\n  def g = `If-Range`.mk(\"c\")\n  def h = `IfR`.lim\n}\n",
        ),
    ];
    let view = View::new(&files);
    assert_eq!(view.uses("mk"), ["B.scala:3"]);
    assert_eq!(view.uses("IfR.lim"), ["B.scala:4"]);
    assert_eq!(dead(&files), "`If-Range`.never");
}

#[test]
fn a_name_that_cannot_mean_a_field_saves_no_class() {
    let files = [
        (
            "S.scala",
            "package org.h\nobject S {\n  private case class PdN1(a: Int)\n  private case class PdN2(zork: Int)\n}\n",
        ),
        (
            "T.scala",
            "package org.h\nimport lib._\nobject T {\n  def z = p.map { case (a, b) => a + b }\n  val attr = char('\"') ~ a ~ c\n}\n",
        ),
    ];
    assert_eq!(dead(&files), "S.PdN1 S.PdN2");
}
