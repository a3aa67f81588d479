//! Changes that staff make to placed orders.

use anyhow::Context;
use serde_json::json;

use crate::client::ApiClient;
use crate::people::People;

/// The buyer called about the receiver's address: staff add the flat.
pub(crate) async fn correct_receiver(
    client: &mut ApiClient,
    people: &People,
    order: &str,
) -> anyhow::Result<()> {
    let path = format!("/api/console/shop/orders/{order}");
    let shown = client.order(&people.operator, order).await?;
    let mut receiver = shown
        .pointer("/order/receiver")
        .context("a receiver")?
        .clone();
    let fields = receiver.as_object_mut().context("a receiver")?;
    fields.insert("address2".to_owned(), json!("102동 1504호"));
    let body = json!({ "receiver": receiver });
    client.put(&people.operator, &path, &body).await?;
    Ok(())
}

/// Staff write a note about an agreement with the buyer.
pub(crate) async fn write_note(
    client: &mut ApiClient,
    people: &People,
    order: &str,
) -> anyhow::Result<()> {
    let path = format!("/api/console/shop/orders/{order}");
    let body = json!({ "remark": "입고가 늦는다고 전화로 안내함. 기다리기로 하셨음." });
    client.put(&people.operator, &path, &body).await?;
    Ok(())
}
