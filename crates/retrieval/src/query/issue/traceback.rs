//! Frames of tracebacks, in the forms that Python, JavaScript, Java, Go, Rust, Ruby, PHP and C# print
//! them, and links to lines of code.

/// A place that a traceback names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Path as printed, `/` between folders; of Java's frames the package and the file.
    pub(crate) path: String,
    /// Line, where it is named.
    pub(crate) line: Option<u32>,
    /// Function, where it is named.
    pub(crate) function: Option<String>,
    /// The frames of its traceback come outermost first.
    pub(crate) is_outermost_first: bool,
}

/// Endings of source files that a frame may name; what else has a colon and a number is no frame.
const ENDINGS: [&str; 35] = [
    "py", "pyx", "pyi", "js", "mjs", "cjs", "jsx", "ts", "tsx", "vue", "svelte", "astro", "go",
    "rs", "rb", "php", "java", "kt", "kts", "scala", "cs", "fs", "c", "h", "cc", "cpp", "cxx",
    "hpp", "swift", "m", "ex", "exs", "lua", "dart", "hs",
];

/// The frame that a line of a traceback is; `None` for other lines.
pub(super) fn frame(line: &str) -> Option<Frame> {
    let line = line.trim().trim_start_matches(['>', '|', '│', '─', ' ']);
    python(line)
        .or_else(|| at(line))
        .or_else(|| php(line))
        .or_else(|| colons(line))
}

/// `File "a/b.py", line 12, in f`.
fn python(line: &str) -> Option<Frame> {
    let rest = line
        .strip_prefix("File \"")
        .or_else(|| line.strip_prefix("File '"))?;
    let (path, rest) = rest.split_once(['"', '\''])?;
    let rest = rest.trim_start_matches(", line ");
    let (number, rest) = digits(rest);
    let function = rest
        .trim()
        .strip_prefix(", in ")
        .or_else(|| rest.trim().strip_prefix("in "));
    Some(Frame {
        path: tidy(path)?,
        line: number,
        function: function.and_then(name),
        is_outermost_first: true,
    })
}

/// `at f (a/b.js:1:2)`, `at a/b.js:1:2`, `at com.x.Type.f(Type.java:3)`, `at N.T.F(…) in a\B.cs:line 4`.
fn at(line: &str) -> Option<Frame> {
    let rest = line.strip_prefix("at ")?.trim_start_matches("async ");
    if let Some((head, place)) = rest.rsplit_once(" in ")
        && let Some((path, number)) = place.split_once(":line ")
    {
        return Some(Frame {
            path: tidy(path)?,
            line: digits(number).0,
            function: head.split('(').next().and_then(last_name),
            is_outermost_first: false,
        });
    }
    let (head, place) = match rest.rsplit_once('(') {
        Some((head, place)) => (Some(head.trim()), place.trim_end_matches(')')),
        None => (None, rest),
    };
    let (path, number) = place_of(place)?;
    // Java's frames have the file's bare name: the package is in the method's.
    let is_bare = !path.contains('/');
    let path = match head
        .filter(|_| is_bare)
        .and_then(|head| packages(head, &path))
    {
        Some(path) => path,
        None => path,
    };
    Some(Frame {
        path,
        line: number,
        function: head.and_then(last_name),
        is_outermost_first: false,
    })
}

/// `com/x/Type.java` of `com.x.Type$1.f` and `Type.java`.
fn packages(method: &str, file: &str) -> Option<String> {
    let method = method.rsplit('/').next().unwrap_or(method);
    let mut parts: Vec<&str> = method.split('.').collect();
    parts.truncate(parts.len().checked_sub(2)?);
    let is_package = |part: &&str| part.starts_with(|c: char| c.is_lowercase());
    parts.retain(is_package);
    (!parts.is_empty()).then(|| format!("{}/{file}", parts.join("/")))
}

/// `#0 /a/b.php(12): C->f()`, `in /a/b.php on line 12`.
fn php(line: &str) -> Option<Frame> {
    let is_numbered = line.starts_with('#') && line[1..].starts_with(|c: char| c.is_ascii_digit());
    let at = line.find(".php").map(|at| at + 4)?;
    let start = line[..at].rfind([' ', '"']).map_or(0, |at| at + 1);
    let rest = line[at..]
        .trim_start_matches(" on line ")
        .trim_start_matches(['(', ':']);
    let (number, rest) = digits(rest);
    number?;
    let call = rest.trim_start_matches([')', ':', ' ']).split('(').next();
    Some(Frame {
        path: tidy(&line[start..at])?,
        line: number,
        function: call.filter(|_| is_numbered).and_then(last_name),
        is_outermost_first: false,
    })
}

/// `a/b.py:12: in f`, `a/b.rb:3:in 'f'`, `from a/b.rb:3:in 'f'`, `panicked at src/a.rs:1:2`,
/// `/go/a/b.go:12 +0x1d`.
fn colons(line: &str) -> Option<Frame> {
    let mut found = None;
    for word in line.split_whitespace() {
        let word = word.trim_matches(|c: char| "\"'`()[],;".contains(c));
        if let Some((path, number)) = place_of(word)
            && (number.is_some() && (path.contains('/') || line.starts_with(word)))
        {
            found = Some((path, number));
            break;
        }
    }
    let (path, number) = found?;
    let function = line.split_once(":in ").or_else(|| line.split_once(": in "));
    let is_python = path.ends_with(".py");
    Some(Frame {
        path,
        line: number,
        function: function.and_then(|(_, name)| last_name(name.trim_matches(['\'', '`', '"']))),
        is_outermost_first: is_python,
    })
}

/// `a/b.js:12:3` → path and line; none for what does not end like a source file.
fn place_of(text: &str) -> Option<(String, Option<u32>)> {
    let text = text
        .trim_start_matches("file://")
        .trim_start_matches("webpack:///");
    // A drive's colon is no line's.
    let from = if text.as_bytes().get(1) == Some(&b':') {
        2
    } else {
        0
    };
    let mut parts = text[from..].splitn(2, ':');
    let path = &text[..from + parts.next()?.len()];
    let (_, ending) = path.rsplit_once('.')?;
    if !ENDINGS.contains(&ending) {
        return None;
    }
    Some((tidy(path)?, parts.next().and_then(|rest| digits(rest).0)))
}

/// Forward slashes, without what is not the repository's: `./`, drives. `None` for `<stdin>` and the like.
fn tidy(path: &str) -> Option<String> {
    let path = path.trim().replace('\\', "/");
    let path = path.trim_start_matches("./");
    let is_path = path.contains('.') && !path.contains(['<', '>', '(', ')']) && path.len() < 400;
    is_path.then(|| path.to_owned())
}

fn digits(text: &str) -> (Option<u32>, &str) {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    (text[..end].parse().ok(), &text[end..])
}

/// `f` of `Type.f`, `ns::Type::f`, `Type->f`, `Object.<anonymous>`: none for the last.
fn last_name(text: &str) -> Option<String> {
    let text = text.split(['(', '[']).next().unwrap_or_default().trim();
    name(text.rsplit(['.', ':', '>', '#', ' ', '/']).next()?)
}

fn name(text: &str) -> Option<String> {
    let text = text.trim().trim_matches(['\'', '`', '"']);
    let is_name = !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || "_$?!".contains(c))
        && !text.starts_with(|c: char| c.is_ascii_digit());
    is_name.then(|| text.to_owned())
}

/// Frames of a text that came in order, innermost first, each place once.
pub(super) fn innermost_first(frames: Vec<Frame>) -> Vec<Frame> {
    let mut ordered: Vec<Frame> = Vec::new();
    // The last traceback is the one that reached the reporter's terminal.
    let mut runs: Vec<Vec<Frame>> = Vec::new();
    for frame in frames {
        match runs.last_mut() {
            Some(run) if run[0].is_outermost_first == frame.is_outermost_first => run.push(frame),
            _ => runs.push(vec![frame]),
        }
    }
    for mut run in runs {
        if run[0].is_outermost_first {
            run.reverse();
        }
        for frame in run {
            let is_known = |other: &Frame| other.path == frame.path && other.line == frame.line;
            if !ordered.iter().any(is_known) {
                ordered.push(frame);
            }
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, path: &str, number: u32, function: Option<&str>) {
        let frame = frame(line).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(frame.path, path, "{line}");
        assert_eq!(frame.line, Some(number), "{line}");
        assert_eq!(frame.function.as_deref(), function, "{line}");
    }

    #[test]
    fn frames_are_read_in_the_forms_of_many_languages() {
        check(
            r#"  File "/usr/lib/a/b.py", line 12, in load"#,
            "/usr/lib/a/b.py",
            12,
            Some("load"),
        );
        check(
            r#"File "C:\x\b.py", line 3, in <module>"#,
            "C:/x/b.py",
            3,
            None,
        );
        check(
            "src/_pytest/main.py:240: in wrap_session",
            "src/_pytest/main.py",
            240,
            Some("wrap_session"),
        );
        check(
            "sympy/core/expr.py:124: AttributeError",
            "sympy/core/expr.py",
            124,
            None,
        );
        check(
            "    at Layer.handle [as x] (/app/lib/layer.js:95:5)",
            "/app/lib/layer.js",
            95,
            Some("handle"),
        );
        check("at /app/index.ts:3:1", "/app/index.ts", 3, None);
        check(
            "at com.shop.Cart$1.add(Cart.java:42)",
            "com/shop/Cart.java",
            42,
            Some("add"),
        );
        check(
            r"at Shop.Cart.Add(Item item) in C:\s\Cart.cs:line 7",
            "C:/s/Cart.cs",
            7,
            Some("Add"),
        );
        check(
            "#1 /srv/src/Cart.php(12): Shop\\Cart->add()",
            "/srv/src/Cart.php",
            12,
            Some("add"),
        );
        check(
            "PHP Fatal error: x in /srv/a.php on line 9",
            "/srv/a.php",
            9,
            None,
        );
        check(
            "\tfrom lib/cart.rb:3:in `add'",
            "lib/cart.rb",
            3,
            Some("add"),
        );
        check(
            "thread 'main' panicked at src/cart.rs:10:5:",
            "src/cart.rs",
            10,
            None,
        );
        check(
            "\t/go/src/shop/cart.go:31 +0x1d",
            "/go/src/shop/cart.go",
            31,
            None,
        );
    }

    #[test]
    fn other_lines_are_no_frames() {
        for line in [
            "",
            "at night it fails",
            "time: 12:30",
            "x.y:z",
            "see http://a.b:80/c",
            "#1 is wrong",
            "File a.py",
        ] {
            assert_eq!(frame(line), None, "{line}");
        }
    }

    #[test]
    fn the_innermost_comes_first_whatever_the_language() {
        let frames = |lines: &[&str]| {
            let read = lines.iter().filter_map(|line| frame(line)).collect();
            let ordered: Vec<String> = innermost_first(read).into_iter().map(|f| f.path).collect();
            ordered
        };
        assert_eq!(
            frames(&[
                r#"File "a.py", line 1, in f"#,
                r#"File "b.py", line 2, in g"#
            ]),
            ["b.py", "a.py"]
        );
        assert_eq!(
            frames(&["at f (x/a.js:1:1)", "at g (x/b.js:2:1)"]),
            ["x/a.js", "x/b.js"]
        );
    }
}
