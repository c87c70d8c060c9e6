//! Parts of names that code puts together.

use whyrank_syntax::{Language, NamePart, name_parts};

#[test]
fn parts_of_names_that_are_put_together_are_found() {
    let parts = |text: &str, language: &str| -> Vec<(String, bool)> {
        let language = Language::from_name(language).unwrap();
        let found = name_parts(text, language).into_iter();
        found
            .map(|part| (part.text.to_owned(), part.is_prefix))
            .collect()
    };
    let python = "getattr(self, f'visit_{kind}'); getattr(x, 'do_' + name); a_b + c_";
    let expected = [("visit_".to_owned(), true), ("do_".to_owned(), true)];
    let found = parts(python, "python");
    assert!(
        expected.iter().all(|part| found.contains(part)),
        "{found:?}"
    );
    assert_eq!(parts("#define X(n) repr_##n##Command", "c").len(), 2);
    assert!(parts("let a_b = format!(\"x_{y}\");", "rust").is_empty());
}

#[test]
fn a_string_that_anything_is_joined_to_is_a_part() {
    let table = [
        ("php", "$this->{'get' . ucfirst($n)}();", "get", true),
        ("php", "$m='handle'.$n;", "handle", true),
        ("php", "$this->{\"do{$n}\"}();", "do", true),
        ("php", "$m = \"exec_$n\";", "exec_", true),
        ("php", "$m = \"visit$n\";", "visit", true),
        ("php", "call([$this, 'on' . $n]);", "on", true),
        ("php", "sprintf('parse%s', $n)", "parse", true),
        ("php", "$n . 'Action'", "Action", false),
        ("php", "$m .= 'Action';", "Action", false),
        ("php", "\"{$n}Action\"", "Action", false),
        ("php", "constant('self::MAP_' . $n)", "MAP_", true),
        ("ruby", "m = \"do_\" + n", "do_", true),
        ("ruby", "method(\"fn_#{n}\")", "fn_", true),
        ("ruby", "\"go_\" << n", "go_", true),
        ("ruby", "[n, \"suffix\"].join(\"_\")", "suffix", false),
        ("ruby", "[\"load\", n].join(\"_\")", "load", true),
        ("ruby", "const_get(\"K_#{n}\")", "K_", true),
        ("ruby", "\"handle#{n}\"", "handle", true),
        ("javascript", "this[`on${name}`]", "on", true),
        ("javascript", "this['on'.concat(name)]", "on", true),
        ("python", "getattr(self, f\"visit{kind}\")", "visit", true),
    ];
    for (language, text, part, is_prefix) in table {
        let found = name_parts(text, Language::from_name(language).unwrap());
        let wanted = NamePart {
            text: part,
            is_prefix,
        };
        assert!(found.contains(&wanted), "{text}: {found:?}");
    }
    let php = Language::from_name("php").unwrap();
    assert!(name_parts("throw new E('could not find' . $x);", php).is_empty());
}
