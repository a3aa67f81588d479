//! The goods a purchase can be exchanged for, as returned to buyers and staff.

use application::orders::exchanges::{Choice, choices, fee};
use application::orders::find::FoundOrder;
use domain::Amount;
use domain::ids::OptionId;
use domain::order::{ClaimPieces, PriceDifference};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

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

/// The pieces to exchange.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExchangeQuery {
    /// Quantity; default: all pieces.
    quantity: Option<u32>,
}

impl ExchangeQuery {
    /// These pieces of a purchase.
    pub(crate) const fn of(self, purchase_no: String) -> ClaimPieces {
        ClaimPieces {
            purchase_no,
            quantity: self.quantity,
        }
    }
}

impl ExchangeChoices {
    /// The choices for a purchase.
    ///
    /// # Errors
    /// `not_found`; `pieces_out_of_range`; database errors.
    pub(crate) async fn of(
        app: &AppState,
        found: &FoundOrder,
        pieces: ClaimPieces,
    ) -> AppResult<Self> {
        let offered = choices(app, found, &pieces).await?;
        Ok(Self {
            choices: offered.into_iter().map(ExchangeChoice::from).collect(),
            fee: fee(app, found, &pieces.purchase_no).await?,
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
    /// Its price less that of the goods, per piece, hundredths; below zero for a cheaper option, above for a dearer one.
    difference: Amount,
    /// What the buyer pays for the difference of the pieces before the replacement is sent, hundredths; zero unless the option is dearer.
    price: Amount,
    /// What goes back to the buyer for the pieces, once the replacement is sent.
    back: PriceDifference,
}

impl From<Choice> for ExchangeChoice {
    fn from(choice: Choice) -> Self {
        Self {
            option: choice.option,
            name: choice.name,
            ordered: choice.ordered,
            available: choice.available,
            difference: choice.difference,
            price: choice.price,
            back: choice.back,
        }
    }
}
