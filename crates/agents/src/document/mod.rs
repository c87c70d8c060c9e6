//! A configuration file as text: our entry is looked up, put in and taken out, the rest stays as it is.

mod slot;
use slot::line_of;
pub(crate) use slot::{Broken, Slot};

mod framing;
mod json;
mod toml;
mod yaml;

use serde_json::Value;

use crate::clients::ConfigFormat;
use crate::entry::Entry;
use framing::TextFraming;

impl Broken {
    fn at(line: usize, reason: impl Into<String>) -> Self {
        Self {
            line,
            reason: reason.into(),
        }
    }
}

impl Slot<'_> {
    /// The entry that a text holds.
    pub(crate) fn read(&self, text: &str) -> Result<Option<Value>, Broken> {
        let (_, text) = TextFraming::take_off(text);
        let mut value = &self.value(&text)?;
        for key in self.path() {
            match value.get(key) {
                Some(inner) => value = inner,
                None => return Ok(None),
            }
        }
        Ok(Some(value.clone()))
    }

    /// Whether a text has the place for servers that this slot means. What starts a program or names
    /// an address is a server of that name.
    pub(crate) fn is_there(&self, text: &str) -> bool {
        let (_, text) = TextFraming::take_off(text);
        let Ok(value) = self.value(&text) else {
            return false;
        };
        let place = self
            .key
            .iter()
            .try_fold(&value, |value, key| value.get(key));
        let servers = place.and_then(Value::as_object);
        servers.is_some_and(|map| !map.contains_key("command") && !map.contains_key("url"))
    }

    /// The text with the entry in it; fields that others added to an older entry stay.
    pub(crate) fn put(&self, text: &str, entry: &Entry) -> Result<String, Broken> {
        let (framing, text) = TextFraming::take_off(text);
        let after = match self.format {
            ConfigFormat::Json | ConfigFormat::Jsonc => json::put(&text, self, entry),
            ConfigFormat::Toml => toml::put(&text, self, entry),
            ConfigFormat::Yaml => yaml::put(&text, self, entry),
        }?;
        self.check(&text, &after)?;
        // What ends a file for its reader hides all that is written behind it.
        if self.read(&after)?.is_none() {
            return Err(Broken::at(
                1,
                "something ends the file before its last line",
            ));
        }
        Ok(framing.put_on(&after))
    }

    /// The text without the entry.
    pub(crate) fn take(&self, text: &str) -> Result<String, Broken> {
        let (framing, text) = TextFraming::take_off(text);
        if self.read(&text)?.is_none() {
            return Ok(framing.put_on(&text));
        }
        let after = match self.format {
            ConfigFormat::Json | ConfigFormat::Jsonc => json::take(&text, self),
            ConfigFormat::Toml => toml::take(&text, self),
            ConfigFormat::Yaml => yaml::take(&text, self),
        }?;
        self.check(&text, &after)?;
        Ok(framing.put_on(&after))
    }

    fn path(&self) -> impl Iterator<Item = &str> {
        let keys = self.key.iter().map(String::as_str);
        keys.chain(std::iter::once(self.name))
    }

    fn value(&self, text: &str) -> Result<Value, Broken> {
        if text.trim().is_empty() {
            return Ok(Value::Object(serde_json::Map::new()));
        }
        match self.format {
            ConfigFormat::Json | ConfigFormat::Jsonc => json::value(text),
            ConfigFormat::Toml => toml::value(text),
            ConfigFormat::Yaml => yaml::value(text),
        }
    }

    /// INVARIANT: an edit changes our entry and nothing else. An editor that got something wrong is
    /// found out here, before anything is written.
    fn check(&self, before: &str, after: &str) -> Result<(), Broken> {
        let without = |text: &str| -> Result<Value, Broken> {
            let mut value = self.value(text)?;
            remove(&mut value, &self.path().collect::<Vec<_>>());
            Ok(value)
        };
        let unharmed = without(after).is_ok_and(|after| Ok(after) == without(before));
        if unharmed {
            Ok(())
        } else {
            Err(Broken::at(
                1,
                "the file cannot be edited without touching other entries",
            ))
        }
    }
}

/// Removes what a path leads to, and what is empty then on the way.
fn remove(value: &mut Value, path: &[&str]) {
    let Some(fields) = value.as_object_mut() else {
        return;
    };
    match path {
        [] => {}
        [last] => drop(fields.remove(*last)),
        [first, rest @ ..] => {
            if let Some(inner) = fields.get_mut(*first) {
                remove(inner, rest);
                let is_empty =
                    inner.is_null() || inner.as_object().is_some_and(|map| map.is_empty());
                if is_empty {
                    fields.remove(*first);
                }
            }
        }
    }
}

/// A list in a JSON file, to which items are added; older ones go.
pub(crate) fn put_items(
    text: &str,
    key: &[String],
    items: &[Value],
    is_older: &dyn Fn(&Value) -> bool,
) -> Result<String, Broken> {
    let (framing, text) = TextFraming::take_off(text);
    Ok(framing.put_on(&json::put_items(&text, key, items, is_older)?))
}

/// The same list without our items.
pub(crate) fn take_items(
    text: &str,
    key: &[String],
    is_ours: &dyn Fn(&Value) -> bool,
) -> Result<String, Broken> {
    let (framing, text) = TextFraming::take_off(text);
    Ok(framing.put_on(&json::take_items(&text, key, is_ours)?))
}
