//! Heads of functions as written: what is in the brackets, how many, of which types.

/// The text between the brackets that follow a name, and what follows them.
///
/// None where the head has no brackets or is cut before they close.
pub(crate) fn parameters<'s>(signature: &'s str, name: &str) -> Option<(&'s str, &'s str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let starts = signature.match_indices(name).map(|(at, _)| at);
    let opened = starts.filter_map(|at| {
        let before = signature[..at].chars().next_back();
        let rest = &signature[at + name.len()..];
        let is_whole = !before.is_some_and(is_word) && !rest.starts_with(is_word);
        let open = is_whole.then(|| after_generics(rest))??;
        open.starts_with('(').then_some(open)
    });
    let open = opened.last()?;
    let end = closing(open)?;
    Some((open[1..end].trim(), &open[end + 1..]))
}

/// What follows `<…>` or `[…]` behind a name.
fn after_generics(text: &str) -> Option<&str> {
    let text = text.trim_start();
    if text.starts_with(['<', '[']) {
        Some(text[closing(text)? + 1..].trim_start())
    } else {
        Some(text)
    }
}

/// Where the bracket that a text begins with is closed.
pub(crate) fn closing(text: &str) -> Option<usize> {
    let mut depth = 0i32;
    let mut last = ' ';
    let mut is_text = false;
    for (at, c) in text.char_indices() {
        is_text ^= c == '"' && last != '\\';
        match c {
            _ if is_text => {}
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if matches!(last, '-' | '=') => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
        last = c;
    }
    None
}

/// A list at its commas, those in brackets left alone.
pub(crate) fn split(list: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut last) = (0i32, 0, ' ');
    let mut is_text = false;
    for (at, c) in list.char_indices() {
        is_text ^= c == '"' && last != '\\';
        match c {
            _ if is_text => {}
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if matches!(last, '-' | '=') => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        last = c;
    }
    parts.push(list[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// How many parameters a head states.
pub(crate) fn arity(signature: &str, name: &str) -> Option<usize> {
    let (inside, _) = parameters(signature, name)?;
    Some(match inside {
        "void" => 0,
        inside => split(inside).len(),
    })
}

/// The types that a head of C's, Java's or Kotlin's kind states, without names and packages.
pub(crate) fn stated_types(signature: &str, name: &str) -> Option<Vec<String>> {
    let (inside, _) = parameters(signature, name)?;
    let stated = |part: &&str| match part.rsplit_once(": ") {
        Some((_, stated)) => plain(stated),
        None => plain(part.rsplit_once(' ').map_or(*part, |(stated, _)| stated)),
    };
    Some(split(inside).iter().map(stated).collect())
}

/// The types of parameters and results behind them, without packages: `func (r T) Name(a A) B`.
pub(crate) fn parameter_and_result_types(
    signature: &str,
    name: &str,
) -> Option<(Vec<String>, Vec<String>)> {
    let (inside, rest) = parameters(signature, name)?;
    let rest = rest.trim();
    let results = if rest.starts_with('(') {
        listed_types(&rest[1..closing(rest)?])
    } else if rest.is_empty() {
        Vec::new()
    } else {
        vec![plain(rest)]
    };
    Some((listed_types(inside), results))
}

/// The types of a list: all with a name before them, or none.
fn listed_types(list: &str) -> Vec<String> {
    let parts = split(list);
    let named: Vec<Option<(&str, &str)>> = parts.iter().map(|part| name_and_type(part)).collect();
    if named.iter().all(Option::is_none) {
        return parts.iter().map(|part| plain(part)).collect();
    }
    // `a, b int`: a name alone has the type of the next.
    let mut types: Vec<String> = Vec::with_capacity(parts.len());
    for named in named.iter().rev() {
        let stated = named.map(|(_, stated)| plain(stated));
        let last = types.last().cloned();
        types.extend(stated.or(last));
    }
    types.reverse();
    types
}

/// `name Type`; none for a type or a name alone.
fn name_and_type(part: &str) -> Option<(&str, &str)> {
    let end = part.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let (name, rest) = part.split_at(end);
    let is_keyword = matches!(name, "" | "chan" | "func" | "struct" | "map" | "interface");
    let has_gap = rest.starts_with(' ');
    (!is_keyword && has_gap).then(|| (name, rest.trim()))
}

/// A type without packages and spaces.
fn plain(text: &str) -> String {
    let text = text
        .replace("interface{}", "any")
        .replace("interface {}", "any");
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut made = String::with_capacity(text.len());
    let mut word = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            c if is_word(c) => word.push(c),
            '.' if !word.is_empty() && chars.peek().copied().is_some_and(is_word) => word.clear(),
            ' ' if !matches!(word.as_str(), "chan" | "func") => {
                made.push_str(&std::mem::take(&mut word))
            }
            c => {
                made.push_str(&std::mem::take(&mut word));
                made.push(c);
            }
        }
    }
    made.push_str(&word);
    made
}

#[cfg(test)]
mod tests {
    use super::{arity, parameter_and_result_types};

    #[test]
    fn parameters_of_go_are_told_by_their_types() {
        let check = |left: (&str, &str), right: (&str, &str)| {
            parameter_and_result_types(left.0, left.1)
                == parameter_and_result_types(right.0, right.1)
        };
        let stated = "Select(UpstreamPool, *http.Request, http.ResponseWriter) *Upstream";
        for (head, expected) in [
            (
                "func (s H) Select(pool UpstreamPool, req *http.Request, _ http.ResponseWriter) *Upstream",
                true,
            ),
            (
                "func (s H) Select(pool proxy.UpstreamPool, req *http.Request, w http.ResponseWriter) *proxy.Upstream",
                true,
            ),
            (
                "func (s H) Select(pool UpstreamPool, req http.Request, w http.ResponseWriter) *Upstream",
                false,
            ),
            ("func (s H) Select(pool UpstreamPool)", false),
        ] {
            assert_eq!(
                check((stated, "Select"), (head, "Select")),
                expected,
                "{head}"
            );
        }
        assert!(check(
            ("Get(a, b int, c ...string) (n int, err error)", "Get"),
            ("func (x *X) Get(int, int, ...string) (int, error)", "Get")
        ));
        assert!(check(
            ("On(func(a int) error, chan int, interface{})", "On"),
            (
                "func (x X) On(f func(a int) error, c chan int, v any)",
                "On"
            )
        ));
    }

    #[test]
    fn parameters_are_counted_in_any_language() {
        for (head, name, expected) in [
            (
                "override fun get(a: Map<A, B>, b: (Int, Int) -> C): D",
                "get",
                Some(2),
            ),
            ("virtual void run(void) = 0;", "run", Some(0)),
            ("def visit(self, node)", "visit", Some(2)),
            ("fn f<T>(&self, x: fn(T) -> U) -> V", "f", Some(2)),
            ("val name: String", "name", None),
            ("fn cut(a: A, b:", "cut", None),
        ] {
            assert_eq!(arity(head, name), expected, "{head}");
        }
    }
}
