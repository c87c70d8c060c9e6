//! What a declaration says about the name that it declares: its type, or the expression it is set to.
//!
//! In: the leaf that bears the name and the nodes above it. Out: text for the graph to follow, with
//! what is in brackets left out. Nothing is resolved here.

mod closures;
mod patterns;
mod plain_text;
mod values;

pub(crate) use closures::{callee, given, placeholder, receiver};
use closures::{handed_over, passed_to};
pub(crate) use patterns::matched;
pub(crate) use plain_text::{MAX_TEXT, anonymous, plain, without_comments};
pub(crate) use values::of_value;

use crate::family::Family;
use crate::locals::TypeHint;
use crate::spec::Context;
use crate::types::{CHOICE, HintKind};
use tree_sitter::Node;

/// Types that say that the value decides.
const INFERRED: &[&str] = &["var", "auto", "let", "val", "const", "final", "any"];
/// What the declaration `n_up` nodes above the leaf says about it.
pub(crate) fn of_declared(
    context: &Context<'_, '_>,
    leaf: Node<'_>,
    n_up: usize,
) -> Option<TypeHint> {
    let declaration = context.ancestor(n_up)?;
    // C#: the names of a tuple declare themselves.
    if declaration.kind() == "tuple_pattern" {
        return of_declared(context, leaf, n_up + 1);
    }
    let mut unpacking = Unpacking::default();
    let mut child = leaf;
    for n in 0..n_up {
        let node = context.ancestor(n)?;
        unpacking.through(context, node, child)?;
        child = node;
    }
    if let Some(alone) = unpacking.value_of_part(declaration) {
        return unpacking.applied(of_value(context, alone)?);
    }
    let hint = match unpacking.value {
        Some(value) => match stated_type(context, declaration, n_up) {
            Some(stated) => Some((HintKind::Type, stated)),
            None => of_value(context, value),
        },
        None => match unpacking.owner.take() {
            Some(owner) => Some((HintKind::Type, owner)),
            // Swift: `if let name = value`.
            None if matches!(
                declaration.kind(),
                "if_statement" | "guard_statement" | "while_statement"
            ) && declaration
                .child_by_field_name("bound_identifier")
                .is_some() =>
            {
                child
                    .next_named_sibling()
                    .and_then(|value| of_value(context, value))
            }
            None => of_declaration(context, declaration, n_up)
                .or_else(|| handed_over(context, leaf, n_up)),
        },
    };
    unpacking.applied(hint?)
}

/// What an assignment to a field says about the field.
pub(crate) fn of_assigned(context: &Context<'_, '_>, assignment: Node<'_>) -> Option<TypeHint> {
    let stated = assignment.child_by_field_name("type");
    match stated {
        Some(stated) => Some((HintKind::Type, context.text(stated).to_owned())),
        None => of_value(context, assignment.child_by_field_name("right")?),
    }
}

/// What lies between a declaration and the name.
#[derive(Default)]
struct Unpacking<'t> {
    part: Option<u8>,
    /// Fields taken out, outermost first.
    keys: Vec<String>,
    /// The type whose fields are taken out.
    owner: Option<String>,
    value: Option<Node<'t>>,
    is_many: bool,
    /// A pattern names the type, or a variant of it.
    is_variant: bool,
    /// The parts are those of one value.
    is_tuple: bool,
}

impl<'t> Unpacking<'t> {
    fn through(
        &mut self,
        context: &Context<'_, 't>,
        node: Node<'t>,
        child: Node<'t>,
    ) -> Option<()> {
        match node.kind() {
            "init_declarator" | "assignment_statement" => {
                let values = node.child_by_field_name("value");
                self.value = values.or_else(|| node.named_child(1));
            }
            "mut_pattern"
            | "ref_pattern"
            | "reference_pattern"
            | "pointer_declarator"
            | "reference_declarator"
            | "parenthesized_declarator"
            | "array_declarator"
            | "variable_name"
            | "pattern"
            | "captured_pattern"
            | "attributed_declarator"
            | "rest_pattern"
            | "object_pattern"
            | "assignment_pattern"
            | "variable_declaration"
            | "object_assignment_pattern" => {}
            "list_splat_pattern" | "dictionary_splat_pattern" => self.is_many = true,
            "tuple_struct_pattern" => {
                let wrapper = context.field_text(node, "type");
                matches!(wrapper, "Some" | "Ok").then_some(())?;
            }
            "tuple_pattern"
            | "pattern_list"
            | "expression_list"
            | "list_pattern"
            | "array_pattern"
            | "left_assignment_list"
            | "variable_list" => {
                if node.named_child_count() > 1 {
                    self.take_part(node, child)?;
                    self.is_tuple = context.spec.names.family == Family::Dotnet;
                }
            }
            "pair_pattern" => self.take_key(context.field_text(node, "key")),
            "field_pattern" => self.take_key(context.field_text(node, "name")),
            "typed_pattern" => {
                self.owner = Some(context.field_text(node, "type").to_owned());
            }
            "struct_pattern" => {
                self.owner = Some(context.field_text(node, "type").to_owned());
                self.is_variant = true;
            }
            _ => return None,
        }
        if child.kind() == "shorthand_property_identifier_pattern" {
            self.take_key(context.text(child));
        }
        Some(())
    }

    fn take_part(&mut self, node: Node<'_>, child: Node<'_>) -> Option<()> {
        let mut cursor = node.walk();
        let at = node
            .named_children(&mut cursor)
            .position(|part| part.id() == child.id())?;
        self.part.is_none().then_some(())?;
        self.part = u8::try_from(at).ok();
        Some(())
    }

    /// The value of a name among several, where it has one of its own: `a, b = x, y`; Go's
    /// `a, ok := x.(T)`.
    fn value_of_part(&mut self, declaration: Node<'t>) -> Option<Node<'t>> {
        let part = self.part?;
        let field = |name| declaration.child_by_field_name(name);
        let values = self
            .value
            .or_else(|| field("right"))
            .or_else(|| field("value"))
            .or_else(|| last_value(declaration))?;
        let alone = match (values.kind(), values.named_child_count()) {
            ("expression_list" | "tuple", 1) => told_with_success(values.named_child(0)?, part),
            ("expression_list" | "tuple", _) => values.named_child(u32::from(part)),
            ("tuple_expression", _) => {
                let alone = values.named_child(u32::from(part))?;
                match alone.kind() {
                    "argument" => alone.named_child(0),
                    _ => Some(alone),
                }
            }
            _ => told_with_success(values, part),
        }?;
        self.part = None;
        Some(alone)
    }

    fn take_key(&mut self, key: &str) {
        self.keys.insert(0, key.to_owned());
    }

    fn applied(self, (kind, text): TypeHint) -> Option<TypeHint> {
        if text.starts_with(CHOICE)
            && (self.is_many || self.part.is_some() || !self.keys.is_empty())
        {
            return None;
        }
        if self.is_many {
            return (kind == HintKind::Type).then(|| (kind, format!("[]{text}")));
        }
        if !self.keys.is_empty() {
            if kind == HintKind::Type && !self.is_variant && self.part.is_none() {
                return Some((
                    HintKind::Value,
                    format!("^:({text}).{}", self.keys.join(".")),
                ));
            }
            let is_path = !text.contains(|c: char| !(c.is_alphanumeric() || "_$.:".contains(c)));
            let fits = kind == HintKind::Value || kind == HintKind::Type && is_path;
            return (fits && self.part.is_none())
                .then(|| (HintKind::Value, format!("{text}.{}", self.keys.join("."))));
        }
        match (kind, self.part) {
            (_, None) => Some((kind, text)),
            (HintKind::Value, Some(part)) => Some((HintKind::Part(part), text)),
            // Go: `for i, x := range xs`.
            (HintKind::Element, Some(1)) if !self.is_tuple => Some((kind, text)),
            _ => None,
        }
    }
}

/// What gives a value and whether there is one.
fn told_with_success(value: Node<'_>, part: u8) -> Option<Node<'_>> {
    let fits = matches!(
        value.kind(),
        "type_assertion_expression" | "index_expression"
    );
    (fits && part == 0).then_some(value)
}

fn of_declaration(
    context: &Context<'_, '_>,
    declaration: Node<'_>,
    n_up: usize,
) -> Option<TypeHint> {
    let field = |name| declaration.child_by_field_name(name);
    let stated = stated_type(context, declaration, n_up).map(|text| (HintKind::Type, text));
    match declaration.kind() {
        "for_expression"
        | "for_in_statement"
        | "for_statement"
        | "for_in_clause"
        | "for_element"
        | "enhanced_for_statement"
        | "foreach_statement"
        | "for_range_loop"
        | "range_clause" => {
            let over = field("value")
                .or_else(|| field("right"))
                .or_else(|| field("collection"));
            let is_keys = context.field_text(declaration, "operator") == "in";
            let element = || (!is_keys).then(|| element_of(context, over?)).flatten();
            stated.or_else(element)
        }
        "match_pattern" => {
            let matched = context.ancestor(n_up + 3)?.child_by_field_name("value")?;
            of_value(context, matched)
        }
        "as_pattern_target" => {
            let hint = of_value(context, context.ancestor(n_up + 1)?.named_child(0)?)?;
            entered(context, n_up + 2, hint)
        }
        "instanceof_expression" => Some((HintKind::Type, context.text(field("right")?).to_owned())),
        kind if kind.contains("parameter") => stated,
        "variable_declaration" => {
            let value = || {
                let around = context.ancestor(n_up + 1)?;
                if around.kind() == "for_statement" {
                    return element_of(context, declaration.next_named_sibling()?);
                }
                let last = around.named_child(around.named_child_count().checked_sub(1)? as u32)?;
                (last.id() != declaration.id())
                    .then(|| of_value(context, last))
                    .flatten()
            };
            stated.or_else(value)
        }
        "variable_declarator" => stated.or_else(|| {
            let last = || last_value(declaration);
            of_value(context, field("value").or_else(last)?)
        }),
        "declaration_pattern" | "recursive_pattern" => {
            stated.or_else(|| patterns::declared(context, n_up))
        }
        "declaration_expression" => stated.or_else(|| passed_out(context, declaration, n_up)),
        "from_clause" => stated.or_else(|| element_of(context, last_child(declaration)?)),
        // Scala: `x <- xs`, `x = y`; `x @ Type(_)`.
        "enumerator" => {
            let value = last_child(declaration)?;
            match context.text(declaration).contains("<-") {
                true => element_of(context, value),
                false => of_value(context, value),
            }
        }
        "capture_pattern" => {
            let stated = field("pattern")?.child_by_field_name("type")?;
            Some((HintKind::Type, context.text(stated).to_owned()))
        }
        _ => stated.or_else(|| of_value(context, field("value").or_else(|| field("right"))?)),
    }
}

/// Python: what `with value as name` gives, where the node `n_up` above is of such a statement.
fn entered(context: &Context<'_, '_>, n_up: usize, (kind, text): TypeHint) -> Option<TypeHint> {
    if context.ancestor(n_up)?.kind() != "with_item" {
        return Some((kind, text));
    }
    let statement = (n_up..n_up + 3).filter_map(|n| context.ancestor(n));
    let mut statement = statement.filter(|node| node.kind() == "with_statement");
    let is_async = context.text(statement.next()?).starts_with("async");
    let enters = if is_async { "__aenter__" } else { "__enter__" };
    match kind {
        HintKind::Value if text.starts_with(char::is_alphabetic) && !text.contains(' ') => {
            Some((HintKind::Value, format!("{text}.{enters}()")))
        }
        _ => None,
    }
}

fn last_child(node: Node<'_>) -> Option<Node<'_>> {
    node.named_child(node.named_child_count().checked_sub(1)? as u32)
}

/// C#: the value of a declarator has no field.
fn last_value(declaration: Node<'_>) -> Option<Node<'_>> {
    let is_declarator = declaration.kind() == "variable_declarator";
    last_child(declaration).filter(|_| is_declarator && declaration.named_child_count() > 1)
}

/// C#: `out var x` has the type of the parameter.
fn passed_out(context: &Context<'_, '_>, declaration: Node<'_>, n_up: usize) -> Option<TypeHint> {
    let (call, end, argument) = passed_to(context, declaration, n_up + 1)?;
    let callee = callee(context, call, end)?;
    Some((HintKind::Value, format!("^{argument}({callee})")))
}

/// The type that is written beside the name.
fn stated_type(context: &Context<'_, '_>, declaration: Node<'_>, n_up: usize) -> Option<String> {
    let stated = type_of(declaration).or_else(|| {
        let around = context.ancestor(n_up + 1)?;
        let holds = matches!(
            around.kind(),
            "local_variable_declaration" | "variable_declaration" | "declaration"
        );
        holds.then(|| around.child_by_field_name("type")).flatten()
    })?;
    let text = context.text(stated).trim_start_matches([':', ' ']);
    if let Some(anonymous) = anonymous(text) {
        return Some(anonymous);
    }
    let is_inferred = INFERRED.contains(&text) || stated.kind().contains("placeholder");
    let many = ["variadic", "spread"]
        .iter()
        .any(|word| declaration.kind().contains(word));
    let text = if many {
        format!("[]{text}")
    } else {
        text.to_owned()
    };
    (!is_inferred && text.len() <= MAX_TEXT).then_some(text)
}

fn type_of(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name("type").or_else(|| {
        let mut cursor = node.walk();
        let mut parts = node.named_children(&mut cursor);
        parts.find(|part| {
            matches!(
                part.kind(),
                "user_type" | "nullable_type" | "type_annotation" | "catch_type" | "type"
            )
        })
    })
}

fn makes_container(value: Node<'_>) -> bool {
    matches!(
        value.kind(),
        "object_creation_expression" | "array_creation_expression"
    )
}

fn element_of(context: &Context<'_, '_>, over: Node<'_>) -> Option<TypeHint> {
    let over = match over.kind() {
        "expression_list" => over.named_child(0)?,
        _ => over,
    };
    // Go: the literal says what it holds.
    if over.kind() == "composite_literal"
        && let Some((HintKind::Type, text)) = of_value(context, over)
    {
        return Some((HintKind::Element, format!("^:({text})")));
    }
    match of_value(context, over) {
        Some((HintKind::Value, text)) => Some((HintKind::Element, text)),
        Some((HintKind::Type, text)) if makes_container(over) => {
            Some((HintKind::Element, format!("^:({text})")))
        }
        _ => Some((HintKind::Element, plain(context.text(over))?)),
    }
}

/// Says whether a declaration binds names of a module (`const { a } = require("x")`).
pub(crate) fn is_import(context: &Context<'_, '_>, declaration: Node<'_>) -> bool {
    let calls = context.spec.import_calls;
    declaration
        .child_by_field_name("value")
        .filter(|_| !calls.is_empty())
        .is_some_and(|value| {
            let text = context.text(value);
            let text = without_comments(&text[..text.floor_char_boundary(MAX_TEXT)]);
            let text = text.trim_start();
            let text = text.strip_prefix("await").unwrap_or(text).trim_start();
            calls
                .iter()
                .filter_map(|call| text.strip_prefix(call))
                .any(|rest| rest.trim_start().starts_with('('))
        })
}
