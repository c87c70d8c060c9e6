//! The fixtures that always answer alike, as data.

use rmcp::model::{CallToolRequestParams, GetPromptRequestParams};
use serde_json::{Value, json};

use super::{ask, tasks};

/// One grey pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==";
/// No samples.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/// The tool that closes its stream while it runs.
pub(super) const RECONNECTION: &str = "test_reconnection";
/// The tool that greets.
pub(super) const GREETING: &str = "greet";
/// The tool with a header.
const HEADER: &str = "test_custom_header";

/// Tools that do something while they run, or ask the client; the others are in [`result`].
const ACTING: [&str; 8] = [
    "test_tool_with_progress",
    "test_tool_with_logging",
    "test_logging_tool",
    "test_trigger_tool_change",
    "test_trigger_prompt_change",
    "test_missing_capability",
    RECONNECTION,
    GREETING,
];
const FIXED: [&str; 6] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
];
/// Tools that send a request to the client, with the argument that they need.
const FORWARDING: [(&str, Option<&str>); 4] = [
    ("test_sampling", Some("prompt")),
    ("test_elicitation", Some("message")),
    ("test_elicitation_sep1034_defaults", None),
    ("test_elicitation_sep1330_enums", None),
];

/// Whether a tool does something while it runs.
pub(super) fn acts(name: &str) -> bool {
    ACTING.contains(&name)
}

/// The tools as they are listed.
pub(super) fn tools() -> Value {
    let plain = ACTING.into_iter().chain(FIXED).chain(ask::tools());
    let plain = plain.chain(tasks::tools());
    let plain = plain.map(|name| (name, None));
    let listed = plain.chain(FORWARDING).map(|(name, argument)| {
        let schema = match argument {
            None => json!({"type": "object"}),
            Some(argument) => json!({
                "type": "object",
                "properties": {argument: {"type": "string"}},
                "required": [argument],
            }),
        };
        json!({
            "name": name,
            "description": format!("Fixture of the conformance suite: {name}"),
            "inputSchema": schema,
        })
    });
    listed.chain([json_schema(), header()]).collect()
}

/// A schema with the vocabulary of JSON Schema 2020-12, which has to arrive as it is.
fn json_schema() -> Value {
    let address = json!({
        "$anchor": "addressDef",
        "type": "object",
        "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
    });
    json!({
        "name": "json_schema_2020_12_tool",
        "description": "Fixture of the conformance suite: a schema of many words",
        "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {"address": address},
            "properties": {
                "name": {"type": "string"},
                "address": {"$ref": "#/$defs/address"},
                "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                "phone": {"type": "string"},
                "email": {"type": "string"},
            },
            "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
            "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
            "then": {"required": ["phone"]},
            "else": {"required": ["email"]},
            "additionalProperties": false,
        },
    })
}

/// An argument that a client repeats in a header of its own.
fn header() -> Value {
    json!({
        "name": HEADER,
        "description": "Fixture of the conformance suite: an argument that is a header, too",
        "inputSchema": {
            "type": "object",
            "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        },
    })
}

/// What a tool answers that always answers alike.
pub(super) fn result(name: &str) -> Option<Value> {
    let image = json!({"type": "image", "data": PNG, "mimeType": "image/png"});
    let said = |text: &str| json!({"type": "text", "text": text});
    let content = match name {
        "test_simple_text" => json!([said("a simple text")]),
        "test_image_content" => json!([image]),
        "test_audio_content" => json!([{"type": "audio", "data": WAV, "mimeType": "audio/wav"}]),
        "test_embedded_resource" => json!([embedded("test://embedded-resource", "text/plain")]),
        "test_multiple_content_types" => json!([
            said("several kinds of content"),
            image,
            embedded("test://mixed-content-resource", "application/json"),
        ]),
        HEADER => json!([said("the header fits")]),
        "test_error_handling" => {
            let content = json!([said("it always fails")]);
            return Some(json!({"resultType": "complete", "isError": true, "content": content}));
        }
        _ => return None,
    };
    Some(json!({"resultType": "complete", "content": content}))
}

fn embedded(uri: &str, mime_type: &str) -> Value {
    let resource = json!({"uri": uri, "mimeType": mime_type, "text": "{\"embedded\": true}"});
    json!({"type": "resource", "resource": resource})
}

/// What a tool sends to the client before it answers.
pub(super) fn client_request(request: &CallToolRequestParams) -> Option<Value> {
    let argument = |name: &str| {
        let arguments = request.arguments.as_ref();
        let given = arguments.and_then(|arguments| arguments.get(name));
        given.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let (message, schema) = match &*request.name {
        "test_sampling" => {
            let content = json!({"type": "text", "text": argument("prompt")});
            let messages = json!([{"role": "user", "content": content}]);
            let params = json!({"messages": messages, "maxTokens": 100});
            return Some(json!({"method": "sampling/createMessage", "params": params}));
        }
        "test_elicitation" => (argument("message"), person()),
        "test_elicitation_sep1034_defaults" => ("with defaults".to_owned(), defaults()),
        "test_elicitation_sep1330_enums" => ("with choices".to_owned(), choices()),
        _ => return None,
    };
    let params = json!({"mode": "form", "message": message, "requestedSchema": schema});
    Some(json!({"method": "elicitation/create", "params": params}))
}

fn person() -> Value {
    json!({
        "type": "object",
        "properties": {"username": {"type": "string"}, "email": {"type": "string"}},
        "required": ["username", "email"],
    })
}

fn defaults() -> Value {
    let states = ["active", "inactive", "pending"];
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {"type": "string", "enum": states, "default": "active"},
            "verified": {"type": "boolean", "default": true},
        },
    })
}

fn choices() -> Value {
    let plain = ["option1", "option2", "option3"];
    let titled = json!([
        {"const": "value1", "title": "One"},
        {"const": "value2", "title": "Two"},
        {"const": "value3", "title": "Three"},
    ]);
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": plain},
            "titledSingle": {"type": "string", "oneOf": titled},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["One", "Two", "Three"],
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
            "titledMulti": {"type": "array", "items": {"anyOf": titled}},
        },
    })
}

/// The prompts as they are listed.
pub(super) fn prompts() -> Value {
    let prompt = |name: &str, arguments: &[&str]| {
        let named = arguments.iter();
        let arguments: Value = named
            .map(|name| json!({"name": name, "required": true}))
            .collect();
        let description = format!("Fixture of the conformance suite: {name}");
        json!({"name": name, "description": description, "arguments": arguments})
    };
    json!([
        prompt("test_simple_prompt", &[]),
        prompt("test_prompt_with_arguments", &["arg1", "arg2"]),
        prompt("test_prompt_with_embedded_resource", &["resourceUri"]),
        prompt("test_prompt_with_image", &[]),
        prompt(ask::PROMPT, &[]),
    ])
}

/// A prompt with its arguments in place.
pub(super) fn prompt(request: &GetPromptRequestParams) -> Option<Value> {
    let argument = |name: &str| {
        let arguments = request.arguments.as_ref();
        let given = arguments.and_then(|arguments| arguments.get(name));
        given.and_then(Value::as_str).unwrap_or_default()
    };
    let content = match request.name.as_str() {
        "test_simple_prompt" | ask::PROMPT => json!({"type": "text", "text": "a simple prompt"}),
        "test_prompt_with_arguments" => {
            let given = format!("{} and {}", argument("arg1"), argument("arg2"));
            json!({"type": "text", "text": given})
        }
        "test_prompt_with_embedded_resource" => embedded(argument("resourceUri"), "text/plain"),
        "test_prompt_with_image" => {
            json!({"type": "image", "data": PNG, "mimeType": "image/png"})
        }
        _ => return None,
    };
    let messages = json!([{"role": "user", "content": content}]);
    Some(json!({"resultType": "complete", "messages": messages}))
}

/// The resources as they are listed.
pub(super) fn resources() -> Value {
    let resource = |uri: &str, mime_type: &str| {
        let description = format!("Fixture of the conformance suite: {uri}");
        json!({"uri": uri, "name": uri, "description": description, "mimeType": mime_type})
    };
    json!([
        resource("test://static-text", "text/plain"),
        resource("test://static-binary", "image/png"),
        resource("test://watched-resource", "text/plain"),
    ])
}

/// The templates as they are listed.
pub(super) fn templates() -> Value {
    json!([{
        "uriTemplate": "test://template/{id}/data",
        "name": "test template",
        "description": "Fixture of the conformance suite: a template",
        "mimeType": "application/json",
    }])
}

/// What is in a resource.
pub(super) fn resource(uri: &str) -> Option<Value> {
    let written = |text: &str, mime_type: &str| {
        Some(json!({"uri": uri, "mimeType": mime_type, "text": text}))
    };
    match uri {
        "test://static-text" | "test://watched-resource" => written("a static text", "text/plain"),
        "test://static-binary" => Some(json!({"uri": uri, "mimeType": "image/png", "blob": PNG})),
        _ => {
            let id = uri
                .strip_prefix("test://template/")?
                .strip_suffix("/data")?;
            written(&json!({"id": id}).to_string(), "application/json")
        }
    }
}
