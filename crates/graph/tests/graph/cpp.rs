//! C++: class templates of the checkout, whatever names they bear.

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
