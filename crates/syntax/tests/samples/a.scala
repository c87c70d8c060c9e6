package a.b
import x.y.{Z, W => V, _}
import q.R
/** Doc */
@Ann class A[T](val x: Int) extends B(x) with C {
  private val z = 1
  def run(f: Foo): List[Bar] = { f.go(1); helper(z); val q = f.x; new Baz(q); q match { case Some(v) => v } }
  type T = Int
}
object Obj { def apply() = 1 }
trait I { def m(): Unit }
case class P(a: Int)
enum E { case One, Two }
