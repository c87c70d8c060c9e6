//! Templates of Vue: `{{ expressions }}`, directives, slots, and components by either name.

use std::ops::Range;

use super::markup::{Attribute, Markup, Part, Tag, Value};
use super::nesting::outside;
use super::template::Template;

/// Directives that have no function of their own.
const BUILT_IN: [&str; 16] = [
    "if", "else-if", "else", "for", "show", "html", "text", "model", "bind", "on", "slot", "pre",
    "cloak", "once", "memo", "is",
];

/// Makes code of a template.
pub(crate) fn make(template: &mut Template<'_>) {
    let mut markup = Markup::new(template.source, 0, "{{");
    let mut n_templates = 0_u32;
    while let Some(part) = markup.next() {
        template.reach(&part);
        match part {
            Part::Open(tag) => {
                let name = template.text(&tag.name);
                let is_root = n_templates == 0;
                if is_root && (name != "template" || is_other_language(template, &tag)) {
                    markup.skip_element(name);
                    continue;
                }
                n_templates += u32::from(name == "template" && !tag.is_empty);
                open(template, &tag);
            }
            Part::Close(name) => {
                let name = template.text(&name);
                n_templates = n_templates.saturating_sub(u32::from(name == "template"));
                template.close_element(name);
            }
            Part::Braces(inside) if n_templates > 0 => template.expression(inside),
            Part::Braces(_) => {}
        }
    }
}

/// Says whether it is Pug or the like.
fn is_other_language(template: &Template<'_>, tag: &Tag) -> bool {
    tag.attributes.iter().any(|attribute| {
        let value = match &attribute.value {
            Value::Quoted(text) => template.text(text),
            _ => return false,
        };
        template.text(&attribute.name) == "lang" && value != "html"
    })
}

fn open(template: &mut Template<'_>, tag: &Tag) {
    let name = template.text(&tag.name);
    let mut ends = String::new();
    // What an element declares is seen by all its attributes.
    for attribute in &tag.attributes {
        let text = template.text(&attribute.name);
        let Value::Quoted(value) = &attribute.value else {
            continue;
        };
        if text == "v-for" {
            each(template, value.clone(), &mut ends);
        } else if text.starts_with('#') || text == "v-slot" || text.starts_with("v-slot:") {
            slot(template, value.clone(), &mut ends);
        }
    }
    if name.starts_with(char::is_uppercase) {
        template.component(tag);
    } else if name.contains('-') {
        template.name(&pascal(name), tag.name.start, "();\n");
    }
    for attribute in &tag.attributes {
        directive(template, attribute);
    }
    if tag.is_empty {
        template.made.say(&ends);
    } else {
        template.open_element(name, ends);
    }
}

/// `item in items`, `(item, index) of items`.
fn each(template: &mut Template<'_>, value: Range<usize>, ends: &mut String) {
    let words = ["in", "of"].map(|word| template.words(&value, word).first().copied());
    let Some(at) = words.into_iter().flatten().min() else {
        template.expression(value);
        return;
    };
    let (of, mut pattern) = (at + 2..value.end, template.trimmed(value.start..at));
    let text = template.text(&pattern);
    if text.starts_with('(') && text.ends_with(')') {
        pattern = pattern.start + 1..pattern.end - 1;
    }
    let mut items = template.items(pattern).into_iter();
    if template.each(items.next().unwrap_or(0..0), of) {
        ends.push_str("}\n");
        for index in items {
            template.between("let ", index, ";\n");
        }
    }
}

/// What a slot gives: the parameters of a function.
fn slot(template: &mut Template<'_>, value: Range<usize>, ends: &mut String) {
    if template.between("((", value, ")=>{\n") {
        ends.push_str("});\n");
    }
}

fn directive(template: &mut Template<'_>, attribute: &Attribute) {
    let name = template.text(&attribute.name);
    let start = attribute.name.start;
    let value = match &attribute.value {
        Value::Quoted(value) => Some(value.clone()),
        _ => None,
    };
    if let Some(bound) = name.strip_prefix(':').or(name.strip_prefix("v-bind:")) {
        dynamic_name(template, start, name);
        let bare = bound.split('.').next().unwrap_or(bound);
        match value {
            Some(value) => template.expression(value),
            // `:title` is `:title="title"`.
            None if !bare.is_empty() && !bare.starts_with('[') => {
                template.name(&camel(bare), start + name.len() - bound.len(), ";\n");
            }
            None => {}
        }
    } else if name.starts_with('@') || name.starts_with("v-on:") {
        dynamic_name(template, start, name);
        if let Some(value) = value {
            handler(template, value);
        }
    } else if name.starts_with('#') || name.starts_with("v-slot") {
        dynamic_name(template, start, name);
    } else if let Some(own) = name.strip_prefix("v-") {
        let bare = own.split([':', '.']).next().unwrap_or(own);
        if !BUILT_IN.contains(&bare) && !bare.is_empty() {
            template.name(
                &pascal(&format!("v-{bare}")).replacen('V', "v", 1),
                start,
                ";\n",
            );
        }
        if let Some(value) = value.filter(|_| bare != "for") {
            template.expression(value);
        }
    } else if name == "ref"
        && let Some(value) = value.filter(|value| is_identifier(template.text(value)))
    {
        template.expression(value);
    }
}

/// `:[name]="…"`.
fn dynamic_name(template: &mut Template<'_>, start: usize, name: &str) {
    let inside = name.find('[').zip(name.rfind(']'));
    if let Some((open, close)) = inside.filter(|(open, close)| open < close) {
        template.expression(start + open + 1..start + close);
    }
}

/// An expression, or statements; both see `$event`.
fn handler(template: &mut Template<'_>, value: Range<usize>) {
    if outside(template.text(&value)).is_some() {
        template.between("(($event)=>{", value, "\n});\n");
    }
}

fn is_identifier(name: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$');
    !name.is_empty() && name.chars().all(is_part)
}

/// `base-button` is the component `BaseButton`.
fn pascal(tag: &str) -> String {
    let parts = tag.split('-').map(|part| {
        let mut chars = part.chars();
        let first = chars.next().map(|char| char.to_ascii_uppercase());
        first.into_iter().chain(chars).collect::<String>()
    });
    parts.collect()
}

fn camel(name: &str) -> String {
    let pascal = pascal(name);
    let mut chars = pascal.chars();
    let first = chars.next().map(|char| char.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}
