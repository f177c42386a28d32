//! Fields of the text index.

use tantivy::schema::{Field, IndexRecordOption, NumericOptions, STORED, Schema, TextFieldIndexing, TextOptions};

/// Part of the folder's name: a folder of another version is left behind and the index built anew. To be raised with every change
/// of fields, analyzer or stored form.
pub const SCHEMA_VERSION: u32 = 1;

/// Name of the analyzer that cuts words, folds and stems them.
pub const WORDS: &str = "words";
/// Name of the analyzer that keeps only words with accents, as they are written.
pub const ACCENTED: &str = "accented";
const RAW: &str = "raw";

/// The same for every index of this version.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    pub id: Field,
    /// The element's row, the same as in the attributes.
    pub row: Field,
    /// The element as attributes and footprints need it, stored.
    pub element: Field,
    /// All text in one field: BM25 over one field does better than the best or the sum of several.
    pub text: Field,
    pub title: Field,
    /// Words with accents, after their folded form: see [`super::analyzer::accented_term`].
    pub accented: Field,
    /// The codes an element is called by, normalised.
    pub own: Field,
    /// The codes its text mentions, normalised.
    pub mentioned: Field,
    pub doi: Field,
}

impl Fields {
    pub fn schema() -> (Schema, Self) {
        let words = |option| {
            TextOptions::default()
                .set_indexing_options(TextFieldIndexing::default().set_tokenizer(WORDS).set_index_option(option))
        };
        let term = |analyzer: &str| {
            let indexing = TextFieldIndexing::default()
                .set_tokenizer(analyzer)
                .set_fieldnorms(false)
                .set_index_option(IndexRecordOption::Basic);
            TextOptions::default().set_indexing_options(indexing)
        };
        let mut schema = Schema::builder();
        let fields = Self {
            id: schema.add_text_field("id", term(RAW)),
            row: schema.add_u64_field("row", NumericOptions::default().set_fast()),
            element: schema.add_bytes_field("element", STORED),
            text: schema.add_text_field("text", words(IndexRecordOption::WithFreqsAndPositions)),
            title: schema.add_text_field("title", words(IndexRecordOption::WithFreqs)),
            accented: schema.add_text_field("accented", term(ACCENTED)),
            own: schema.add_text_field("own", term(RAW)),
            mentioned: schema.add_text_field("mentioned", term(RAW)),
            doi: schema.add_text_field("doi", term(RAW)),
        };
        (schema.build(), fields)
    }
}
