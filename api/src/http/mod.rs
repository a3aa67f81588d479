//! Shared by all endpoints: errors, request and response types, authentication and consistency.
//!
//! | topic | module |
//! |---|---|
//! | the status of an error code, turning an error into a response | [`error`] |
//! | reading a body, query or path | [`body`], [`query`] |
//! | authentication and access | [`extractors`] |
//! | registering an endpoint | [`mod@routes`] |
//! | OpenAPI metadata from a handler's signature | [`operation`] |
//! | middleware of every request | [`request_context`], [`limits`], [`connections`], [`headers`] |
//! | read-your-writes | [`consistency`] |
//! | a file only some may read | [`mod@private_file`] |
//! | the pages and files of the web app | [`web`] |
//! | the OpenAPI document | [`docs`] |

pub mod body;
pub mod connections;
pub mod consistency;
pub mod docs;
pub mod error;
pub mod extractors;
pub mod headers;
pub mod limits;
pub mod operation;
pub mod private_file;
pub mod query;
pub mod request_context;
pub mod routes;
pub mod standby;
pub mod summary;
pub mod visitor;
pub mod web;

pub use application::error::{AppError, AppResult, Code, Outcome};
pub use body::{Json, ReadMeta, RequestMeta, ValidJson};
pub use consistency::{ApiResponse, ConsistencyToken, Freshness, Respond};
pub use error::{ApiError, ApiResult, status_of};
pub use extractors::{
    CurrentMember, CurrentSignIn, OptionalMember, OrderViewer, RowScope, Staff, StaffOrSeller,
};
pub(crate) use private_file::private_file;
pub use query::{Page, Path, Query};
pub(crate) use routes::routes;
pub use summary::Summary;
pub use visitor::Visitor;
