//! Secrets that stand where a name or a form says so: `DB_PASS=…`, `https://user:…@host`, `user:$apr1$…`.

use super::pairs::{self, AssignedValue};
use super::place::SecretContext;
use super::secret_names::{SecretKind, kind_by_name};
use super::values::{decoded, is_crypt_hash, is_drawn, is_example, is_secret};
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// What is looked for, and by what it is judged. Lower case; the text's case does not matter.
const MARKS: &[(&str, Judge)] = &[
    ("pass", holds_named),
    ("pwd", holds_named),
    ("secret", holds_named),
    ("token", holds_named),
    ("key", holds_named),
    ("auth", holds_named),
    ("credential", holds_named),
    ("bearer", holds_bearer),
    ("psk", holds_named),
    ("rootpw", holds_named),
    ("bindpw", holds_named),
    ("salt", holds_named),
    ("identified by", holds_identified),
    ("://", holds_login),
    (" -u", holds_user),
    ("--user", holds_user),
    ("sshpass -p", holds_flag),
    ("mysql", holds_mysql_flag),
    ("eyj", holds_jwt),
    (":aa", holds_bot_token),
    (":$", holds_hash),
    ("'$", holds_hash),
    ("\"$", holds_hash),
    (":{s", holds_hash),
    ("kind: secret", holds_manifest),
    ("\"kind\": \"secret\"", holds_manifest),
    ("$ansible_vault;", |_| true),
];

type Judge = fn(&Mark<'_>) -> bool;

/// A mark within a text.
struct Mark<'a> {
    text: &'a [u8],
    start: usize,
    end: usize,
    place: SecretContext,
}

static FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let marks = MARKS.iter().map(|(mark, _)| mark);
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(marks)
        .expect("a few short words")
});

/// Longer names are not read whole.
const MOST_NAME: usize = 64;
/// How far forms are read.
const MOST_FORM: usize = 300;
/// How much of a manifest is read.
const MOST_MANIFEST: usize = 1 << 15;

/// Where a name or a form calls a value a secret: the places of what says so.
pub(super) fn assigned(place: SecretContext, text: &[u8]) -> impl Iterator<Item = usize> {
    let is_judged = !matches!(place, SecretContext::Test | SecretContext::Manual);
    let found = FINDER
        .find_overlapping_iter(text)
        .filter(move |_| is_judged);
    let meant = found.filter(move |found| {
        let judge = MARKS[found.pattern().as_usize()].1;
        judge(&Mark {
            text,
            start: found.start(),
            end: found.end(),
            place,
        })
    });
    meant.map(|found| found.start())
}

impl<'a> Mark<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.text[self.end..]
    }

    fn head(&self) -> &'a [u8] {
        &self.rest()[..self.rest().len().min(MOST_FORM)]
    }

    fn is(&self, value: &[u8], told: SecretKind) -> bool {
        is_secret(value, told, self.place)
    }

    /// Where the name that the mark stands in begins and ends.
    fn name(&self) -> (usize, usize) {
        let belongs = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
        let before = &self.text[self.start.saturating_sub(MOST_NAME)..self.start];
        let n_before = before.iter().rev().take_while(|byte| belongs(byte)).count();
        let after = &self.rest()[..self.rest().len().min(MOST_NAME)];
        let n_after = after.iter().take_while(|byte| belongs(byte)).count();
        (self.start - n_before, self.end + n_after)
    }
}

/// A value under a name of a secret.
fn holds_named(mark: &Mark<'_>) -> bool {
    let (start, end) = mark.name();
    let Some(told) = kind_by_name(&mark.text[start..end]) else {
        return false;
    };
    let opens_element = start > 0 && mark.text[start - 1] == b'<';
    let found = if opens_element {
        pairs::value_of_element(&mark.text[end..]).or_else(|| pairs::value_after(&mark.text[end..]))
    } else {
        pairs::value_after(&mark.text[end..])
    };
    found.is_some_and(|found| is_meant(&found, mark, start) && mark.is(found.text, told))
}

/// Whether a value is a literal there, not a name or a word.
fn is_meant(found: &AssignedValue<'_>, mark: &Mark<'_>, name_start: usize) -> bool {
    let is_flag = mark.text[..name_start].ends_with(b"-") || mark.text[name_start] == b'-';
    match mark.place {
        _ if found.is_argument => opens_call(&mark.text[..name_start]),
        SecretContext::Code => found.is_quoted || (found.is_tight && is_in_quotes(mark)),
        _ if found.is_bare => found.is_quoted || is_flag || opens_line(mark.text, name_start),
        _ => true,
    }
}

/// Whether what comes before a quoted name opens a call: one of a list of names has no value.
fn opens_call(before: &[u8]) -> bool {
    let before = before.strip_suffix(b"\"").or(before.strip_suffix(b"'"));
    before.is_some_and(|before| before.trim_ascii_end().ends_with(b"("))
}

/// Whether a quote opens before the mark on its line: it lies in a literal.
fn is_in_quotes(mark: &Mark<'_>) -> bool {
    let before = &mark.text[mark.start.saturating_sub(MOST_FORM)..mark.start];
    let line = before
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or(before);
    line.iter().filter(|byte| b"\"'`".contains(byte)).count() % 2 == 1
}

/// Whether nothing but blanks, or two words as in `.netrc`, stand before a name on its line.
fn opens_line(text: &[u8], at: usize) -> bool {
    let before = &text[at.saturating_sub(MOST_NAME)..at];
    let line = before
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or(before);
    let line = line.trim_ascii();
    line.is_empty()
        || [
            b"set".as_slice(),
            b"ENV",
            b"SetEnv",
            b"env",
            b"machine",
            b"login",
            b"neighbor",
        ]
        .iter()
        .any(|word| line.starts_with(word))
}

/// `Authorization: Bearer …` within a command or a text.
fn holds_bearer(mark: &Mark<'_>) -> bool {
    let value = mark.head().strip_prefix(b" ").unwrap_or_default();
    let is_of_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.=+/~".contains(byte);
    let n_bytes = value.iter().take_while(|byte| is_of_token(byte)).count();
    let value = str::from_utf8(&value[..n_bytes]).unwrap_or_default();
    is_drawn(value) && !is_example(value)
}

/// SQL's `IDENTIFIED BY 'x'`.
fn holds_identified(mark: &Mark<'_>) -> bool {
    let value = mark.head().trim_ascii_start();
    let value = value.strip_prefix(b"PASSWORD").unwrap_or(value);
    pairs::value_after(&[b" ".as_slice(), value].concat())
        .is_some_and(|found| mark.is(found.text, SecretKind::Password))
}

/// The password of an address: `scheme://user:password@host`.
fn holds_login(mark: &Mark<'_>) -> bool {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"/\"'`<>()\\,;?#".contains(byte);
    let head = mark.head();
    let end = head.iter().position(ends).unwrap_or(head.len());
    let Some(at) = head[..end].iter().rposition(|byte| *byte == b'@') else {
        return false;
    };
    let login = &head[..at];
    let Some(colon) = login.iter().position(|byte| *byte == b':') else {
        return is_token_login(login, mark);
    };
    mark.is(&login[colon + 1..], SecretKind::Password)
}

/// `https://TOKEN@host`.
fn is_token_login(login: &[u8], mark: &Mark<'_>) -> bool {
    // The keys in Sentry's addresses are public.
    let host = &mark.head()[login.len()..];
    let is_sentry = host.windows(6).take(60).any(|part| part == b"sentry");
    !is_sentry && login.len() >= 20 && mark.is(login, SecretKind::Key)
}

/// `curl -u user:password`.
fn holds_user(mark: &Mark<'_>) -> bool {
    let value = mark.head();
    let value = value
        .trim_ascii_start()
        .strip_prefix(b"=")
        .unwrap_or(value.trim_ascii_start());
    let value = value
        .strip_prefix(b"\"")
        .or(value.strip_prefix(b"'"))
        .unwrap_or(value);
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`".contains(byte);
    let end = value.iter().position(ends).unwrap_or(value.len());
    let mut parts = value[..end].splitn(2, |byte| *byte == b':');
    let (user, password) = (parts.next().unwrap_or_default(), parts.next());
    !user.is_empty() && password.is_some_and(|password| mark.is(password, SecretKind::Password))
}

/// `sshpass -p x`.
fn holds_flag(mark: &Mark<'_>) -> bool {
    let value = [b" ".as_slice(), mark.head().trim_ascii_start()].concat();
    pairs::value_after(&value).is_some_and(|found| mark.is(found.text, SecretKind::Password))
}

/// `mysql -u root -px`.
fn holds_mysql_flag(mark: &Mark<'_>) -> bool {
    let line = mark
        .head()
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    let mut words = line.split(u8::is_ascii_whitespace);
    words.any(|word| {
        word.strip_prefix(b"-p").is_some_and(|value| {
            let value = value.strip_prefix(b"'").unwrap_or(value);
            mark.is(
                value.strip_suffix(b"'").unwrap_or(value),
                SecretKind::Password,
            )
        })
    })
}

/// A JSON Web Token with its signature; those of manuals name John Doe.
fn holds_jwt(mark: &Mark<'_>) -> bool {
    if !mark.text[mark.start..].starts_with(b"eyJ") {
        return false;
    }
    let is_of_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let rest = &mark.text[mark.start..(mark.start + 4096).min(mark.text.len())];
    let n_bytes = rest.iter().take_while(|byte| is_of_token(byte)).count();
    let token = str::from_utf8(&rest[..n_bytes]).unwrap_or_default();
    let parts: Vec<&str> = token.split('.').collect();
    let is_of_manual = token.contains("IjEyMzQ1Njc4OTAi") || token.contains("Sm9obiBEb2U");
    parts.len() >= 3 && parts[1].starts_with("eyJ") && parts[2].len() >= 20 && !is_of_manual
}

/// Telegram's `1234567890:AA…`.
fn holds_bot_token(mark: &Mark<'_>) -> bool {
    const REST: std::ops::RangeInclusive<usize> = 32..=33;
    let before = mark.text[..mark.start].iter().rev();
    let n_digits = before
        .take(11)
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let is_of_token = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let n_bytes = mark.head().iter().take_while(is_of_token).count();
    let rest = str::from_utf8(&mark.head()[..n_bytes]).unwrap_or_default();
    (8..=10).contains(&n_digits) && REST.contains(&n_bytes) && is_drawn(rest)
}

/// A line of `.htpasswd` or `shadow`: `user:$apr1$…`.
fn holds_hash(mark: &Mark<'_>) -> bool {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b":\"',".contains(byte);
    let value = &mark.text[mark.start + 1..(mark.start + MOST_FORM).min(mark.text.len())];
    let end = value.iter().position(ends).unwrap_or(value.len());
    mark.place == SecretContext::Settings && str::from_utf8(&value[..end]).is_ok_and(is_crypt_hash)
}

/// A manifest of Kubernetes whose secret has values.
fn holds_manifest(mark: &Mark<'_>) -> bool {
    if mark.rest().first().is_some_and(u8::is_ascii_alphanumeric) {
        return false;
    }
    let from = mark.start.saturating_sub(MOST_MANIFEST);
    let to = (mark.end + MOST_MANIFEST).min(mark.text.len());
    let before = String::from_utf8_lossy(&mark.text[from..mark.start]);
    let after = String::from_utf8_lossy(&mark.text[mark.start..to]);
    let before = before.rsplit("\n---").next().unwrap_or_default();
    let after = after.split("\n---").next().unwrap_or_default();
    [before, after]
        .iter()
        .any(|part| has_data(part, mark.place))
}

fn has_data(manifest: &str, place: SecretContext) -> bool {
    let mut is_data = None;
    manifest.lines().any(|line| {
        let trimmed = line.trim_start_matches([' ', '"']);
        let is_nested = trimmed.len() < line.len();
        match trimmed.trim_end_matches([' ', '{', ':', '"']) {
            "data" => is_data = Some(true),
            "stringData" => is_data = Some(false),
            _ if !is_nested && !trimmed.is_empty() => is_data = None,
            _ => {}
        }
        let value = trimmed.split_once(": ").map_or("", |(_, value)| value);
        let value = value.trim_matches([' ', '"', '\'', ',']);
        match is_data {
            Some(true) => decoded(value).is_some_and(|plain| {
                is_secret(plain.trim_ascii(), SecretKind::Password, place)
                    || memchr::memmem::find(&plain, b"PRIVATE KEY").is_some()
            }),
            Some(false) => is_secret(value.as_bytes(), SecretKind::Password, place),
            None => false,
        }
    })
}
