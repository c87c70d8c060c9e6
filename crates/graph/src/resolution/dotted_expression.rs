//! A dotted expression as text in, its steps out.

/// A part of a dotted expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) called: bool,
    /// The result of the call is called as well: `f()()`.
    pub(crate) called_again: bool,
    pub(crate) indexed: bool,
    /// What stands in angle brackets behind the name.
    pub(crate) arguments: String,
    /// What stands in the brackets behind it, where that is kept.
    pub(crate) given: String,
}

/// The first steps of a dotted expression.
#[derive(Clone, Copy)]
pub(crate) struct FirstSteps<'e> {
    /// The whole expression.
    pub(crate) text: &'e str,
    pub(crate) steps: &'e [Step],
}

impl Step {
    fn new() -> Self {
        Self {
            name: String::new(),
            called: false,
            called_again: false,
            indexed: false,
            arguments: String::new(),
            given: String::new(),
        }
    }
}

/// Splits `new Foo(a).bar[0].baz` into its steps; none when it is not such an expression.
pub(crate) fn steps(text: &str) -> Vec<Step> {
    let mut text = text.trim();
    loop {
        // PHP: `new \A\B()` is kept without the blank.
        let shorter = [
            "new ", "new\\", "const ", "await ", "&mut ", "&", "*", "!", "return ", "try ",
            "yield ",
        ]
        .iter()
        .find_map(|word| text.strip_prefix(word));
        let inner = text
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        match shorter.or(inner.filter(|inner| !inner.contains([')', '(']))) {
            Some(rest) => text = rest.trim(),
            None => break,
        }
    }
    let text = text
        .strip_prefix("@")
        .map_or_else(|| text.to_owned(), |rest| format!("@.{rest}"));
    let mut steps: Vec<Step> = Vec::new();
    let mut step = Step::new();
    let (mut depth, mut n_angles) = (0u32, 0u32);
    let mut is_given = false;
    let mut quoted: Option<String> = None;
    for c in text.chars() {
        if let Some(mut name) = quoted.take() {
            match c {
                '`' => step.name = unquoted(name),
                c => {
                    name.push(c);
                    quoted = Some(name);
                }
            }
            continue;
        }
        is_given &= depth > 0;
        if is_given && !(c == ')' && depth == 1) {
            step.given.push(c);
        }
        if n_angles > 0 && depth >= n_angles && !(c == '>' && depth == n_angles) {
            step.arguments.push(c);
        }
        match c {
            '(' | '[' | '{' | '<' if depth > 0 => depth += 1,
            '(' | '{' => {
                is_given = c == '(' && step.given.is_empty();
                step.called_again = c == '(' && step.called && !step.indexed;
                step.called = true;
                depth += 1;
            }
            '[' => {
                step.indexed = true;
                depth += 1;
            }
            '<' => {
                depth += 1;
                n_angles = depth;
            }
            ')' | ']' | '}' | '>' if depth > 0 => {
                depth -= 1;
                n_angles = n_angles.min(depth);
            }
            _ if depth > 0 => {}
            '.' | ':' | '?' | '!' | '-' | '>' | '\\' => {
                if !step.name.is_empty() {
                    steps.push(std::mem::replace(&mut step, Step::new()));
                }
            }
            '`' if step.name.is_empty() => quoted = Some(String::new()),
            ' ' | ';' => {}
            c if c.is_alphanumeric() || matches!(c, '_' | '$' | '@' | '#') => step.name.push(c),
            _ => return Vec::new(),
        }
    }
    if !step.name.is_empty() {
        steps.push(step);
    }
    steps
}

/// Says whether an expression is a string, a number or nothing.
pub(crate) fn is_literal(text: &str) -> bool {
    if matches!(text, "None" | "null" | "undefined") {
        return true;
    }
    let text = text.trim_start_matches(['(', '-']);
    let bare = text.trim_start_matches(['b', 'r', 'f', 'u', 'R', 'B', 'F', '#', '@', '$']);
    bare.starts_with(['"', '\'', '`']) || text.starts_with(|c: char| c.is_ascii_digit())
}

/// A name in backticks; those of a word that is one without them say nothing.
fn unquoted(name: String) -> String {
    match name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        true => name,
        false => format!("`{name}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    pub(crate) fn an_expression_falls_into_steps() {
        let read = |text: &str| -> Vec<String> {
            let mark = |step: &super::Step| {
                let call = if step.called { "()" } else { "" };
                let index = if step.indexed { "[]" } else { "" };
                format!("{}{call}{index}", step.name)
            };
            steps(text).iter().map(mark).collect()
        };
        assert_eq!(read("new Foo(a, b).bar[0].baz"), ["Foo()", "bar[]", "baz"]);
        assert_eq!(read("crate::x::Y"), ["crate", "x", "Y"]);
        assert_eq!(read("(*self)"), ["self"]);
        assert_eq!(read("Foo::<T>::new(x)"), ["Foo", "new()"]);
        assert_eq!(read("this?.app!.router"), ["this", "app", "router"]);
        assert_eq!(read("`If-Range`.made(x)"), ["`If-Range`", "made()"]);
        assert_eq!(read("`type`.of"), ["type", "of"]);
        assert_eq!(read("a + b"), Vec::<String>::new());
        let arguments = steps("new Box<List<A>>().make<B, C>(x).open");
        let arguments: Vec<&str> = arguments
            .iter()
            .map(|step| step.arguments.as_str())
            .collect();
        assert_eq!(arguments, ["List<A>", "B, C", ""]);
    }
}
