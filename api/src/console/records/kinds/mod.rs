//! The kinds of records the console keeps: where they are, who keeps them, and what changes together with them.
//!
//! One file a room: what is sold ([`product`], [`shop`]), the front of the shop ([`content`]), the house itself ([`site`]),
//! what members say ([`voices`]).

mod content;
pub mod product;
mod shop;
mod site;
mod voices;

use domain::event::Context;
use domain::ids::MemberId;
use domain::record::{Document, Resource};
use event_store::StreamAppend;
use projections::record_lists::Source;
use projections::records::{self, RecordRow};
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use super::input::Count;
use super::schema::ResourceSchema;
use crate::app::AppState;
use crate::http::{AppResult, RowScope};

/// What the commands about a kind are called.
#[derive(Clone, Copy, Debug)]
pub struct Commands {
    /// Making one.
    pub create: &'static str,
    /// Changing one.
    pub revise: &'static str,
    /// Marking one as removed.
    pub remove: &'static str,
    /// Bringing an earlier document back.
    pub restore: &'static str,
    /// A row of a table.
    pub import: &'static str,
}

/// A kind of record the console keeps.
pub trait AdminResource:
    Resource<Data = Self> + Serialize + DeserializeOwned + utoipa::ToSchema
{
    /// Where they are.
    const PATH: &'static str;
    /// One, on the wire.
    const ONE: &'static str;
    /// Many, on the wire.
    const MANY: &'static str;
    /// What its commands are called.
    const COMMANDS: Commands;
    /// What it says about itself.
    const DESCRIPTION: ResourceSchema;
    /// Sellers keep their own; otherwise only staff gets in.
    const FOR_SELLERS: bool = false;
    /// Sellers choose among them (brands for their products), though only staff keeps them.
    const READABLE_BY_SELLERS: bool = false;
    /// Members write them: here nobody makes one, and only staff removes one or brings it back.
    const MEMBER_AUTHORED: bool = false;
    /// Fields that are sealed; nobody is told them as they are.
    const SEALED: &'static [&'static str] = &[];
    /// Other records name it by that code, not by its id.
    const NAMED_BY_CODE: bool = false;
    /// Where its list is read.
    const SOURCE: Source = Source::Records(Self::KIND);
    /// The read models its list is made of.
    const READS: &'static [&'static str] = &[records::NAME];

    /// Whose it is; none: the platform's.
    fn seller(&self) -> Option<MemberId> {
        None
    }

    /// The fields whoever has these rows may change; none: all of them.
    fn changeable(_rows: RowScope) -> Option<&'static [&'static str]> {
        None
    }

    /// The id of a new one.
    fn new_id() -> String {
        Uuid::now_v7().to_string()
    }

    /// Gives new parts their ids, takes counts out of the document, says who set it up.
    ///
    /// # Errors
    /// `invalid_body` for parts of another shape.
    fn normalize(_id: &str, _by: MemberId, _fields: &mut Document) -> AppResult<Vec<Count>> {
        Ok(Vec::new())
    }

    /// Rows with what lists show of ledgers beside the documents.
    fn enrich_list(
        _app: &AppState,
        rows: Vec<RecordRow>,
    ) -> impl Future<Output = AppResult<Vec<RecordRow>>> + Send {
        async { Ok(rows) }
    }

    /// Passes if it goes together with what other records say; `before` is what it was.
    ///
    /// # Errors
    /// `invalid` with the field.
    fn consistent(
        &self,
        _app: &AppState,
        _id: &str,
        _before: Option<&Self>,
    ) -> impl Future<Output = AppResult<()>> + Send {
        async { Ok(()) }
    }

    /// What is written to ledgers in the same append.
    fn side_effects(
        &self,
        _app: &AppState,
        _id: &str,
        _counts: &[Count],
        _context: &Context,
    ) -> impl Future<Output = AppResult<Vec<StreamAppend>>> + Send {
        async { Ok(Vec::new()) }
    }

    /// Why it has to stay as long as a ledger or a policy goes by it, in Korean; none: nothing does.
    fn removal_blocker(
        &self,
        _app: &AppState,
        _id: &str,
    ) -> impl Future<Output = AppResult<Option<String>>> + Send {
        async { Ok(None) }
    }

    /// What a change may say to ledgers, as the document tells it.
    fn input_extension_schema() -> Option<RefOr<Schema>> {
        None
    }

    /// What it shows of ledgers, as the document tells it.
    fn output_extension_schema() -> Option<RefOr<Schema>> {
        None
    }

    /// The schemas those two name.
    fn beside_schemas(_schemas: &mut Vec<(String, RefOr<Schema>)>) {}

    /// What it shows of ledgers, added to its document.
    fn enrich_one(
        &self,
        _app: &AppState,
        _id: &str,
    ) -> impl Future<Output = AppResult<Document>> + Send {
        async { Ok(Document::new()) }
    }
}

/// Says what a kind is called on the wire, and its commands: `admin_resource!("popup", "/api/console/popups", "popup", "popups");`
#[macro_export]
macro_rules! admin_resource {
    ($kind:literal, $path:literal, $one:literal, $many:literal) => {
        const PATH: &'static str = $path;
        const ONE: &'static str = $one;
        const MANY: &'static str = $many;
        const COMMANDS: $crate::console::records::kinds::Commands =
            $crate::console::records::kinds::Commands {
                create: concat!("create-", $kind),
                revise: concat!("revise-", $kind),
                remove: concat!("remove-", $kind),
                restore: concat!("restore-", $kind),
                import: concat!("import-", $kind),
            };
    };
}

pub use admin_resource;
