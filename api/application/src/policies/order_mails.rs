//! Requests the mails of [`domain::policies::order_mail`]. A message's id is derived from its event, so rereading the log requests none
//! twice; old events lead to none, so that turning mail on does not report the past.

use domain::message::{Channel, MessageCause, MessageContent, MessageTerms};
use domain::order::{Order, OrderEvent};
use domain::payment::{Payment, PaymentEvent};
use domain::policies::order_mail::{self, OrderMail};
use event_store::{StoreError, StoredEvent, async_trait};
use projections::orders::{courier_name, tracking_url};
use time::Duration;

use super::Policy;
use crate::app::App;
use crate::error::AppResult;
use crate::executor::CommandContext;
use crate::messages::{message_id, request};

/// Events older than this lead to no mail.
const NEWS: Duration = Duration::days(2);

/// Requests mails to buyers.
pub struct OrderMails;

#[async_trait]
impl Policy for OrderMails {
    fn name(&self) -> &'static str {
        "policy_order_mails"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_order_mails")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["order", "payment"]
    }

    fn wants(&self, event: &StoredEvent) -> Result<bool, StoreError> {
        Ok(match event.stream.kind.as_str() {
            "order" => order_mail::is_told(&event.event::<Order>()?),
            _ => matches!(
                event.event::<Payment>()?,
                PaymentEvent::RefundCompleted { .. }
            ),
        })
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        if !app.settings.order_mails || app.clock.now() - event.metadata.occurred_at > NEWS {
            return Ok(());
        }
        match event.stream.kind.as_str() {
            "order" => {
                let happened = event.event::<Order>()?;
                let id = &event.stream.id;
                let order = app.store.load::<Order>(id).await?.state;
                let payment = match &happened {
                    OrderEvent::DepositAwaited { payment, .. } => {
                        let payment = payment.to_string();
                        Some(app.store.load::<Payment>(&payment).await?.state)
                    }
                    _ => None,
                };
                let courier = match &happened {
                    OrderEvent::PurchaseShipped {
                        courier,
                        invoice_no,
                        ..
                    } => (courier_name(courier), tracking_url(courier, invoice_no)),
                    _ => (None, None),
                };
                let account = payment.as_ref().and_then(Payment::awaited);
                let mail = order_mail::of_order(&happened, (id, &order), account, courier);
                write(app, event, (id, &order), mail).await
            }
            _ => {
                let happened = event.event::<Payment>()?;
                let payment = app.store.load::<Payment>(&event.stream.id).await?.state;
                let Some(started) = payment.started else {
                    return Ok(());
                };
                let id = started.order.to_string();
                let order = app.store.load::<Order>(&id).await?.state;
                let mail = order_mail::of_payment(&happened, (&id, &order));
                write(app, event, (&id, &order), mail).await
            }
        }
    }
}

/// Requests the mail to the sender of the order, with the key of the order's parties: it is erased with them.
async fn write(
    app: &App,
    event: &StoredEvent,
    (id, order): (&str, &Order),
    mail: Option<OrderMail>,
) -> AppResult<()> {
    let (Some(mail), Ok(terms)) = (mail, order.terms()) else {
        return Ok(());
    };
    let Some(sender) = app.open(&terms.sender).await? else {
        return Ok(());
    };
    let Some(address) = sender.email.filter(|email| !email.trim().is_empty()) else {
        return Ok(());
    };
    let content = MessageContent {
        name: sender.name,
        address,
        variables: mail.variables,
    };
    let (subject, purpose) = (terms.sender.subject, terms.sender.purpose);
    let message = MessageTerms {
        channel: Channel::Mail,
        template: mail.template,
        cause: MessageCause {
            kind: "order".to_owned(),
            id: id.parse().map_err(crate::error::AppError::internal)?,
            event: Some(event.event_id),
        },
        content: app.keys.seal(subject, purpose, &content).await?,
        expires_at: None,
    };
    let id = message_id(&event.event_id.to_string(), id);
    let command = CommandContext::for_policy("request-message", "order-mail", event);
    request(app, &command, id, message).await?;
    Ok(())
}
