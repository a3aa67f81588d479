//! Payments of an order and of its user payments, found in the log by their derived ids.

use domain::checkout::payments::payment_id;
use domain::checkout::user_payments;
use domain::ids::{OrderId, PaymentId, UserPaymentId};
use domain::order::Order;
use domain::payment::{Payment, PaymentTerms};
use domain::user_payment::{claim_place, exchange_fee_id};
use event_store::Versioned;

use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::orders::find::id_of;

/// A payment of an order or user payment.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Its id.
    pub id: PaymentId,
    /// The payment, loaded from the log.
    pub payment: Versioned<Payment>,
    /// Terms of the payment.
    pub started: PaymentTerms,
}

impl Attempt {
    /// Loads a payment.
    ///
    /// # Errors
    /// `not_found` if it was never started.
    pub async fn load(app: &App, id: PaymentId) -> AppResult<Self> {
        Self::find(app, id).await?.ok_or_else(AppError::not_found)
    }

    async fn find(app: &App, id: PaymentId) -> AppResult<Option<Self>> {
        let payment = app.store.load::<Payment>(&id.to_string()).await?;
        Ok(payment.state.started.clone().map(|started| Self {
            id,
            payment,
            started,
        }))
    }

    /// The payment with this order id at the gateway (`orderNo-attempt`, or the number of a user payment and the attempt).
    ///
    /// # Errors
    /// `not_found`.
    pub async fn by_gateway_id(app: &App, gateway_order_id: &str) -> AppResult<Self> {
        let (number, attempt) = gateway_order_id
            .rsplit_once('-')
            .ok_or_else(AppError::not_found)?;
        let attempt = attempt.parse().map_err(|_| AppError::not_found())?;
        let id = match claim_place(number) {
            Some(place) => user_payments::payment_id(user_payment_at(app, place).await?, attempt),
            None => payment_id(id_of(app, number).await?, attempt),
        };
        Self::load(app, id).await
    }

    /// The payments of an order itself, in order of attempts.
    ///
    /// # Errors
    /// Database errors.
    pub async fn of_order(app: &App, order: OrderId) -> AppResult<Vec<Self>> {
        Self::numbered(app, |number| payment_id(order, number)).await
    }

    /// The payments of an order, and after them those of its user payments, each in order of attempts.
    ///
    /// # Errors
    /// Database errors.
    pub async fn all_of_order(app: &App, order: OrderId) -> AppResult<Vec<Self>> {
        let mut all = Self::of_order(app, order).await?;
        let state = app.store.load::<Order>(&order.to_string()).await?.state;
        for asked in user_payments::of_order(&state) {
            let payment = |number| user_payments::payment_id(asked, number);
            all.extend(Self::numbered(app, payment).await?);
        }
        Ok(all)
    }

    async fn numbered(app: &App, id: impl Fn(u32) -> PaymentId) -> AppResult<Vec<Self>> {
        let mut attempts = Vec::new();
        for number in 1.. {
            match Self::find(app, id(number)).await? {
                Some(attempt) => attempts.push(attempt),
                None => break,
            }
        }
        Ok(attempts)
    }

    /// Order id used at the gateway.
    pub fn gateway_order_id(&self) -> String {
        self.started.gateway_order_id()
    }
}

/// The user payment for the fee of the claim with this index in an order.
async fn user_payment_at(app: &App, (order_no, place): (&str, usize)) -> AppResult<UserPaymentId> {
    let order = id_of(app, order_no).await?;
    let state = app.store.load::<Order>(&order.to_string()).await?.state;
    let at = place.checked_sub(1).ok_or_else(AppError::not_found)?;
    let claim = state.claims.get(at).ok_or_else(AppError::not_found)?;
    Ok(exchange_fee_id(claim.id))
}
