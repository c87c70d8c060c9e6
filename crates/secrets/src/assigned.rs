//! Secrets that stand where a name or a form says so: `DB_PASS=…`, `https://user:…@host`, `user:$apr1$…`.

use super::commands::{behind_flag, behind_sign, first_word, last_word, piped};
use super::literals;
use super::mark::{Found, MOST_FORM, Mark};
use super::pairs::{self, AssignedValue};
use super::place::SecretContext;
use super::secret_names::{SecretKind, kind_by_name};
use super::strike::range_of;
use super::values::{decoded, is_crypt_hash, is_drawn, is_example, is_secret};
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// What is looked for, and by what it is judged. Lower case; the text's case does not matter.
const MARKS: &[(&str, Judge)] = &[
    ("pass", named),
    ("pw", named),
    ("secret", named),
    ("token", named),
    ("key", named),
    ("auth", named),
    ("cred", named),
    ("psk", named),
    ("salt", named),
    ("bearer", bearer),
    ("identified by", literal),
    ("securestring", literal),
    ("://", login),
    ("eyj", web_token),
    (":aa", bot_token),
    (":$", hash),
    ("'$", hash),
    ("\"$", hash),
    (":{s", hash),
    ("kind: secret", manifest),
    ("\"kind\": \"secret\"", manifest),
    ("$ansible_vault;", vault),
    ("cookie", cookies),
    ("sess", session),
    ("sid", session),
    ("sig=", session),
    ("signature=", session),
    // What is given to calls that log in.
    ("basicauth(", arguments),
    ("basic_auth(", arguments),
    ("credential(", arguments),
    ("credentials(", arguments),
    ("authentication(", arguments),
    ("getconnection(", arguments),
    ("new pdo(", arguments),
    ("mysqli_connect(", arguments),
    ("mysqli(", arguments),
    (".login(", arguments),
    ("sp_addlogin", literal),
    // And to calls that sign.
    ("jwt.encode(", arguments),
    ("jwt.sign(", arguments),
    ("jwt.decode(", arguments),
    ("jwt.verify(", arguments),
    ("hmac.new(", arguments),
    ("createhmac(", arguments),
    ("secretkeyspec(", arguments),
    (".signwith(", arguments),
    (".setsigningkey(", arguments),
    ("@tcp(", source_name),
    ("@unix(", source_name),
    // What stands before the name that it is for.
    ("default", of_next),
    // Commands.
    (" -u", |mark, found| behind_sign(mark, b':', found)),
    ("--user", |mark, found| behind_sign(mark, b':', found)),
    (" pass:", first_word),
    ("smbclient", |mark, found| behind_percent(mark, found)),
    ("docker login", |mark, found| behind_flag(mark, "-p", found)),
    ("podman login", |mark, found| behind_flag(mark, "-p", found)),
    ("registry login", |mark, found| {
        behind_flag(mark, "-p", found)
    }),
    ("az login", |mark, found| behind_flag(mark, "-p", found)),
    ("sshpass", |mark, found| behind_flag(mark, "-p", found)),
    ("mysql", |mark, found| behind_flag(mark, "-p", found)),
    ("mongo", |mark, found| behind_flag(mark, "-p", found)),
    ("redis-cli", |mark, found| behind_flag(mark, "-a", found)),
    ("sqlcmd", |mark, found| behind_flag(mark, "-P", found)),
    ("ldap", |mark, found| behind_flag(mark, "-w", found)),
    ("zip ", |mark, found| behind_flag(mark, "-P", found)),
    ("ssh-keygen", |mark, found| behind_flag(mark, "-N", found)),
    ("nuget push", |mark, found| behind_flag(mark, "-k", found)),
    ("htpasswd", last_word),
    ("vault login", last_word),
    ("cargo login", last_word),
    ("sudo -s", piped),
    ("chpasswd", piped),
    ("--password-stdin", piped),
    ("passwd --stdin", piped),
    ("--with-token", piped),
];

/// Adds to what is found the secrets that a mark leads to.
type Judge = fn(&Mark<'_>, &mut Found);

static FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let marks = MARKS.iter().map(|(mark, _)| mark);
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(marks)
        .expect("a few short words")
});

/// How much of a manifest is read.
const MOST_MANIFEST: usize = 1 << 15;
/// Bytes between a default and the name that it is for.
const MOST_DECLARATION: usize = 120;
/// The most words between a name and its secret in a sentence.
const MOST_WORDS: usize = 7;

/// The kinds of value that a name or a form calls a secret.
pub(super) fn find(place: SecretContext, text: &[u8], found: &mut Found) {
    for mark in FINDER.find_overlapping_iter(text) {
        let judge = MARKS[mark.pattern().as_usize()].1;
        let (start, end) = (mark.start(), mark.end());
        judge(
            &Mark {
                text,
                start,
                end,
                place,
            },
            found,
        );
    }
}

/// A value under a name of a secret: as notations have it, as a literal of code, as a word of a sentence.
fn named(mark: &Mark<'_>, found: &mut Found) {
    let (start, end) = mark.name();
    let Some(told) = kind_by_name(&mark.text[start..end]) else {
        return;
    };
    let rest = &mark.text[end..];
    let opens_element = start > 0 && mark.text[start - 1] == b'<';
    let element = opens_element
        .then(|| pairs::value_of_element(rest))
        .flatten();
    let value = element.or_else(|| pairs::value_after(rest));
    if let Some(value) = value.filter(|value| is_meant(value, mark, start)) {
        mark.take(value.text, told, found);
    }
    let is_quoted = rest.first().is_some_and(|byte| b"\"'`".contains(byte));
    let is_login = told == SecretKind::Basic;
    let has_literals = if is_quoted {
        !is_login
    } else {
        !mark.is_in_quotes()
    };
    if has_literals {
        let before = mark.line_before(start).trim_ascii_end();
        let is_in_list = before.ends_with(b",");
        for literal in literals::behind(mark.text, end, is_in_list) {
            mark.take_literal(literal, told, found);
        }
    }
    // `pass` is a verb there.
    if is_in_words(mark, start) && end - start > "pass".len() {
        words(mark, end, told, found);
    }
}

/// Says whether a name stands in a sentence: of prose, of a comment, of a message.
fn is_in_words(mark: &Mark<'_>, start: usize) -> bool {
    const COMMENTS: &[&[u8]] = &[b"#", b"//", b"--", b"/*", b"* ", b";"];
    let line = mark.line_before(start);
    let is_comment = || {
        COMMENTS
            .iter()
            .any(|sign| memchr::memmem::find(line, sign).is_some())
    };
    mark.place == SecretContext::Doubtful || mark.is_in_quotes() || is_comment()
}

/// The words behind a name on its line that no language has.
fn words(mark: &Mark<'_>, end: usize, told: SecretKind, found: &mut Found) {
    let rest = &mark.text[end..mark.text.len().min(end + MOST_FORM)];
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    for (nth, word) in line
        .split(u8::is_ascii_whitespace)
        .enumerate()
        .take(MOST_WORDS)
    {
        let is_around = |byte: &u8| b"\"'`.,;:()<>|*".contains(byte);
        let n_before = word.iter().take_while(|byte| is_around(byte)).count();
        let word = &word[n_before..];
        let n_after = word.iter().rev().take_while(|byte| is_around(byte)).count();
        let word = &word[..word.len() - n_after];
        if is_no_word(word, nth) && is_secret(word, told, SecretContext::Doubtful) {
            found.push(range_of(mark.text, word));
        }
    }
}

/// Says whether a word of a sentence may be no word: not a name, a constant, a part of code or an address; a
/// commit further on is none either.
fn is_no_word(word: &[u8], nth: usize) -> bool {
    let is_of_code = |byte: &u8| b"$&{}[]()<>\\\"'`,;:".contains(byte);
    let is_id = word.iter().all(u8::is_ascii_hexdigit) && nth > 3;
    word.iter().any(u8::is_ascii_lowercase)
        && word.iter().any(u8::is_ascii_digit)
        && memchr::memchr(b'=', word).is_none_or(|at| at + 2 >= word.len())
        && !word.iter().any(is_of_code)
        && !is_id
        && kind_by_name(word).is_none()
}

/// Whether a value is a literal there, not a name or a word.
fn is_meant(value: &AssignedValue<'_>, mark: &Mark<'_>, name_start: usize) -> bool {
    let is_flag = mark.text[..name_start].ends_with(b"-") || mark.text[name_start] == b'-';
    let is_letters = !value.text.iter().any(|byte| byte.is_ascii_digit());
    match mark.place {
        // One of a path: `user:password:generate`.
        _ if value.is_tight && mark.text[..name_start].ends_with(b":") && is_letters => false,
        _ if value.is_argument => opens_call(&mark.text[..name_start]),
        SecretContext::Code => value.is_quoted || (value.is_tight && mark.is_in_quotes()),
        _ if value.is_bare => {
            (value.is_quoted && !is_letters)
                || is_flag
                || (opens_line(mark.line_before(name_start)) && !is_letters)
                || str::from_utf8(value.text).is_ok_and(is_drawn)
        }
        _ => true,
    }
}

/// Whether what comes before a quoted name opens a call: one of a list of names has no value.
fn opens_call(before: &[u8]) -> bool {
    let before = before.strip_suffix(b"\"").or(before.strip_suffix(b"'"));
    before.is_some_and(|before| before.trim_ascii_end().ends_with(b"("))
}

/// Whether nothing but blanks, or two words as in `.netrc`, stand before a name on its line.
fn opens_line(line: &[u8]) -> bool {
    const WORDS: &[&[u8]] = &[
        b"set",
        b"ENV",
        b"SetEnv",
        b"env",
        b"machine",
        b"login",
        b"neighbor",
    ];
    let line = line.trim_ascii();
    line.is_empty() || WORDS.iter().any(|word| line.starts_with(word))
}

/// The literals that a call or a phrase is followed by.
fn literal(mark: &Mark<'_>, found: &mut Found) {
    for literal in literals::behind(mark.text, mark.end, false) {
        mark.take(literal, SecretKind::Password, found);
    }
}

/// The arguments of a call that logs in.
fn arguments(mark: &Mark<'_>, found: &mut Found) {
    for literal in literals::behind(mark.text, mark.end - 1, false) {
        mark.take_literal(literal, SecretKind::Password, found);
    }
}

/// The default that is written before its name: `[DefaultValue("…")] string Password`, and over the line of it.
fn of_next(mark: &Mark<'_>, found: &mut Found) {
    let (_, end) = mark.name();
    let Some(literal) = literals::behind(mark.text, end, false).first().copied() else {
        return;
    };
    let after = range_of(mark.text, literal).end;
    let rest = &mark.text[after..mark.text.len().min(after + MOST_DECLARATION)];
    let lines = rest.splitn(3, |byte| *byte == b'\n').take(2);
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    // Only what the default is closed before: the next of a list has one of its own.
    let closes = rest.iter().take(4).any(|byte| b")]".contains(byte));
    let mut words = lines.flat_map(|line| line.split(|byte| !is_of_name(byte)));
    if let Some(told) = words.find_map(kind_by_name).filter(|_| closes) {
        mark.take_literal(literal, told, found);
    }
}

/// `Authorization: Bearer …` within a command or a text.
fn bearer(mark: &Mark<'_>, found: &mut Found) {
    let value = mark.head().strip_prefix(b" ").unwrap_or_default();
    let is_of_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.=+/~".contains(byte);
    take_drawn(mark, value, is_of_token, found);
}

/// The run that was drawn at the start of a text, as far as its letters belong to it.
fn take_drawn(mark: &Mark<'_>, text: &[u8], belongs: impl Fn(&u8) -> bool, found: &mut Found) {
    let n_bytes = text.iter().take_while(|byte| belongs(byte)).count();
    let value = str::from_utf8(&text[..n_bytes]).unwrap_or_default();
    let is_call = text.get(n_bytes) == Some(&b'(');
    if is_drawn(value) && !is_example(value) && !is_call {
        found.push(range_of(mark.text, value.as_bytes()));
    }
}

fn is_of_cookie(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.=+/~%".contains(byte)
}

/// A session, or a signature that opens something: `JSESSIONID=…`, `{"sessionid": "…"}`, `&sig=…`.
fn session(mark: &Mark<'_>, found: &mut Found) {
    const NAMES: &[&str] = &[
        "session",
        "sessionid",
        "session_id",
        "sessid",
        "sess",
        "sid",
        "sig",
        "signature",
    ];
    let (start, mut end) = mark.name();
    if mark.text[mark.end - 1] == b'=' {
        end = mark.end - 1;
    }
    let name = mark.text[start..end].to_ascii_lowercase();
    let is_name = |known: &&str| {
        let before = name.strip_suffix(known.as_bytes());
        // `JSESSIONID`, `connect.sid`; not `credentialsId`.
        before.is_some_and(|before| {
            let is_parted = before.last().is_none_or(|byte| !byte.is_ascii_alphabetic());
            before.len() <= 10 && (is_parted || known.starts_with("sess"))
        })
    };
    if !NAMES.iter().any(is_name) {
        return;
    }
    let is_between = |byte: &u8| b"\"'=: ".contains(byte);
    let rest = mark.text[end..].iter();
    let n_between = rest.take_while(|byte| is_between(byte)).count();
    let value = &mark.text[end + n_between..];
    let value = &value[..value.len().min(MOST_FORM)];
    take_drawn(mark, value, is_of_cookie, found);
}

/// The values of `Cookie: a=…; b=…` that were drawn.
fn cookies(mark: &Mark<'_>, found: &mut Found) {
    let line = mark
        .head()
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    for pair in line.split(|byte| b"; \"',".contains(byte)) {
        if let Some(at) = pair.iter().position(|byte| *byte == b'=') {
            take_drawn(mark, &pair[at + 1..], is_of_cookie, found);
        }
    }
}

/// `smbclient //host/share -U user%password`.
fn behind_percent(mark: &Mark<'_>, found: &mut Found) {
    if let Some(at) = memchr::memmem::find(mark.head(), b" -U") {
        let end = mark.end + at + 3;
        behind_sign(&Mark { end, ..*mark }, b'%', found);
    }
}

/// The password of an address: `scheme://user:password@host`.
fn login(mark: &Mark<'_>, found: &mut Found) {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"/\"'`<>()\\,;?#".contains(byte);
    let head = mark.head();
    let end = head.iter().position(ends).unwrap_or(head.len());
    let Some(at) = head[..end].iter().rposition(|byte| *byte == b'@') else {
        return;
    };
    let login = &head[..at];
    match login.iter().position(|byte| *byte == b':') {
        Some(colon) => mark.take(&login[colon + 1..], SecretKind::Password, found),
        None if is_token_login(login, mark) => mark.take(login, SecretKind::Key, found),
        None => {}
    }
}

/// The password of a data source without a scheme: `user:password@tcp(host)`.
fn source_name(mark: &Mark<'_>, found: &mut Found) {
    let before = mark.line_before(mark.start);
    let start = before.iter().rposition(|byte| b"\"'`= ".contains(byte));
    let login = &before[start.map_or(0, |start| start + 1)..];
    if let Some(colon) = memchr::memchr(b':', login) {
        mark.take(&login[colon + 1..], SecretKind::Password, found);
    }
}

/// `https://TOKEN@host`.
fn is_token_login(login: &[u8], mark: &Mark<'_>) -> bool {
    // The keys in Sentry's addresses are public.
    let host = &mark.head()[login.len()..];
    let is_sentry = host.windows(6).take(60).any(|part| part == b"sentry");
    !is_sentry && login.len() >= 20
}

/// A JSON Web Token with its signature; those of manuals name John Doe.
fn web_token(mark: &Mark<'_>, found: &mut Found) {
    if !mark.text[mark.start..].starts_with(b"eyJ") {
        return;
    }
    let is_of_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let rest = &mark.text[mark.start..(mark.start + 4096).min(mark.text.len())];
    let n_bytes = rest.iter().take_while(|byte| is_of_token(byte)).count();
    let token = str::from_utf8(&rest[..n_bytes]).unwrap_or_default();
    let parts: Vec<&str> = token.split('.').collect();
    let is_of_manual = token.contains("IjEyMzQ1Njc4OTAi") || token.contains("Sm9obiBEb2U");
    if parts.len() >= 3 && parts[1].starts_with("eyJ") && parts[2].len() >= 20 && !is_of_manual {
        found.push(range_of(mark.text, token.as_bytes()));
    }
}

/// Telegram's `1234567890:AA…`.
fn bot_token(mark: &Mark<'_>, found: &mut Found) {
    const REST: std::ops::RangeInclusive<usize> = 32..=33;
    let before = mark.text[..mark.start].iter().rev();
    let n_digits = before
        .take(11)
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let is_of_token = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let n_bytes = mark.head().iter().take_while(is_of_token).count();
    let rest = str::from_utf8(&mark.head()[..n_bytes]).unwrap_or_default();
    if (8..=10).contains(&n_digits) && REST.contains(&n_bytes) && is_drawn(rest) {
        found.push(mark.start - n_digits..mark.end + n_bytes);
    }
}

/// A line of `.htpasswd` or `shadow`: `user:$apr1$…`.
fn hash(mark: &Mark<'_>, found: &mut Found) {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b":\"',".contains(byte);
    let value = &mark.text[mark.start + 1..(mark.start + MOST_FORM).min(mark.text.len())];
    let end = value.iter().position(ends).unwrap_or(value.len());
    let is_hash = str::from_utf8(&value[..end]).is_ok_and(is_crypt_hash);
    if mark.place == SecretContext::Settings && is_hash {
        found.push(range_of(mark.text, &value[..end]));
    }
}

/// A text that Ansible has encrypted: the lines of digits below its head.
fn vault(mark: &Mark<'_>, found: &mut Found) {
    let lines = mark.rest().split(|byte| *byte == b'\n').skip(1);
    let digits = lines
        .map(<[u8]>::trim_ascii)
        .take_while(|line| line.len() >= 16 && line.iter().all(u8::is_ascii_hexdigit));
    found.extend(digits.map(|line| range_of(mark.text, line)));
}

/// The values of a secret of Kubernetes in its manifest.
fn manifest(mark: &Mark<'_>, found: &mut Found) {
    if mark.rest().first().is_some_and(u8::is_ascii_alphanumeric) {
        return;
    }
    let from = mark.start.saturating_sub(MOST_MANIFEST);
    let to = (mark.end + MOST_MANIFEST).min(mark.text.len());
    let start = memchr::memmem::rfind(&mark.text[from..mark.start], b"\n---");
    let end = memchr::memmem::find(&mark.text[mark.start..to], b"\n---");
    let end = end.map_or(to, |end| mark.start + end);
    let lines =
        mark.text[start.map_or(from, |start| from + start + 1)..end].split(|byte| *byte == b'\n');
    let mut is_data = None;
    for line in lines {
        let Ok(line) = str::from_utf8(line) else {
            continue;
        };
        let trimmed = line.trim_start_matches([' ', '"']);
        let is_nested = trimmed.len() < line.len();
        match trimmed.trim_end_matches([' ', '{', ':', '"', '\r']) {
            "data" => is_data = Some(true),
            "stringData" => is_data = Some(false),
            _ if !is_nested && !trimmed.is_empty() => is_data = None,
            _ => {}
        }
        let value = trimmed.split_once(": ").map_or("", |(_, value)| value);
        let value = value.trim_matches([' ', '"', '\'', ',', '\r']);
        if is_data.is_some_and(|is_encoded| is_of_manifest(value, is_encoded, mark)) {
            found.push(range_of(mark.text, value.as_bytes()));
        }
    }
}

fn is_of_manifest(value: &str, is_encoded: bool, mark: &Mark<'_>) -> bool {
    if !is_encoded {
        return mark.is(value.as_bytes(), SecretKind::Password);
    }
    decoded(value).is_some_and(|plain| {
        mark.is(plain.trim_ascii(), SecretKind::Password)
            || memchr::memmem::find(&plain, b"PRIVATE KEY").is_some()
    })
}
