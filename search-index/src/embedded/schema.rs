//! The fields of the index, and the conversion of documents.

use tantivy::schema::{
    BytesOptions, FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema,
    TextFieldIndexing, TextOptions,
};
use tantivy::{TantivyDocument, Term};
use uuid::Uuid;

use crate::{ProductDocument, Removal};

/// The version of the index format. Raise it when fields or tokens change: an index of another format is deleted and fed again.
pub const FORMAT: u32 = 4;

/// Names of the columns used for sorting and counting.
pub mod column {
    pub const ID: &str = "id";
    pub const POSITION: &str = "position";
    pub const NAME: &str = "name";
    pub const NAME_LENGTH: &str = "nameLength";
    pub const SOLD_OUT: &str = "soldOut";
    pub const SELLS: &str = "sells";
    pub const CREATED_AT: &str = "createdAt";
    pub const SALE_PRICE: &str = "salePrice";
    pub const CATEGORIES: &str = "categories";
    pub const BRAND: &str = "brand";
    pub const REVIEWS: &str = "reviews";
}

/// The fields. Only the source of suggestions is stored: results are ids, which come from a column.
#[derive(Clone, Copy)]
pub struct Fields {
    pub id: Field,
    pub position: Field,
    /// Present on products only, so that a query on it never finds a removed one.
    pub shows: Field,
    pub name: Field,
    pub name_length: Field,
    pub sold_out: Field,
    pub sells: Field,
    pub created_at: Field,
    pub sale_price: Field,
    pub categories: Field,
    pub brand: Field,
    pub groups: Field,
    pub free_in: Field,
    pub reviews: Field,
    pub said: Field,
    pub seller: Field,
    pub kind: Field,
    pub name_words: Field,
    pub words: Field,
    pub parts: Field,
    pub initials: Field,
    pub desc: Field,
}

impl Fields {
    /// The schema and its fields; always the same.
    pub fn schema() -> (Schema, Self) {
        let mut schema = Schema::builder();
        // Tokens are separated by spaces already. A match scores the same wherever and however often it occurs, so neither positions nor
        // frequencies are stored.
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("whitespace")
            .set_index_option(IndexRecordOption::Basic)
            .set_fieldnorms(false);
        let tokens = TextOptions::default().set_indexing_options(indexing);
        let key = BytesOptions::default().set_indexed();
        let fields = Self {
            id: schema.add_bytes_field(column::ID, key.clone().set_fast()),
            position: schema.add_i64_field(column::POSITION, FAST),
            shows: schema.add_bool_field("shows", INDEXED),
            name: schema.add_text_field(column::NAME, FAST),
            name_length: schema.add_u64_field(column::NAME_LENGTH, FAST),
            sold_out: schema.add_bool_field(column::SOLD_OUT, INDEXED | FAST),
            sells: schema.add_i64_field(column::SELLS, FAST),
            created_at: schema.add_i64_field(column::CREATED_AT, FAST),
            sale_price: schema.add_i64_field(column::SALE_PRICE, FAST),
            categories: schema.add_text_field(column::CATEGORIES, STRING | FAST),
            brand: schema.add_text_field(column::BRAND, STRING | FAST),
            groups: schema.add_text_field("groups", STRING),
            free_in: schema.add_text_field("freeIn", STRING),
            reviews: schema.add_i64_field(column::REVIEWS, FAST),
            said: schema.add_text_field("said", STORED),
            seller: schema.add_bytes_field("seller", key),
            kind: schema.add_text_field("type", STRING),
            name_words: schema.add_text_field("nameWords", tokens.clone()),
            words: schema.add_text_field("words", tokens.clone()),
            parts: schema.add_text_field("parts", tokens.clone()),
            initials: schema.add_text_field("initials", tokens.clone()),
            desc: schema.add_text_field("desc", tokens),
        };
        (schema.build(), fields)
    }

    /// The term that finds a product by its id.
    pub fn of_id(self, id: Uuid) -> Term {
        Term::from_field_bytes(self.id, id.as_bytes())
    }

    /// Converts a product.
    pub fn product(self, product: &ProductDocument) -> TantivyDocument {
        let mut document = self.removal(Removal {
            id: product.id,
            position: product.position,
        });
        document.add_bool(self.shows, product.shows);
        document.add_text(self.name, &product.name);
        let name_length = u64::try_from(product.name.chars().count()).unwrap_or(u64::MAX);
        document.add_u64(self.name_length, name_length);
        document.add_bool(self.sold_out, product.sold_out);
        document.add_i64(self.sells, product.sells);
        document.add_i64(self.created_at, product.created_at);
        document.add_i64(self.sale_price, product.sale_price.hundredths());
        document.add_text(self.kind, &product.kind);
        for category in &product.categories {
            document.add_text(self.categories, category);
        }
        for group in &product.groups {
            document.add_text(self.groups, group);
        }
        if let Some(brand) = &product.brand_code {
            document.add_text(self.brand, brand);
        }
        for season in &product.free_in {
            document.add_text(self.free_in, season);
        }
        document.add_i64(self.reviews, product.reviews);
        for text in product.names() {
            document.add_text(self.said, text);
        }
        if let Some(seller) = product.seller_id {
            document.add_bytes(self.seller, seller.as_bytes());
        }
        let tokens = product.all_tokens();
        document.add_text(self.name_words, product.name_tokens().words);
        document.add_text(self.words, tokens.words);
        document.add_text(self.parts, tokens.parts);
        document.add_text(self.initials, tokens.initials);
        let desc = product.desc_tokens();
        document.add_text(self.desc, desc.words);
        document.add_text(self.desc, desc.parts);
        document
    }

    /// The document of a removed product: its id and position, so that an older state cannot restore it.
    pub fn removal(self, removal: Removal) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        document.add_bytes(self.id, removal.id.as_bytes());
        document.add_i64(self.position, removal.position);
        document
    }
}
