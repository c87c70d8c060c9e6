//! From a pattern's text to shapes: every surrounding in which it parses gives one root.

use super::error::PatternError;
use super::grammar::{self, Habits, Rules};
use super::metavariables::{Rendered, Template};
use super::pattern::StructuralPattern;
use super::searched_languages::structural_language_names;
use super::shape::{Root, Shape, own_text, size};
use crate::language::Language;
use crate::languages;
use crate::parse::parse;
use crate::tables::Tables;
use std::ops::Range;
use tree_sitter::{Node, Tree};

const MAX_CHARS: usize = 4_000;
const MAX_SHAPES: usize = 500;
const MAX_DEPTH: usize = 60;
/// What an error costs beside its length, so that one long error is better than two.
const ERROR_COST: usize = 10;

pub(super) fn compile(text: &str, language: Language) -> Result<StructuralPattern, PatternError> {
    let Some(tables) = languages::spec_of(language).map(|indexed| indexed.tables) else {
        return Err(PatternError::NoGrammar {
            language: language.name().to_owned(),
            known: structural_language_names().join(", "),
        });
    };
    let text = dedent(text);
    let compiler = Compiler {
        tables,
        rules: Rules::new(tables),
        habits: grammar::habits(language.name()),
        template: template(&text, language)?,
    };
    let roots = compiler.roots(language)?;
    Ok(StructuralPattern {
        language,
        roots,
        names: compiler.template.names,
        rules: compiler.rules,
    })
}

fn template(text: &str, language: Language) -> Result<Template<'_>, PatternError> {
    let text = text.trim();
    let example = grammar::habits(language.name()).example;
    if text.is_empty() {
        return Err(PatternError::Empty { example });
    }
    if text.len() > MAX_CHARS {
        let what = format!("{} bytes", text.len());
        return Err(PatternError::TooLarge { what });
    }
    let template = Template::read(text, language.name())?;
    match template.places.as_slice() {
        [only] if only.range == (0..text.trim_end_matches(';').len()) => {
            Err(PatternError::OnlyMetavariable {
                pattern: text.to_owned(),
                example,
            })
        }
        _ => Ok(template),
    }
}

/// Takes off the indentation that all lines share, as code that is cut out of a file has it.
fn dedent(text: &str) -> String {
    let is_blank = |line: &str| line.trim().is_empty();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines = text.lines().filter(|line| !is_blank(line));
    let shared = lines.map(indent).min().unwrap_or(0);
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line.get(shared..).unwrap_or(""))
        .collect();
    lines.join("\n")
}

struct Compiler<'p> {
    tables: &'static Tables,
    rules: Rules,
    habits: &'static Habits,
    template: Template<'p>,
}

/// A parse of the pattern in some surroundings.
struct Attempt {
    tree: Tree,
    rendered: Rendered,
    /// 0 when the grammar takes it.
    cost: usize,
}

impl Compiler<'_> {
    fn roots(&self, language: Language) -> Result<Vec<Root>, PatternError> {
        let mut roots: Vec<Root> = Vec::new();
        let mut best: Option<Attempt> = None;
        let meanings = &self.habits.forms[..self.habits.n_meanings];
        let around = self.habits.around.iter();
        for (around, first) in
            around.flat_map(|around| meanings.iter().map(move |first| (around, first)))
        {
            let Some(attempt) = self.attempt(*around, first) else {
                continue;
            };
            if attempt.cost == 0
                && let Some(shapes) = self.shapes(&attempt)?
                && roots.iter().all(|root| root.shapes != shapes)
            {
                roots.push(Root::new(shapes));
            }
            if best.as_ref().is_none_or(|best| attempt.cost < best.cost) {
                best = Some(attempt);
            }
        }
        if roots.is_empty() {
            Err(self.refusal(language, best))
        } else {
            Ok(roots)
        }
    }

    /// The pattern in its surroundings, each metavariable written in the way that fits best, the
    /// first where it fits.
    fn attempt(&self, around: (&str, &str), first: &'static str) -> Option<Attempt> {
        let mut forms = vec![first; self.template.places.len()];
        let mut best = self.parsed(around, &forms)?;
        for _ in 0..2 {
            for place in 0..forms.len() {
                for form in self.habits.forms {
                    if best.cost == 0 {
                        return Some(best);
                    }
                    let was = std::mem::replace(&mut forms[place], form);
                    let fits = grammar::is_plain(form) || self.template.places[place].many;
                    match self.parsed(around, &forms).filter(|_| fits) {
                        Some(better) if better.cost < best.cost => best = better,
                        _ => forms[place] = was,
                    }
                }
            }
        }
        Some(best)
    }

    fn parsed(&self, around: (&str, &str), forms: &[&str]) -> Option<Attempt> {
        let rendered = self.template.render(around, forms);
        let tree = parse(&rendered.text, self.tables, &[])?;
        let cost = errors(&tree)
            .iter()
            .map(|error| ERROR_COST + error.len())
            .sum();
        Some(Attempt {
            tree,
            rendered,
            cost,
        })
    }

    /// What the pattern itself is in the parse; none where it is no whole.
    fn shapes(&self, attempt: &Attempt) -> Result<Option<Vec<Shape>>, PatternError> {
        let source = attempt.rendered.text.as_str();
        let body = attempt.rendered.body.clone();
        let Some(node) = attempt
            .tree
            .root_node()
            .descendant_for_byte_range(body.start, body.end)
        else {
            return Ok(None);
        };
        let mut parts = vec![node];
        if node.byte_range() != body {
            let inside =
                |part: &Node<'_>| part.start_byte() < body.end && part.end_byte() > body.start;
            parts = node.children(&mut node.walk()).filter(inside).collect();
            let straddles =
                |part: &Node<'_>| part.start_byte() < body.start || part.end_byte() > body.end;
            if parts.iter().any(straddles) {
                return Ok(None);
            }
        }
        let read = PatternReader {
            compiler: self,
            source,
            rendered: &attempt.rendered,
        };
        let mut shapes = Vec::new();
        for part in parts {
            read.add(part, 0, false, &mut shapes)?;
        }
        trim(&mut shapes);
        let n_shapes: usize = shapes.iter().map(size).sum();
        if n_shapes > MAX_SHAPES {
            let what = format!("{n_shapes} nodes");
            return Err(PatternError::TooLarge { what });
        }
        let says_nothing = |shape: &Shape| matches!(shape, Shape::One { .. } | Shape::Many { .. });
        Ok((!shapes.iter().all(says_nothing)).then_some(shapes))
    }

    fn refusal(&self, language: Language, best: Option<Attempt>) -> PatternError {
        let example = self.habits.example;
        if let Some(name) = self.template.lower_case()
            && !matches!(language.name(), "php" | "bash")
        {
            return PatternError::LowerCase {
                name: name.to_owned(),
                capitals: format!("${}", name.to_uppercase()),
                example,
            };
        }
        let text = self.template.text;
        let error = best.and_then(|best| {
            let first = errors(&best.tree).into_iter().next()?;
            Some(self.template.origin(&best.rendered, first.start))
        });
        let at = text.floor_char_boundary(error.unwrap_or(0));
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let rest = text[at..].trim_start();
        let near: String = rest.lines().next().unwrap_or("").chars().take(30).collect();
        PatternError::Syntax {
            language: language.name(),
            line: text[..at].matches('\n').count() + 1,
            column: text[line_start..at].chars().count() + 1,
            near: if near.is_empty() {
                "at its end".to_owned()
            } else {
                format!("near `{near}`")
            },
            example,
        }
    }
}

/// Neighbours at the ends of a list that may be anything say nothing.
fn trim(shapes: &mut Vec<Shape>) {
    let is_many = |shape: Option<&Shape>| matches!(shape, Some(Shape::Many { .. }));
    while shapes.len() > 1 && is_many(shapes.last()) {
        shapes.pop();
    }
    while shapes.len() > 1 && is_many(shapes.first()) {
        shapes.remove(0);
    }
}

/// What a parse could not make sense of. A missing end of a statement is no error: patterns are
/// written without.
fn errors(tree: &Tree) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        if !node.has_error() {
            continue;
        }
        let is_end = matches!(node.kind().trim(), ";" | "");
        if node.is_error() || (node.is_missing() && !is_end) {
            found.push(node.byte_range());
        } else {
            open.extend(node.children(&mut node.walk()));
        }
    }
    found.sort_by_key(|range| range.start);
    found
}

struct PatternReader<'a, 'p> {
    compiler: &'a Compiler<'p>,
    source: &'a str,
    rendered: &'a Rendered,
}

impl PatternReader<'_, '_> {
    fn add(
        &self,
        node: Node<'_>,
        depth: usize,
        in_tokens: bool,
        shapes: &mut Vec<Shape>,
    ) -> Result<(), PatternError> {
        let rules = &self.compiler.rules;
        let kind = node.kind_id();
        if depth > MAX_DEPTH {
            let what = format!("more than {MAX_DEPTH} levels");
            return Err(PatternError::TooLarge { what });
        }
        let says_nothing = node.is_missing()
            || node.is_extra()
            || rules.is_comment(kind)
            || (rules.is_separator(kind) && !in_tokens);
        if says_nothing {
            return Ok(());
        }
        if let Some(shape) = self.metavariable(node) {
            shapes.push(shape);
            return Ok(());
        }
        if node.child_count() == 0 {
            let text = self.source.get(node.byte_range()).unwrap_or("");
            shapes.push(Shape::Leaf {
                named: node.is_named(),
                text: self.compiler.template.restore(text),
            });
            return Ok(());
        }
        let tokens = rules.is_tokens(kind);
        let mut children = Vec::new();
        for child in node.children(&mut node.walk()) {
            self.add(child, depth + 1, tokens, &mut children)?;
        }
        if tokens {
            drop_commas_of_many(&mut children);
        }
        let own = if rules.is_quoted(kind) {
            self.compiler.template.restore(&own_text(node, self.source))
        } else {
            String::new()
        };
        shapes.push(Shape::Node {
            kind,
            own,
            tokens,
            children,
        });
        Ok(())
    }

    fn metavariable(&self, node: Node<'_>) -> Option<Shape> {
        let range = node.byte_range();
        let place = self
            .rendered
            .ranges
            .iter()
            .position(|place| *place == range)?;
        let place = &self.compiler.template.places[place];
        Some(if place.many {
            Shape::Many { name: place.name }
        } else {
            Shape::One { name: place.name }
        })
    }
}

/// `$$$` may be nothing, and then there is no comma beside it.
fn drop_commas_of_many(children: &mut Vec<Shape>) {
    let is_many = |shape: Option<&Shape>| matches!(shape, Some(Shape::Many { .. }));
    let mut at = 0;
    while at < children.len() {
        let is_comma = matches!(&children[at], Shape::Leaf { text, .. } if text == ",");
        let beside = is_many(children.get(at + 1)) || (at > 0 && is_many(children.get(at - 1)));
        if is_comma && beside {
            drop(children.remove(at))
        } else {
            at += 1
        }
    }
}
