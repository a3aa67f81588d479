//! Additional columns in the file of a claims tab: party at fault, state of the goods, due date of the refund, fees and refund of the
//! claim.

use domain::Amount;
use domain::ids::ClaimId;
use domain::order::{CollectionStatus, Fault, PriceDifference, Reader, refund_due};
use domain::record::Document;
use projections::orders::{ClaimStage, ClaimView, PurchaseTab, claims_on_purchases};
use projections::refunds::{holidays, owed_since};
use serde_json::json;
use time::Date;

use crate::app::AppState;
use crate::http::AppResult;

/// Whether a tab shows claims.
pub(super) const fn is_of_claims(tab: PurchaseTab) -> bool {
    matches!(
        tab,
        PurchaseTab::Cancel | PurchaseTab::Exchange | PurchaseTab::Return
    )
}

/// The documents of these purchases, each with its claim under `claimFile`.
pub(super) async fn with_claims(
    app: &AppState,
    mut documents: Vec<Document>,
    purchase_nos: &[String],
    reader: Reader,
) -> AppResult<Vec<Document>> {
    let claims = claims_on_purchases(app.pool(), purchase_nos, reader).await?;
    let ids: Vec<ClaimId> = claims.values().map(|claim| claim.id).collect();
    let since = owed_since(app.pool(), &ids).await?;
    let holidays = holidays(app.pool()).await?;
    for document in &mut documents {
        let text = |name: &str| Some(document.get(name)?.as_str()?.to_owned());
        let Some(no) = text("purchaseNo") else {
            continue;
        };
        let Some(claim) = claims.get(&no) else {
            continue;
        };
        let collection = text("collectionStatus");
        let collection = collection.and_then(|code| CollectionStatus::from_code(&code));
        let due = since.get(&claim.id);
        let due = due.and_then(|since| refund_due(*since, &holidays));
        let row = ClaimRow {
            claim,
            is_first: claim.purchase_nos.first() == Some(&no),
            collection,
            due,
        };
        document.insert("claimFile".to_owned(), row.columns());
    }
    Ok(documents)
}

/// A purchase's claim in the file.
struct ClaimRow<'a> {
    claim: &'a ClaimView,
    /// Whether it is the first purchase of the claim, so that the claim's money is not counted twice.
    is_first: bool,
    collection: Option<CollectionStatus>,
    due: Option<Date>,
}

impl ClaimRow<'_> {
    fn columns(&self) -> serde_json::Value {
        // A rejected claim has no fees and no refund, whatever was expected.
        let counts = self.is_first && self.claim.state != ClaimStage::Rejected;
        let refund = self.claim.refund.as_ref().filter(|_| counts);
        let fee = match (&self.claim.exchange, refund) {
            (Some(exchange), _) => Some(exchange.fee).filter(|_| counts),
            (None, Some(refund)) => Some(refund.fees.iter().map(|fee| fee.amount).sum::<Amount>()),
            (None, None) => None,
        };
        let exchange = self.claim.exchange.as_ref().filter(|_| counts);
        let back = exchange.map(|exchange| exchange.difference_back);
        let back = back.filter(|back| *back != PriceDifference::default());
        json!({
            "fault": self.claim.fault.map(payer),
            "collection": self.collection.and_then(CollectionStatus::message),
            "due": self.due.map(|day| day.to_string()),
            "fee": fee,
            "refund": back.map(|back| back.money).or(refund.map(|refund| refund.money)),
            "points": back.map(|back| back.points).or(refund.map(|refund| refund.points)),
        })
    }
}

/// The party that pays the shipping fees, by fault.
const fn payer(fault: Fault) -> &'static str {
    match fault {
        Fault::Buyer => "구매자",
        Fault::Seller => "판매자",
    }
}
