//! Templates of Astro: `{expressions}` that may hold markup of their own, and components.

use std::ops::Range;

use super::markup::{Markup, Part, Tag, Value};
use super::template::Template;

/// The code between the fences at the top of a file.
pub(crate) fn front_matter(source: &str) -> Option<Range<usize>> {
    let open = source.len()
        - source
            .trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n'])
            .len();
    let inside = source[open..].strip_prefix("---")?;
    let start = open + "---".len();
    let end = inside.find("\n---")?;
    Some(start..start + end + 1)
}

/// Makes code of a template.
pub(crate) fn make(template: &mut Template<'_>, start: usize) {
    let mut markup = Markup::new(template.source, start, "{");
    for part in &mut markup {
        match part {
            Part::Open(tag) => open(template, &tag),
            Part::Close(_) => {}
            Part::Braces(inside) => template.expression(inside),
        }
    }
}

fn open(template: &mut Template<'_>, tag: &Tag) {
    let name = template.text(&tag.name);
    if name.starts_with(char::is_uppercase) || name.contains('.') {
        template.component(tag);
    }
    for attribute in &tag.attributes {
        match &attribute.value {
            Value::Braces(inside) => {
                let text = template.text(inside);
                let n_mark = text.len() - text.trim_start().trim_start_matches("...").len();
                template.expression(inside.start + n_mark..inside.end);
            }
            Value::Template(text) => template.expression(text.clone()),
            Value::Quoted(_) | Value::None => {}
        }
    }
}
