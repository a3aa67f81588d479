//! Requests the mails of [`domain::policies::order_mail`], and the texts with the same facts to mobile numbers. A message's id is derived from its event, so rereading the log requests none
//! twice; old events lead to none, so that turning mail on does not report the past.

use domain::message::{
    Channel, MessageCause, MessageContent, MessageTerms, Template, mobile_number,
};
use domain::order::{Order, OrderEvent, OrderTerms};
use domain::payment::{Payment, PaymentEvent};
use domain::policies::order_mail::{self, OrderMail};
use domain::user_payment::UserPayment;
use event_store::{StoreError, StoredEvent, async_trait};
use projections::orders::{courier_name, tracking_url};
use time::Duration;

use super::Policy;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::CommandContext;
use crate::messages::phone::channel_of;
use crate::messages::{message_id, request};

/// Events older than this lead to no message.
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
        &["order", "payment", "user-payment"]
    }

    fn wants(&self, event: &StoredEvent) -> Result<bool, StoreError> {
        Ok(match event.stream.kind.as_str() {
            "order" => order_mail::is_told(&event.event::<Order>()?),
            "user-payment" => order_mail::requested_of(&event.event::<UserPayment>()?).is_some(),
            _ => matches!(
                event.event::<Payment>()?,
                PaymentEvent::RefundCompleted { .. }
            ),
        })
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        let is_told = app.settings.order_mails || tells_by_text(app);
        if !is_told || app.clock.now() - event.metadata.occurred_at > NEWS {
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
            "user-payment" => {
                let Some(id) = order_mail::requested_of(&event.event::<UserPayment>()?) else {
                    return Ok(());
                };
                let id = id.to_string();
                let order = app.store.load::<Order>(&id).await?.state;
                let mail = order_mail::of_user_payment((&id, &order));
                write(app, event, (&id, &order), mail).await
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

/// Whether buyers get texts.
fn tells_by_text(app: &App) -> bool {
    app.sms.is_some() && !app.settings.order_texts.is_empty()
}

/// Requests the messages to the sender of the order: mail where an address is known, and a text where the number is a mobile one.
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
    let order = (id, terms);
    let event_id = event.event_id.to_string();
    let address = sender.email.filter(|email| !email.trim().is_empty());
    if let Some(address) = address.filter(|_| app.settings.order_mails) {
        let message = OrderMessage {
            channel: Channel::Mail,
            template: mail.template,
            content: MessageContent {
                name: sender.name.clone(),
                address,
                variables: mail.variables.clone(),
            },
            cause: event_id.clone(),
        };
        message.request(app, event, order, "order-mail").await?;
    }
    let template = mail.template.as_sms().filter(|_| tells_by_text(app));
    let template = template.filter(|template| app.settings.order_texts.contains(template));
    if let (Some(template), Some(number)) = (template, mobile_number(&sender.phone)) {
        let message = OrderMessage {
            channel: channel_of(app, template).await?,
            template,
            content: MessageContent {
                name: sender.name,
                address: number,
                variables: mail.variables,
            },
            cause: format!("{event_id} text"),
        };
        message.request(app, event, order, "order-text").await?;
    }
    Ok(())
}

/// A message about an order.
struct OrderMessage {
    channel: Channel,
    template: Template,
    content: MessageContent,
    /// What its id is derived from, with the order.
    cause: String,
}

impl OrderMessage {
    /// Requests it, sealed with the key of the order's parties: it is erased with them.
    async fn request(
        self,
        app: &App,
        event: &StoredEvent,
        (id, terms): (&str, &OrderTerms),
        policy: &'static str,
    ) -> AppResult<()> {
        let (subject, purpose) = (terms.sender.subject, terms.sender.purpose);
        let message = MessageTerms {
            channel: self.channel,
            template: self.template,
            cause: MessageCause {
                kind: "order".to_owned(),
                id: id.parse().map_err(AppError::internal)?,
                event: Some(event.event_id),
            },
            content: app.keys.seal(subject, purpose, &self.content).await?,
            expires_at: None,
        };
        let command = CommandContext::for_policy("request-message", policy, event);
        request(app, &command, message_id(&self.cause, id), message).await?;
        Ok(())
    }
}
