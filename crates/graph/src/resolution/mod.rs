//! What a name means where it is used: scope, imports, packages, and types that the text states.
//!
//! What for: one use in, its definitions out. What not: nothing is guessed here, and nothing is
//! gathered over a view.

pub(crate) mod absolute_paths;
mod accessors;
mod arguments;
mod base_order;
mod bases;
mod bind_imports;
mod called;
pub(crate) mod container_methods;
pub(crate) mod definition_names;
pub(crate) mod dependency_tracking;
pub(crate) mod dotted_expression;
mod effort;
mod enclosing;
pub(crate) mod expected;
pub(crate) mod export_fingerprint;
pub(crate) mod exports;
pub(crate) mod expression;
pub(crate) mod extensions;
pub(crate) mod file_symbols;
mod from_outside;
mod generic_heads;
mod indexing;
pub(crate) mod library_names;
pub(crate) mod locals;
pub(crate) mod meaning;
pub(crate) mod member_resolution;
mod member_steps;
mod name_likeness;
pub(crate) mod name_resolution;
pub(crate) mod name_table;
pub(crate) mod named_in_text;
pub(crate) mod namesakes;
pub(crate) mod packages;
pub(crate) mod parameters;
mod qualified_names;
mod receivers;
pub(crate) mod resolver;
mod resolver_caches;
pub(crate) mod rows;
pub(crate) mod scope;
pub(crate) mod signature_types;
pub(crate) mod signatures;
pub(crate) mod special_methods;
mod statics;
pub(crate) mod subtypes;
pub(crate) mod symbol_table;
pub(crate) mod top_level;
pub(crate) mod transitive_includes;
pub(crate) mod type_arguments;
pub(crate) mod type_names;
pub(crate) mod types;
mod use_resolution;
pub(crate) mod wanted;
mod written_types;
