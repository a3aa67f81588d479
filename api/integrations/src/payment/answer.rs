//! The service's answer about a payment: parsed, its signature verified, in the shop's amounts.

use domain::Amount;
use serde::{Deserialize, Deserializer, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;

use super::UnknownReason;
use super::sign::{SecretKey, verify_answer_signature};
use super::units::{Currency, GatewayAmount};

/// State of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Status {
    /// Authenticated, or virtual account issued: no money yet.
    Ready,
    /// Paid, nothing refunded.
    Paid,
    /// Failed.
    Failed,
    /// Fully refunded, or cancelled before it was paid.
    Cancelled,
    /// Paid, partly refunded.
    PartialCancelled,
    /// The virtual account has expired.
    Expired,
}

/// Answer about a payment, with a verified signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// Transaction id.
    pub tid: String,
    /// Order id the window was opened with.
    pub order_id: String,
    /// State.
    pub status: Status,
    /// Amount of the payment.
    pub amount: Amount,
    /// Amount that can still be refunded.
    pub balance: Amount,
    /// Time of the payment.
    #[serde(with = "time::serde::rfc3339::option")]
    pub paid_at: Option<OffsetDateTime>,
    /// Time of the latest cancel.
    #[serde(with = "time::serde::rfc3339::option")]
    pub cancelled_at: Option<OffsetDateTime>,
    /// Transaction id of the cancel this answer belongs to.
    pub cancelled_tid: Option<String>,
    /// card, bank, vbank, ...
    pub method: String,
    /// Approval number of the card issuer.
    pub approve_no: Option<String>,
    /// URL of the receipt.
    pub receipt_url: Option<String>,
    /// Text the shop attached to the window.
    pub mall_reserved: Option<String>,
    /// Virtual account to pay into, for method vbank.
    pub virtual_account: Option<VirtualAccount>,
    /// All refunds so far.
    pub cancels: Vec<CompletedRefund>,
    /// Result code.
    pub code: String,
    /// Message.
    pub message: String,
}

/// A completed refund.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletedRefund {
    /// Transaction id of the refund.
    pub tid: String,
    /// Amount.
    pub amount: Amount,
    /// Time.
    #[serde(with = "time::serde::rfc3339::option")]
    pub at: Option<OffsetDateTime>,
    /// Reason given in the request.
    pub reason: String,
}

/// A virtual account, issued for one payment.
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
    /// Expiry, in the format of the service.
    #[serde(rename = "vbankExpDate")]
    pub expires: String,
    /// Account holder.
    #[serde(rename = "vbankHolder", default)]
    pub holder: String,
}

impl VirtualAccount {
    /// The account as the payment events hold it; none if its expiry cannot be parsed.
    pub fn to_domain(&self) -> Option<domain::payment::VirtualAccount> {
        let expires_at = parse_time(Some(&self.expires)).ok().flatten()?;
        Some(domain::payment::VirtualAccount {
            bank_code: self.bank_code.clone(),
            bank_name: self.bank_name.clone(),
            number: self.number.clone(),
            expires_at,
        })
    }
}

impl Answer {
    /// Refunds that are not among the recorded transaction ids. This is how a refund whose answer was lost is found: the
    /// list of the service does not contain the shop's cancel id.
    pub fn unrecorded_cancels<'a>(
        &'a self,
        recorded: &'a [String],
    ) -> impl Iterator<Item = &'a CompletedRefund> {
        self.cancels
            .iter()
            .filter(|cancel| !recorded.contains(&cancel.tid))
    }
}

/// Body of an answer. Everything but the result code may be missing: refusals carry little.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct AnswerBody {
    pub(crate) result_code: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) result_msg: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) tid: String,
    cancelled_tid: Option<String>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) order_id: String,
    #[serde(deserialize_with = "or_default")]
    edi_date: String,
    #[serde(deserialize_with = "or_default")]
    signature: String,
    status: Option<Status>,
    paid_at: Option<String>,
    cancelled_at: Option<String>,
    #[serde(deserialize_with = "or_default")]
    pay_method: String,
    pub(crate) amount: Option<i64>,
    balance_amt: Option<i64>,
    mall_reserved: Option<String>,
    approve_no: Option<String>,
    receipt_url: Option<String>,
    vbank: Option<VirtualAccount>,
    cancels: Option<Vec<CancelBody>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CancelBody {
    tid: String,
    amount: i64,
    cancelled_at: Option<String>,
    reason: Option<String>,
}

fn or_default<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Option::deserialize(from).map(Option::unwrap_or_default)
}

impl AnswerBody {
    /// Verifies the signature and converts a complete answer.
    pub(crate) fn checked(
        self,
        secret: &SecretKey,
        currency: &Currency,
    ) -> Result<Answer, UnknownReason> {
        let missing = |what: &str| UnknownReason::Unreadable(format!("it has no {what}"));
        let units = self.amount.ok_or_else(|| missing("amount"))?;
        if !verify_answer_signature(secret, &self.tid, units, &self.edi_date, &self.signature) {
            return Err(UnknownReason::Signature);
        }
        let amount = |units: i64| {
            currency
                .from_gateway(GatewayAmount(units))
                .map_err(|error| UnknownReason::Unreadable(error.to_string()))
        };
        let cancels = self.cancels.unwrap_or_default().into_iter().map(|cancel| {
            Ok(CompletedRefund {
                tid: cancel.tid,
                amount: amount(cancel.amount)?,
                at: parse_time(cancel.cancelled_at.as_deref())?,
                reason: cancel.reason.unwrap_or_default(),
            })
        });
        Ok(Answer {
            status: self.status.ok_or_else(|| missing("status"))?,
            amount: amount(units)?,
            balance: amount(self.balance_amt.ok_or_else(|| missing("balanceAmt"))?)?,
            paid_at: parse_time(self.paid_at.as_deref())?,
            cancelled_at: parse_time(self.cancelled_at.as_deref())?,
            cancels: cancels.collect::<Result<_, UnknownReason>>()?,
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

/// Parses a time in the format of the service; `0` is none.
fn parse_time(text: Option<&str>) -> Result<Option<OffsetDateTime>, UnknownReason> {
    let Some(text) = text.filter(|text| !text.is_empty() && *text != "0") else {
        return Ok(None);
    };
    let korean = format_description!(
        "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond][offset_hour sign:mandatory][offset_minute]"
    );
    OffsetDateTime::parse(text, korean)
        .or_else(|_| OffsetDateTime::parse(text, &Rfc3339))
        .map(Some)
        .map_err(|_| UnknownReason::Unreadable(format!("\"{text}\" is not a moment")))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn moments_come_in_two_spellings_or_as_0() {
        let expected = Ok(Some(datetime!(2026-01-02 03:04:05 +9)));
        assert_eq!(parse_time(Some("2026-01-02T03:04:05.000+0900")), expected);
        assert_eq!(parse_time(Some("2026-01-02T03:04:05+09:00")), expected);
        assert_eq!(parse_time(Some("0")), Ok(None));
        assert!(parse_time(Some("yesterday")).is_err());
    }

    #[test]
    fn an_answer_that_is_not_signed_or_not_whole_is_a_doubt() {
        let secret = SecretKey::new("s");
        let currency = Currency::new("USD", 2, Amount::new(1)).unwrap();
        let body = |signature: String, status: &str| -> AnswerBody {
            serde_json::from_value(serde_json::json!({
                "resultCode": "0000", "resultMsg": null, "tid": "t", "orderId": "o", "ediDate": "e", "amount": 5,
                "balanceAmt": 5, "signature": signature, "status": status, "paidAt": "0", "cancels": null,
            }))
            .unwrap()
        };
        let good = super::super::sign::sign_answer(&secret, "t", 5, "e");
        assert!(body(good, "paid").checked(&secret, &currency).is_ok());
        assert_eq!(
            body("x".into(), "paid").checked(&secret, &currency),
            Err(UnknownReason::Signature)
        );
        assert!(matches!(
            AnswerBody::default().checked(&secret, &currency),
            Err(UnknownReason::Unreadable(_))
        ));
    }
}
