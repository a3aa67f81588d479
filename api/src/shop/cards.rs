//! Data of a product card that is not in the read model: the seller's name, and whether the member likes it.

use domain::ids::{MemberId, ProductId};
use projections::products::ProductCard;
use projections::state::likes;

use crate::app::AppState;
use crate::http::AppResult;
use application::members::profiles::SellerNames;

/// Adds both to the cards.
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
    for card in cards {
        names.name(&mut card.seller);
        card.meta.liked = liked.contains(&card.id);
    }
    Ok(())
}
