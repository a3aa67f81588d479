//! Data of a product card that depends on its reader or is sealed: the seller's name, and whether the member likes it.

use domain::ids::{MemberId, ProductId};
use projections::products::ProductCard;
use projections::state::likes;

use crate::app::AppState;
use crate::http::AppResult;
use application::members::profiles::SellerNames;

/// Adds them to the cards.
///
/// # Errors
/// Database errors.
pub(crate) async fn dress<'c>(
    app: &AppState,
    reader: Option<MemberId>,
    cards: impl IntoIterator<Item = &'c mut ProductCard>,
) -> AppResult<()> {
    let cards: Vec<&mut ProductCard> = cards.into_iter().collect();
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
