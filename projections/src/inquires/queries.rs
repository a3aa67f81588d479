//! Lists of inquiries.

use domain::ids::{MemberId, ProductId};
use domain::member_record::AnswerState;
use sqlx::PgPool;
use uuid::Uuid;

use super::InquireRow;
use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// Filter of a list of inquiries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InquireFilter {
    /// About this product.
    pub product: Option<ProductId>,
    /// By this member.
    pub author: Option<MemberId>,
    /// Answered, or not yet.
    pub state: Option<AnswerState>,
    /// Without secret ones.
    pub public_only: bool,
}

/// A page of inquiries, newest first. Hiding secret texts is left to the caller.
///
/// # Errors
/// [`ReadError`].
pub async fn inquires(
    pool: &PgPool,
    filter: &InquireFilter,
    page: Page,
) -> Result<ListPage<InquireRow>, ReadError> {
    List {
        select: "to_jsonb(i)",
        from: "inquires i",
        narrow: "inquires i",
        key: "i.id",
        order: "created_at DESC, id",
    }
    .page(pool, page, |query| {
        query.push("NOT removed");
        if let Some(product) = filter.product {
            query.push(" AND product = ").push_bind(product.0);
        }
        if let Some(author) = filter.author {
            query.push(" AND author = ").push_bind(author.0);
        }
        if let Some(state) = filter.state {
            query.push(" AND state = ").push_bind(state.as_str());
        }
        if filter.public_only {
            query.push(" AND NOT secret");
        }
    })
    .await
}

/// One inquiry.
///
/// # Errors
/// [`ReadError`].
pub async fn inquire(pool: &PgPool, id: Uuid) -> Result<Option<InquireRow>, ReadError> {
    Ok(typed(
        sqlx::query_scalar("SELECT to_jsonb(i) FROM inquires i WHERE id = $1")
            .bind(id)
            .fetch_all(pool)
            .await?,
    )?
    .pop())
}
