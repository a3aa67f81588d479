//! A file the shop keeps, as far as it became another one.
//!
//! That a file was given and where it is shown is working state: nobody has to answer for it. What was in it once and who put
//! something else there is here, since whoever shows the file by its id shows something else from then on. What is in a file lies on
//! disk under its content address.

use std::collections::BTreeMap;
use std::convert::Infallible;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::decider;
use crate::domain_event;
use crate::event::{Context, Decider};
use crate::personal::Sealed;

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileContent {
    /// Its content address: SHA-256 of what was given, in hex.
    pub hash: String,
    /// What it is called, sealed with its owner's profile key.
    pub name: Sealed<String>,
    /// What is served.
    pub content_type: String,
    /// Bytes that are served.
    pub size: i64,
    /// Pixels across, if it is a picture.
    pub width: Option<i32>,
    /// Pixels down, if it is a picture.
    pub height: Option<i32>,
    /// Its place among the files of one form.
    pub place: i32,
    /// What it belongs to, as its form said: `_product` and the like to an id.
    pub owners: BTreeMap<String, String>,
    /// Since when it is this.
    #[serde(with = "time::serde::rfc3339")]
    pub given_at: OffsetDateTime,
}

/// What happened to a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum FileEvent {
    /// Somebody put something else there, or said something else about it.
    FileReplaced {
        /// What it was.
        before: Box<FileContent>,
        /// What it is since.
        after: Box<FileContent>,
    },
}

domain_event!(FileEvent {
    FileReplaced "1.0" "파일이 교체되었습니다",
});

/// A file as far as it became another one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct File {
    /// What it is; none: what it was when it was given.
    pub content: Option<FileContent>,
}

/// What can be asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileCommand {
    /// Make it another one.
    Replace {
        /// What it is.
        before: Box<FileContent>,
        /// What it is to be.
        after: Box<FileContent>,
    },
}

decider!(File, "file", FileCommand, FileEvent, Infallible);

impl Decider for File {
    type Input = FileCommand;

    fn decide(&self, act: FileCommand, _context: &Context) -> Result<Vec<FileEvent>, Infallible> {
        let FileCommand::Replace { before, after } = act;
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
    /// What `event` makes of it.
    pub fn evolve(&mut self, event: FileEvent) {
        let FileEvent::FileReplaced { after, .. } = event;
        self.content = Some(*after);
    }
}
