//! C++: class templates of the checkout, whatever names they bear; namespaces. C: structs without a name.

use crate::support::check;

#[test]
fn members_of_own_class_templates_are_known() {
    for name in ["Box", "Crate", "Result"] {
        let header = format!(
            "#pragma once\ntemplate <class T>\nclass {name} {{\npublic:\n    {name}();\n    void fill(T v);\n    T take() const;\n\
             \x20   template <class U> U as() const;\n}};\ntemplate <class T> {name}<T>::{name}() {{}}\n\
             template <class T> void {name}<T>::fill(T v) {{}}\ntemplate <class T> inline T {name}<T>::take() const {{ return T(); }}\n\
             template <class T> template <class U> U {name}<T>::as() const {{ return U(); }}\n"
        );
        let code = format!(
            "#include \"box.hpp\"\ntemplate <typename K> K drain({name}<K>& b) {{ return b.take(); }}\nint main() {{\n    {name}<int> b;\n    b.fill(1);\n\
             \x20   const auto& c = b;\n    return drain(b) + c.template as<int>() + drain<int>(b);\n}}\n"
        );
        let queries = ["fill", "take", "as"].map(|member| format!("{name}::{member}"));
        check(
            &[
                ("box.hpp", Box::leak(header.into_boxed_str())),
                ("use.cpp", Box::leak(code.into_boxed_str())),
            ],
            &[
                (&queries[0], &["use.cpp:5"]),
                (&queries[1], &["use.cpp:2"]),
                (&queries[2], &["use.cpp:7"]),
                ("drain", &["use.cpp:7"]),
            ],
        );
    }
}

#[test]
fn a_name_means_what_the_innermost_namespace_around_it_has() {
    check(
        &[
            (
                "a.hpp",
                "#pragma once\nnamespace shop {\nclass Item { public: int go(); };\nint make();\nenum class Size { S };\n}\n\
                 namespace other {\nclass Item { public: int go(); };\nint make();\nenum class Size { S };\n}\n",
            ),
            (
                "a.cpp",
                "#include \"a.hpp\"\nnamespace shop {\nint Item::go() { return make(); }\nint run(Item& item) {\n\
                 \x20   Size size = Size::S;\n    return item.go();\n}\n}\nnamespace other {\nint Item::go() { return make(); }\n}\n",
            ),
        ],
        &[
            ("a.hpp:3", &["a.cpp:3", "a.cpp:4"]),
            ("a.hpp:8", &["a.cpp:10"]),
            ("a.hpp:4", &["a.cpp:3"]),
            ("a.hpp:9", &["a.cpp:10"]),
            ("a.hpp:5", &["a.cpp:5", "a.cpp:5"]),
            ("a.hpp:10", &[]),
        ],
    );
}

#[test]
fn a_name_of_another_namespace_hides_none_of_the_own_behind_it() {
    check(
        &[
            (
                "b.hpp",
                "namespace shop {\nclass Shirt {};\nint make();\n}\n",
            ),
            (
                "a.hpp",
                "#include \"b.hpp\"\nnamespace other {\nstatic int Shirt() { return 1; }\nint make();\n}\n",
            ),
            (
                "a.cpp",
                "#include \"a.hpp\"\nnamespace shop {\nint run() {\n    static Shirt shirt;\n    return make();\n}\n}\n",
            ),
        ],
        &[
            ("b.hpp:2", &["a.cpp:4"]),
            ("a.hpp:3", &[]),
            ("b.hpp:3", &["a.cpp:5"]),
            ("a.hpp:4", &[]),
        ],
    );
}

#[test]
fn a_field_of_a_struct_without_a_name_is_no_name_by_itself() {
    for holder in [
        "static struct { int go; } held;\nint run(void) { return go() + held.go; }\n",
        "int run(void) {\n    struct { int go; } held = { .go = 1 }; return go() + held.go; }\n",
        "int run(void) {\n    union { int go; long all; } *held; return go() + held->go; }\n",
    ] {
        let code = format!("#include \"a.h\"\n{holder}");
        check(
            &[
                ("a.h", "int go(void);\n"),
                ("a.c", Box::leak(code.into_boxed_str())),
            ],
            &[("a.h:1", &["a.c:3"])],
        );
    }
}
