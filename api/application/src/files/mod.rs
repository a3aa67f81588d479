//! Uploaded files: pictures and PDF documents.
//!
//! | topic | module |
//! |---|---|
//! | the kind of a file, by its content | [`kind`] |
//! | re-encoding pictures | [`picture`] |
//! | files that members attach | [`private`] |
//! | an upload and its errors | [`upload`] |
//! | finding a file, and who may replace it | [`find`] |
//! | storing an upload | [`mod@ingest`] |
//! | replacing a file, and its row in the list | [`mod@replace`] |
//! | removing files | [`discard`] |

pub mod discard;
pub mod find;
pub mod ingest;
pub mod kind;
pub mod picture;
pub mod private;
pub mod replace;
pub mod upload;
