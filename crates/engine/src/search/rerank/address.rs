//! Where snippets may be sent: to this machine, or encrypted, unless the user says otherwise.

use crate::api::RerankSettings;
use crate::error::{EngineError, Result};
use std::net::IpAddr;
use ureq::http::Uri;

/// A checked address.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// What is asked: `http://localhost:11434/v1/chat/completions`.
    pub(super) url: String,
    /// Host and port, for messages.
    pub(super) host: String,
    /// Whether it is this machine.
    pub(super) is_loopback: bool,
}

impl Address {
    /// Reads the settings' base address.
    ///
    /// # Errors
    /// `bad-argument` for what is no address of a web server, for a key in it, and for another machine
    /// without encryption.
    pub(super) fn parse(settings: &RerankSettings) -> Result<Self> {
        let given = settings.endpoint.trim();
        let refused = |message: String, hint: &str| Err(EngineError::bad_argument(message, hint));
        let example = "give one such as http://localhost:11434/v1 or https://api.example.com/v1";
        if given.is_empty() {
            return refused("the reranker has no endpoint".to_owned(), example);
        }
        let Ok(uri) = given.parse::<Uri>() else {
            return refused(format!("{given} is not an address"), example);
        };
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return refused(format!("{given} is not a web address"), example);
        };
        if authority.as_str().contains('@') {
            return refused(
                "the endpoint's address holds a name or key".to_owned(),
                "put the key into an environment variable and name that",
            );
        }
        let is_loopback = is_loopback(authority.host());
        match scheme {
            "https" => {}
            "http" if is_loopback || settings.allow_plain_http => {}
            "http" => {
                return refused(
                    format!("{given} would carry code to another machine without encryption"),
                    "use https, or allow plain http in the reranker's settings",
                );
            }
            _ => return refused(format!("{given} is not a web address"), example),
        }
        Ok(Self {
            url: url(given, uri.path()),
            host: authority.as_str().to_owned(),
            is_loopback,
        })
    }
}

/// The path of chat completions behind a base address, a server's root, or the whole of it.
fn url(given: &str, path: &str) -> String {
    let base = given.trim_end_matches('/');
    match path.trim_end_matches('/') {
        "" => format!("{base}/v1/chat/completions"),
        path if path.ends_with("/chat/completions") => base.to_owned(),
        _ => format!("{base}/chat/completions"),
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let is_address = bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    is_address || host == "localhost" || host.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(endpoint: &str, allow_plain_http: bool) -> Result<Address> {
        Address::parse(&RerankSettings {
            endpoint: endpoint.to_owned(),
            allow_plain_http,
            ..RerankSettings::default()
        })
    }

    #[test]
    fn the_path_is_completed() {
        let url = |endpoint: &str| parse(endpoint, false).expect("it is allowed").url;
        let whole = "http://localhost:11434/v1/chat/completions";
        assert_eq!(url("http://localhost:11434"), whole);
        assert_eq!(url("http://localhost:11434/v1/"), whole);
        assert_eq!(url(whole), whole);
        assert_eq!(
            url("https://api.example.com/openai"),
            "https://api.example.com/openai/chat/completions"
        );
    }

    #[test]
    fn code_leaves_the_machine_encrypted_or_not_at_all() {
        assert!(
            parse("http://127.0.0.1:8080/v1", false)
                .expect("loopback")
                .is_loopback
        );
        assert!(
            parse("http://[::1]:8080", false)
                .expect("loopback")
                .is_loopback
        );
        assert!(
            !parse("https://example.com/v1", false)
                .expect("encrypted")
                .is_loopback
        );
        let error = parse("http://192.168.1.9:8080/v1", false).expect_err("plain");
        assert!(error.message.contains("without encryption"), "{error}");
        assert!(parse("http://192.168.1.9:8080/v1", true).is_ok());
        // A name that only looks like this machine's is another's.
        assert!(parse("http://localhost.example.com", false).is_err());
    }

    #[test]
    fn what_is_no_address_and_what_holds_a_key_is_refused() {
        for bad in [
            "",
            "localhost",
            "/v1",
            "ftp://localhost/",
            "http://",
            "not an address",
        ] {
            assert!(parse(bad, true).is_err(), "{bad:?}");
        }
        let error = parse("https://user:sk-1234@example.com/v1", false).expect_err("a key");
        assert!(!error.to_string().contains("sk-1234"), "{error}");
    }
}
