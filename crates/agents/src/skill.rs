//! The skill: a page that tells an agent when to ask what, read by it where a task calls for it
//! (the open format of Agent Skills).

use crate::document::Broken;

/// The page.
pub(crate) const PAGE: &str = include_str!("skill.md");

/// The page in the place of an older one; another's skill of our name is refused.
pub(crate) fn put(text: &str) -> Result<String, Broken> {
    if text.trim().is_empty() || is_ours(text) {
        return Ok(PAGE.to_owned());
    }
    Err(Broken {
        line: 1,
        reason: "it is a skill that somebody else wrote".to_owned(),
    })
}

/// Says whether a file is the page, of whatever version.
pub(crate) fn is_ours(text: &str) -> bool {
    let head = |text: &str| text.lines().take(2).collect::<Vec<_>>() == ["---", "name: whyrank"];
    head(text) && text.contains("# Finding code with Whyrank")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_short_and_replaces_only_its_own_kind() {
        // Four characters are about a token.
        assert!(PAGE.len() / 4 <= 700, "{}", PAGE.len() / 4);
        assert_eq!(put("").unwrap(), PAGE);
        let older = PAGE.replace("Reading an answer", "Answers");
        assert_eq!(put(&older).unwrap(), PAGE);
        assert!(put("---\nname: whyrank\n---\nMine.\n").is_err());
    }

    #[test]
    fn its_head_is_as_the_format_wants_it() {
        let head = PAGE.split("---\n").nth(1).unwrap();
        let description = head.split_once("description: ").unwrap().1.trim();
        assert!(
            description.len() <= 1024 && !description.contains(": "),
            "{description}"
        );
    }
}
