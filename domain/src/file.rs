//! The replacement history of an uploaded file.
//!
//! The upload itself and where the file is shown are plain state, without history. Replacements are recorded here, because every
//! place that shows the file by its id shows the new content from then on. Contents are stored on disk under their content address.

use std::collections::BTreeMap;
use std::convert::Infallible;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::decider;
use crate::domain_event;
use crate::event::{Context, Decider};
use crate::personal::Sealed;

/// Content and metadata of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileContent {
    /// Its content address: SHA-256 of the uploaded bytes, in hex.
    pub hash: String,
    /// File name, sealed with the owner's profile key.
    pub name: Sealed<String>,
    /// Content type it is served as.
    pub content_type: String,
    /// Size in bytes as served.
    pub size: i64,
    /// Width in pixels, for pictures.
    pub width: Option<i32>,
    /// Height in pixels, for pictures.
    pub height: Option<i32>,
    /// Its position among the files of one form.
    pub place: i32,
    /// Ids of the records it belongs to, by field (`_product` and the like).
    pub owners: BTreeMap<String, String>,
    /// Time of the upload.
    #[serde(with = "time::serde::rfc3339")]
    pub given_at: OffsetDateTime,
}

/// Events of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum FileEvent {
    /// The content or the metadata was replaced.
    FileReplaced {
        /// The content before.
        before: Box<FileContent>,
        /// The content after.
        after: Box<FileContent>,
    },
}

domain_event!(FileEvent {
    FileReplaced "1.0" "파일이 교체되었습니다",
});

/// Current state of a file that was replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct File {
    /// The current content; none if it was never replaced.
    pub content: Option<FileContent>,
}

/// Commands accepted by a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileCommand {
    /// Replace the content or the metadata.
    Replace {
        /// The current content.
        before: Box<FileContent>,
        /// The new content.
        after: Box<FileContent>,
    },
}

decider!(File, "file", FileCommand, FileEvent, Infallible);

impl Decider for File {
    type Input = FileCommand;

    fn decide(
        &self,
        command: FileCommand,
        _context: &Context,
    ) -> Result<Vec<FileEvent>, Infallible> {
        let FileCommand::Replace { before, after } = command;
        let says_the_same = FileContent {
            given_at: before.given_at,
            ..(*after).clone()
        } == *before;
        Ok(match says_the_same {
            true => Vec::new(),
            false => vec![FileEvent::FileReplaced { before, after }],
        })
    }
}

impl File {
    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: FileEvent) {
        let FileEvent::FileReplaced { after, .. } = event;
        self.content = Some(*after);
    }
}
