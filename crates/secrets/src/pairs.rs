//! The value that belongs to a name: after a sign, in quotes, in the next attribute, on the next line.

/// A value as it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AssignedValue<'a> {
    pub text: &'a [u8],
    /// It stands in quotes of its own.
    pub is_quoted: bool,
    /// It follows its name without a blank, as in `Password=x;` of a connection string.
    pub is_tight: bool,
    /// Nothing but blanks part it from its name.
    pub is_bare: bool,
    /// It is the next item, as of a call: `define('DB_PASSWORD', 'x')`.
    pub is_argument: bool,
}

/// How far a value may lie from its name.
const MOST_GAP: usize = 120;
/// How long a declaration is read in which a default may stand.
const MOST_DECLARATION: usize = 400;
/// How far a value is read.
const MOST_VALUE: usize = 4200;

/// What may stand around a value's own name: `"name": "DB_PASSWORD", "value": "x"`.
const VALUE_NAMES: &[&[u8]] = &[b"value", b"Value", b"content", b"default", b"defaultValue"];

/// The value after a name; `rest` begins where the name ends.
pub(super) fn value_after(rest: &[u8]) -> Option<AssignedValue<'_>> {
    let rest = &rest[..rest.len().min(MOST_GAP + MOST_VALUE)];
    let closed = skip(rest, b"\"'`])\\");
    let spaced = skip(closed, b" \t");
    let was_closed = closed.len() < rest.len();
    match *spaced.first()? {
        b'=' | b':' | b'?' | b'|' | b'+' if has_sign(spaced) => after_sign(spaced, rest),
        b'>' => plain_value(&spaced[1..], b"<\n"),
        b'<' => in_element(spaced),
        b'{' => by_default(spaced),
        b',' if was_closed => named_value(&spaced[1..]).or_else(|| argument(&spaced[1..])),
        b'\n' | b'\r' => named_value(spaced),
        _ if was_closed => named_value(spaced),
        _ if spaced.len() < closed.len() => bare(spaced),
        _ => None,
    }
}

fn argument(text: &[u8]) -> Option<AssignedValue<'_>> {
    let found = quoted(skip(text, b" \t\n\r"))?;
    Some(AssignedValue {
        is_argument: true,
        ..found
    })
}

/// The value within an element of XML whose name, or one of whose attributes, is such a name.
pub(super) fn value_of_element(rest: &[u8]) -> Option<AssignedValue<'_>> {
    let head = &rest[..rest.len().min(MOST_GAP)];
    let end = head.iter().position(|byte| *byte == b'>')?;
    plain_value(&rest[end + 1..], b"<\n")
}

fn skip<'a>(text: &'a [u8], what: &[u8]) -> &'a [u8] {
    let n_bytes = text.iter().take_while(|byte| what.contains(byte)).count();
    &text[n_bytes..]
}

fn has_sign(text: &[u8]) -> bool {
    let sign = &text[..text.len().min(3)];
    sign.contains(&b'=') || sign.first() == Some(&b':')
}

fn after_sign<'a>(text: &'a [u8], rest: &'a [u8]) -> Option<AssignedValue<'a>> {
    let signed = skip(text, b"=:?|+>");
    // A shell's alternative, and a variable of psql.
    if text.starts_with(b":+") || (text.starts_with(b":'") && rest.starts_with(b" ")) {
        return None;
    }
    // A shell's default.
    let is_default = text.starts_with(b":-");
    let signed = &signed[usize::from(is_default)..];
    let value = skip(signed, b" \t[(");
    let is_tight = value.len() + 1 == rest.len();
    let value = match value.first()? {
        b'{' => return by_default(value),
        b'\n' | b'\r' => next_line(value)?,
        // A block of YAML: the text begins on the next line.
        b'>' | b'|' => next_line(skip(value, b">|-+0123456789 \t"))?,
        _ => value,
    };
    let value = skip(value, b"\\");
    let value = value
        .strip_prefix(b"Bearer ")
        .or(value.strip_prefix(b"Basic "))
        .unwrap_or(value);
    if let Some(found) = typed(value) {
        return Some(found);
    }
    let found = quoted(value).or_else(|| plain_value(value, b" \t\r\n,;<>)]}\"'`"))?;
    Some(AssignedValue { is_tight, ..found })
}

/// The literal behind a type: `password: &str = "x"`.
fn typed(value: &[u8]) -> Option<AssignedValue<'_>> {
    let head = &value[..value.len().min(40)];
    let is_of_type = |byte: &u8| byte.is_ascii_alphanumeric() || b"&'_.<>? |:[]*".contains(byte);
    let n_bytes = head.iter().take_while(|byte| is_of_type(byte)).count();
    let (kind, sign) = value.split_at(n_bytes);
    let is_type =
        kind.last() == Some(&b' ') && sign.first() == Some(&b'=') && sign.get(1) != Some(&b'=');
    is_type.then(|| quoted(skip(&sign[1..], b" \t"))).flatten()
}

fn next_line(text: &[u8]) -> Option<&[u8]> {
    let ended = skip(text, b"\r");
    (ended.first() == Some(&b'\n')).then(|| skip(ended, b"\r\n \t"))
}

/// What is in the quotes that begin here, `u`, `b`, `r` or `@` before them.
fn quoted(text: &[u8]) -> Option<AssignedValue<'_>> {
    let text = match text {
        [b'u' | b'b' | b'r' | b'f' | b'@' | b'L', b'"' | b'\'', ..] => &text[1..],
        _ => text,
    };
    let quote = *text.first().filter(|first| b"\"'`".contains(first))?;
    let inside = &text[1..];
    let end = inside
        .iter()
        .position(|byte| *byte == quote || *byte == b'\n')?;
    let is_closed = inside[end] == quote;
    // A quote that is escaped, as within JSON in a string.
    let end = end - usize::from(end > 0 && inside[end - 1] == b'\\');
    is_closed.then_some(AssignedValue {
        text: &inside[..end],
        is_quoted: true,
        is_tight: false,
        is_bare: false,
        is_argument: false,
    })
}

fn plain_value<'a>(text: &'a [u8], ends: &[u8]) -> Option<AssignedValue<'a>> {
    let end = text
        .iter()
        .position(|byte| ends.contains(byte))
        .unwrap_or(text.len());
    // A call, not a value.
    let of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
    let n_name = text[..end].iter().take_while(of_name).count();
    let is_call = n_name > 0 && text.get(n_name) == Some(&b'(');
    (!is_call && end > 0).then(|| AssignedValue {
        text: text[..end].trim_ascii(),
        is_quoted: false,
        is_tight: false,
        is_bare: false,
        is_argument: false,
    })
}

/// `requirepass x`, `--password x`, `IDENTIFIED BY 'x'`.
fn bare(text: &[u8]) -> Option<AssignedValue<'_>> {
    // A word of prose that is set off.
    if text.starts_with(b"`") {
        return None;
    }
    let found = quoted(text).or_else(|| plain_value(text, b" \t\r\n,;<>)]}\"'`"))?;
    Some(AssignedValue {
        is_bare: true,
        ..found
    })
}

/// The value that is named so, a little further on: `value: x`, `"value": "x"`, `value="x"`.
fn named_value(text: &[u8]) -> Option<AssignedValue<'_>> {
    let named = skip(text, b" \t\r\n,\"'-");
    let gap = text.len() - named.len();
    let name = VALUE_NAMES.iter().find(|name| named.starts_with(name))?;
    let after = skip(&named[name.len()..], b"\"'");
    let signed = skip(after, b" \t");
    (gap <= MOST_GAP && matches!(signed.first(), Some(b'=' | b':')))
        .then(|| after_sign(signed, after))?
}

/// `variable "password" { default = "x" }`, `"Password": {"Type": "String", "Default": "x"}`.
fn by_default(text: &[u8]) -> Option<AssignedValue<'_>> {
    let head = &text[..text.len().min(MOST_DECLARATION)];
    let block = head.split(|byte| *byte == b'}').next()?;
    let named = memchr::memmem::find(block, b"efault")? + b"efault".len();
    let after = skip(&text[named..], b"\"' \t");
    has_sign(after.get(..1)?).then(|| after_sign(after, after))?
}

/// `</key> <string>x</string>`, as property lists have it.
fn in_element(text: &[u8]) -> Option<AssignedValue<'_>> {
    let head = &text[..text.len().min(MOST_GAP)];
    let end = head.iter().position(|byte| *byte == b'>')?;
    let next = skip(&text[end + 1..], b" \t\r\n");
    let is_value = [b"<string".as_slice(), b"<value", b"<data"]
        .iter()
        .any(|kind| next.starts_with(kind));
    (text.starts_with(b"</") && is_value).then(|| value_of_element(next))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_in_every_notation() {
        for text in [
            "=v4lue",
            " = 'v4lue'",
            ": v4lue # x",
            "\": \"v4lue\",",
            " := \"v4lue\"",
            "' => 'v4lue',",
            "', 'v4lue');",
            "\" value=\"v4lue\"/>",
            "\">v4lue</string>",
            ">v4lue</password>",
            "</key>\n\t<string>v4lue</string>",
            "\n    value: v4lue\n",
            "\", \"value\": \"v4lue\"}",
            ": >-\n    v4lue\n",
            " v4lue\n",
            ": &str = \"v4lue\";",
            "\\\": \\\"v4lue\\\"",
            ": [\"v4lue\"]",
            "=v4lue;Port=1",
            "'] = \"v4lue\"",
            ": string = 'v4lue'",
            "\" {\n  default = \"v4lue\"\n}",
        ] {
            let found = value_after(text.as_bytes()).map(|found| found.text);
            assert_eq!(found, Some(b"v4lue".as_slice()), "{text}");
        }
        for text in ["", ".length", "(x)", " = f(x)", "_file"] {
            assert_eq!(value_after(text.as_bytes()), None, "{text}");
        }
    }
}
