//! An entry as it goes into a file: fields in order, whatever the format.

use serde_json::Value;

use crate::clients::Client;
use crate::quoting::quoted;
use crate::server::Server;

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FieldValue {
    Text(String),
    Flag(bool),
    Number(i64),
    List(Vec<String>),
    Table(Vec<(String, String)>),
}

/// Fields in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry(pub(crate) Vec<(String, FieldValue)>);

impl Entry {
    /// The entry of a client for a server; `allowed` are tools that need no approval.
    pub(crate) fn of(client: &Client, server: &Server, allowed: &[String]) -> Self {
        let mut fields: Vec<(String, FieldValue)> = client
            .entry
            .iter()
            .map(|(name, template)| (name.clone(), filled(template, server)))
            .filter(|(_, value)| *value != FieldValue::Table(Vec::new()))
            .collect();
        if let Some(field) = client.allow_field.as_ref().filter(|_| !allowed.is_empty()) {
            fields.push((field.clone(), FieldValue::List(allowed.to_vec())));
        }
        Self(fields)
    }

    /// The same without some fields.
    pub(crate) fn without(&self, names: &[String]) -> Self {
        let kept = self.0.iter().filter(|(name, _)| !names.contains(name));
        Self(kept.cloned().collect())
    }

    /// The same as JSON text with fields in order, `indent` spaces in.
    pub(crate) fn to_json(&self, indent: usize) -> String {
        let pad = " ".repeat(indent);
        let fields: Vec<String> = self
            .0
            .iter()
            .map(|(name, value)| format!("{pad}  {}: {}", quoted(name), value.to_json()))
            .collect();
        format!("{{\n{}\n{pad}}}", fields.join(",\n"))
    }

    /// The same on one line.
    pub(crate) fn to_json_line(&self) -> String {
        let fields = self.0.iter();
        let fields: Vec<String> = fields
            .map(|(name, value)| format!("{}:{}", quoted(name), value.to_json()))
            .collect();
        format!("{{{}}}", fields.join(","))
    }
}

impl FieldValue {
    pub(crate) fn to_value(&self) -> Value {
        match self {
            Self::Text(text) => Value::from(text.clone()),
            Self::Flag(flag) => Value::from(*flag),
            Self::Number(number) => Value::from(*number),
            Self::List(items) => Value::from(items.clone()),
            Self::Table(fields) => fields
                .iter()
                .map(|(name, value)| (name.clone(), Value::from(value.clone())))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }

    fn to_json(&self) -> String {
        self.to_value().to_string()
    }
}

fn filled(template: &toml::Value, server: &Server) -> FieldValue {
    match template {
        toml::Value::String(text) => match text.as_str() {
            "$command" => FieldValue::Text(server.command.clone()),
            "$args" => FieldValue::List(server.args.clone()),
            "$argv" => FieldValue::List(server.argv()),
            "$env" => FieldValue::Table(server.env.clone()),
            text => FieldValue::Text(text.to_owned()),
        },
        toml::Value::Boolean(flag) => FieldValue::Flag(*flag),
        toml::Value::Integer(number) => FieldValue::Number(*number),
        toml::Value::Array(items) => {
            let texts = items.iter().filter_map(toml::Value::as_str);
            FieldValue::List(texts.map(str::to_owned).collect())
        }
        other => FieldValue::Text(other.to_string()),
    }
}

/// What an entry in a file starts: program, arguments, environment.
///
/// None where it is no entry that starts a program.
pub(crate) fn started_by(client: &Client, entry: &Value) -> Option<Server> {
    let texts = |value: &Value| -> Option<Vec<String>> {
        let items = value.as_array()?.iter();
        items.map(|item| item.as_str().map(str::to_owned)).collect()
    };
    let mut server = Server {
        command: String::new(),
        args: Vec::new(),
        env: Vec::new(),
    };
    for (name, template) in &client.entry {
        let value = entry.get(name);
        match template.as_str() {
            Some("$command") => value?.as_str()?.clone_into(&mut server.command),
            Some("$args") => server.args = value.and_then(texts).unwrap_or_default(),
            Some("$argv") => {
                let mut argv = texts(value?)?.into_iter();
                server.command = argv.next()?;
                server.args = argv.collect();
            }
            Some("$env") => {
                let fields = value.and_then(Value::as_object).into_iter().flatten();
                server.env = fields
                    .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
                    .collect();
            }
            _ => {}
        }
    }
    Some(server)
}
