//! Words of SQL that are no names, and comments that say what a definition is for.

use crate::lines::Lines;
use crate::types::Span;

/// Words that name nothing, alone or before a bracket.
const KEYWORDS: &str = "\
    add after all always and any array as before between both by case cast check cluster clustered \
    collate column columns conflict constraint cube cross default distinct do else elseif elsif end \
    engine except exclude execute exists filter foreign from generated group grouping having \
    identity if in include index inherits insert intersect interval into is join key lateral leading \
    like limit materialized minus not null of on only or order over overwrite partition partitions \
    primary range recursive references return returning returns rollup row rows select set sets some \
    table then union unique using options top tablesample unnest values varying when where while \
    window with within";

/// Types that every dialect has, and what casts and measures name.
pub(super) const TYPES: &str = "\
    bigint bigserial binary bit blob bool boolean bytea char character cidr clob date datetime \
    datetime2 datetimeoffset dec decimal double enum float float4 float8 hstore image inet int int2 \
    int4 int8 integer interval json jsonb longblob longtext mediumblob mediumint mediumtext money \
    nchar ntext numeric nvarchar real record regclass serial setof smallint smallserial text time \
    timestamp timestamptz timetz tinyint tinytext trigger tsquery tsvector uniqueidentifier uuid \
    varbinary varchar void xml year precision";

/// Words that end the list of tables of a query.
pub(super) const AFTER_TABLES: &str = "\
    where group order having limit window union except intersect minus set values returning fetch \
    offset for when into";

/// Words behind a table that are no alias of it.
pub(super) const NO_ALIAS: &str = "\
    where group order having limit window union except intersect minus set values returning fetch \
    offset for when into on using join inner left right full cross natural outer straight_join \
    lateral select with tablesample pivot unpivot then loop end do default";

/// Says whether a word is one of those in a text, whatever its case.
pub(super) fn is_one_of(word: &str, words: &str) -> bool {
    words
        .split(' ')
        .any(|known| known.eq_ignore_ascii_case(word))
}

/// Says whether a word names nothing.
pub(super) fn is_keyword(word: &str) -> bool {
    is_one_of(word, KEYWORDS)
}

/// The comment lines right above a line.
pub(super) fn doc(lines: &Lines<'_>, line: u32) -> Option<Span> {
    let is_comment = |line: u32| {
        let text = lines.text(line).trim_start();
        text.starts_with("--")
            || text.starts_with("/*")
            || text.starts_with("* ")
            || text.starts_with("*/")
    };
    let mut first = line;
    while first > 1 && line - first < 100 && is_comment(first - 1) {
        first -= 1;
    }
    (first < line).then(|| lines.span(first, line - 1))
}
