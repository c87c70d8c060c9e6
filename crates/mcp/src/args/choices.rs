//! The schemas of arguments that take one of some words, or several.

use schemars::{Schema, SchemaGenerator, json_schema};
use whyrank_engine::api::DepsDirection;
use whyrank_engine::choices::{
    AUDIT_KINDS, CHUNK_KINDS, DEAD_SYMBOL_KINDS, DEAD_VERDICTS, MEMO_INCLUDES, MEMO_KINDS,
    MEMO_STATES, MEMO_TIERS, SYMBOL_KINDS, USE_KINDS,
};

fn one(choices: &[&str]) -> Schema {
    json_schema!({"type": "string", "enum": choices})
}

fn several(choices: &[&str]) -> Schema {
    json_schema!({"type": "array", "items": {"type": "string", "enum": choices}})
}

pub(crate) fn symbol_kind(_: &mut SchemaGenerator) -> Schema {
    one(&SYMBOL_KINDS)
}

pub(crate) fn hit_kinds(_: &mut SchemaGenerator) -> Schema {
    several(&[SYMBOL_KINDS.as_slice(), &CHUNK_KINDS].concat())
}

pub(crate) fn use_kinds(_: &mut SchemaGenerator) -> Schema {
    several(&USE_KINDS)
}

pub(crate) fn dead_kinds(_: &mut SchemaGenerator) -> Schema {
    several(&[DEAD_VERDICTS.as_slice(), &DEAD_SYMBOL_KINDS].concat())
}

pub(crate) fn audit_kinds(_: &mut SchemaGenerator) -> Schema {
    several(&AUDIT_KINDS)
}

pub(crate) fn memo_kind(_: &mut SchemaGenerator) -> Schema {
    one(&MEMO_KINDS)
}

pub(crate) fn memo_kinds(_: &mut SchemaGenerator) -> Schema {
    several(&MEMO_KINDS)
}

pub(crate) fn memo_tier(_: &mut SchemaGenerator) -> Schema {
    one(&MEMO_TIERS)
}

pub(crate) fn memo_state(_: &mut SchemaGenerator) -> Schema {
    one(&MEMO_STATES)
}

pub(crate) fn memo_includes(_: &mut SchemaGenerator) -> Schema {
    several(&MEMO_INCLUDES)
}

pub(crate) fn deps_direction(_: &mut SchemaGenerator) -> Schema {
    let words: Vec<&str> = DepsDirection::ALL.iter().map(|one| one.as_str()).collect();
    one(&words)
}
