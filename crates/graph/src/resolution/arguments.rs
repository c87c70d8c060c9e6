//! Whether a call fits the head of a function: by how many arguments it has, their names, and what those
//! are that say their types themselves. Text in, a verdict out; nothing is resolved.

use whyrank_syntax::ArgumentSign;

use crate::resolution::signatures;

/// How well a call fits a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// It cannot mean the function.
    No,
    /// It may.
    May,
    /// Each parameter has its argument, of the very type.
    Exact,
}

/// A parameter as a head of Java's, Kotlin's or C#'s kind states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    name: String,
    /// The type, without its package.
    pub(crate) stated: String,
    may_lack: bool,
    is_rest: bool,
    /// C#: what an extension is called on.
    is_this: bool,
}

/// An argument of a call.
pub(crate) struct Argument<'s> {
    name: Option<&'s str>,
    sign: ArgumentSign,
}

/// The arguments of a call, as facts tell them.
pub(crate) fn arguments(text: &str) -> Vec<Argument<'_>> {
    let parts = text.split(',').filter(|part| !part.is_empty());
    let read = |part| {
        let (name, sign) = match str::rsplit_once(part, '=') {
            Some((name, sign)) => (Some(name), sign),
            None => (None, part),
        };
        let sign = sign.chars().next().unwrap_or('?');
        Argument {
            name,
            sign: ArgumentSign::of(sign),
        }
    };
    parts.map(read).collect()
}

/// The parameters that a head states; none where it is cut, or not understood.
pub(crate) fn parameters(signature: &str, name: &str) -> Option<Vec<Parameter>> {
    let is_told_once = signature.matches(&format!("{name}(")).count() <= 1;
    let (inside, _) = signatures::parameters(signature, name).filter(|_| is_told_once)?;
    signatures::split(inside)
        .into_iter()
        .map(parameter)
        .collect()
}

fn parameter(part: &str) -> Option<Parameter> {
    let part = without_marks(part);
    let (head, may_lack) = match default_at(part) {
        Some(offset) => (part[..offset].trim(), true),
        None => (part, false),
    };
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '`');
    let colon = head
        .find(':')
        .filter(|offset| !head[offset + 1..].starts_with(':'));
    let named_first = colon.filter(|offset| {
        let before = head[..*offset].trim_end();
        before.chars().all(|c| is_word(c) || c == ' ')
    });
    let (before, name, stated) = match named_first {
        Some(offset) => {
            let (before, name) = split_last(head[..offset].trim_end());
            (before, name, head[offset + 1..].trim())
        }
        None => {
            let (stated, name) = split_last(head);
            (stated, name, stated)
        }
    };
    let says = |word: &str| before.split_whitespace().any(|found| found == word);
    // Behind the name a star repeats; before it, it is a pointer.
    let is_repeated = named_first.is_some() && stated.ends_with('*') && !stated.contains(' ');
    let is_rest = says("vararg") || says("params") || stated.ends_with("...") || is_repeated;
    let is_this = says("this");
    let is_name = !name.is_empty() && name.chars().all(is_word);
    (is_name && !stated.is_empty()).then(|| Parameter {
        name: name.trim_matches('`').to_owned(),
        stated: plain(stated),
        may_lack: may_lack || is_rest,
        is_rest,
        is_this,
    })
}

/// A parameter without annotations and attributes.
fn without_marks(part: &str) -> &str {
    let mut rest = part.trim();
    loop {
        let behind = if let Some(mark) = rest.strip_prefix('@') {
            let end = mark.find(|c: char| !(c.is_alphanumeric() || "_.:".contains(c)));
            let behind = end.map_or("", |end| &mark[end..]);
            match behind.starts_with('(') {
                true => signatures::closing(behind).map_or("", |close| &behind[close + 1..]),
                false => behind,
            }
        } else if rest.starts_with('[') {
            signatures::closing(rest).map_or("", |close| &rest[close + 1..])
        } else {
            return rest;
        };
        rest = behind.trim_start();
    }
}

/// Where the value begins that a parameter has without an argument.
fn default_at(part: &str) -> Option<usize> {
    let bytes = part.as_bytes();
    let mut signs = part.match_indices('=').map(|(offset, _)| offset);
    signs.find(|offset| {
        let next = bytes.get(offset + 1);
        let before = offset.checked_sub(1).map(|offset| bytes[offset]);
        !matches!(next, Some(b'=' | b'>')) && !matches!(before, Some(b'=' | b'!' | b'<' | b'>'))
    })
}

fn split_last(text: &str) -> (&str, &str) {
    text.rsplit_once(char::is_whitespace)
        .map_or(("", text), |(before, last)| (before.trim_end(), last))
}

/// A type without modifiers, packages and what says that it may be none.
fn plain(stated: &str) -> String {
    let words = [
        "final", "ref", "out", "in", "params", "this", "scoped", "readonly",
    ];
    let mut rest = stated;
    while let Some((_, behind)) = rest
        .split_once(' ')
        .filter(|(word, _)| words.contains(word))
    {
        rest = behind.trim_start();
    }
    let head = rest.split(['<', '[', '(', '?']).next().unwrap_or(rest);
    let package = head.rfind('.').map_or(0, |offset| offset + 1);
    let is_rest = rest.ends_with("...");
    match is_rest {
        true => rest.trim_end_matches('.').to_owned(),
        false => rest[package..].to_owned(),
    }
}

/// Says whether an extension cannot be meant where a value stands before its name: the arguments do not fit what
/// follows the value.
pub(crate) fn misses_value(parameters: &[Parameter], given: &[Argument<'_>]) -> bool {
    let extended = parameters.split_first().filter(|(first, _)| first.is_this);
    extended.is_some_and(|(_, others)| bound(others, given) == Fit::No)
}

/// How well arguments fit what a head states.
pub(crate) fn fit(parameters: &[Parameter], given: &[Argument<'_>]) -> Fit {
    match parameters.split_first() {
        // Called on its first parameter, or with it as an argument.
        Some((first, others)) if first.is_this => {
            let as_argument = bound(parameters, given);
            bound(others, given).max(as_argument.min(Fit::May))
        }
        _ => bound(parameters, given),
    }
}

fn bound(parameters: &[Parameter], given: &[Argument<'_>]) -> Fit {
    let mut is_bound = vec![false; parameters.len()];
    let mut next = 0;
    let mut is_exact = true;
    for argument in given {
        let named = |name| parameters.iter().position(|one| one.name == name);
        let place = match argument.name {
            _ if argument.sign == ArgumentSign::FunctionBehind => parameters.len().checked_sub(1),
            Some(name) => named(name),
            None => Some(next),
        };
        let Some((offset, parameter)) =
            place.and_then(|offset| Some((offset, parameters.get(offset)?)))
        else {
            return Fit::No;
        };
        if is_bound[offset] && !parameter.is_rest {
            return Fit::No;
        }
        is_bound[offset] = true;
        if offset == next && !(parameter.is_rest && argument.name.is_none()) {
            next += 1;
        }
        let fit = match parameter.is_rest || argument.sign == ArgumentSign::Spread {
            true => Fit::May,
            false => fit_of_type(&parameter.stated, argument.sign),
        };
        if fit == Fit::No {
            return Fit::No;
        }
        is_exact &= fit == Fit::Exact;
    }
    let lacks = parameters
        .iter()
        .zip(&is_bound)
        .filter(|(_, bound)| !**bound);
    let mut n_lacking = 0;
    for (parameter, _) in lacks {
        if !parameter.may_lack {
            return Fit::No;
        }
        n_lacking += 1;
    }
    match is_exact && n_lacking == 0 {
        true => Fit::Exact,
        false => Fit::May,
    }
}

/// What is known of a type by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Whole,
    Number,
    Fraction,
    Text,
    Character,
    Truth,
    /// An array, a collection.
    Many,
    Function,
    Nothing,
}

fn known(stated: &str) -> Known {
    let stated = stated.trim_end_matches(['?', '!']);
    if stated.contains("->") {
        return Known::Function;
    }
    if stated.ends_with(']') {
        return Known::Many;
    }
    match stated.split('<').next().unwrap_or(stated).trim() {
        "Int" | "int" => Known::Whole,
        "Long" | "long" | "Short" | "short" | "Byte" | "byte" | "Float" | "float" | "uint"
        | "ulong" | "ushort" | "sbyte" | "decimal" | "UInt" | "ULong" => Known::Number,
        "Double" | "double" => Known::Fraction,
        "String" | "string" => Known::Text,
        "Char" | "char" => Known::Character,
        "Boolean" | "boolean" | "bool" => Known::Truth,
        "Array" | "ArrayList" | "Dictionary" | "HashMap" | "HashSet" | "List" | "Map"
        | "MutableList" | "MutableMap" | "MutableSet" | "Set" => Known::Many,
        "Action" | "Func" | "Runnable" => Known::Function,
        _ => Known::Nothing,
    }
}

fn fit_of_type(stated: &str, sign: ArgumentSign) -> Fit {
    use ArgumentSign as Sign;
    let known = known(stated);
    match (sign, known) {
        (Sign::Other | Sign::Spread, _) | (_, Known::Nothing) => Fit::May,
        (Sign::Whole, Known::Whole)
        | (Sign::Fraction, Known::Fraction)
        | (Sign::Text, Known::Text)
        | (Sign::Character, Known::Character)
        | (Sign::Truth, Known::Truth)
            if !stated.ends_with(['?', '!']) =>
        {
            Fit::Exact
        }
        (Sign::Whole, Known::Whole | Known::Number | Known::Fraction)
        | (Sign::Fraction, Known::Fraction)
        | (Sign::Text, Known::Text)
        | (Sign::Character, Known::Character | Known::Whole | Known::Number | Known::Fraction)
        | (Sign::Truth, Known::Truth)
        | (Sign::Null, _)
        | (Sign::Function | Sign::FunctionBehind, Known::Function) => Fit::May,
        _ => Fit::No,
    }
}

/// Says whether the head of a value tells that it is none that can be called: a number, a string.
pub(crate) fn is_plain_value(signature: &str) -> bool {
    if signature.contains("->") || signature.contains('{') {
        return false;
    }
    let value = default_at(signature).map(|offset| signature[offset + 1..].trim_start());
    let is_literal = |value: &str| value.starts_with(|c: char| c == '"' || c.is_ascii_digit());
    let is_plain = |stated: &str| !matches!(known(stated), Known::Nothing | Known::Function);
    let head = default_at(signature).map_or(signature, |offset| &signature[..offset]);
    let stated = head.split_once(':').map(|(_, stated)| stated.trim());
    value.is_some_and(is_literal) || stated.is_some_and(is_plain)
}

#[cfg(test)]
mod tests {
    use super::{Fit, arguments, fit, parameters};

    #[test]
    fn a_call_fits_by_number_names_and_what_says_its_type() {
        let dialog = "fun dialog(state: String, dark: Boolean = false, onDismiss: () -> Unit)";
        let java = "void many(String f, @NonNull final Object... rest)";
        let sharp = "internal static void Dup(this Sayer s, [In] int x, string sep = \", \")";
        for (signature, name, given, expected) in [
            (dialog, "dialog", "state=\",onDismiss={", Fit::May),
            (dialog, "dialog", "\",}", Fit::May),
            (dialog, "dialog", "\",t,}", Fit::May),
            (dialog, "dialog", "1,}", Fit::No),
            (dialog, "dialog", "\"", Fit::No),
            (dialog, "dialog", "onDismiss=?,vm=?", Fit::No),
            (dialog, "dialog", "\",state=\",}", Fit::No),
            ("fun m()", "m", "", Fit::Exact),
            ("fun m()", "m", "?", Fit::No),
            ("fun m(a: Int)", "m", "1", Fit::Exact),
            ("fun m(a: Long)", "m", "1", Fit::May),
            ("fun m(a: String)", "m", "1", Fit::No),
            ("fun m(a: Int, vararg b: Int)", "m", "1,1,1", Fit::May),
            ("fun m(a: Int, b: T.() -> Unit)", "m", "1,}", Fit::May),
            (java, "many", "\",?,?", Fit::May),
            (java, "many", "\"", Fit::May),
            (java, "many", "", Fit::No),
            (sharp, "Dup", "1", Fit::May),
            (sharp, "Dup", "?,1", Fit::May),
            (sharp, "Dup", "?,1,\"", Fit::May),
            (sharp, "Dup", "", Fit::No),
            (sharp, "Dup", "?,1,\",?", Fit::No),
            ("void M(int? a)", "M", "0", Fit::May),
            ("void M(System.Func<int, bool> a)", "M", "{", Fit::May),
            ("void M(int[] a)", "M", "1", Fit::No),
            ("int Two(int* p, int k)", "Two", "?,1", Fit::May),
            ("int Two(int* p, int k)", "Two", "?,1,1", Fit::No),
            ("def two(k: Int, p: Int*)", "two", "1,1,1", Fit::May),
        ] {
            let stated = parameters(signature, name).expect(signature);
            assert_eq!(
                fit(&stated, &arguments(given)),
                expected,
                "{signature} {given}"
            );
        }
        assert_eq!(parameters("fun cut(a: Int, b:", "cut"), None);
    }
}
