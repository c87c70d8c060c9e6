package a.b
import x.y.Z
import x.y.W as V
/** Doc */
@Ann
data class A(val x: Int, var y: String) : B(x), I {
    private val z = 1
    companion object {
        const val K = 2
        fun make(): A = A(1, "")
    }
    fun run(f: Foo): List<Bar> {
        f.go(1)
        val q = f.x
        Obj.call()
        q?.bar { it.baz() }
        y = "a"
        return listOf()
    }
}
interface I {
    fun m()
}
object Obj
enum class E { ONE, TWO }
fun String.ext(a: Int) = a
typealias T = Int
val top = 1
