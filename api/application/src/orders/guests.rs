//! Limits unpaid guest orders: number of orders and pieces per phone number and client address.
//!
//! Placing an order takes stock, and guests can place many. They are counted under locks of the phone number and the address, in
//! the transaction that places the order.

use std::net::IpAddr;

use domain::ids::OrderId;
use domain::order::{Buyer, Order, OrderStatus, OrderTerms};
use event_store::{KeyRing, StreamId};
use projections::state::unpaid_guests::{self, UnpaidOrder};
use serde_json::json;
use sqlx::PgConnection;

use crate::app::App;
use crate::app::UnpaidLimit;
use crate::error::{AppError, AppResult, Code};

/// Stream kind of the locks; nothing is ever appended to them.
const LOCK: &str = "unpaid-guest";

/// The counters of a guest's unpaid order.
#[derive(Clone, Debug)]
pub struct GuestCount {
    order: UnpaidOrder,
    counts: Vec<Count>,
}

#[derive(Clone, Debug)]
struct Count {
    hash: Vec<u8>,
    limit: UnpaidLimit,
    of: CountedBy,
}

#[derive(Clone, Copy, Debug)]
enum CountedBy {
    Phone,
    Address,
}

impl GuestCount {
    /// The counters of an order to be placed; none for a member's, for one with nothing to pay, and without a configured limit.
    pub fn of(app: &App, id: OrderId, terms: &OrderTerms, address: IpAddr) -> Option<Self> {
        let Buyer::Guest { contact_hash } = &terms.buyer else {
            return None;
        };
        let limits = &app.settings.orders;
        let phone = Count {
            hash: hash(&app.keys, "phone", contact_hash),
            limit: limits.guest_phone,
            of: CountedBy::Phone,
        };
        let address = Count {
            hash: hash(&app.keys, "address", &address.to_string()),
            limit: limits.guest_address,
            of: CountedBy::Address,
        };
        let counts: Vec<Count> = [phone, address]
            .into_iter()
            .filter(|count| count.limit.orders > 0 || count.limit.pieces > 0)
            .collect();
        if terms.totals.payable.is_zero() || counts.is_empty() {
            return None;
        }
        let taken = terms.purchases.iter().flat_map(|line| &line.stock);
        let pieces = taken.map(|taken| i64::from(taken.quantity)).sum();
        Some(Self {
            order: UnpaidOrder { id, pieces },
            counts,
        })
    }

    /// Locks that serialise orders of one phone number or address.
    pub fn locks(&self) -> impl Iterator<Item = StreamId> {
        let lock = |count: &Count| StreamId::new(LOCK, hex::encode(&count.hash));
        self.counts.iter().map(lock)
    }

    /// Checks the limits before anything is locked; orders that are paid or canceled do not count.
    ///
    /// # Errors
    /// `unpaid_limit`.
    pub async fn check(&self, app: &App) -> AppResult<()> {
        for count in &self.counts {
            let held = unpaid_guests::orders_of(app.pool(), &count.hash).await?;
            if count.admits(&held, self.order).is_ok() {
                continue;
            }
            let mut unpaid = Vec::new();
            let mut settled = Vec::new();
            for order in held {
                let state = app.store.load::<Order>(&order.id.to_string()).await?.state;
                match state.status() {
                    OrderStatus::Nonpayment => unpaid.push(order),
                    _ => settled.push(order.id),
                }
            }
            unpaid_guests::drop_orders(app.pool(), &settled).await?;
            count.admits(&unpaid, self.order)?;
        }
        Ok(())
    }

    /// Counts the order, under the locks.
    ///
    /// # Errors
    /// `unpaid_limit`, if others were counted since [`GuestCount::check`].
    pub async fn write(&self, connection: &mut PgConnection) -> AppResult<()> {
        for count in &self.counts {
            let held = unpaid_guests::orders_of(&mut *connection, &count.hash).await?;
            count.admits(&held, self.order)?;
        }
        let hashes: Vec<Vec<u8>> = self.counts.iter().map(|one| one.hash.clone()).collect();
        unpaid_guests::add(connection, &hashes, self.order).await?;
        Ok(())
    }
}

impl Count {
    fn admits(&self, held: &[UnpaidOrder], order: UnpaidOrder) -> AppResult<()> {
        let held = held.iter().filter(|one| one.id != order.id);
        let (orders, pieces) = held.fold((0_u32, 0_i64), |(orders, pieces), one| {
            (orders.saturating_add(1), pieces.saturating_add(one.pieces))
        });
        let UnpaidLimit {
            orders: orders_most,
            pieces: pieces_most,
        } = self.limit;
        let too_many_orders = orders_most > 0 && orders >= orders_most;
        let wanted = pieces.saturating_add(order.pieces);
        let too_many_pieces = pieces_most > 0 && wanted > i64::from(pieces_most);
        if !too_many_orders && !too_many_pieces {
            return Ok(());
        }
        let message = match (self.of, too_many_orders) {
            (CountedBy::Phone, true) => format!(
                "결제하지 않은 주문이 이미 {orders}건 있습니다. 앞선 주문을 결제하거나 취소한 뒤 다시 주문해 주세요."
            ),
            (CountedBy::Phone, false) => format!(
                "비회원은 결제 전에 모두 {pieces_most}개까지 주문할 수 있습니다. 수량을 줄이거나 앞선 주문을 결제한 뒤, 또는 로그인한 뒤 주문해 주세요."
            ),
            (CountedBy::Address, _) => "같은 인터넷 주소에서 결제하지 않은 비회원 주문이 너무 많습니다. 앞선 주문을 결제하거나 취소한 뒤, 또는 로그인한 뒤 주문해 주세요.".to_owned(),
        };
        let details = json!({
            "by": match self.of { CountedBy::Phone => "phone", CountedBy::Address => "address" },
            "orders": orders, "ordersMost": orders_most, "pieces": pieces, "piecesMost": pieces_most,
        });
        Err(AppError::new(Code::UnpaidLimit)
            .saying(message)
            .with_details(details))
    }
}

fn hash(keys: &KeyRing, of: &str, text: &str) -> Vec<u8> {
    keys.lookup_hash(LOCK, &format!("{of} {text}")).to_vec()
}
