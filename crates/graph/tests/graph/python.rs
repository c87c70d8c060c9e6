//! Python: who makes an object, and which bases may call a member.

use crate::support::View;

#[test]
fn who_makes_an_object_runs_its_constructor() {
    let view = View::new(&[(
        "app.py",
        "class Client:\n    def __init__(self): self._init()\n    def _init(self): pass\n\n\
         class Kid(Client):\n    pass\n\n\
         def request(): return Client()\ndef child(): return Kid()\ndef main(): request()\n",
    )]);
    assert_eq!(
        view.callers("Client._init", 3),
        ["1 Client.__init__", "2 child", "2 request", "3 main"]
    );
    assert_eq!(view.paths("main", "Client._init", 1).len(), 1);
}

#[test]
fn a_base_of_the_library_calls_no_member_of_its_own_choice() {
    let view = View::new(&[(
        "app/__main__.py",
        "from typing import Generic, NamedTuple, TypeVar\nfrom enum import Enum\nfrom ext import Base\n\
         T = TypeVar('T')\n\
         class A(Generic[T]):\n    def _dead1(self): pass\n\
         class B(object):\n    def _dead2(self): pass\n\
         class N(NamedTuple):\n    x: int\n    def _dead3(self): pass\n\
         class E(Enum):\n    ONE = 1\n    def _dead4(self): pass\n\
         class X(Exception):\n    def _dead5(self): pass\n\
         class Y(Base):\n    def _maybe(self): pass\n\
         print(A, B, N, E, X, Y)\n",
    )]);
    let found = view.dead();
    for name in ["A._dead1", "B._dead2", "N._dead3", "E._dead4", "X._dead5"] {
        assert!(found.contains(&format!("dead {name}")), "{name}: {found:?}");
    }
    assert!(
        found.contains(&"possibly-dynamic Y._maybe".to_owned()),
        "{found:?}"
    );
}

#[test]
fn decorators_that_stand_on_one_another_come_to_an_end() {
    let view = View::new(&[(
        "app.py",
        "class A:\n    @property\n    def size(self):\n        return self._size\n\
         \x20   @size.setter\n    def size(self, value):\n        self._size = value\n\
         \x20   @size.deleter\n    def size(self): pass\n\
         \x20   @second.wrap\n    def first(self): pass\n    @first.wrap\n    def second(self): pass\n\
         @two\ndef one(f): return f\n@one\ndef two(f): return f\n\
         @itself\ndef itself(f): return f\n\
         def main(a: A):\n    return a.size, a.first(), a.second(), one(main), two(main)\n",
    )]);
    let certain = |name: &str| view.uses(name).iter().any(|it| it.contains("app.py:21"));
    for name in ["A.size", "A.first", "A.second", "one", "two"] {
        assert!(certain(name), "{name}: {:?}", view.uses(name));
    }
}

#[test]
fn a_class_body_sees_what_it_has_bound_before() {
    let view = View::new(&[(
        "app.py",
        "def limit(): return 3\ndef size(): return 4\n\
         class C:\n    limit = limit()\n    twice = limit * 2\n    whole = size()\n    def size(self): return 5\n\
         print(C.limit, C.twice, C.whole, C().size())\n",
    )]);
    assert_eq!(view.verdicts("limit"), ["alive", "alive"]);
    assert_eq!(view.uses("C.limit"), ["app.py:5", "app.py:8"]);
    assert_eq!(view.verdicts("size"), ["alive", "alive"]);
    assert_eq!(view.uses("C.size"), ["app.py:8"]);
}
