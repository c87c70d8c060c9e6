//! Languages that see each other's modules.

/// Languages that see each other's modules; each says its own in its rules for names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum Family {
    Script,
    Python,
    Go,
    Rust,
    Jvm,
    Native,
    Ruby,
    Php,
    Dotnet,
    Lua,
    Elixir,
    Haskell,
    Zig,
    Swift,
    Dart,
    Proto,
    Terraform,
    Sql,
    Other,
}

impl Family {
    /// How many there are.
    pub const N: usize = Self::Other as usize + 1;
}
