//! The shipping options of an order's parcels, as they were when it was placed: fees of claims depend on them.

use domain::ids::ClaimId;
use domain::order::{Claim, ClaimKind, FareTerms, Order, ParcelRules};
use domain::record::Record;
use domain::shipping::{ChargeType, ShippingGroup, ShippingOption};
use domain::site::SiteSetting;

use crate::app::App;
use crate::error::AppResult;
use crate::pricing_rules::shipping_groups_of;

/// The rules for a cancellation. They are loaded only where a fare depends on the price of the goods.
///
/// # Errors
/// Database errors.
pub async fn for_cancel(app: &App, order: &Order) -> AppResult<ParcelRules> {
    let terms = order.terms()?;
    let by_price = |fare: &FareTerms| fare.charge_type == ChargeType::PriceRange;
    if order.paid.is_none() || !terms.fares.iter().any(by_price) {
        return Ok(ParcelRules::default());
    }
    let setting = app.store.load::<Record<SiteSetting>>("main").await?.state;
    Ok(ParcelRules {
        recharges: setting.data().is_ok_and(|setting| setting.recharges_fares),
        ..for_return(app, order).await?
    })
}

/// The rules for the approval of a claim.
///
/// # Errors
/// Database errors.
pub async fn for_answer(app: &App, order: &Order, claim: ClaimId) -> AppResult<ParcelRules> {
    match order.claim(claim).map(Claim::kind) {
        Some(ClaimKind::Return | ClaimKind::Exchange) => for_return(app, order).await,
        Some(ClaimKind::Cancel) | None => for_cancel(app, order).await,
    }
}

/// The rules for a return.
///
/// # Errors
/// Database errors.
pub async fn for_return(app: &App, order: &Order) -> AppResult<ParcelRules> {
    let terms = order.terms()?;
    let groups = shipping_groups_of(&app.store, terms).await?;
    let fares = (0..).zip(&terms.fares);
    Ok(ParcelRules {
        options: fares
            .filter_map(|(place, fare)| Some((place, option_of(&groups, fare)?.clone())))
            .collect(),
        recharges: true,
    })
}

/// The option that determined a fare.
fn option_of<'a>(groups: &'a [ShippingGroup], fare: &FareTerms) -> Option<&'a ShippingOption> {
    let of_seller = groups.iter().filter(|group| group.seller == fare.seller);
    of_seller.flat_map(|group| &group.options).find(|option| {
        option.name == fare.name
            && option.method == fare.method
            && option.bundle_type == fare.bundle_type
            && option.charge_type == fare.charge_type
    })
}
