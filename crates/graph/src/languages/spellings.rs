//! Names as other languages spell them.

/// `foo_bar` as `FooBar`.
pub(super) fn in_capitals(name: &str) -> String {
    let parts = name.split('_').filter(|part| !part.is_empty());
    let capital = |part: &str| {
        let mut chars = part.chars();
        let head = chars.next().map(|c| c.to_ascii_uppercase());
        head.into_iter().chain(chars).collect::<String>()
    };
    parts.map(capital).collect()
}

/// `FooBar` as `fooBar`.
pub(super) fn with_small_head(name: &str) -> String {
    let mut chars = name.chars();
    let head = chars.next().map(|c| c.to_ascii_lowercase());
    head.into_iter().chain(chars).collect()
}

/// `FooBar` as `foo_bar`.
pub(super) fn in_snake_case(name: &str) -> String {
    let mut snake = String::new();
    let mut was_small = false;
    for c in name.chars() {
        if c.is_uppercase() && was_small {
            snake.push('_');
        }
        was_small = c.is_lowercase() || c.is_ascii_digit();
        snake.extend(c.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::{in_capitals, in_snake_case, with_small_head};

    #[test]
    fn names_are_spelled_as_generators_do() {
        assert_eq!(in_capitals("foo_bar2"), "FooBar2");
        assert_eq!(with_small_head("FooBar2"), "fooBar2");
        assert_eq!(in_snake_case("GetFooBar"), "get_foo_bar");
    }
}
