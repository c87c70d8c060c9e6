//! Swift: protocols from outside, names behind a dot alone, members told apart by more than their names.

use crate::{marked::check, support::View};

/// The definitions of sources that are certainly dead, apart by blanks.
fn dead(files: &[(&'static str, &'static str)]) -> String {
    let verdicts = View::new(files).dead();
    let names = verdicts
        .iter()
        .filter_map(|line| line.strip_prefix("dead "));
    names.collect::<Vec<&str>>().join(" ")
}

/// Sources, and what of them is dead.
type DeadCase = (&'static [(&'static str, &'static str)], &'static str);

/// Sources, and the uses of what queries mean.
type UsesCase = (
    &'static [(&'static str, &'static str)],
    &'static [(&'static str, &'static [&'static str])],
);

fn check_dead(cases: &[DeadCase]) {
    for (files, expected) in cases {
        let all = dead(files);
        let mut names: Vec<&str> = all.split(' ').collect();
        names.sort_unstable();
        assert_eq!(names.join(" "), *expected, "{}", files[0].1);
    }
}

#[test]
fn protocols_from_outside_may_ask_for_what_nothing_names() {
    let cases: [DeadCase; 7] = [
        (
            &[(
                "A.swift",
                "import SwiftUI\nstruct Trailing: ButtonStyle {\n  func makeBody(configuration: Configuration) -> some View { configuration.label }\n  private func never() {}\n}\n\
                 extension ButtonStyle where Self == Trailing { static var trailing: Trailing { Trailing() } }\n\
                 public func v() -> some View { Button(\"x\") {}.buttonStyle(.trailing) }\n",
            )],
            "Trailing.never",
        ),
        (
            &[(
                "A.swift",
                "import Combine\nstruct Pub: Publisher {\n  typealias Output = Int\n  typealias Failure = Never\n  struct Part {}\n  func receive<S: Subscriber>(subscriber: S) {}\n}\n\
                 extension Publisher { func foo() -> Self { self } }\npublic func go() -> Any { Pub().foo() }\n",
            )],
            "",
        ),
        // Without a base nothing asks for a type.
        (
            &[(
                "A.swift",
                "struct Pub {\n  typealias Output = Int\n}\npublic func go() -> Any { Pub() }\n",
            )],
            "Pub.Output",
        ),
        // The block that says so stands in another file, or holds the member.
        (
            &[
                (
                    "A.swift",
                    "struct Arc {\n  func path(in r: CGRect) -> Path { Path() }\n}\npublic func go() -> Any { Arc() }\n",
                ),
                ("B.swift", "import SwiftUI\nextension Arc: Shape {}\n"),
            ],
            "",
        ),
        (
            &[
                (
                    "A.swift",
                    "import SwiftUI\nstruct Arc: Shape {}\npublic func go() -> Any { Arc() }\n",
                ),
                (
                    "B.swift",
                    "extension Arc {\n  func path(in r: CGRect) -> Path { Path() }\n  private func never() {}\n}\n",
                ),
            ],
            "Arc.never",
        ),
        // What a block adds to a protocol may be what that asks for.
        (
            &[(
                "A.swift",
                "import Lib\nstruct It: Stepping {}\nextension Stepping {\n  func step() {}\n  private func never() {}\n}\n\
                 extension String {\n  func shorter() {}\n}\npublic func go() -> Any { It() }\n",
            )],
            "Stepping.never String.shorter",
        ),
        (
            &[(
                "A.swift",
                "extension String.StringInterpolation {\n  mutating func appendInterpolation(dbg x: Int) { appendLiteral(\"x\") }\n}\npublic func go() -> String { \"\\(dbg: 3)\" }\n",
            )],
            "",
        ),
    ];
    check_dead(&cases);
}

#[test]
fn what_is_private_and_what_only_describes_meets_nothing() {
    let cases: [DeadCase; 2] = [
        // What is private meets nothing that others ask for.
        (
            &[(
                "A.swift",
                "public protocol Core { func send() }\nfinal class Root: Core, Lib.Other {\n  func send() {}\n  private func helper() {}\n  private static func shelper() {}\n  fileprivate func fhelper() {}\n}\n\
                 private final class Inner: Lib.Other { fileprivate func may() {} }\npublic func f() -> Any { (Root(), Inner()) }\n",
            )],
            "Root.fhelper Root.helper Root.shelper",
        ),
        // Attributes that describe call nothing.
        (
            &[(
                "A.swift",
                "@available(iOS 13, *)\nfinal class Q {\n  private func one() {}\n  public func run() {}\n}\n@MainActor\npublic struct Z {\n  private func two() {}\n}\n\
                 @_spi(Internals) public struct Y {\n  private func three() {}\n}\n@Made public struct X {\n  private func four() {}\n}\npublic func z() { Q().run() }\n",
            )],
            "Q.one Y.three Z.two",
        ),
    ];
    check_dead(&cases);
}

#[test]
fn a_dot_alone_means_what_its_place_expects() {
    let text = r#"struct Col {
    fileprivate static func red(_ n: Int) -> Col { Col() }
    fileprivate static let blue = Col()
    static let all: [Col] = [.blue] //= Col.blue
    var next: Col { .blue } //= Col.blue
}
enum Res { case ok(Int), bad }
final class Reg {
    static let shared = Reg()
    fileprivate func reset() {}
}
struct Paths {
    func red(_ n: Int) -> Int { n }
    let blue = 3
    private var ok: Int { 3 }
    func mk() -> Col { return .red(4) } //= Col.red
    func mk2() -> Col { .red(4) } //= Col.red
    func many() -> [Col] { [.blue, .red(3)] } //= Col.blue Col.red
    func bare() -> Int { blue + red(1) } //= Paths.blue Paths.red
    func reset() { let r: Reg = .shared; r.reset() } //= Reg.shared Reg.reset
    func made(_ n: Int) -> Res { .ok(n) } //= Res.ok
    func run(_ r: Res, as c: Col = .blue) -> Int { //= Col.blue
        switch r {
        case .ok(let v): return v //= Res.ok
        case .bad: return ok //= Res.bad Paths.ok
        }
    }
    func tell(_ r: Res) -> Bool {
        if case .ok(let v) = r { return v > 3 } //= Res.ok
        guard case .bad = r else { return true } //= Res.bad
        return r == .bad //= Res.bad
    }
    func call(_ r: Res) {
        var c: Col = .blue //= Col.blue
        c = .red(3) //= Col.red
        _ = run(.bad, as: .blue) + run(r, as: c.next) //= Res.bad Col.blue Col.next Paths.run
        _ = run(.bad) //= Res.bad Paths.run
        Lib.take(.blue) //= Col.blue?
        Lib.take(.unknown.next) //= Col.next?
        let d = [Lib.one()].map(\.blue) //= Paths.blue?
    }
}
"#;
    check(&[("Sources/A/A.swift", text)]);
}

#[test]
fn members_are_told_apart_by_more_than_their_names() {
    let cases: [UsesCase; 4] = [
        // Another file does not see what is private.
        (
            &[
                (
                    "A.swift",
                    "public struct Host {\n  public func log(string: String) {}\n  private func log(level: Int) -> Int { level }\n}\n",
                ),
                (
                    "B.swift",
                    "public func f(h: Host) { h.log(string: \"x\") }\n",
                ),
            ],
            &[("A.swift:2", &["B.swift:1"]), ("A.swift:3", &[])],
        ),
        (
            &[(
                "A.swift",
                "struct H {\n  static func has(_ s: String) -> Bool { s.isEmpty }\n  func has(_ i: Int) -> Bool { i == 3 }\n}\n\
                 public func go(h: Int) -> Bool { H().has(3) }\npublic func gone() -> Bool { H.has(\"\") }\n",
            )],
            &[("A.swift:2", &["A.swift:6"]), ("A.swift:3", &["A.swift:5"])],
        ),
        (
            &[
                (
                    "A.swift",
                    "extension Box where T: P {\n  public var state: T { raw }\n}\nextension Box where T: Q {\n  public var state: T { raw }\n}\n",
                ),
                (
                    "Box.swift",
                    "public final class Box<T> { var raw: T }\npublic protocol P {}\npublic protocol Q {}\n",
                ),
                (
                    "B.swift",
                    "extension Box where T: P {\n  public func scope() -> T { return state }\n}\n",
                ),
            ],
            &[("A.swift:2", &["B.swift:2"]), ("A.swift:5", &[])],
        ),
        (
            &[
                (
                    "A.swift",
                    "extension Box where T: P {\n  public var state: T { raw }\n}\nextension Box where T: Q {\n  public var state: T { raw }\n}\n",
                ),
                (
                    "Box.swift",
                    "public final class Box<T> { var raw: T }\npublic protocol P {}\npublic protocol Q {}\n",
                ),
                (
                    "B.swift",
                    "func scope(b: Box<Int>) -> Int { return b.state }\n",
                ),
            ],
            &[
                ("A.swift:2", &["B.swift:1~"]),
                ("A.swift:5", &["B.swift:1~"]),
            ],
        ),
    ];
    for (files, expected) in cases {
        let view = View::new(files);
        for (query, uses) in expected {
            assert_eq!(view.uses(query), *uses, "{query} in {}", files[0].1);
            assert_eq!(view.kept_uses(query), *uses, "{query}, kept");
        }
    }
}

#[test]
fn marks_that_the_grammar_cannot_read_leave_files_whole() {
    let cases = [
        "struct S {\n  var _$id: Int { 3 }\n  func f() { self._$will() }\n}\n",
        "func f() { g(/Action.view) }\n",
        "func f(x: () -> sending R) {}\nfunc g(_ x: sending R) {}\n",
        "typealias X<R: P> = Y<R.S>\n  where R.S: Q\nfunc a() {}\n",
        "struct A {\n  #if A\n  @available(iOS 3, *)\n  #else\n  @available(iOS 4, *)\n  #endif\n  func f() {}\n}\n",
    ];
    for text in cases {
        let language = whyrank_syntax::detect("A.swift", text.as_bytes()).expect("Swift");
        let facts = whyrank_syntax::analyze(text, language);
        assert!(facts.errors.is_empty(), "{text}: {:?}", facts.errors);
    }
}

#[test]
fn a_label_of_a_tuple_is_no_use() {
    check(&[(
        "a.swift",
        "func fill() -> Int { return 1 }\nlet item = 1\nfunc run() -> Int {\n    let pair = (fill: 1, item: 2)\n    let both = (fill: fill(), item) //= fill item\n\
         \x20   return pair.fill + both.1\n}\n",
    )]);
}
