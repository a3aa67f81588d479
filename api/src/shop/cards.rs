//! Data of a product card that is not in the read model: the seller's name, whether the member likes it, and the badge of an exhibition.

use std::collections::BTreeSet;

use domain::ids::{MemberId, ProductId};
use domain::storefront::PromotionState;
use domain::storefront::exhibition::Exhibition;
use projections::products::ProductCard;
use projections::records;
use projections::state::likes;

use crate::app::AppState;
use crate::http::AppResult;
use application::members::profiles::SellerNames;

/// The badge of products of an ongoing exhibition.
const EXHIBITION: &str = "기획전";

/// Adds them to the cards.
///
/// # Errors
/// Database errors.
pub(crate) async fn dress(
    app: &AppState,
    reader: Option<MemberId>,
    cards: &mut [ProductCard],
) -> AppResult<()> {
    let names = SellerNames::of(app, cards.iter().map(|card| card.seller.id)).await?;
    let liked = match reader {
        Some(member) => {
            let ids: Vec<ProductId> = cards.iter().map(|card| card.id).collect();
            likes::liked(app.pool(), member, &ids).await?
        }
        None => Vec::new(),
    };
    let exhibited = exhibited(app).await?;
    for card in cards {
        if exhibited.contains(&card.id) {
            card.flags.push(EXHIBITION.to_owned());
        }
        names.name(&mut card.seller);
        card.meta.liked = liked.contains(&card.id);
    }
    Ok(())
}

/// The products of the exhibitions that go on now.
async fn exhibited(app: &AppState) -> AppResult<BTreeSet<ProductId>> {
    let now = app.clock.now();
    let found = records::all::<Exhibition>(app.pool()).await?.into_iter();
    Ok(found
        .map(|found| found.data)
        .filter(|found| found.shows && found.state(now) == PromotionState::Ongoing)
        .flat_map(|found| found.products)
        .collect())
}
