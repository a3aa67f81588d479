//! Replacing a file records the old and the new content; no change records nothing.

use std::collections::BTreeMap;

use domain::file::{File, FileCommand, FileContent, FileEvent};
use domain::{Purpose, Sealed};
use time::Duration;
use uuid::Uuid;

use super::given::{NOON, given};

fn content(hash: &str, hours: i64) -> Box<FileContent> {
    Box::new(FileContent {
        hash: hash.to_owned(),
        name: Sealed::from_parts(Uuid::nil(), Purpose::Profile, "sealed".to_owned()),
        content_type: "image/webp".to_owned(),
        size: 7,
        width: Some(2),
        height: Some(2),
        place: 0,
        owners: BTreeMap::new(),
        given_at: NOON + Duration::hours(hours),
    })
}

#[test]
fn what_it_was_and_what_it_is_are_told_and_the_same_again_is_nothing() {
    let replaced = |before, after| FileEvent::FileReplaced { before, after };
    let replace = |before, after| FileCommand::Replace { before, after };
    given::<File>([])
        .when(replace(content("a", 0), content("b", 1)))
        .then([replaced(content("a", 0), content("b", 1))]);
    given::<File>([replaced(content("a", 0), content("b", 1))])
        .when(replace(content("b", 1), content("b", 2)))
        .then([]);
    given::<File>([replaced(content("a", 0), content("b", 1))])
        .when(replace(content("b", 1), content("a", 2)))
        .then([replaced(content("b", 1), content("a", 2))]);
}
