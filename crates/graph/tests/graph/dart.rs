//! Dart: libraries with parts, names that exports show and hide, members that need no receiver.

use crate::support::{View, check};

#[test]
fn imports_lead_below_the_package_or_beside_the_file() {
    let view = View::new(&[
        (
            "pkgs/own/pubspec.yaml",
            "name: own # the package\nversion: 1.0.0\n",
        ),
        ("pkgs/own/lib/own.dart", "export 'src/a.dart';\n"),
        ("pkgs/own/lib/src/a.dart", "class A {}\n"),
        ("pkgs/own/lib/src/a_io.dart", "class A {}\n"),
        (
            "app/lib/main.dart",
            "import 'dart:io';\nimport 'package:own/own.dart';\nimport 'package:other/own.dart';\nimport 'b/c.dart';\n\
             import 'package:own/src/a.dart' if (dart.library.io) 'package:own/src/a_io.dart';\n",
        ),
        ("app/lib/b/c.dart", "import '../main.dart';\n"),
    ]);
    let expected = [
        "pkgs/own/lib/own.dart",
        "app/lib/b/c.dart",
        "pkgs/own/lib/src/a.dart",
        "pkgs/own/lib/src/a_io.dart",
    ];
    assert_eq!(view.imports_of("app/lib/main.dart"), expected);
    assert_eq!(view.imports_of("app/lib/b/c.dart"), ["app/lib/main.dart"]);
}

#[test]
fn a_library_and_its_parts_share_names_and_imports() {
    check(
        &[
            ("lib/deep.dart", "class Deep {}\n"),
            ("lib/far.dart", "class Far {}\n"),
            (
                "lib/a.dart",
                "import 'deep.dart' show Deep;\nimport 'far.dart' as far;\npart 'a_part.dart';\nclass _Own {}\nvoid run() => _inPart();\n",
            ),
            (
                "lib/a_part.dart",
                "part of 'a.dart';\nvoid _inPart() {\n  Deep();\n  far.Far();\n  _Own();\n}\n",
            ),
        ],
        &[
            ("Deep", &["lib/a_part.dart:3"]),
            ("Far", &["lib/a_part.dart:4"]),
            ("_Own", &["lib/a_part.dart:5"]),
            ("_inPart", &["lib/a.dart:5"]),
        ],
    );
}

#[test]
fn exports_give_what_they_show_and_not_what_they_hide() {
    check(
        &[
            ("lib/src/a.dart", "class Shown {}\nclass Kept {}\n"),
            ("lib/src/b.dart", "class Free {}\nclass Hidden {}\n"),
            ("lib/src/c.dart", "class Inner {}\n"),
            (
                "lib/api.dart",
                "import 'src/c.dart';\nexport 'src/a.dart' show Shown;\nexport 'src/b.dart' hide Hidden;\n",
            ),
            (
                "lib/use.dart",
                "import 'api.dart';\nvoid f() {\n  Shown();\n  Kept();\n  Free();\n  Hidden();\n  Inner();\n}\n",
            ),
        ],
        &[
            ("Shown", &["lib/use.dart:3"]),
            ("Kept", &[]),
            ("Free", &["lib/use.dart:5"]),
            ("Hidden", &[]),
            ("Inner", &[]),
        ],
    );
}

#[test]
fn what_a_file_declares_hides_what_a_type_inherits() {
    check(
        &[
            (
                "lib/base.dart",
                "class Base {\n  void near() {}\n  void far() {}\n}\n",
            ),
            (
                "lib/use.dart",
                "import 'base.dart';\nvoid near() {}\nclass Heir extends Base {\n  void run() {\n    near();\n    far();\n  }\n}\n",
            ),
        ],
        &[
            ("Base.near", &[]),
            ("lib/use.dart:2", &["lib/use.dart:5"]),
            ("Base.far", &["lib/use.dart:6"]),
        ],
    );
}

#[test]
fn members_are_known_by_types_cascades_and_constructors() {
    check(
        &[
            (
                "lib/box.dart",
                "class Box {\n  final int size;\n  Box? inner;\n  Box(this.size);\n  Box.small() : size = 1;\n  static Future<Box> load() async => Box(1);\n\
                 \x20 void open() {}\n  Box get next => this;\n}\nclass Crate {\n  void open() {}\n}\nextension Shut on Box {\n  void shut() => open();\n}\n",
            ),
            (
                "lib/use.dart",
                "import 'box.dart' as b;\nvoid f(b.Box given, List<b.Crate> all) async {\n  given.open();\n  b.Box.small()..open()..inner = given;\n\
                 \x20 final made = await b.Box.load();\n  made.next.open();\n  for (final one in all) { one.open(); }\n  (given as b.Crate).open();\n\
                 \x20 given.shut();\n  if (given case b.Box(size: 3)) {}\n}\n",
            ),
        ],
        &[
            (
                "Box.open",
                &[
                    "lib/box.dart:14",
                    "lib/use.dart:3",
                    "lib/use.dart:4",
                    "lib/use.dart:6",
                ],
            ),
            ("Crate.open", &["lib/use.dart:7", "lib/use.dart:8"]),
            ("Box.inner", &["lib/use.dart:4"]),
            ("Box.small", &["lib/use.dart:4"]),
            ("Box.shut", &["lib/use.dart:9"]),
            (
                "Box.size",
                &["lib/box.dart:4", "lib/box.dart:5", "lib/use.dart:10"],
            ),
        ],
    );
}

#[test]
fn a_named_argument_sets_a_field_where_the_constructor_says_so() {
    check(
        &[
            (
                "lib/a.dart",
                "class Own {\n  final int kept;\n  Own({required this.kept});\n}\n\
                 class Other {\n  static int count = 0;\n  Other({int? made});\n  int get made => 1;\n}\n",
            ),
            (
                "lib/use.dart",
                "import 'a.dart';\nvoid f() {\n  Own(kept: 1);\n  Other(made: 1);\n  Other.count = 2;\n}\n",
            ),
        ],
        &[
            ("Own.kept", &["lib/a.dart:3", "lib/use.dart:3"]),
            ("Other.made", &[]),
            ("Other.count", &["lib/use.dart:5"]),
        ],
    );
}

fn verdicts(files: &[(&'static str, &'static str)]) -> Vec<String> {
    View::new(files).dead_with_reasons()
}

#[test]
fn what_is_private_to_a_library_is_dead_where_the_library_does_not_name_it() {
    let found = verdicts(&[
        ("pubspec.yaml", "name: own\n"),
        (
            "lib/own.dart",
            "export 'src/a.dart' show shown;\npart 'part.dart';\nvoid _used() {}\nvoid _idle() {}\n",
        ),
        ("lib/part.dart", "part of 'own.dart';\nfinal x = _used;\n"),
        (
            "lib/src/a.dart",
            "void shown() {}\nvoid hidden() {}\nclass _Impl {\n  @override\n  String toString() => '';\n  void gone() {}\n  int get held => 1;\n}\n\
             final one = _Impl();\n",
        ),
        ("lib/src/b.dart", "void _idle(dynamic x) { x.gone(); }\n"),
    ]);
    let says = |text: &str| found.iter().any(|one| one.starts_with(text));
    assert!(says("dead _idle"), "{found:?}");
    assert!(!says("dead _used"), "{found:?}");
    assert!(!says("dead shown"), "{found:?}");
    assert!(says("dead hidden"), "{found:?}");
    assert!(!says("dead _Impl.toString"), "{found:?}");
}

#[test]
fn a_receiver_that_may_be_anything_rules_nothing_out() {
    let found = verdicts(&[(
        "lib/src/a.dart",
        "import 'package:other/other.dart';\nclass _Impl {\n  void gone() {}\n  void lift() {}\n}\n\
         void main() { final all = make(); all.map((x) => x.lift()); print(_Impl()); }\n",
    )]);
    let says = |text: &str| found.iter().any(|one| one.starts_with(text));
    assert!(says("dead _Impl.gone"), "{found:?}");
    assert!(!says("dead _Impl.lift"), "{found:?}");
}

#[test]
fn a_part_that_is_not_there_may_use_its_library() {
    let found = verdicts(&[(
        "lib/src/a.dart",
        "part 'a.g.dart';\nvoid main() {}\nint _fromText(String text) => 1;\n",
    )]);
    let says = |text: &str| found.iter().any(|one| one.contains(text));
    assert!(says("possibly-dynamic _fromText"), "{found:?}");
    assert!(
        says("a part of its library is not in the checkout"),
        "{found:?}"
    );
}
