//! Payments of an order, found in the log by their derived ids.

use domain::checkout::payments::payment_id;
use domain::ids::{OrderId, PaymentId};
use domain::payment::{Payment, PaymentTerms};
use event_store::Versioned;

use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::orders::find::id_of;

/// A payment of an order.
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

    /// The payment with this order id at the gateway (`orderNo-attempt`).
    ///
    /// # Errors
    /// `not_found`.
    pub async fn by_gateway_id(app: &App, gateway_order_id: &str) -> AppResult<Self> {
        let (order_no, attempt) = gateway_order_id
            .rsplit_once('-')
            .ok_or_else(AppError::not_found)?;
        let attempt = attempt.parse().map_err(|_| AppError::not_found())?;
        Self::load(app, payment_id(id_of(app, order_no).await?, attempt)).await
    }

    /// All payments of an order, in order of attempts.
    ///
    /// # Errors
    /// Database errors.
    pub async fn of_order(app: &App, order: OrderId) -> AppResult<Vec<Self>> {
        let mut attempts = Vec::new();
        for number in 1.. {
            match Self::find(app, payment_id(order, number)).await? {
                Some(attempt) => attempts.push(attempt),
                None => break,
            }
        }
        Ok(attempts)
    }

    /// Order id used at the gateway.
    pub fn gateway_order_id(&self) -> String {
        domain::payment::gateway_order_id(&self.started.order_no, self.started.attempt)
    }
}
