//! Does anything fit? Figures of the best candidates that do not depend on the list they lead.
//!
//! Every list has a best, so what is in a list cannot say that nothing answers the query. That nothing
//! fits is a claim: it is made where everything was looked at that could prove it wrong, and not else.

use crate::fuse::Fused;
use crate::query::{ParsedQuery, QueryShape};
use crate::terms::Channel;
use serde::{Deserialize, Serialize};
use specta::Type;

/// Below this share of the words, nothing fits where only words can tell. On nine repositories of the
/// semble part that holds of 2 of 181 questions and of 107 of 108 nonsense queries (letters at random,
/// words that are none, other subjects, names that nothing has); in Django, redis, scrapy and clap,
/// where more words occur by chance, of 76 to 89% of the nonsense.
const FEW_WORDS: f64 = 0.15;
/// Below this one it takes a near neighbour by meaning to fit: 1 of 181 questions has none, and 108 of
/// 108 nonsense queries.
const SOME_WORDS: f64 = 0.25;
/// From this share of its words on, the path of a file answers a query.
const NAMED_BY_PATH: f64 = 0.5;
/// The same for a query that is a path: one folder that is there does not make the file be there.
const SOME_PATH: f64 = 0.25;
/// Models whose cosines have a scale that was measured. By minilm-l6, of 28 nonsense queries in chi five
/// have a neighbour beyond .37, and the two beyond .42 are spelled out; of 30 paraphrases seven have no
/// word there, and none of these a neighbour beyond .35. By the static table the best cosine grows with
/// the repository, and words and cosine tell more together than either: of 604 questions to 52
/// repositories two lie below .54 (and below [`SOME_WORDS`]), and 299 of 312 about other things.
const SCALES: [Scale; 2] = [
    Scale {
        model: "minilm-l6",
        near: Near::Cosine(0.37),
        alone: 0.42,
    },
    Scale {
        model: "static",
        near: Near::WithWords(0.54),
        alone: 0.42,
    },
];
/// Letters of a word for each piece that the model cuts it into, at least: what it spells out letter by
/// letter (`zzzqqqxyz` in 7 pieces, a script that it was not trained on) it does not know, and something
/// is near to anything.
const LETTERS_A_PIECE: f64 = 1.5;
/// A text of more tokens than this is a report or a piece of code: no chunk holds much of it.
const MAX_TOKENS: usize = 24;

/// What a model's cosines mean.
struct Scale {
    model: &'static str,
    near: Near,
    /// The cosine of what is near enough where no word occurs.
    alone: f64,
}

/// From where on a neighbour is near.
#[derive(Clone, Copy)]
enum Near {
    Cosine(f64),
    /// The cosine and the share of the words, added.
    WithWords(f64),
}

/// How well the best candidates fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct QueryFit {
    /// The best BM25 against that of a chunk that is made of the query's words alone, 0 to 1. Rare words
    /// count most, and those that the repository lacks are the rarest.
    pub words: f64,
    /// The best cosine; `None` where no chunk has a vector.
    pub cosine: Option<f64>,
    /// That nothing fits well, and why; `None` where something does.
    pub poor: Option<String>,
}

/// What was looked at beside the list.
pub(crate) struct Looked<'a> {
    /// What a chunk would score that is made of the query's words alone; `None` where full text was not
    /// asked, or not about all words.
    pub(crate) most_bm25: Option<f64>,
    /// Whether a definition, or a file, bears the name that the query is.
    pub(crate) is_named: &'a dyn Fn() -> bool,
    /// Filters hide a part.
    pub(crate) is_narrowed: bool,
    pub(crate) vectors: Option<Vectors<'a>>,
}

/// What the vectors can tell.
pub(crate) struct Vectors<'a> {
    pub(crate) model: &'a str,
    /// The channel that has its cosines.
    pub(crate) channel: Channel,
    /// Every chunk has one.
    pub(crate) are_all: bool,
    /// Pieces of its vocabulary that the model cuts the query into, where that is known.
    pub(crate) n_pieces: Option<usize>,
}

impl QueryFit {
    pub(crate) fn of(rows: &[Fused], query: &ParsedQuery, looked: &Looked<'_>) -> Self {
        let bm25 = best(rows, &[Channel::Fts, Channel::DocSection]).unwrap_or(0.0);
        let most = looked.most_bm25.unwrap_or(0.0);
        let words = if most > 0.0 {
            (bm25 / most).min(1.0)
        } else {
            0.0
        };
        let of_vectors = looked.vectors.as_ref().map(|vectors| vectors.channel);
        let cosine = of_vectors.and_then(|channel| best(rows, &[channel]));
        let found = Found {
            words,
            by_path: best(rows, &[Channel::Path]).unwrap_or(0.0),
            cosine,
        };
        // Words that the filters hide say nothing either way.
        let why = (!rows.is_empty()).then(|| found.lacks(query, looked));
        Self {
            words,
            cosine,
            poor: why.flatten().map(|why| tell(why, looked.is_narrowed)),
        }
    }
}

/// The best of each kind.
struct Found {
    words: f64,
    by_path: f64,
    cosine: Option<f64>,
}

impl Found {
    /// Why nothing fits, where that is so.
    fn lacks(&self, query: &ParsedQuery, looked: &Looked<'_>) -> Option<&'static str> {
        if query.tokens.is_empty() {
            return Some("the query has no word to look for");
        }
        if query.shape == QueryShape::Path {
            let has_some = self.by_path >= SOME_PATH || self.words >= SOME_WORDS;
            return (!has_some && !(looked.is_named)()).then_some("no file has this name");
        }
        if is_one_letter(query) {
            return (!(looked.is_named)()).then_some("one letter says too little");
        }
        let answers = looked.most_bm25.is_none()
            || self.by_path >= NAMED_BY_PATH
            || self.is_near(query, looked.vectors.as_ref())
            || self.words >= self.words_wanted(query, looked.vectors.as_ref())
            || (looked.is_named)();
        let occurs = self.words > 0.0 || self.by_path > 0.0;
        match (answers, occurs) {
            (true, _) => None,
            _ if query.shape == QueryShape::Identifier => Some("nothing has this name"),
            (_, false) => Some("no word of the query occurs"),
            _ => Some("the words that matter in the query occur nowhere together"),
        }
    }

    /// Whether something is near by meaning. Where no word occurs the model alone would say so, and has
    /// to know what it is asked.
    fn is_near(&self, query: &ParsedQuery, vectors: Option<&Vectors<'_>>) -> bool {
        let Some((vectors, cosine)) = vectors.zip(self.cosine) else {
            return false;
        };
        vectors.scale().is_some_and(|scale| match scale.near {
            _ if self.words <= 0.0 => cosine >= scale.alone && vectors.knows(&query.text),
            Near::Cosine(near) => cosine >= near,
            Near::WithWords(near) => self.words + cosine >= near,
        })
    }

    /// The share of the words below which nothing fits.
    fn words_wanted(&self, query: &ParsedQuery, vectors: Option<&Vectors<'_>>) -> f64 {
        let is_measured = vectors.is_some_and(Vectors::can_refute);
        if query.tokens.len() > MAX_TOKENS {
            f64::MIN_POSITIVE
        } else if is_measured && self.cosine.is_some() {
            SOME_WORDS
        } else {
            FEW_WORDS
        }
    }
}

impl Vectors<'_> {
    /// Whether no near neighbour among them means that there is none.
    fn can_refute(&self) -> bool {
        self.are_all && self.scale().is_some()
    }

    fn scale(&self) -> Option<&'static Scale> {
        SCALES.iter().find(|scale| scale.model == self.model)
    }

    fn knows(&self, text: &str) -> bool {
        let n_letters = text.chars().filter(|char| char.is_alphanumeric()).count();
        self.n_pieces
            .is_none_or(|n_pieces| n_letters as f64 >= LETTERS_A_PIECE * n_pieces as f64)
    }
}

/// A letter of an alphabet, or a digit: in Chinese one sign is a word.
pub(crate) fn is_one_letter(query: &ParsedQuery) -> bool {
    let mut chars = query.text.chars().filter(|char| char.is_alphanumeric());
    let first = chars.next();
    first.is_some_and(|char| u32::from(char) < FIRST_WITHOUT_ALPHABET) && chars.next().is_none()
}

/// Where the scripts begin of which a sign is a syllable or a word: CJK radicals, kana, Hangul.
const FIRST_WITHOUT_ALPHABET: u32 = 0x2e80;

fn best(rows: &[Fused], channels: &[Channel]) -> Option<f64> {
    let ranks = rows.iter().flat_map(|row| &row.channels);
    let of_channel = ranks.filter(|rank| channels.contains(&rank.channel));
    of_channel.map(|rank| rank.raw_score).reduce(f64::max)
}

fn tell(why: &str, is_narrowed: bool) -> String {
    let within = if is_narrowed {
        " within the filters"
    } else {
        ""
    };
    format!("nothing fits well: {why}{within}; these only come nearest")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::ChannelRank;
    use whyrank_index::ChunkRef;

    fn row(ranks: &[(Channel, f64)]) -> Vec<Fused> {
        let rank = |(channel, raw_score): &(Channel, f64)| ChannelRank {
            channel: *channel,
            rank: 1,
            raw_score: *raw_score,
            contribution: 0.01,
            way: None,
        };
        vec![Fused {
            place: ChunkRef { file: 0, chunk: 0 },
            channels: ranks.iter().map(rank).collect(),
            bm25_below: None,
            static_cosine: None,
            score: 0.02,
        }]
    }

    fn found(bm25: f64, cosine: f64) -> Vec<Fused> {
        row(&[(Channel::Fts, bm25), (Channel::Vector, cosine)])
    }

    /// Full text was asked about all words, and nothing has the name.
    const LOOKED: Looked<'_> = Looked {
        most_bm25: Some(20.0),
        is_named: &|| false,
        is_narrowed: false,
        vectors: None,
    };

    fn vectors(model: &str, n_pieces: usize) -> Option<Vectors<'_>> {
        Some(Vectors {
            model,
            channel: Channel::Vector,
            are_all: true,
            n_pieces: Some(n_pieces),
        })
    }

    fn why(text: &str, rows: &[Fused], looked: &Looked<'_>) -> Option<String> {
        QueryFit::of(rows, &ParsedQuery::parse(text), looked).poor
    }

    fn is_poor(text: &str, rows: &[Fused], model: Option<&str>) -> bool {
        let vectors = model.and_then(|model| vectors(model, text.split_whitespace().count()));
        why(text, rows, &Looked { vectors, ..LOOKED }).is_some()
    }

    #[test]
    fn the_best_of_a_list_may_still_fit_badly() {
        let words = "banana bread recipe";
        assert!(is_poor(words, &found(2.0, 0.2), Some("minilm-l6")));
        assert!(!is_poor(words, &found(2.0, 0.5), Some("minilm-l6")));
        assert!(!is_poor(words, &found(10.0, 0.2), Some("minilm-l6")));
    }

    #[test]
    fn by_the_table_words_and_cosine_count_together() {
        let words = "banana bread recipe";
        assert!(is_poor(words, &found(2.0, 0.41), Some("static")));
        assert!(!is_poor(words, &found(4.0, 0.36), Some("static")));
        assert!(!is_poor(words, &found(2.0, 0.5), Some("static")));
        assert!(!is_poor(words, &found(0.0, 0.43), Some("static")));
    }

    #[test]
    fn cosines_count_where_their_scale_is_known() {
        assert!(is_poor("bread recipe", &found(2.0, 0.9), None));
        assert!(is_poor("bread recipe", &found(2.0, 0.9), Some("another")));
        assert!(!is_poor("bread recipe", &found(5.0, 0.1), Some("another")));
    }

    #[test]
    fn a_near_neighbour_is_one_while_others_have_no_vector_yet() {
        let looked = Looked {
            vectors: Some(Vectors {
                are_all: false,
                ..vectors("minilm-l6", 2).unwrap()
            }),
            ..LOOKED
        };
        assert_eq!(why("bread recipe", &found(0.0, 0.5), &looked), None);
        // None among them is near, which says nothing of the others.
        assert_eq!(why("bread recipe", &found(4.0, 0.1), &looked), None);
        assert!(why("bread recipe", &found(2.0, 0.1), &looked).is_some());
    }

    /// Letters at random, other scripts, digits: each with the pieces that minilm-l6 cuts it into.
    const SPELLED_OUT: [(&str, usize); 9] = [
        ("zzzqqqxyz", 7),
        ("hjkl", 3),
        ("xq vbz", 5),
        ("最短路径", 4),
        ("кот", 3),
        ("котик ищет", 9),
        ("경로 찾기", 6),
        ("مسار", 4),
        ("8847261", 5),
    ];

    #[test]
    fn what_a_model_spells_out_it_does_not_know() {
        for (text, n_pieces) in SPELLED_OUT {
            let looked = Looked {
                vectors: vectors("minilm-l6", n_pieces),
                ..LOOKED
            };
            // The nearest of random vectors is near enough where there are many.
            let said = why(text, &found(0.0, 0.6), &looked);
            assert!(said.is_some(), "{text}");
            assert_eq!(why(text, &found(0.0, 0.6), &LOOKED), said, "{text}");
            // In a repository that has it, it fits.
            assert_eq!(why(text, &found(19.0, 0.1), &looked), None, "{text}");
        }
    }

    #[test]
    fn words_that_a_model_knows_may_be_meant_by_others() {
        for (text, n_pieces) in [
            ("throttle", 1),
            ("memoize", 2),
            ("debounce keystrokes", 6),
            ("regex", 2),
            ("Verify the visitor's secret", 6),
            ("RateLimiter", 3),
        ] {
            let looked = Looked {
                vectors: vectors("minilm-l6", n_pieces),
                ..LOOKED
            };
            assert_eq!(why(text, &found(0.0, 0.5), &looked), None, "{text}");
            assert!(why(text, &found(0.0, 0.2), &looked).is_some(), "{text}");
        }
    }

    #[test]
    fn without_a_word_nothing_fits() {
        for text in ["???", "->", "…", "🎉 🎉", "{}", "()", "=== !=="] {
            let said = why(text, &row(&[(Channel::Vector, 0.9)]), &LOOKED).unwrap();
            assert!(said.contains("no word to look for"), "{text}: {said}");
        }
    }

    #[test]
    fn one_letter_fits_what_is_called_so() {
        for text in ["a", "x", "Q", "7", "ж", "é", " b ", "(c)"] {
            let said = why(text, &found(19.0, 0.9), &LOOKED).unwrap();
            assert!(said.contains("one letter"), "{text}: {said}");
            let looked = Looked {
                is_named: &|| true,
                ..LOOKED
            };
            assert_eq!(why(text, &found(19.0, 0.9), &looked), None, "{text}");
        }
        // A sign that is a word.
        assert_eq!(why("猫", &found(19.0, 0.9), &LOOKED), None);
    }

    #[test]
    fn letters_at_random_never_fit_where_they_do_not_occur() {
        let mut state = 7_u64;
        let mut next = move |n: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % n
        };
        let alphabets = [
            "abcdefghijklmnopqrstuvwxyz",
            "абвгдежз",
            "0123456789",
            "漢字路径短",
            "_.Az9é-",
        ];
        for round in 0..500 {
            let letters: Vec<char> = alphabets[round % alphabets.len()].chars().collect();
            let n_words = 1 + next(40);
            let words = (0..n_words).map(|_| {
                let n_letters = 1 + next(12);
                (0..n_letters)
                    .map(|_| letters[next(letters.len())])
                    .collect::<String>()
            });
            let text = words.collect::<Vec<_>>().join(" ");
            let n_pieces = text.chars().filter(|char| !char.is_whitespace()).count();
            for vectors in [None, vectors("minilm-l6", n_pieces)] {
                let looked = Looked { vectors, ..LOOKED };
                assert!(why(&text, &found(0.0, 0.7), &looked).is_some(), "{text}");
            }
        }
    }

    #[test]
    fn what_a_path_or_a_definition_is_called_occurs() {
        let by_path = row(&[(Channel::Path, 1.0), (Channel::Vector, 0.1)]);
        assert_eq!(why("flamingo", &by_path, &LOOKED), None);
        let looked = Looked {
            is_named: &|| true,
            ..LOOKED
        };
        assert_eq!(why("Flamingo.quartz", &found(1.0, 0.1), &looked), None);
        let said = why("Flamingo.quartz", &found(1.0, 0.1), &LOOKED).unwrap();
        assert!(said.contains("nothing has this name"), "{said}");
    }

    #[test]
    fn a_path_fits_a_file_whose_path_has_its_rarer_words() {
        let path = |share| row(&[(Channel::Path, share), (Channel::Fts, 0.0)]);
        assert_eq!(why("src/bread/recipe.rs", &path(0.6), &LOOKED), None);
        let said = why("src/zzz/qqq.rs", &path(0.1), &LOOKED).unwrap();
        assert!(said.contains("no file has this name"), "{said}");
        // What every folder has says little of one file, and the file is there.
        let looked = Looked {
            is_named: &|| true,
            ..LOOKED
        };
        assert_eq!(why("src/zzz/mod.rs", &path(0.1), &looked), None);
    }

    #[test]
    fn nothing_is_said_of_what_was_not_looked_at() {
        let looked = Looked {
            most_bm25: None,
            ..LOOKED
        };
        assert_eq!(why("bread recipe", &found(0.0, 0.1), &looked), None);
        assert_eq!(why("bread recipe", &[], &LOOKED), None);
        let narrowed = Looked {
            is_narrowed: true,
            ..LOOKED
        };
        let said = why("bread recipe", &found(0.0, 0.1), &narrowed).unwrap();
        assert!(said.contains("no word of the query occurs within the filters"));
    }

    #[test]
    fn a_long_report_fits_by_any_of_its_words() {
        let report = (0..40).map(|n| format!("word{n} ")).collect::<String>();
        assert!(!is_poor(&report, &found(0.1, 0.1), None));
        assert!(is_poor(&report, &found(0.0, 0.1), None));
    }
}
