//! A mark of a secret in a text, and what is taken in behind it.

use super::place::SecretContext;
use super::secret_names::SecretKind;
use super::strike::range_of;
use super::values::is_secret;
use std::ops::Range;

/// The ranges of secrets in a text.
pub(super) type Found = Vec<Range<usize>>;

/// Bytes of a form that are read.
pub(super) const MOST_FORM: usize = 300;

/// Longer names are not read whole.
const MOST_NAME: usize = 64;

/// A mark within a text.
pub(super) struct Mark<'a> {
    pub text: &'a [u8],
    pub start: usize,
    pub end: usize,
    pub place: SecretContext,
}

impl<'a> Mark<'a> {
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.text[self.end..]
    }

    pub(super) fn head(&self) -> &'a [u8] {
        &self.rest()[..self.rest().len().min(MOST_FORM)]
    }

    pub(super) fn is(&self, value: &[u8], told: SecretKind) -> bool {
        is_secret(value, told, self.place)
    }

    /// Takes a part of the text in if it is a secret of a kind.
    pub(super) fn take(&self, value: &[u8], told: SecretKind, found: &mut Found) {
        if self.is(value, told) {
            found.push(range_of(self.text, value));
        }
    }

    /// The same for a literal, which may be a word of code anywhere.
    pub(super) fn take_literal(&self, value: &[u8], told: SecretKind, found: &mut Found) {
        let place = match self.place {
            SecretContext::Settings => SecretContext::Code,
            other => other,
        };
        let value = unwrapped(value);
        // `user:password`, where no more than a name stands before it.
        if let Some(at) = memchr::memchr(b':', value).filter(|_| told == SecretKind::Password) {
            let (user, password) = (&value[..at], &value[at + 1..]);
            let is_user = user
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte));
            if is_user && is_secret(password, told, place) {
                found.push(range_of(self.text, password));
                return;
            }
        }
        let is_pair = told == SecretKind::Basic && is_secret(value, SecretKind::Password, place);
        if is_pair || is_secret(value, told, place) {
            found.push(range_of(self.text, value));
        }
    }

    /// Where the name that the mark stands in begins and ends.
    pub(super) fn name(&self) -> (usize, usize) {
        let belongs = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
        let before = &self.text[self.start.saturating_sub(MOST_NAME)..self.start];
        let n_before = before.iter().rev().take_while(|byte| belongs(byte)).count();
        let after = &self.rest()[..self.rest().len().min(MOST_NAME)];
        let n_after = after.iter().take_while(|byte| belongs(byte)).count();
        (self.start - n_before, self.end + n_after)
    }

    /// The text before a place on its line.
    pub(super) fn line_before(&self, at: usize) -> &'a [u8] {
        let before = &self.text[at.saturating_sub(MOST_FORM)..at];
        before
            .rsplit(|byte| *byte == b'\n')
            .next()
            .unwrap_or(before)
    }

    /// Says whether a quote opens before the mark on its line: it lies in a literal.
    pub(super) fn is_in_quotes(&self) -> bool {
        let line = self.line_before(self.start).iter();
        line.filter(|byte| b"\"'`".contains(byte)).count() % 2 == 1
    }
}

/// A literal without escaped quotes around it, and without what says how it is encoded.
fn unwrapped(value: &[u8]) -> &[u8] {
    let is_quote = |byte: &u8| b"\"'\\".contains(byte);
    let n_before = value.iter().take_while(|byte| is_quote(byte)).count();
    let value = &value[n_before..];
    let n_after = value.iter().rev().take_while(|byte| is_quote(byte)).count();
    let value = &value[..value.len() - n_after];
    let value = value.strip_prefix(b"{noop}").unwrap_or(value);
    let mut words = value.split(|byte| *byte == b' ');
    match (words.next(), words.next(), words.next()) {
        (Some(scheme), Some(rest), None) if is_scheme(scheme) => rest,
        _ => value,
    }
}

fn is_scheme(word: &[u8]) -> bool {
    let schemes = [
        "Bearer", "Basic", "Token", "token", "bearer", "ApiKey", "Bot",
    ];
    schemes.iter().any(|scheme| scheme.as_bytes() == word)
}
