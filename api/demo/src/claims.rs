//! Claims on some of the pieces of an order: the requests of buyers and sellers.

use anyhow::Context;
use application::access::Session;
use serde_json::{Value, json};

use crate::client::{ApiClient, at};
use crate::people::{People, Shopper};

/// The buyer cancels one piece of the first line before it is prepared.
pub(crate) async fn cancel_piece(
    client: &mut ApiClient,
    shopper: &Shopper,
    order_no: &str,
) -> anyhow::Result<()> {
    let body = json!({
        "_purchases": [format!("{order_no}-1")], "quantities": [1], "reason": "옵션이나 수량을 잘못 골랐어요",
    });
    let path = "/api/v1/me/purchases/cancel";
    client.post(Some(&shopper.session), path, &body).await?;
    Ok(())
}

/// The buyer requests the return of one piece of the first line. The number determines the reason.
pub(crate) async fn request_return(
    client: &mut ApiClient,
    shopper: &Shopper,
    order_no: &str,
    number: usize,
) -> anyhow::Result<()> {
    let (reason, fault) = match number % 3 {
        0 => ("사이즈나 색상이 맞지 않아요", "BUYER"),
        1 => ("상품에 하자가 있어요", "SELLER"),
        _ => ("생각보다 커서 둘 곳이 없네요.", "BUYER"),
    };
    let body = json!({
        "quantity": 1, "reason": reason, "fault": fault, "pickup": address(shopper),
    });
    let path = format!("/api/v1/me/purchases/{order_no}-1/return");
    client.post(Some(&shopper.session), &path, &body).await?;
    Ok(())
}

/// The buyer requests the exchange of one piece of the first line.
pub(crate) async fn request_exchange(
    client: &mut ApiClient,
    shopper: &Shopper,
    order_no: &str,
) -> anyhow::Result<()> {
    let body = json!({
        "quantity": 1, "reason": "옵션이나 수량을 잘못 골랐어요", "fault": "BUYER", "pickup": address(shopper),
    });
    let path = format!("/api/v1/me/purchases/{order_no}-1/exchange");
    client.post(Some(&shopper.session), &path, &body).await?;
    Ok(())
}

fn address(shopper: &Shopper) -> Value {
    let person = &shopper.person;
    json!({
        "name": person.name, "phone": person.phone, "postcode": person.postcode,
        "address1": person.address1, "address2": person.address2,
    })
}

/// The fee of the order's exchange arrives in the shop's bank account; none if its parcel costs nothing.
pub(crate) async fn receive_fee(
    client: &mut ApiClient,
    people: &People,
    order: &str,
) -> anyhow::Result<()> {
    let Some((claim, amount)) = fee_due(client, people, order).await? else {
        return Ok(());
    };
    let path = format!("/api/console/shop/orders/{order}/claims/{claim}/fee");
    let body = json!({ "amount": amount, "reference": "입금 확인 0071" });
    client.post(Some(&people.operator), &path, &body).await?;
    Ok(())
}

/// The buyer pays the fee of the order's exchange by card; none if its parcel costs nothing.
pub(crate) async fn pay_fee(
    client: &mut ApiClient,
    people: &People,
    (buyer, order): (Option<&Session>, &str),
) -> anyhow::Result<()> {
    match fee_due(client, people, order).await? {
        Some((claim, _)) => client.pay_fee(buyer, order, &claim).await,
        None => Ok(()),
    }
}

/// The exchange of the order and its fee; none if its parcel costs nothing.
async fn fee_due(
    client: &mut ApiClient,
    people: &People,
    order: &str,
) -> anyhow::Result<Option<(String, i64)>> {
    let shown = client.order(&people.operator, order).await?;
    let claim = shown.pointer("/order/claims/0").context("a claim")?;
    let fee = claim.pointer("/exchange/fee").and_then(Value::as_i64);
    let fee = fee.filter(|fee| *fee > 0);
    fee.map(|fee| Ok((at(claim, "_id")?, fee))).transpose()
}

/// Staff change the purchase that is being returned or exchanged.
pub(crate) async fn answer_return(
    client: &mut ApiClient,
    people: &People,
    order: &str,
    change: &Value,
) -> anyhow::Result<()> {
    let no = returned_purchase(client, &people.operator, order).await?;
    let path = format!("/api/console/shop/purchases/{no}");
    client.put(&people.operator, &path, change).await?;
    Ok(())
}

/// The number of the purchase of an order that is being returned or exchanged.
async fn returned_purchase(
    client: &mut ApiClient,
    staff: &Session,
    order: &str,
) -> anyhow::Result<String> {
    let shown = client.order(staff, order).await?;
    let purchases = shown.pointer("/order/purchases").and_then(Value::as_array);
    let is_returned = |one: &&Value| {
        let claim = one.get("claimStatus").and_then(Value::as_str);
        claim.is_some_and(|claim| claim == "RETURN_REQUESTED" || claim.starts_with("EXCHANGE_"))
    };
    let found = purchases.and_then(|purchases| purchases.iter().find(is_returned));
    at(
        found.context("a purchase that is being returned")?,
        "purchaseNo",
    )
}
