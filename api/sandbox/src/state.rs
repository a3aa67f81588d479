//! Charges of the payment service: journal entries, their fold, and the decisions about the next entry. Pure.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use time::format_description::FormatItem;
use time::macros::{format_description, offset};
use time::{Duration, OffsetDateTime};

mod charge;

pub(crate) use charge::ShownAccount;

use crate::refusal::Refusal;

/// How long after the approval a net cancel is accepted.
const NET_CANCEL_WITHIN: Duration = Duration::hours(1);

/// How long after the payment it can be cancelled.
const CANCEL_WITHIN: Duration = Duration::days(365);

/// How long after a deposit it can be refunded.
const DEPOSIT_REFUNDS_WITHIN: Duration = Duration::days(180);

/// Hours until a virtual account expires, unless the window requested another time.
const ACCOUNT_OPEN_FOR: u32 = 7 * 24;

/// Time format of the protocol, in Korean time.
const PROTOCOL_TIME: &[FormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]+0900");

/// One line of the journal. Its JSON is stored: variants and fields keep their names.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(
    tag = "what",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(crate) enum Entry {
    /// A buyer authenticated.
    Authenticated(Authentication),
    /// The merchant approved: money moved.
    Approved {
        tid: String,
        approve_no: String,
        #[serde(with = "time::serde::rfc3339")]
        at: OffsetDateTime,
    },
    /// The merchant approved a virtual account: deposits are accepted.
    AccountIssued {
        tid: String,
        number: String,
        #[serde(with = "time::serde::rfc3339")]
        at: OffsetDateTime,
    },
    /// A deposit into the account.
    Deposited {
        tid: String,
        /// Amount, if it differs from the one to be paid.
        #[serde(default)]
        amount: Option<i64>,
        #[serde(with = "time::serde::rfc3339")]
        at: OffsetDateTime,
    },
    /// Cancelled before money moved.
    CalledOff {
        tid: String,
        #[serde(with = "time::serde::rfc3339")]
        at: OffsetDateTime,
    },
    /// Refunded.
    GivenBack { tid: String, refund: Refund },
    /// The clock of the sandbox was advanced.
    ClockForwarded { seconds: i64 },
    /// The merchant's balance for refunds was set; null for an unlimited balance.
    MerchantHas { balance: Option<i64> },
    /// The notice URL was changed.
    NoticesGoTo { url: Option<String> },
    /// A notice is pending.
    NoticeDue {
        notice: u64,
        url: String,
        body: String,
    },
    /// A notice was acknowledged.
    NoticeTaken { notice: u64 },
    /// A notice was abandoned.
    NoticeGivenUp { notice: u64 },
    /// A mail was taken.
    MailReceived(ReceivedMail),
    /// A text was taken or refused.
    SmsReceived(ReceivedSms),
    /// The URL of the webhook for reports on texts was changed.
    ReportsGoTo { url: Option<String> },
}

/// A mail as it came.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReceivedMail {
    /// Id in the queue.
    pub(crate) id: String,
    /// Sender of the envelope.
    pub(crate) from: String,
    /// Receivers of the envelope.
    pub(crate) to: Vec<String>,
    /// Headers and body.
    pub(crate) content: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) at: OffsetDateTime,
}

/// A received text and its outcome.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReceivedSms {
    pub(crate) message_id: String,
    pub(crate) group_id: String,
    pub(crate) to: String,
    pub(crate) from: String,
    /// SMS, LMS or ATA.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) subject: Option<String>,
    pub(crate) text: String,
    pub(crate) kakao_options: Option<serde_json::Value>,
    pub(crate) custom_fields: serde_json::Map<String, serde_json::Value>,
    pub(crate) status_code: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) date_created: OffsetDateTime,
    /// The carrier's report; none if it was refused, or if none comes. Texts of earlier journals were delivered at once.
    #[serde(default = "CarrierReport::delivered")]
    pub(crate) report: Option<CarrierReport>,
}

/// What a carrier reports on a text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CarrierReport {
    /// The status code from then on.
    pub(crate) code: String,
    /// When it comes; none: it has come.
    #[serde(with = "time::serde::rfc3339::option")]
    pub(crate) at: Option<OffsetDateTime>,
}

impl CarrierReport {
    fn delivered() -> Option<Self> {
        Some(Self {
            code: "4000".to_owned(),
            at: None,
        })
    }
}

/// A payment authenticated by the buyer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Authentication {
    pub(crate) tid: String,
    pub(crate) order_id: String,
    pub(crate) amount: i64,
    pub(crate) method: String,
    pub(crate) auth_token: String,
    pub(crate) goods_name: String,
    pub(crate) mall_reserved: String,
    pub(crate) holder: String,
    /// Bank chosen for the virtual account.
    #[serde(default)]
    pub(crate) bank: String,
    /// Hours until the virtual account expires.
    #[serde(default)]
    pub(crate) valid_hours: Option<u32>,
}

/// A refund.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Refund {
    /// Transaction id of the refund.
    pub(crate) tid: String,
    /// The merchant's cancel id; empty for a net cancel.
    pub(crate) cancel_id: String,
    pub(crate) amount: i64,
    pub(crate) reason: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) at: OffsetDateTime,
}

/// Stage of a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Authenticated,
    AccountIssued,
    Paid,
    CalledOff,
}

/// One charge.
#[derive(Clone, Debug)]
pub(crate) struct Charge {
    pub(crate) authentication: Authentication,
    stage: Stage,
    approved_at: Option<OffsetDateTime>,
    paid_at: Option<OffsetDateTime>,
    called_off_at: Option<OffsetDateTime>,
    approve_no: Option<String>,
    account: Option<String>,
    /// Deposited amount, if it differs.
    deposited: Option<i64>,
    refunds: Vec<Refund>,
}

/// A notice to be sent.
#[derive(Clone, Debug)]
pub(crate) struct PendingNotice {
    pub(crate) notice: u64,
    pub(crate) url: String,
    pub(crate) body: String,
}

/// Body of a cancel.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct CancelForm {
    pub(crate) reason: String,
    pub(crate) order_id: String,
    pub(crate) cancel_amt: Option<i64>,
    pub(crate) refund_account: Option<String>,
    pub(crate) refund_bank_code: Option<String>,
    pub(crate) refund_holder: Option<String>,
}

/// The fold of all entries.
#[derive(Debug, Default)]
pub(crate) struct GatewayState {
    charges: BTreeMap<String, Charge>,
    by_order: HashMap<String, Vec<String>>,
    pub(crate) clock_ahead: i64,
    /// The merchant's balance for refunds; none for an unlimited balance.
    merchant_balance: Option<i64>,
    pub(crate) notice_url: Option<String>,
    pub(crate) due: BTreeMap<u64, PendingNotice>,
    pub(crate) notices: u64,
    pub(crate) taken: u64,
    pub(crate) given_up: u64,
    /// Mail, oldest first.
    pub(crate) mails: Vec<ReceivedMail>,
    /// Texts to phones, oldest first.
    pub(crate) texts: Vec<ReceivedSms>,
    /// The webhook for reports on texts.
    pub(crate) report_url: Option<String>,
}

impl GatewayState {
    /// Folds one entry.
    pub(crate) fn apply(&mut self, entry: Entry) {
        match entry {
            Entry::Authenticated(authentication) => {
                let tid = authentication.tid.clone();
                self.by_order
                    .entry(authentication.order_id.clone())
                    .or_default()
                    .push(tid.clone());
                self.charges.insert(tid, Charge::of(authentication));
            }
            Entry::Approved {
                tid,
                approve_no,
                at,
            } => self.change(&tid, |charge| {
                charge.stage = Stage::Paid;
                charge.approved_at = Some(at);
                charge.paid_at = Some(at);
                charge.approve_no = Some(approve_no);
            }),
            Entry::AccountIssued { tid, number, at } => self.change(&tid, |charge| {
                charge.stage = Stage::AccountIssued;
                charge.approved_at = Some(at);
                charge.account = Some(number);
            }),
            Entry::Deposited { tid, amount, at } => self.change(&tid, |charge| {
                charge.stage = Stage::Paid;
                charge.deposited = amount;
                charge.paid_at = Some(at);
            }),
            Entry::CalledOff { tid, at } => self.change(&tid, |charge| {
                charge.stage = Stage::CalledOff;
                charge.called_off_at = Some(at);
            }),
            Entry::GivenBack { tid, refund } => {
                if let Some(left) = &mut self.merchant_balance {
                    *left = left.saturating_sub(refund.amount);
                }
                self.change(&tid, |charge| charge.refunds.push(refund));
            }
            Entry::MerchantHas { balance } => self.merchant_balance = balance,
            Entry::ClockForwarded { seconds } => {
                self.clock_ahead = self.clock_ahead.saturating_add(seconds);
            }
            Entry::NoticesGoTo { url } => self.notice_url = url,
            Entry::NoticeDue { notice, url, body } => {
                self.notices = self.notices.max(notice);
                self.due.insert(notice, PendingNotice { notice, url, body });
            }
            Entry::NoticeTaken { notice } => {
                self.taken += u64::from(self.due.remove(&notice).is_some());
            }
            Entry::NoticeGivenUp { notice } => {
                self.given_up += u64::from(self.due.remove(&notice).is_some());
            }
            Entry::MailReceived(mail) => self.mails.push(mail),
            Entry::SmsReceived(sms) => self.texts.push(sms),
            Entry::ReportsGoTo { url } => self.report_url = url,
        }
    }

    fn change(&mut self, tid: &str, change: impl FnOnce(&mut Charge)) {
        if let Some(charge) = self.charges.get_mut(tid) {
            change(charge);
        }
    }

    /// All charges, oldest first.
    pub(crate) fn charges(&self) -> impl Iterator<Item = &Charge> {
        self.charges.values()
    }

    /// A charge.
    pub(crate) fn charge(&self, tid: &str) -> Result<&Charge, Refusal> {
        self.charges.get(tid).ok_or_else(|| Refusal::new("A115"))
    }

    /// The charge of an order id: the approved one, else the latest.
    pub(crate) fn find(&self, order_id: &str) -> Result<&Charge, Refusal> {
        let of_order = || self.of_order(order_id);
        let approved = of_order().find(|charge| charge.approved_at.is_some());
        approved
            .or_else(|| of_order().last())
            .ok_or_else(|| Refusal::new("A115"))
    }

    fn of_order(&self, order_id: &str) -> impl Iterator<Item = &Charge> {
        let tids = self.by_order.get(order_id).into_iter().flatten();
        tids.filter_map(|tid| self.charges.get(tid))
    }

    /// Refuses an order id that was approved before.
    pub(crate) fn order_is_free(&self, order_id: &str) -> Result<(), Refusal> {
        match self
            .of_order(order_id)
            .any(|charge| charge.approved_at.is_some())
        {
            true => Err(Refusal::new("A127")),
            false => Ok(()),
        }
    }

    /// Charges an authenticated payment. `number` is the approval number or the account number.
    pub(crate) fn approve(
        &self,
        tid: &str,
        amount: i64,
        number: String,
        now: OffsetDateTime,
    ) -> Result<Entry, Refusal> {
        let charge = self.charge(tid)?;
        match charge.stage {
            Stage::Paid | Stage::AccountIssued => return Err(Refusal::new("2201")),
            Stage::CalledOff => return Err(Refusal::new("2013")),
            Stage::Authenticated => {}
        }
        if amount != charge.authentication.amount {
            return Err(Refusal::new("A123"));
        }
        self.order_is_free(&charge.authentication.order_id)?;
        let tid = tid.to_owned();
        Ok(match charge.authentication.method == "vbank" {
            true => Entry::AccountIssued {
                tid,
                number,
                at: now,
            },
            false => Entry::Approved {
                tid,
                approve_no: number,
                at: now,
            },
        })
    }

    /// A deposit into a virtual account. A bank accepts the exact amount until the account expires; a `careless` one accepts
    /// any amount at any date.
    pub(crate) fn deposit(
        &self,
        tid: &str,
        amount: Option<i64>,
        careless: bool,
        now: OffsetDateTime,
    ) -> Result<Entry, Refusal> {
        let charge = self.charge(tid)?;
        let wanted = charge.authentication.amount;
        let entry = Entry::Deposited {
            tid: tid.to_owned(),
            amount: amount.filter(|amount| *amount != wanted),
            at: now,
        };
        match charge.stage {
            Stage::AccountIssued | Stage::CalledOff if careless && charge.account.is_some() => {
                Ok(entry)
            }
            Stage::AccountIssued if charge.status(now) == "ready" => match amount {
                Some(other) if other != wanted => Err(Refusal::new("4122")),
                _ => Ok(entry),
            },
            Stage::AccountIssued | Stage::CalledOff => Err(Refusal::new("4123")),
            Stage::Authenticated | Stage::Paid => Err(Refusal::new("4124")),
        }
    }

    /// Refunds. The same cancel id never refunds twice.
    pub(crate) fn cancel(
        &self,
        tid: &str,
        form: &CancelForm,
        refund_tid: String,
        now: OffsetDateTime,
    ) -> Result<Entry, Refusal> {
        let charge = self.charge(tid)?;
        if form.reason.is_empty() || form.order_id.is_empty() {
            return Err(Refusal::because("2003", "reason과 orderId가 필요합니다"));
        }
        let asked_before = charge
            .refunds
            .iter()
            .find(|refund| refund.cancel_id == form.order_id);
        if let Some(refund) = asked_before {
            let same = form.cancel_amt.is_none_or(|amount| amount == refund.amount);
            return Err(Refusal::new(if same { "2015" } else { "2156" }));
        }
        match charge.stage {
            Stage::CalledOff => return Err(Refusal::new("2013")),
            Stage::Authenticated => {
                return Err(Refusal::because("2003", "승인되지 않은 거래입니다"));
            }
            Stage::AccountIssued if charge.status(now) == "expired" => {
                return Err(Refusal::new("2016"));
            }
            Stage::AccountIssued => {
                return Ok(Entry::CalledOff {
                    tid: tid.to_owned(),
                    at: now,
                });
            }
            Stage::Paid => {}
        }
        let balance = charge.balance();
        if balance == 0 {
            return Err(Refusal::new("2013"));
        }
        let amount = form.cancel_amt.unwrap_or(balance);
        if amount <= 0 {
            return Err(Refusal::because("2003", "취소 금액이 올바르지 않습니다"));
        }
        if amount > balance {
            return Err(Refusal::new("2032"));
        }
        charge.may_be_canceled(form.cancel_amt, now)?;
        if self.merchant_balance.is_some_and(|left| amount > left) {
            return Err(Refusal::because("2003", "가맹점 정산 잔액이 부족합니다"));
        }
        let account = [
            &form.refund_account,
            &form.refund_bank_code,
            &form.refund_holder,
        ];
        if charge.account.is_some() && account.iter().any(|field| field.is_none()) {
            return Err(Refusal::because(
                "2003",
                "가상 계좌 환불에는 환불 계좌가 필요합니다",
            ));
        }
        let refund = Refund {
            tid: refund_tid,
            cancel_id: form.order_id.clone(),
            amount,
            reason: form.reason.clone(),
            at: now,
        };
        Ok(Entry::GivenBack {
            tid: tid.to_owned(),
            refund,
        })
    }

    /// Undoes an approval whose answer was lost. An authentication that was never approved is cancelled, so that an approval
    /// still in flight is refused.
    pub(crate) fn net_cancel(
        &self,
        order_id: &str,
        refund_tid: String,
        now: OffsetDateTime,
    ) -> Result<Entry, Refusal> {
        let charge = self.find(order_id)?;
        let tid = charge.authentication.tid.clone();
        if charge.stage == Stage::CalledOff
            || (charge.stage == Stage::Paid && charge.balance() == 0)
        {
            return Err(Refusal::new("2013"));
        }
        if charge
            .approved_at
            .is_some_and(|at| now - at > NET_CANCEL_WITHIN)
        {
            return Err(Refusal::new("2020"));
        }
        if !charge.refunds.is_empty() {
            return Err(Refusal::because(
                "2003",
                "부분 취소된 거래는 망취소할 수 없습니다",
            ));
        }
        Ok(match charge.stage {
            Stage::Paid => {
                let refund = Refund {
                    tid: refund_tid,
                    cancel_id: String::new(),
                    amount: charge.authentication.amount,
                    reason: "망취소".to_owned(),
                    at: now,
                };
                Entry::GivenBack { tid, refund }
            }
            _ => Entry::CalledOff { tid, at: now },
        })
    }
}

/// A time in the format of the protocol, `0` for none.
pub(crate) fn protocol_time(at: Option<OffsetDateTime>) -> String {
    let text = at.and_then(|at| at.to_offset(offset!(+9)).format(PROTOCOL_TIME).ok());
    text.unwrap_or_else(|| "0".to_owned())
}
