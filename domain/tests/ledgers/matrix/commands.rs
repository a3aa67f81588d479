//! The commands of the matrix, with the readers they are offered to.

use domain::Sealed;
use domain::ids::ClaimId;
use domain::order::{
    Action, CancelReason, CancelRequest, CanceledBy, Claim, ClaimAnswer, ClaimIds, ClaimPieces,
    EarnedPoints, ExchangeRequest, Fault, Inspection, Invoice, Order, OrderCommand, OrderTerms,
    ParcelRules, Reader, Replacement, ReturnRequest,
};
use domain::{Amount, Purpose};
use time::{Duration, OffsetDateTime};

use super::super::given::{NOON, id};
use super::super::shop::{JUICE, pickup, seller, stock_of};
use super::NO;

/// What the commands need to know of the order.
pub(super) struct Rules {
    pub terms: OrderTerms,
    pub parcels: ParcelRules,
}

/// A command of an actor.
pub(super) struct Cell {
    pub name: &'static str,
    pub actor: &'static str,
    pub command: OrderCommand,
    pub now: OffsetDateTime,
    /// The actions that offer it.
    pub actions: &'static [Action],
    /// The readers who are offered it exactly where it is accepted.
    pub readers: Vec<Reader>,
    /// The readers who are never offered it.
    pub never: Vec<Reader>,
}

impl Cell {
    /// A command that no reader is offered.
    fn new(name: &'static str, actor: &'static str, command: OrderCommand) -> Self {
        Self {
            name,
            actor,
            command,
            now: NOON,
            actions: &[],
            readers: Vec::new(),
            never: Vec::new(),
        }
    }

    /// Offered by these actions exactly where it is accepted to `readers`, and never to `never`.
    fn offered(mut self, actions: &'static [Action], readers: &[Reader], never: &[Reader]) -> Self {
        self.actions = actions;
        self.readers = readers.to_vec();
        self.never = never.to_vec();
        self
    }

    fn late(mut self) -> Self {
        self.now = NOON + Duration::days(100);
        self
    }
}

/// The seller of the purchase, and another one.
fn sellers() -> [Reader; 2] {
    [Reader::Seller(seller(1)), Reader::Seller(id(0x5E))]
}

/// A parcel other than the one that is known.
fn other_parcel(known: Option<&Invoice>) -> Invoice {
    let first = "123456789012";
    let is_first = known.is_some_and(|parcel| parcel.invoice_no == first);
    Invoice {
        courier: "kr.epost".to_owned(),
        invoice_no: if is_first { "999999999999" } else { first }.to_owned(),
    }
}

/// A reason other than the one that is known.
fn other_reason(known: Option<&String>) -> String {
    let is_first = known.is_some_and(|reason| reason == "입고 지연");
    if is_first { "폭설" } else { "입고 지연" }.to_owned()
}

/// Every command by every actor, about the purchase and its claim.
pub(super) fn cells(order: &Order, claim: Option<&Claim>, rules: &Rules) -> Vec<Cell> {
    let mut cells = of_order(order, rules);
    cells.extend(of_parcel(order));
    cells.extend(requests(order, rules));
    let id = claim.map_or_else(|| id(0xDEAD), |claim| claim.id);
    cells.extend(of_claim(order, (claim, id), rules));
    cells.extend(of_fee((claim, id)));
    cells
}

fn of_order(order: &Order, rules: &Rules) -> Vec<Cell> {
    let [own, foreign] = sellers();
    let (buyer, staff) = (Reader::Buyer, Reader::Staff);
    let nos = || vec![NO.to_owned()];
    let unpaid = |by| OrderCommand::CancelUnpaid {
        by,
        reason: Some(CancelReason::plain("사유")),
    };
    let terms = order.terms().unwrap_or(&rules.terms);
    vec![
        Cell::new(
            "place",
            "buyer",
            OrderCommand::Place(Box::new(rules.terms.clone())),
        ),
        Cell::new(
            "pay",
            "shop",
            OrderCommand::Pay {
                payment: Some(id(2)),
                amount: terms.totals.payable,
            },
        ),
        Cell::new("cancel unpaid", "buyer", unpaid(CanceledBy::Buyer)),
        Cell::new("cancel unpaid", "staff", unpaid(CanceledBy::Staff)),
        Cell::new("cancel unpaid", "shop", unpaid(CanceledBy::Deadline)).late(),
        Cell::new(
            "confirm",
            "buyer",
            OrderCommand::Confirm {
                purchase_nos: nos(),
            },
        )
        .offered(&[Action::Confirm], &[buyer], &[own, foreign, staff]),
        Cell::new(
            "confirm by date",
            "shop",
            OrderCommand::ConfirmByDate {
                purchase_no: NO.to_owned(),
            },
        )
        .late(),
        Cell::new(
            "confirm before the date",
            "shop",
            OrderCommand::ConfirmByDate {
                purchase_no: NO.to_owned(),
            },
        ),
        Cell::new(
            "correct receiver",
            "staff",
            OrderCommand::CorrectReceiver {
                receiver: pickup(),
                area: terms.area,
            },
        ),
    ]
}

fn of_parcel(order: &Order) -> Vec<Cell> {
    let [own, foreign] = sellers();
    let keepers = [own, Reader::Staff];
    let others = [Reader::Buyer, foreign];
    let purchase = order.purchase(NO);
    let parcel = other_parcel(purchase.and_then(|one| one.invoice.as_ref()));
    let delay = other_reason(purchase.and_then(|one| one.delay_reason.as_ref()));
    vec![
        Cell::new(
            "prepare",
            "keeper",
            OrderCommand::Prepare {
                purchase_nos: vec![NO.to_owned()],
            },
        )
        .offered(&[Action::Prepare], &keepers, &others),
        Cell::new(
            "ship",
            "keeper",
            OrderCommand::Ship {
                purchase_no: NO.to_owned(),
                courier: parcel.courier,
                invoice_no: parcel.invoice_no,
                auto_deliver_days: 7,
            },
        )
        .offered(&[Action::Ship, Action::CorrectInvoice], &keepers, &others),
        Cell::new(
            "delay",
            "keeper",
            OrderCommand::Delay {
                purchase_no: NO.to_owned(),
                reason: delay,
            },
        )
        .offered(&[Action::Delay], &keepers, &others),
        Cell::new(
            "deliver",
            "keeper",
            OrderCommand::Deliver {
                purchase_no: NO.to_owned(),
                auto_confirm_days: 8,
            },
        )
        .offered(&[Action::Deliver], &keepers, &others),
        Cell::new(
            "deliver by date",
            "shop",
            OrderCommand::DeliverByDate {
                purchase_no: NO.to_owned(),
                day: domain::business_day::day(NOON + Duration::days(7)),
                auto_confirm_days: 8,
            },
        )
        .late(),
    ]
}

/// Number of its claims.
fn claims(order: &Order) -> u128 {
    u128::try_from(order.claims.len()).unwrap_or_default()
}

fn requests(order: &Order, rules: &Rules) -> Vec<Cell> {
    let [own, foreign] = sellers();
    let (buyer, staff) = (Reader::Buyer, Reader::Staff);
    let made = claims(order);
    let claim: ClaimId = id(0x100 + made);
    let cancel = |by| {
        let ids = ClaimIds {
            claim,
            refund: id(0x200 + made),
        };
        let reason = CancelReason::plain("사유");
        OrderCommand::RequestCancel(Box::new(CancelRequest::whole(
            ids,
            [NO.to_owned()],
            by,
            reason,
        )))
    };
    let give_back = |by| {
        OrderCommand::RequestReturn(Box::new(ReturnRequest {
            claim,
            pieces: ClaimPieces::all(NO),
            by,
            reason: CancelReason::plain("사유"),
            fault: Fault::Buyer,
            pickup: pickup(),
            pictures: vec![],
            parcels: rules.parcels.clone(),
            earned: EarnedPoints::default(),
        }))
    };
    let exchange = |by, replacement| {
        OrderCommand::RequestExchange(Box::new(ExchangeRequest {
            claim,
            pieces: ClaimPieces::all(NO),
            replacement,
            by,
            reason: CancelReason::plain("사유"),
            fault: Fault::Buyer,
            pickup: pickup(),
            pictures: vec![],
            parcels: rules.parcels.clone(),
        }))
    };
    let dearer = || Replacement::Other {
        option: id(0xB1),
        name: "파랑".to_owned(),
        stock: stock_of(JUICE),
        difference: Amount::new(70),
    };
    vec![
        Cell::new("request cancel", "buyer", cancel(CanceledBy::Buyer)).offered(
            &[Action::Cancel, Action::RequestCancel],
            &[buyer],
            &[foreign],
        ),
        Cell::new("request cancel", "keeper", cancel(CanceledBy::Staff)).offered(
            &[Action::Cancel],
            &[own, staff],
            &[foreign],
        ),
        Cell::new("request return", "buyer", give_back(CanceledBy::Buyer)).offered(
            &[Action::RequestReturn],
            &[buyer],
            &[own, foreign],
        ),
        Cell::new("request return", "staff", give_back(CanceledBy::Staff)).offered(
            &[Action::RequestReturn],
            &[staff],
            &[own, foreign],
        ),
        Cell::new(
            "request exchange",
            "buyer",
            exchange(CanceledBy::Buyer, Replacement::Same),
        )
        .offered(&[Action::RequestExchange], &[buyer], &[own, foreign]),
        Cell::new(
            "request exchange",
            "staff",
            exchange(CanceledBy::Staff, Replacement::Same),
        )
        .offered(&[Action::RequestExchange], &[staff], &[own, foreign]),
        Cell::new(
            "request dearer exchange",
            "buyer",
            exchange(CanceledBy::Buyer, dearer()),
        ),
    ]
}

fn of_claim(order: &Order, (made, claim): (Option<&Claim>, ClaimId), rules: &Rules) -> Vec<Cell> {
    let goods = made.and_then(|claim| claim.collection.as_ref());
    let exchange = made.and_then(Claim::exchange);
    let line = order.purchase_terms(NO);
    let pieces = line.map_or(1, |line| line.quantity);
    let back = other_parcel(goods.and_then(|goods| goods.invoice.as_ref()));
    let sent_back = other_parcel(goods.and_then(|goods| goods.sent_back.as_ref()));
    let replacement = other_parcel(exchange.and_then(|its| its.invoice.as_ref()));
    let delay = other_reason(exchange.and_then(|its| its.delay_reason.as_ref()));
    let inspect = |arrived, fault, by| OrderCommand::InspectGoods {
        claim,
        inspection: Inspection {
            arrived,
            resellable: 0,
            fault,
        },
        by,
    };
    let [own, foreign] = sellers();
    let mut cells = vec![
        Cell::new(
            "withdraw claim",
            "buyer",
            OrderCommand::WithdrawClaim { claim },
        )
        .offered(
            &[Action::WithdrawClaim],
            &[Reader::Buyer],
            &[own, foreign, Reader::Staff],
        ),
        Cell::new(
            "complete claim",
            "shop",
            OrderCommand::CompleteClaim { claim },
        ),
    ];
    for (actor, by) in [
        ("buyer", Reader::Buyer),
        ("own seller", own),
        ("foreign seller", foreign),
        ("staff", Reader::Staff),
    ] {
        let reject = |invoice| OrderCommand::RejectClaim {
            claim,
            reason: "사유".to_owned(),
            invoice,
            by,
        };
        let offers: [(&str, OrderCommand, &'static [Action]); 8] = [
            (
                "approve claim",
                OrderCommand::ApproveClaim(Box::new(ClaimAnswer {
                    claim,
                    refund: id(0x300 + claims(order)),
                    by,
                    parcels: rules.parcels.clone(),
                    earned: EarnedPoints::default(),
                })),
                &[Action::ApproveCancel, Action::ApproveReturn],
            ),
            (
                "reject claim",
                reject(Some(other_parcel(None))),
                &[
                    Action::RejectCancel,
                    Action::RejectReturn,
                    Action::RejectExchange,
                ],
            ),
            (
                "accept exchange",
                OrderCommand::AcceptExchange { claim, by },
                &[Action::AcceptExchange],
            ),
            (
                "pick up goods",
                OrderCommand::PickUpGoods {
                    claim,
                    invoice: Some(back.clone()),
                    by,
                },
                &[Action::PickUpGoods],
            ),
            (
                "inspect goods",
                inspect(pieces, Fault::Buyer, by),
                &[Action::InspectGoods],
            ),
            (
                "ship replacement",
                OrderCommand::ShipReplacement {
                    claim,
                    invoice: replacement.clone(),
                    auto_deliver_days: 7,
                    by,
                    earned: EarnedPoints::default(),
                },
                &[Action::ShipReplacement, Action::CorrectReplacement],
            ),
            (
                "delay replacement",
                OrderCommand::DelayReplacement {
                    claim,
                    reason: delay.clone(),
                    by,
                },
                &[Action::DelayReplacement],
            ),
            (
                "complete exchange",
                OrderCommand::CompleteExchange {
                    claim,
                    auto_confirm_days: 8,
                    by,
                },
                &[Action::CompleteExchange],
            ),
        ];
        for (name, command, actions) in offers {
            cells.push(Cell::new(name, actor, command).offered(actions, &[by], &[]));
        }
        cells.extend([
            Cell::new(
                "inspect goods, seller at fault",
                actor,
                inspect(pieces, Fault::Seller, by),
            ),
            Cell::new(
                "inspect goods, one missing",
                actor,
                inspect(pieces - 1, Fault::Buyer, by),
            ),
            Cell::new("reject claim, no parcel", actor, reject(None)),
            Cell::new(
                "correct sent back",
                actor,
                OrderCommand::CorrectSentBack {
                    claim,
                    invoice: sent_back.clone(),
                    by,
                },
            ),
            Cell::new(
                "waive fee",
                actor,
                OrderCommand::WaiveFee {
                    claim,
                    reason: "단골".to_owned(),
                    by,
                },
            ),
        ]);
    }
    cells
}

fn of_fee((made, claim): (Option<&Claim>, ClaimId)) -> Vec<Cell> {
    let [own, foreign] = sellers();
    let due = made.map_or(Amount::new(1), Claim::fee_due);
    let receive = |amount, payment| OrderCommand::ReceiveFee {
        claim,
        amount,
        reference: "b-1".to_owned(),
        payment,
    };
    vec![
        Cell::new("receive fee by transfer", "staff", receive(due, None)).offered(
            &[Action::ReceiveFee],
            &[Reader::Staff],
            &[Reader::Buyer, own, foreign],
        ),
        Cell::new("receive fee by card", "shop", receive(due, Some(id(7)))),
        Cell::new(
            "receive wrong fee",
            "shop",
            receive(Amount::new(1), Some(id(7))),
        ),
        Cell::new(
            "give fee account",
            "buyer",
            OrderCommand::GiveFeeAccount {
                claim,
                account: Sealed::from_parts(id(1), Purpose::Statutory, "1".to_owned()),
            },
        ),
        Cell::new(
            "transfer fee",
            "staff",
            OrderCommand::TransferFee {
                claim,
                reference: "b-2".to_owned(),
            },
        ),
    ]
}
