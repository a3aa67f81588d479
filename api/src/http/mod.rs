//! What every endpoint shares: errors, the shapes of requests and answers, who is asking, and positions.
//!
//! | a line about | belongs in |
//! |---|---|
//! | an error code, its status, its message | [`codes`] |
//! | turning a failure into an answer | [`error`]; a rule of a ledger that said no: [`refusals`] |
//! | reading a body, query or path | [`body`], [`query`] |
//! | who is asking and what they may see | [`guards`], [`tokens`], [`passwords`] |
//! | a call's way into the router | [`mod@routes`] |
//! | what a handler's signature tells the document | [`operation`] |
//! | what every request passes through | [`frame`], [`limits`], [`connections`], [`headers`] |
//! | reading one's own writes | [`position`] |
//! | the pages and files of the web app | [`web`] |
//! | the API described by itself | [`docs`] |

pub mod body;
pub mod connections;
pub mod consistency;
pub mod docs;
pub mod error;
pub mod error_codes;
pub mod error_mapping;
pub mod extractors;
pub mod headers;
pub mod limits;
pub mod operation;
pub mod passwords;
pub mod query;
pub mod request_context;
pub mod routes;
pub mod standby;
pub mod tokens;
pub mod visitor;
pub mod web;

pub use body::{Json, RequestMeta, ValidJson};
pub use consistency::{ApiResponse, ConsistencyToken, Freshness};
pub use error::{ApiError, ApiResult};
pub use error_codes::{Code, Outcome};
pub use extractors::{CurrentMember, OptionalMember, OrderViewer, RowScope, Staff, StaffOrSeller};
pub use query::{Page, Path, Query};
pub(crate) use routes::routes;
pub use visitor::Visitor;
