//! Definitions that mean one another in every place where a language names one: bases, types, results, values,
//! decorators, aliases, extensions. Each question about them ends, on the stack that a thread has.

use std::thread;

use crate::support::View;

/// The end of the files' names, and what defines `NAME` by way of `NEXT`, in as many ways as there are.
const KNOTS: [(&str, &str); 14] = [
    (
        "py",
        "import NEXT_\nfrom NEXT_ import *\n\
         class NAME(NEXT):\n    x: 'NEXT' = NEXT.x\n    @property\n    def NAMEp(self) -> 'NEXT': return self.NEXTp\n\
         \x20   @NAMEp.setter\n    def NAMEp(self, v): self.NEXTp = v\n    @NEXT.NEXTp\n    def NAMEm(self): return NEXT().NEXTm()\n\
         \x20   def __enter__(self): return NEXT()\n    def __call__(self): return NEXT()()\n    def __new__(cls): return NEXT()\n\
         @NEXTf\ndef NAMEf(a=NEXTf()): return NEXTf()(NAMEv)\nNAMEv = NEXTv\nNAMEt = NEXTt | NAMEv\n\
         def NAMEg(a: NEXT):\n    with a as b: b.NEXTm()\n    for c in a.NAMEp: c.NEXTp.NAMEm()\n    return a.NEXTp.NAMEp().NEXTm()\n",
    ),
    (
        "ts",
        "import { NEXT, NEXTt, NEXTv, NEXTf, NEXTi } from './NEXT_';\nexport * from './NEXT_';\n\
         export class NAME extends NEXT implements NEXTi { x: NEXT['x'] = this.NEXTp; get NAMEp() { return this.NEXTp; } set NAMEp(v: NEXTt) { this.NEXTp = v; } m(): NEXTt { return NEXTv.m(); } }\n\
         export interface NAMEi extends NEXTi { NAMEp: NEXTi['NEXTp']; }\nexport type NAMEt = NEXTt | typeof NEXTv | ReturnType<typeof NEXTf>;\n\
         export const NAMEv = NEXTv;\nexport const NAMEf = (a: NAMEt = NEXTf()) => NEXTf(a).m().NEXTp.NAMEp;\n",
    ),
    (
        "js",
        "import NEXTd, { NEXT, NEXTv } from './NEXT_.js';\nexport default NEXTd;\n\
         export class NAME extends NEXT { constructor() { super(); this.a = new NEXT().a; } m() { return this.a.m(); } }\n\
         export const NAMEv = { ...NEXTv, m: NEXTv.m, get p() { return NEXTv.p.p; } };\nNAME.prototype.q = NEXT.prototype.q;\n",
    ),
    (
        "java",
        "class NAME<T extends NEXT<T>> extends NEXT<NAME<T>> implements NEXTi { NEXT<T> f = new NEXT<>().f; NEXT<T> m() { return f.m().m(); } class In extends NEXT.In { In in = super.in; } }\n\
         interface NAMEi extends NEXTi { default NEXTi m() { return m().m(); } }\n",
    ),
    (
        "kt",
        "open class NAME<T : NEXT<T>> : NEXT<NAME<T>>(), NEXTi by NEXTv { val p get() = NEXTv.p\n fun m() = p.m()\n companion object : NEXT<Any>() { val c = NEXT.c } }\n\
         interface NAMEi : NEXTi { val q: NEXTi }\ntypealias NAMEt = NEXTt\nval NAMEv = NEXTv\nfun NEXTt.NAMEx() = this.NEXTx()\nfun NAMEf(a: NAMEt = NEXTf()) = NEXTf(a).apply { m() }.also { it.p.NAMEx() }\n",
    ),
    (
        "cs",
        "using NAMEt = NEXTt;\nnamespace N;\npartial class NAME<T> : NEXT<NAME<T>>, NEXTi where T : NEXT<T> { NEXT<T> f = new NEXT<T>().f; NEXT<T> P => f.P; NEXT<T> M() => P.M().M(); class In : NEXT<T>.In { } }\n\
         interface NAMEi : NEXTi { }\nstatic class NAMEe { public static NEXTi X(this NEXTi a) => a.X().X(); }\n",
    ),
    (
        "php",
        "<?php\nnamespace N;\nuse N\\NEXT as Other;\nclass NAME extends Other implements NEXTi { use NEXTt; public NEXT $f; const C = NEXT::C; function m(): NEXT { return $this->f->m()->m(); } static function s() { return NEXT::s()->f; } function __get($n) { return $this->f; } }\n\
         trait NAMEt { use NEXTt { NEXTt::m as NAMEm; } }\ninterface NAMEi extends NEXTi {}\nfunction NAMEf() { return NEXTf()->m(); }\n",
    ),
    (
        "rb",
        "require_relative 'NEXT_'\nclass NAME < NEXT\n  include NEXTm\n  extend NEXTm\n  attr_accessor :a\n  C = NEXT::C\n  alias NAMEx NEXTx\n  def m = NEXT.new.m.m\n  def self.s = NEXT.s.s\nend\nmodule NAMEm\n  include NEXTm\n  def NAMEx = NEXTx\nend\n",
    ),
    (
        "rs",
        "pub use crate::NEXT_::*;\npub struct NAME<T: NEXTi<T>>(pub NEXT<T>, T);\npub trait NAMEi<T>: NEXTi<T> { type A: NEXTi<T>; fn m(&self) -> <Self as NEXTi<T>>::A; }\npub type NAMEt = NEXTt;\n\
         impl<T> std::ops::Deref for NAME<T> { type Target = NEXT<T>; fn deref(&self) -> &NEXT<T> { &self.0 } }\nimpl<T> NAME<T> { pub fn m(&self) -> NEXT<T> { self.0.m().m() } }\n\
         pub const NAMEc: NAMEt = NEXTc;\nmacro_rules! NAMEx { () => { NEXTx!() } }\npub fn NAMEf() -> impl NEXTi<u8> { NEXTf().m() }\n",
    ),
    (
        "go",
        "package n\n\ntype NAME struct { *NEXT; f *NEXT }\ntype NAMEi interface { NEXTi; M() NEXTi }\ntype NAMEt = NEXTt\ntype NAMEg[T NEXTi] struct { NEXTg[T] }\nvar NAMEv = NEXTv\nconst NAMEc = NEXTc\n\
         func (n *NAME) M() *NEXT { return n.f.M().M() }\nfunc NAMEf(a NAMEt) NEXTt { return NEXTf(a).M().f }\n",
    ),
    (
        "scala",
        "package n\nclass NAME[T <: NEXT[T]](val a: NEXT[T] = NEXT.a) extends NEXT[T] with NEXTt { val p = a.p; def m = p.m.m; type A = NEXTt#A; import a._ }\n\
         object NAME extends NEXT[Any] { implicit def NAMEx(a: NEXT[_]): NAME[_] = NEXTx(a); val a = NEXT.a; export NEXT._ }\ntrait NAMEt extends NEXTt { self: NEXTt => }\n",
    ),
    (
        "swift",
        "class NAME<T: NEXT<T>>: NEXT<NAME<T>>, NEXTp { var f: NEXT<T> = NEXT().f\n var p: NEXT<T> { f.p }\n func m() -> NEXT<T> { p.m().m() }\n class In: NEXT<T>.In {} }\n\
         protocol NAMEp: NEXTp { associatedtype A: NEXTp }\nextension NEXTp { func NAMEx() -> NEXTp { self.NEXTx() } }\ntypealias NAMEt = NEXTt\n@NEXT func NAMEf() -> some NEXTp { NEXTf().NAMEx() }\n",
    ),
    (
        "cpp",
        "#include \"NEXT_.cpp\"\nnamespace n { using namespace n;\ntemplate <class T> class NAME : public NEXT<NAME<T>> { NEXT<T> f; typedef typename NEXT<T>::A A; using NEXT<T>::m; auto m() -> decltype(f.m()) { return this->f.m().m(); } NEXT<T>* operator->(); };\n\
         using NAMEt = NEXTt; auto NAMEf() { return NEXTf().m(); } }\n#define NAMEx NEXTx(NAMEx)\n",
    ),
    (
        "dart",
        "import 'NEXT_.dart';\nexport 'NEXT_.dart';\nclass NAME<T extends NEXT<T>> extends NEXT<NAME<T>> with NEXTm implements NEXTi { NEXT<T> f = NEXT().f; get p => f.p; set p(v) => f.p = v; m() => p.m().m(); factory NAME.of() = NEXT.of; }\n\
         mixin NAMEm on NEXTm {}\nabstract class NAMEi implements NEXTi {}\nextension NAMEx on NEXT { y() => this.y(); }\ntypedef NAMEt = NEXTt;\nfinal NAMEv = NEXTv;\n",
    ),
];

/// The stack of a thread that states none.
const STACK: usize = 2 << 20;
const NAMES: [&str; 4] = ["Ab", "Cd", "Ef", "Gh"];
/// Drawn knots in each language.
const DRAWN: u64 = 2;

#[test]
fn definitions_that_mean_one_another_come_to_an_end() {
    for (end, text) in KNOTS {
        for n in 1..=NAMES.len() {
            ask(end, n, false, move |at| {
                text.replace("NEXT", NAMES[(at + 1) % n])
            });
            ask(end, n, true, move |at| {
                text.replace("NEXT", NAMES[(at + 1) % n])
            });
        }
        for seed in 0..DRAWN {
            let n = NAMES.len();
            ask(end, n, seed % 2 == 0, move |at| {
                drawn(text, seed * 10 + at as u64)
            });
        }
    }
}

/// The text with a name drawn for each place.
fn drawn(text: &str, seed: u64) -> String {
    let mut state = seed;
    let mut draw = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        NAMES[(state >> 60) as usize % NAMES.len()]
    };
    let mut parts = text.split("NEXT");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |made, part| made + draw() + part)
}

/// Asks about `n` names, in a file each or in one, on a thread of its own.
fn ask(
    end: &'static str,
    n: usize,
    in_one_file: bool,
    text: impl Fn(usize) -> String + Send + 'static,
) {
    let asked = move || {
        let texts = (0..n).map(|at| text(at).replace("NAME", NAMES[at]));
        let path = |at: usize| &*format!("{}_.{end}", NAMES[at]).leak();
        let files: Vec<(&'static str, &'static str)> = match in_one_file {
            true => vec![(path(0), texts.collect::<String>().leak())],
            false => texts
                .enumerate()
                .map(|(at, text)| (path(at), &*text.leak()))
                .collect(),
        };
        let view = View::new(&files);
        for name in &NAMES[..n] {
            view.uses(name);
            view.kept_uses(name);
        }
        view.dead();
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(asked);
    let asked = thread.expect("a thread").join();
    asked.expect("an end");
}
