//! The goods a purchase can be exchanged for, as returned to buyers and staff.

use application::orders::exchanges::{Choice, choices, fee};
use application::orders::find::FoundOrder;
use domain::Amount;
use domain::ids::OptionId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::AppResult;

/// The goods a purchase can be exchanged for.
#[derive(Serialize, ToSchema)]
pub struct ExchangeChoices {
    /// The goods, those of the purchase first.
    choices: Vec<ExchangeChoice>,
    /// The fee for a buyer at fault, hundredths: shipping in both directions.
    fee: Amount,
}

impl ExchangeChoices {
    /// The choices for a purchase.
    ///
    /// # Errors
    /// `not_found`; database errors.
    pub(crate) async fn of(
        app: &AppState,
        found: &FoundOrder,
        purchase_no: &str,
    ) -> AppResult<Self> {
        let offered = choices(app, found, purchase_no).await?;
        Ok(Self {
            choices: offered.into_iter().map(ExchangeChoice::from).collect(),
            fee: fee(app, found, purchase_no).await?,
        })
    }
}

/// Goods a purchase can be exchanged for.
#[derive(Serialize, ToSchema)]
pub struct ExchangeChoice {
    /// The option; none where the product has none.
    #[serde(rename = "_id")]
    option: Option<OptionId>,
    /// Name of the option.
    name: Option<String>,
    /// Whether these are the goods of the purchase.
    ordered: bool,
    /// Pieces in stock.
    available: u32,
}

impl From<Choice> for ExchangeChoice {
    fn from(choice: Choice) -> Self {
        Self {
            option: choice.option,
            name: choice.name,
            ordered: choice.ordered,
            available: choice.available,
        }
    }
}
