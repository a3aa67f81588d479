//! Rules and responses of a charge.

use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use super::{
    ACCOUNT_OPEN_FOR, Authentication, CANCEL_WITHIN, Charge, DEPOSIT_REFUNDS_WITHIN, Refund, Stage,
    protocol_time,
};
use crate::NAME;
use crate::banks::{bank_code, bank_name};
use crate::refusal::{Refusal, meaning};
use crate::sign::MerchantSecret;

impl Charge {
    pub(super) fn of(authentication: Authentication) -> Self {
        Self {
            authentication,
            stage: Stage::Authenticated,
            approved_at: None,
            paid_at: None,
            called_off_at: None,
            approve_no: None,
            account: None,
            deposited: None,
            refunds: Vec::new(),
        }
    }

    /// Whether the method and the time since the payment allow a cancellation of this amount; none for the full amount.
    pub(super) fn may_be_canceled(
        &self,
        amount: Option<i64>,
        now: OffsetDateTime,
    ) -> Result<(), Refusal> {
        let window = match self.account {
            Some(_) => DEPOSIT_REFUNDS_WITHIN,
            None => CANCEL_WITHIN,
        };
        if self.paid_at.is_some_and(|at| now - at > window) {
            return Err(Refusal::new("2016"));
        }
        if self.authentication.method == "cellphone" && amount.is_some() {
            return Err(Refusal::new("2028"));
        }
        Ok(())
    }

    /// Amount to be paid, or the deposited one.
    fn amount(&self) -> i64 {
        self.deposited.unwrap_or(self.authentication.amount)
    }

    /// When the account expires.
    fn closes_at(&self) -> Option<OffsetDateTime> {
        let hours = self.authentication.valid_hours.unwrap_or(ACCOUNT_OPEN_FOR);
        self.approved_at
            .map(|at| at + Duration::hours(i64::from(hours)))
    }

    /// The account as the pay page shows it; none for other payment methods.
    pub(crate) fn shown_account(&self, now: OffsetDateTime) -> Option<ShownAccount> {
        Some(ShownAccount {
            bank: bank_name(&self.authentication.bank),
            number: self.account.clone()?,
            closes_at: protocol_time(self.closes_at()),
            takes_money: self.stage == Stage::AccountIssued && self.status(now) == "ready",
            status: self.status(now),
        })
    }

    /// Amount not refunded.
    pub(crate) fn balance(&self) -> i64 {
        match self.paid_at {
            Some(_) => self.amount() - self.refunds.iter().map(|refund| refund.amount).sum::<i64>(),
            None => 0,
        }
    }

    /// Status in the protocol.
    pub(crate) fn status(&self, now: OffsetDateTime) -> &'static str {
        match self.stage {
            Stage::CalledOff => "cancelled",
            Stage::Authenticated => "ready",
            Stage::AccountIssued if self.closes_at().is_some_and(|at| now > at) => "expired",
            Stage::AccountIssued => "ready",
            Stage::Paid if self.refunds.is_empty() => "paid",
            Stage::Paid if self.balance() == 0 => "cancelled",
            Stage::Paid => "partialCancelled",
        }
    }

    /// The answer about the charge. `latest_refund`: whether it answers the latest refund.
    pub(crate) fn answer(
        &self,
        secret: &MerchantSecret,
        latest_refund: bool,
        now: OffsetDateTime,
    ) -> Value {
        let a = &self.authentication;
        let edi_date = protocol_time(Some(now));
        let cancels: Vec<Value> = self.refunds.iter().map(refund_answer).collect();
        let last = self.refunds.last();
        let account = self.account.as_ref().map(|number| {
            json!({
                "vbankCode": bank_code(&a.bank), "vbankName": bank_name(&a.bank), "vbankNumber": number,
                "vbankHolder": a.holder, "vbankExpDate": protocol_time(self.closes_at()),
            })
        });
        json!({
            "resultCode": "0000",
            "resultMsg": meaning("0000"),
            "service": NAME,
            "tid": a.tid,
            "cancelledTid": last.filter(|_| latest_refund).map(|refund| refund.tid.as_str()),
            "orderId": a.order_id,
            "ediDate": edi_date,
            "signature": secret.answer(&a.tid, self.amount(), &edi_date),
            "status": self.status(now),
            "paidAt": protocol_time(self.paid_at),
            "failedAt": "0",
            "cancelledAt": protocol_time(last.map(|refund| refund.at).or(self.called_off_at)),
            "payMethod": a.method,
            "amount": self.amount(),
            "balanceAmt": self.balance(),
            "goodsName": a.goods_name,
            "mallReserved": a.mall_reserved,
            "useEscrow": false,
            "channel": "pc",
            "approveNo": self.approve_no,
            "receiptUrl": null,
            "vbank": account,
            "cancels": if cancels.is_empty() { Value::Null } else { Value::Array(cancels) },
        })
    }

    /// The charge in the list of all charges.
    pub(crate) fn audit(&self, now: OffsetDateTime) -> Value {
        let a = &self.authentication;
        let cancels = self.refunds.iter().map(|refund| {
            json!({ "tid": refund.tid, "cancelId": refund.cancel_id, "amount": refund.amount, "reason": refund.reason,
                    "cancelledAt": protocol_time(Some(refund.at)) })
        });
        json!({
            "tid": a.tid, "orderId": a.order_id, "method": a.method, "amount": a.amount, "status": self.status(now),
            "charged": if self.paid_at.is_some() { self.amount() } else { 0 },
            "balance": self.balance(),
            "paidAt": protocol_time(self.paid_at),
            "cancels": cancels.collect::<Vec<_>>(),
        })
    }
}

/// A virtual account, as shown on the pay page.
#[derive(Clone, Debug)]
pub(crate) struct ShownAccount {
    pub(crate) bank: &'static str,
    pub(crate) number: String,
    pub(crate) closes_at: String,
    pub(crate) takes_money: bool,
    pub(crate) status: &'static str,
}
fn refund_answer(refund: &Refund) -> Value {
    json!({
        "tid": refund.tid, "amount": refund.amount, "cancelledAt": protocol_time(Some(refund.at)), "reason": refund.reason,
        "receiptUrl": null, "couponAmt": 0,
    })
}
