//! Private keys, in whatever they stand: PEM, OpenSSH, PGP and OpenVPN armour, JSON Web Keys.

use super::pairs;
use super::place::SecretContext;
use memchr::memmem;

/// Bytes of a body from which a private key is a whole one; quoted heads have fewer.
const LEAST_KEY_BODY: usize = 60;
/// The same in code and prose, whose comments show short ones.
const LEAST_SHOWN_BODY: usize = 120;
/// Bytes from which the private part of a JSON Web Key is one.
const LEAST_JWK_PART: usize = 22;

/// Whether a text holds a whole private key, be it as a string with escaped line ends.
pub(super) fn holds_private_key(place: SecretContext, text: &[u8]) -> bool {
    if place == SecretContext::Test {
        return false;
    }
    let armour: [&[u8]; 4] = [
        b"PRIVATE KEY-----",
        b"PRIVATE KEY BLOCK-----",
        b"ENCRYPTED PRIVATE KEY ----",
        b"OpenVPN Static key V1-----",
    ];
    let mut heads = armour.iter().flat_map(|head| {
        let found = memmem::find_iter(text, *head);
        found.map(|at| &text[at + head.len()..])
    });
    let least = match place {
        SecretContext::Settings => LEAST_KEY_BODY,
        _ => LEAST_SHOWN_BODY,
    };
    heads.any(|rest| n_key_bytes(rest) >= least) || holds_web_key(text)
}

/// Bytes of a key that follow a head up to its end; none where they are mostly something else.
fn n_key_bytes(rest: &[u8]) -> usize {
    let end = memmem::find(&rest[..rest.len().min(1 << 14)], b"-----END")
        .or_else(|| memmem::find(&rest[..rest.len().min(1 << 14)], b"---- END"));
    let body = &rest[..end.unwrap_or(0)];
    let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    // What is between the lines: blanks, quotes, signs of string concatenation, `\n`.
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || b"\"'\\,.".contains(byte);
    let n_key = body.iter().filter(|byte| is_of_key(byte)).count();
    let is_other = |byte: &&u8| !is_of_key(byte) && !is_between(byte);
    let n_other = body.iter().filter(is_other).count();
    if n_other * 20 <= n_key { n_key } else { 0 }
}

/// Whether a JSON Web Key has its private part: `d`, or `k` of a symmetric one.
fn holds_web_key(text: &[u8]) -> bool {
    memmem::find_iter(text, b"\"kty\"").any(|at| {
        let around = &text[at.saturating_sub(4096)..(at + 4096).min(text.len())];
        [b"\"d\"".as_slice(), b"\"k\""].iter().any(|name| {
            memmem::find(around, name).is_some_and(|at| {
                pairs::value_after(&around[at + name.len()..])
                    .is_some_and(|value| value.text.len() >= LEAST_JWK_PART)
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_private_key_is_found_wherever_it_stands() {
        let key = |n_lines| {
            let body = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU\n".repeat(n_lines);
            format!("# A\n-----BEGIN RSA PRIVATE KEY-----\n{body}-----END RSA PRIVATE KEY-----\n")
        };
        let found = |place, text: &str| holds_private_key(place, text.as_bytes());
        assert!(found(SecretContext::Doubtful, &key(20)));
        assert!(found(
            SecretContext::Settings,
            &key(20).replace('\n', "\\n")
        ));
        assert!(found(
            SecretContext::Code,
            &key(20).replace('\n', "\\n\" +\n    \"")
        ));
        assert!(
            !found(SecretContext::Doubtful, &key(1)),
            "a head that is quoted"
        );
        assert!(!found(SecretContext::Test, &key(20)), "a fixture");
        let jwk = |part: &str| {
            format!(
                r#"{{"kty":"EC","x":"f83OJ3D2","{part}":"{}"}}"#,
                "jpsQnnGQmL-YBIffH1136cspYG6"
            )
        };
        assert!(found(SecretContext::Settings, &jwk("d")));
        assert!(!found(SecretContext::Settings, &jwk("y")), "a public one");
    }
}
