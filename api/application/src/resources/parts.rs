//! Commands of many parts: each part is done once and by itself, and the answer of the whole is kept.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::{AppendBatch, CommandContext, CommandOutcome, RequestOrigin};

/// What matches is done so many at a time: about a second's work, so that whoever waits sees it go on.
const PART: usize = 50;
/// One more tells that there are more.
pub const PART_ASKED: i64 = 51;

/// A record that was not changed, and why.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BulkFailure {
    /// Which one.
    pub id: String,
    /// The code of the refusal.
    pub code: String,
    /// What a person is told.
    pub message: String,
}

/// What became of them, or of a part of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[schema(as = Outcome)]
pub struct BulkOutcome {
    /// Those that were done, by their ids (purchases: numbers).
    pub done: Vec<String>,
    /// Those that were not.
    pub failed: Vec<BulkFailure>,
    /// Behind which of them it goes on; none: that was all.
    pub next: Option<String>,
}

/// The part that is done now, and where it goes on.
pub fn first_part(mut found: Vec<String>) -> (Vec<String>, Option<String>) {
    let more = found.len() > PART;
    found.truncate(PART);
    let next = found.last().filter(|_| more).cloned();
    (found, next)
}

/// One record's part of a command: done once, also if the whole was broken off and is sent again.
pub fn part(origin: &RequestOrigin, of: &str) -> RequestOrigin {
    RequestOrigin {
        key: origin.key.as_ref().map(|key| format!("{key}/{of}")),
        ..origin.clone()
    }
}

/// What a person is told of a refusal.
pub fn failed(id: String, error: &AppError) -> BulkFailure {
    let field = error.fields().first();
    BulkFailure {
        id,
        code: error.code().as_str().to_owned(),
        message: field.map_or_else(|| error.message().to_owned(), |field| field.message.clone()),
    }
}

/// The outcome of a command of many parts, whose last one is at `position`. Its answer is kept: a repeat gets the same one,
/// whatever is there by then.
///
/// # Errors
/// Database errors.
pub async fn keep_answer(
    app: &App,
    whole: &CommandContext,
    answer: impl Serialize,
    position: Option<i64>,
) -> AppResult<CommandOutcome> {
    let batch = AppendBatch::default().with_result(answer)?;
    let mut done = app
        .executor
        .transact(whole, |_| {
            let batch = batch.clone();
            async move { Ok(batch) }
        })
        .await?;
    done.position = position;
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_on_behind_the_last_one_while_there_are_more() {
        let found = |n: usize| -> Vec<String> { (1..=n).map(|no| format!("{no:03}")).collect() };
        for (asked, done, next) in [
            (0, 0, None),
            (PART, PART, None),
            (PART + 1, PART, Some("050")),
        ] {
            let (part, on) = first_part(found(asked));
            assert_eq!((part.len(), on.as_deref()), (done, next), "{asked}");
        }
    }
}
