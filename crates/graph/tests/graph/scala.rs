//! Scala: parameters of case classes are fields, wherever they are named.

use crate::marked::check;

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
