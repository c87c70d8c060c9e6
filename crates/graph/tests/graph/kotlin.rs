//! Kotlin, and Java beside it: calls through scope functions, extensions, aliases and file facades.

use crate::marked::check;

const TEXT: &str = r#"package app

fun String.shorten(n: Int): String = take(n)
fun <T> List<T>.second(): T = this[1]
infix fun Int.plusOne(o: Int) = this + o
fun Shop.label(): String = name //= Shop.name
val Shop.title: String get() = name //= Shop.name
fun <T> T.tagged(): T = this
fun makeShop(): Shop = Shop("a")
fun maybeShop(): Shop? = null
fun allShops(): List<Shop> = listOf()
fun build(block: Shop.() -> Unit) {}
fun visit(block: (Shop) -> Unit) {}
fun helper() {}

class Shop(val name: String) {
    companion object {
        fun open(name: String): Shop = Shop(name)
        @JvmStatic fun create(): Shop = Shop("x")
        const val MAX = 3
    }
    var owner: Shop? = null
    fun sell() = name.shorten(MAX) //= shorten Shop.name
    fun next(): Shop = this
    operator fun plus(o: Shop): Shop = this
    infix fun joins(o: Shop): Shop = this
}

class Rival(val name: String) {
    fun sell() {}
    fun next(): Rival = this
}

class Host {
    val shop: Shop = makeShop() //= makeShop
    fun shop(block: suspend Shop.() -> Unit) {}
    fun sell() {}
}

class Crate<T>(val held: T) {
    fun unbox(): T = held
}

object Registry { fun add(s: Shop) {} }
"#;

const JAVA: &str = r#"package app;
public class JavaSide {
    public static void handle(Shop s) {
        s.sell(); //= Shop.sell
        TextKt.shorten("x", 1); //= shorten
        TextKt.makeShop().sell(); //= makeShop Shop.sell
        TextKt.label(s); //= label
        Shop.Companion.open("b"); //= open
        Shop.Companion.open("b").sell(); //= open Shop.sell
        Shop.create().sell(); //= create Shop.sell
        s.getOwner().sell(); //= Shop.sell
        Registry.INSTANCE.add(s); //= Registry.add
        new Shop("a").sell(); //= Shop.sell
    }
}
"#;

const MAIN: &str = r#"package app

import app.shorten as cut
import app.makeShop as make

fun main() {
    val s = Shop.open("a") //= open
    s?.sell() //= Shop.sell
    s!!.next().sell() //= Shop.sell Shop.next
    println("abc".cut(1) + listOf("x", "y").second()) //= shorten second
    Registry.add(s) //= Registry.add
    s.apply { sell() } //= Shop.sell
    with(s) { sell() } //= Shop.sell
    listOf(s).forEach { it.sell() } //= Shop.sell
    run(::helper) //= helper
    1 plusOne 2 //= plusOne
    JavaSide.handle(s) //= JavaSide.handle
    make().sell() //= makeShop Shop.sell
    makeShop().next().sell() //= makeShop Shop.sell Shop.next
    maybeShop()?.sell() //= maybeShop Shop.sell
    maybeShop()?.next()?.sell() //= maybeShop Shop.sell Shop.next
    s.let { it.sell() } //= Shop.sell
    s?.let { shop -> shop.sell() } //= Shop.sell
    s.also { it.sell() }.sell() //= Shop.sell
    s.run { sell() } //= Shop.sell
    s.run { next().sell() } //= Shop.sell Shop.next
    s.apply { this.sell() } //= Shop.sell
    s?.apply { owner?.sell() } //= Shop.sell Shop.owner
    s.label() //= label
    s.title.length //= title
    s.apply { label() } //= label
    (s + s).sell() //= Shop.sell?
    (s joins s).sell() //= Shop.sell? joins
    s joins s //= joins
    listOf(s).map { it.next() }.forEach { it.sell() } //= Shop.sell? Shop.next
    listOf(s).map { it.name } //= Shop.name
    listOf(s).map(Shop::next) //= Shop.next
    listOf(s).filter { it.name == "x" }.first().sell() //= Shop.name Shop.sell
    listOf(s).first { it.name == "x" }.sell() //= Shop.name Shop.sell
    allShops().forEach { it.sell() } //= Shop.sell
    allShops().forEach(Shop::sell) //= Shop.sell
    allShops().firstOrNull()?.sell() //= Shop.sell
    allShops()[0].sell() //= Shop.sell
    for (one in allShops()) one.sell() //= Shop.sell
    for (one in listOf(s)) { one.sell() } //= Shop.sell
    mapOf("a" to s)["a"]?.sell() //= Shop.sell?
    val t = s.takeIf { it.name == "x" } ?: return //= Shop.name
    t.sell() //= Shop.sell
    val u = if (s.name == "") s else makeShop() //= Shop.name makeShop
    u.sell() //= Shop.sell?
    "abc".shorten(1).shorten(2) //= shorten
    "a${s.name}".shorten(1) //= shorten Shop.name
    s.name.shorten(3) //= shorten Shop.name
    build { sell() } //= Shop.sell
    Host().apply { shop { sell() } } //= Shop.sell
    build { next().sell() } //= Shop.sell Shop.next
    visit { it.sell() } //= Shop.sell
    visit { shop -> shop.sell() } //= Shop.sell
    Crate(s).unbox().sell() //= Shop.sell?
    val ref = s::sell //= Shop.sell
    val other = Rival("x")
    other.apply { sell() } //= Rival.sell
    with(other) { sell() } //= Rival.sell
    other.let { it.sell() } //= Rival.sell
    listOf(other).forEach { it.sell() } //= Rival.sell
    unknown.sell() //= Shop.sell?
    unknown.apply { sell() } //= Shop.sell?
    with(unknown) { sell() } //= Shop.sell?
    s.apply { other.run { sell() } } //= Rival.sell
    other.apply { s.let { it.sell() } } //= Shop.sell
    setOf(s, makeShop()).forEach { it.sell() } //= Shop.sell makeShop
    mutableListOf<Shop>().forEach { it.sell() } //= Shop.sell
    val many = ArrayList<Shop>()
    many.forEach { it.sell() } //= Shop.sell
    arrayOf(s).forEach { it.sell() } //= Shop.sell
    makeShop().tagged().sell() //= makeShop Shop.sell
}

fun crates(c: Crate<Shop>, d: Crate<Rival>, all: Map<String, Shop>) {
    c.unbox().sell() //= Shop.sell
    c.held.sell() //= Shop.sell
    d.held.sell() //= Rival.sell
    all["x"]?.sell() //= Shop.sell
    all.values.forEach { it.sell() } //= Shop.sell
    all.forEach { (key, value) -> value.sell() } //= Shop.sell
    for ((key, value) in all) value.sell() //= Shop.sell?
    all.getValue("x").sell() //= Shop.sell
}

fun Shop.inside() {
    sell() //= Shop.sell
    this.sell() //= Shop.sell
    next().sell() //= Shop.sell Shop.next
    label() //= label
}

fun checked(o: Any) {
    if (o is Shop) o.sell() //= Shop.sell?
    (o as Shop).sell() //= Shop.sell
    (o as? Shop)?.sell() //= Shop.sell
    when (o) { is Shop -> o.sell() } //= Shop.sell?
}

fun lists(l: List<Shop>, m: MutableList<Rival>?) {
    l.second().sell() //= second Shop.sell
    l.first().sell() //= Shop.sell
    l.sortedBy { it.name }.last().sell() //= Shop.name Shop.sell
    m?.forEach { it.sell() } //= Rival.sell
    m.orEmpty().forEach { it.sell() } //= Rival.sell
    l.associateBy { it.name }.values.first().sell() //= Shop.name Shop.sell?
}
"#;

#[test]
fn calls_mean_what_the_receiver_is() {
    check(&[
        ("src/main/kotlin/app/Text.kt", TEXT),
        ("src/main/kotlin/app/Main.kt", MAIN),
        ("src/main/java/app/JavaSide.java", JAVA),
    ]);
}

#[test]
fn comments_in_heads_and_chains_tell_nothing_apart() {
    check(&[(
        "a.kt",
        "package app\n\nfun tab(\n    // A title, (never empty\n    title: String, // and\n    /* when */ onSelect: () -> Unit,\n    onClose: /* a */ () -> Unit,\n) {}\n\
         class Shop(val name: String) {\n    fun first(): Shop = this //= Shop\n}\nfun main() {\n    tab(title = \"x\", onSelect = {}, onClose = {}) //= tab\n\
         \x20   val shop = Shop(\"a\") //= Shop\n    shop\n        // it's (the) first\n        .first() //= Shop.first\n        /* again */ .first() //= Shop.first\n\
         \x20       .name //= Shop.name\n}\n",
    )]);
}

#[test]
fn a_value_whose_type_says_nothing_may_have_the_member_that_an_extension_names() {
    let text = "package app\n\nfun String.cut(n: Int): String = take(n)\nfun String.half() = this.cut(2) //= cut\n\
                fun Sink.drain() {}\nfun <T> Iterable<T>.final(): T = first()\n";
    let star = "package b\n\nimport app.*\n\nfun main(n: Node, s: String, sink: Sink, l: List<Int>) {\n\
                \x20   \"a\".cut(1) //= cut\n    s.cut(1) //= cut\n    n.name.cut(1) //= cut?\n    n.toString().cut(1) //= cut\n\
                \x20   sink.drain() //= drain\n    n.sink.drain() //= drain?\n    l.final() //= final?\n}\n";
    let by_name =
        "package c\n\nimport app.drain\n\nfun main(n: Node) {\n    n.sink.drain() //= drain\n}\n";
    let own = "package d\n\nclass Pipe\nfun Pipe.pour() {}\nfun Pipe.fill() {}\n";
    // A value from outside is none of one's own type, whatever its type is called and what is imported.
    let other = "package e\n\nimport d.pour\nimport lib.Pipe\n\nfun main(n: Node) {\n    Stream().pour() //= pour?\n\
                 \x20   n.get().pour() //= pour\n}\n";
    let same_name = "package d\n\nfun main(n: lib.Pipe) {\n    n.fill() //= fill?\n}\n";
    check(&[
        ("app/Text.kt", text),
        ("b/Main.kt", star),
        ("c/Main.kt", by_name),
        ("d/Pipe.kt", own),
        ("d/Main.kt", same_name),
        ("e/Main.kt", other),
    ]);
}
