//! Passwords on command lines: behind the flag of a program, piped into it, as its last word.

use super::mark::{Found, Mark};
use super::secret_names::SecretKind;

/// The words of a command behind a mark, up to a pipe or the end of the line.
fn words<'a>(mark: &Mark<'a>) -> impl Iterator<Item = &'a [u8]> {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'|');
    let line = mark.head().split(is_end).next().unwrap_or_default();
    let words = line.split(|byte| b" \t(,)=".contains(byte));
    words.map(bare).filter(|word| !word.is_empty())
}

/// A word without its quotes.
fn bare(word: &[u8]) -> &[u8] {
    let is_quote = |byte: &u8| b"\"'`\\;".contains(byte);
    let start = word.iter().take_while(|byte| is_quote(byte)).count();
    let word = &word[start..];
    let n_after = word.iter().rev().take_while(|byte| is_quote(byte)).count();
    &word[..word.len() - n_after]
}

/// The word behind a flag: `docker login -p x`, or what is written together with it: `mysql -px`.
pub(super) fn behind_flag(mark: &Mark<'_>, flag: &str, found: &mut Found) {
    let mut was_flag = false;
    for word in words(mark) {
        let joined = word.strip_prefix(flag.as_bytes()).unwrap_or_default();
        if was_flag || !joined.is_empty() {
            let value = if was_flag { word } else { joined };
            mark.take(bare(value), SecretKind::Password, found);
        }
        was_flag = word == flag.as_bytes();
    }
}

/// `curl -u user:password`, `smbclient -U user%password`.
pub(super) fn behind_sign(mark: &Mark<'_>, sign: u8, found: &mut Found) {
    let word = words(mark).next().unwrap_or_default();
    if let Some(at) = word.iter().position(|byte| *byte == sign)
        && (at > 0 || sign == b':')
        && !word.contains(&b'$')
    {
        mark.take(&word[at + 1..], SecretKind::Password, found);
    }
}

/// The next word: `openssl -passin pass:x`.
pub(super) fn first_word(mark: &Mark<'_>, found: &mut Found) {
    if let Some(word) = words(mark).next() {
        mark.take(word, SecretKind::Password, found);
    }
}

/// The last word: `htpasswd -b users bob x`, `vault login x`.
pub(super) fn last_word(mark: &Mark<'_>, found: &mut Found) {
    if let Some(word) = words(mark).last() {
        mark.take(word, SecretKind::Password, found);
    }
}

/// The text that is piped into a program that reads a password: `echo x | sudo -S`, `sudo -S <<< x`.
pub(super) fn piped(mark: &Mark<'_>, found: &mut Found) {
    let before = &mark.text[mark.start.saturating_sub(200)..mark.start];
    let line = before
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    let echoed = line.rsplit(|byte| *byte == b'|').nth(1).unwrap_or_default();
    let given = memchr::memmem::find(mark.head(), b"<<<").map(|at| &mark.head()[at + 3..]);
    let given = given.and_then(|given| given.split(|byte| *byte == b'\n').next());
    for part in [echoed, given.unwrap_or_default()] {
        for word in part.split(u8::is_ascii_whitespace) {
            let word = bare(word);
            // `user:password`, as chpasswd reads it.
            let password = word.iter().position(|byte| *byte == b':');
            let value = password.map_or(word, |at| &word[at + 1..]);
            mark.take(value, SecretKind::Password, found);
        }
    }
}
