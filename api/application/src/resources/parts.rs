//! Commands on many items: each item is executed once and independently, and the response of the whole command is stored.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::{AppendBatch, CommandContext, CommandOutcome, RequestOrigin};

/// Items per batch: about a second of work, so that progress can be shown.
const PART: usize = 50;
/// One more than a batch, to detect whether there are more.
pub const PART_ASKED: i64 = 51;

/// An item that was not changed, and the reason.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BulkFailure {
    /// Its id.
    pub id: String,
    /// The error code.
    pub code: String,
    /// The message for the user.
    pub message: String,
}

/// Outcome of a bulk action, or of one batch of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[schema(as = Outcome)]
pub struct BulkOutcome {
    /// Ids of the changed items (numbers, for purchases).
    pub done: Vec<String>,
    /// Items that were not changed.
    pub failed: Vec<BulkFailure>,
    /// The next batch starts after this id; null after the last batch.
    pub next: Option<String>,
}

/// The current batch, and the id after which the next one starts.
pub fn first_part(mut found: Vec<String>) -> (Vec<String>, Option<String>) {
    let more = found.len() > PART;
    found.truncate(PART);
    let next = found.last().filter(|_| more).cloned();
    (found, next)
}

/// The origin of the command on one item: executed once, also if the whole request was interrupted and is sent again.
pub fn part(origin: &RequestOrigin, of: &str) -> RequestOrigin {
    RequestOrigin {
        key: origin.key.as_ref().map(|key| format!("{key}/{of}")),
        ..origin.clone()
    }
}

/// The failure of an item, with the message for the user.
pub fn failed(id: String, error: &AppError) -> BulkFailure {
    let field = error.fields().first();
    BulkFailure {
        id,
        code: error.code().as_str().to_owned(),
        message: field.map_or_else(|| error.message().to_owned(), |field| field.message.clone()),
    }
}

/// The outcome of a command on many items, with the last append at `position`. Its response is stored: a retry gets the same one, even if
/// the data has changed since.
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
