//! The answer about a payment: what the service says, checked and in the shop's amounts.

use domain::Amount;
use serde::{Deserialize, Deserializer, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;

use super::Doubt;
use super::sign::{SecretKey, verify_answer_signature};
use super::units::{Currency, GatewayAmount};

/// How a payment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Status {
    /// Authenticated, or a virtual account issued: no money yet.
    Ready,
    /// Paid, nothing given back.
    Paid,
    /// Failed.
    Failed,
    /// All given back, or called off before money came.
    Cancelled,
    /// Paid, a part given back.
    PartialCancelled,
    /// The virtual account's time has run out.
    Expired,
}

/// What the service says about a payment, after its signature was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// The service's id of the payment.
    pub tid: String,
    /// The order id it was opened with.
    pub order_id: String,
    /// How it stands.
    pub status: Status,
    /// What it was opened for.
    pub amount: Amount,
    /// How much of it can still be given back.
    pub balance: Amount,
    /// When money came.
    #[serde(with = "time::serde::rfc3339::option")]
    pub paid_at: Option<OffsetDateTime>,
    /// When it was cancelled last.
    #[serde(with = "time::serde::rfc3339::option")]
    pub cancelled_at: Option<OffsetDateTime>,
    /// The id of the cancel this answer is to.
    pub cancelled_tid: Option<String>,
    /// card, bank, vbank, ...
    pub method: String,
    /// The card company's number.
    pub approve_no: Option<String>,
    /// Where people see the receipt.
    pub receipt_url: Option<String>,
    /// What the shop had attached when it opened the window.
    pub mall_reserved: Option<String>,
    /// The account to pay into, of a vbank payment.
    pub virtual_account: Option<VirtualAccount>,
    /// Everything given back so far.
    pub cancels: Vec<Cancelled>,
    /// The code that came with it.
    pub code: String,
    /// The words that came with it.
    pub message: String,
}

/// A refund that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cancelled {
    /// The service's id of the refund.
    pub tid: String,
    /// How much.
    pub amount: Amount,
    /// When.
    #[serde(with = "time::serde::rfc3339::option")]
    pub at: Option<OffsetDateTime>,
    /// Why, as it was asked for.
    pub reason: String,
}

/// An account made for one payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VirtualAccount {
    /// Bank code.
    #[serde(rename = "vbankCode")]
    pub bank_code: String,
    /// Bank name.
    #[serde(rename = "vbankName")]
    pub bank_name: String,
    /// Account number.
    #[serde(rename = "vbankNumber")]
    pub number: String,
    /// Until when, as the service writes it.
    #[serde(rename = "vbankExpDate")]
    pub expires: String,
    /// Account holder.
    #[serde(rename = "vbankHolder", default)]
    pub holder: String,
}

impl VirtualAccount {
    /// The same as the ledger keeps it; none if nobody can tell until when it is open.
    pub fn to_keep(&self) -> Option<domain::payment::VirtualAccount> {
        let expires_at = moment(Some(&self.expires)).ok().flatten()?;
        Some(domain::payment::VirtualAccount {
            bank_code: self.bank_code.clone(),
            bank_name: self.bank_name.clone(),
            number: self.number.clone(),
            expires_at,
        })
    }
}

impl Answer {
    /// The refunds that are not among the ones already recorded. This is how a refund whose answer never came is found:
    /// the service's list does not carry our cancel id.
    pub fn cancels_beyond<'a>(
        &'a self,
        recorded: &'a [String],
    ) -> impl Iterator<Item = &'a Cancelled> {
        self.cancels
            .iter()
            .filter(|cancel| !recorded.contains(&cancel.tid))
    }
}

/// An answer as it comes. Everything but the result may be missing: a refusal carries little.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Wire {
    pub(super) result_code: String,
    #[serde(deserialize_with = "or_nothing")]
    pub(super) result_msg: String,
    #[serde(deserialize_with = "or_nothing")]
    pub(super) tid: String,
    cancelled_tid: Option<String>,
    #[serde(deserialize_with = "or_nothing")]
    pub(super) order_id: String,
    #[serde(deserialize_with = "or_nothing")]
    edi_date: String,
    #[serde(deserialize_with = "or_nothing")]
    signature: String,
    status: Option<Status>,
    paid_at: Option<String>,
    cancelled_at: Option<String>,
    #[serde(deserialize_with = "or_nothing")]
    pay_method: String,
    pub(super) amount: Option<i64>,
    balance_amt: Option<i64>,
    mall_reserved: Option<String>,
    approve_no: Option<String>,
    receipt_url: Option<String>,
    vbank: Option<VirtualAccount>,
    cancels: Option<Vec<WireCancel>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireCancel {
    tid: String,
    amount: i64,
    cancelled_at: Option<String>,
    reason: Option<String>,
}

fn or_nothing<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Option::deserialize(from).map(Option::unwrap_or_default)
}

impl Wire {
    /// The answer, if it is signed by the service and complete.
    pub(super) fn checked(self, secret: &SecretKey, currency: &Currency) -> Result<Answer, Doubt> {
        let missing = |what: &str| Doubt::Unreadable(format!("it has no {what}"));
        let units = self.amount.ok_or_else(|| missing("amount"))?;
        if !verify_answer_signature(secret, &self.tid, units, &self.edi_date, &self.signature) {
            return Err(Doubt::Signature);
        }
        let amount = |units: i64| {
            currency
                .from_gateway(GatewayAmount(units))
                .map_err(|error| Doubt::Unreadable(error.to_string()))
        };
        let cancels = self.cancels.unwrap_or_default().into_iter().map(|cancel| {
            Ok(Cancelled {
                tid: cancel.tid,
                amount: amount(cancel.amount)?,
                at: moment(cancel.cancelled_at.as_deref())?,
                reason: cancel.reason.unwrap_or_default(),
            })
        });
        Ok(Answer {
            status: self.status.ok_or_else(|| missing("status"))?,
            amount: amount(units)?,
            balance: amount(self.balance_amt.ok_or_else(|| missing("balanceAmt"))?)?,
            paid_at: moment(self.paid_at.as_deref())?,
            cancelled_at: moment(self.cancelled_at.as_deref())?,
            cancels: cancels.collect::<Result<_, Doubt>>()?,
            tid: self.tid,
            order_id: self.order_id,
            cancelled_tid: self.cancelled_tid,
            method: self.pay_method,
            approve_no: self.approve_no,
            receipt_url: self.receipt_url,
            mall_reserved: self.mall_reserved,
            virtual_account: self.vbank,
            code: self.result_code,
            message: self.result_msg,
        })
    }
}

/// A moment as the service writes it; `0` is none.
fn moment(text: Option<&str>) -> Result<Option<OffsetDateTime>, Doubt> {
    let Some(text) = text.filter(|text| !text.is_empty() && *text != "0") else {
        return Ok(None);
    };
    let korean = format_description!(
        "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond][offset_hour sign:mandatory][offset_minute]"
    );
    OffsetDateTime::parse(text, korean)
        .or_else(|_| OffsetDateTime::parse(text, &Rfc3339))
        .map(Some)
        .map_err(|_| Doubt::Unreadable(format!("\"{text}\" is not a moment")))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn moments_come_in_two_spellings_or_as_0() {
        let expected = Ok(Some(datetime!(2026-01-02 03:04:05 +9)));
        assert_eq!(moment(Some("2026-01-02T03:04:05.000+0900")), expected);
        assert_eq!(moment(Some("2026-01-02T03:04:05+09:00")), expected);
        assert_eq!(moment(Some("0")), Ok(None));
        assert!(moment(Some("yesterday")).is_err());
    }

    #[test]
    fn an_answer_that_is_not_signed_or_not_whole_is_a_doubt() {
        let secret = SecretKey::new("s");
        let currency = Currency::new("USD", 2, Amount::new(1)).unwrap();
        let wire = |signature: String, status: &str| -> Wire {
            serde_json::from_value(serde_json::json!({
                "resultCode": "0000", "resultMsg": null, "tid": "t", "orderId": "o", "ediDate": "e", "amount": 5,
                "balanceAmt": 5, "signature": signature, "status": status, "paidAt": "0", "cancels": null,
            }))
            .unwrap()
        };
        let good = super::super::sign::sign_answer(&secret, "t", 5, "e");
        assert!(wire(good, "paid").checked(&secret, &currency).is_ok());
        assert_eq!(
            wire("x".into(), "paid").checked(&secret, &currency),
            Err(Doubt::Signature)
        );
        assert!(matches!(
            Wire::default().checked(&secret, &currency),
            Err(Doubt::Unreadable(_))
        ));
    }
}
