//! Terms and conditions that members and buyers agree to.

use domain::storefront::AgreedTerm;
use domain::storefront::Terms;
use projections::records;

use crate::app::App;
use crate::error::AppResult;

/// The terms with these codes, each in the edition in force.
///
/// # Errors
/// The database's.
pub async fn agreed(app: &App, codes: &[String]) -> AppResult<Vec<AgreedTerm>> {
    let editions = records::all::<Terms>(app.pool()).await?;
    let now = app.clock.now();
    let agreed = |code: &String| {
        let texts = editions.iter().map(|found| &found.data);
        let in_force = Terms::in_force(texts, code, now);
        AgreedTerm {
            code: code.clone(),
            version: in_force.map_or(0, |terms| terms.edition.into()),
        }
    };
    Ok(codes.iter().map(agreed).collect())
}
