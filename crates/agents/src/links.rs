//! The entry for people: text to paste, the client's own command, an address that installs it.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::clients::{Client, ConfigFormat};
use crate::entry::Entry;
use crate::quoting::{quoted, shell_word};
use crate::server::{NAME, Server};

/// What to paste into the client's file.
pub(crate) fn to_paste(client: &Client, entry: &Entry) -> String {
    match client.format {
        ConfigFormat::Json | ConfigFormat::Jsonc => json(&client.key, entry),
        ConfigFormat::Toml | ConfigFormat::Yaml => {
            let slot = crate::document::Slot {
                format: client.format,
                key: &client.key,
                name: NAME,
            };
            slot.put("", entry).unwrap_or_default()
        }
    }
}

fn json(keys: &[String], entry: &Entry) -> String {
    let mut text = String::from("{\n");
    for (depth, key) in keys.iter().map(String::as_str).chain([NAME]).enumerate() {
        let pad = "  ".repeat(depth + 1);
        let opens = if key == NAME { "" } else { "{\n" };
        text.push_str(&format!("{pad}{}: {opens}", quoted(key)));
    }
    text.push_str(&entry.to_json(2 * (keys.len() + 1)));
    for depth in (0..=keys.len()).rev() {
        text.push_str(&format!("\n{}}}", "  ".repeat(depth)));
    }
    text
}

/// The client's own command.
pub(crate) fn command(client: &Client, server: &Server) -> Option<String> {
    let argv: Vec<String> = server.argv().iter().map(|word| shell_word(word)).collect();
    let text = client.cli.as_ref()?.replace("$argv", &argv.join(" "));
    Some(text)
}

/// The address that installs the entry.
pub(crate) fn address(client: &Client, entry: &Entry) -> Option<String> {
    let line = entry.to_json_line();
    let named = format!("{{\"name\":{},{}", quoted(NAME), &line[1..]);
    let template = client.link.as_ref()?;
    let filled = template
        .replace("{entry_base64}", &percent(&STANDARD.encode(&line)))
        .replace("{entry_url}", &percent(&line))
        .replace("{named_entry_url}", &percent(&named));
    Some(filled)
}

/// As `encodeURIComponent` does it.
fn percent(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => encoded.push(byte.into()),
            b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')' => {
                encoded.push(byte.into());
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}
