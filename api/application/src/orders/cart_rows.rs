//! Cart changes of an order, in the transaction of its append: lines are removed from the cart, or put back into it.

use domain::ids::{CartId, MemberId};
use domain::order::{OrderTerms, PurchaseTerms};
use event_store::TransactionStep;
use projections::state::carts::{self, LineTaken, TakeError};
use projections::state::ordered_lines::{self, OrderRef};
use serde_json::json;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use super::basket::Basket;
use super::form::{LineForm, OrderForm};
use super::guests::GuestCount;
use crate::error::{AppError, AppResult, Code};

/// Ids of the lines of a guest's cart.
pub fn guest_lines(lines: &[LineForm]) -> Vec<String> {
    let mut names: Vec<String> = lines
        .iter()
        .map(|line| match line.chosen() {
            Some(option) => format!("{}/{option}", line.product),
            None => line.product.to_string(),
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The error for cart lines that another order contains.
pub fn cart_ordered(order: &OrderRef) -> AppError {
    let message = format!(
        "이미 주문한 장바구니 상품입니다. 주문번호 {}에서 확인해 주세요.",
        order.order_no
    );
    AppError::new(Code::CartOrdered)
        .saying(message)
        .with_details(json!({ "_order": order.id, "orderNo": order.order_no }))
}

/// Rows written when an order is placed: its cart lines are marked as ordered, and an unpaid order of a guest is counted.
pub struct PlacedRows {
    order: OrderRef,
    member: Option<(MemberId, Vec<LineTaken>)>,
    guest: Option<(Uuid, Vec<String>)>,
    /// A guest's lines ordered by a member: signing in moved them to the member's cart.
    moved: Option<(MemberId, Vec<LineForm>)>,
    count: Option<GuestCount>,
    now: OffsetDateTime,
}

impl PlacedRows {
    /// The rows of an order of this basket.
    pub fn new(
        order: OrderRef,
        member: Option<MemberId>,
        form: &OrderForm,
        basket: &Basket,
        count: Option<GuestCount>,
        now: OffsetDateTime,
    ) -> Self {
        let taken = basket.lines.iter().filter_map(|line| {
            Some(LineTaken {
                id: line.cart?,
                quantity: line.quantity(),
            })
        });
        let taken: Vec<LineTaken> = taken.collect();
        Self {
            order,
            member: member
                .filter(|_| !taken.is_empty())
                .map(|member| (member, taken)),
            moved: member
                .filter(|_| form.guest_cart.is_some())
                .map(|member| (member, form.carts.clone())),
            guest: form.guest_cart.map(|cart| (cart, guest_lines(&form.carts))),
            count,
            now,
        }
    }

    /// Locks needed besides the order's streams.
    pub fn locks(&self) -> impl Iterator<Item = event_store::StreamId> {
        self.count.iter().flat_map(GuestCount::locks)
    }

    async fn take_from_member(
        &self,
        connection: &mut PgConnection,
        member: MemberId,
        taken: &[LineTaken],
    ) -> AppResult<()> {
        let names = |ids: &[CartId]| ids.iter().map(CartId::to_string).collect::<Vec<_>>();
        match carts::take(&mut *connection, member, taken, self.now).await {
            Ok(()) => {}
            Err(TakeError::Missing(ids)) => {
                let order =
                    ordered_lines::order_of(connection, member.0, &names(&ids), self.now).await?;
                return Err(order.map_or_else(AppError::not_found, |order| cart_ordered(&order)));
            }
            Err(TakeError::Fewer(_)) => return Err(AppError::new(Code::CartChanged)),
            Err(TakeError::Read(error)) => return Err(error.into()),
        }
        let ids: Vec<CartId> = taken.iter().map(|line| line.id).collect();
        self.remember(connection, member.0, &names(&ids)).await
    }

    /// Removes a guest's ordered lines from the cart of the member who ordered them. Another window, with the cart they were moved to, is
    /// redirected to this order.
    async fn take_moved(
        &self,
        connection: &mut PgConnection,
        member: MemberId,
        lines: &[LineForm],
    ) -> AppResult<()> {
        let pieces = lines
            .iter()
            .map(|line| (line.product, line.chosen(), line.quantity));
        let ids = match carts::take_pieces(&mut *connection, member, pieces, self.now).await {
            Ok(ids) => ids,
            Err(TakeError::Read(error)) => return Err(error.into()),
            Err(TakeError::Missing(_) | TakeError::Fewer(_)) => {
                return Err(AppError::new(Code::CartChanged));
            }
        };
        let names: Vec<String> = ids.iter().map(CartId::to_string).collect();
        self.remember(connection, member.0, &names).await
    }

    async fn remember(
        &self,
        connection: &mut PgConnection,
        cart: Uuid,
        lines: &[String],
    ) -> AppResult<()> {
        if ordered_lines::take(&mut *connection, cart, lines, &self.order, self.now).await? {
            return Ok(());
        }
        let order = ordered_lines::order_of(connection, cart, lines, self.now).await?;
        Err(order.map_or_else(
            || AppError::new(Code::CartOrdered),
            |order| cart_ordered(&order),
        ))
    }
}

impl TransactionStep<AppError> for PlacedRows {
    type Output = ();

    async fn run(&self, connection: &mut PgConnection) -> AppResult<()> {
        if let Some((member, taken)) = &self.member {
            self.take_from_member(&mut *connection, *member, taken)
                .await?;
        }
        if let Some((cart, lines)) = &self.guest {
            self.remember(&mut *connection, *cart, lines).await?;
        }
        if let Some((member, lines)) = &self.moved {
            self.take_moved(&mut *connection, *member, lines).await?;
        }
        if let Some(count) = &self.count {
            count.write(connection).await?;
        }
        Ok(())
    }
}

/// Rows written when an order goes back into the cart of its member. A guest's browser restores its own cart.
pub struct CartRows<'a> {
    /// The buyer.
    pub member: Option<MemberId>,
    /// The order's terms.
    pub terms: &'a OrderTerms,
    /// The time.
    pub now: OffsetDateTime,
}

impl TransactionStep<AppError> for CartRows<'_> {
    /// The restored cart lines.
    type Output = Vec<CartId>;

    async fn run(&self, connection: &mut PgConnection) -> AppResult<Vec<CartId>> {
        let Some(member) = self.member else {
            return Ok(Vec::new());
        };
        let piece = |line: &PurchaseTerms| (line.product, line.option, line.quantity);
        let pieces = self.terms.purchases.iter().map(piece);
        Ok(carts::put_back(connection, member, pieces, self.now).await?)
    }
}
