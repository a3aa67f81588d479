//! The actions offered by `nextActions`.

use super::*;

/// Every action offered by `nextActions` succeeds, and every action that succeeds is offered.
pub(super) fn actions_tell_the_truth(shop: &Shop) {
    let context = shop.context();
    for order in shop.orders.values() {
        for purchase in &order.purchases {
            let no = purchase.purchase_no.clone();
            let staff = order.purchase_actions(Reader::Staff, purchase);
            let works = |act: OrderCommand| {
                order
                    .decide(act, &context)
                    .is_ok_and(|events| !events.is_empty())
            };
            let cancel = |by| {
                OrderCommand::RequestCancel(Box::new(CancelRequest::whole(
                    ClaimIds {
                        claim: id(0xFFFF),
                        refund: id(0xFFFE),
                    },
                    vec![no.clone()],
                    by,
                    CancelReason::plain("사유"),
                )))
            };
            let ships = works(OrderCommand::Ship {
                purchase_no: no.clone(),
                courier: "kr.epost".to_owned(),
                invoice_no: "9999999999999".to_owned(),
                auto_deliver_days: 7,
            });
            for (action, works) in [
                (
                    Action::Prepare,
                    works(OrderCommand::Prepare {
                        purchase_nos: vec![no.clone()],
                    }),
                ),
                (
                    Action::Delay,
                    works(OrderCommand::Delay {
                        purchase_no: no.clone(),
                        reason: "다른 사유".to_owned(),
                    }),
                ),
                (
                    Action::Deliver,
                    works(OrderCommand::Deliver {
                        purchase_no: no.clone(),
                        auto_confirm_days: 8,
                    }),
                ),
                (Action::Cancel, works(cancel(CanceledBy::Staff))),
            ] {
                assert_eq!(staff.contains(&action), works, "{action:?} of {purchase:?}");
            }
            assert_eq!(
                staff.contains(&Action::Ship) || staff.contains(&Action::CorrectInvoice),
                ships
            );
            let buyer = order.purchase_actions(Reader::Buyer, purchase);
            assert_eq!(
                buyer.contains(&Action::Confirm),
                works(OrderCommand::Confirm {
                    purchase_nos: vec![no.clone()]
                })
            );
            assert_eq!(
                buyer.contains(&Action::Cancel) || buyer.contains(&Action::RequestCancel),
                works(cancel(CanceledBy::Buyer))
            );
            let open = [ClaimState::Requested, ClaimState::Accepted];
            let claim = order
                .claims
                .iter()
                .find(|claim| claim.purchase_nos.contains(&no) && open.contains(&claim.state));
            let is = |kind| claim.is_some_and(|claim| claim.kind() == kind);
            assert_eq!(
                staff.contains(&Action::ApproveCancel),
                is(ClaimKind::Cancel)
            );
            assert_eq!(staff.contains(&Action::RejectReturn), is(ClaimKind::Return));
            assert_eq!(
                buyer.contains(&Action::WithdrawClaim),
                claim.is_some_and(|claim| works(OrderCommand::WithdrawClaim { claim: claim.id }))
            );
            for (by, actions) in [(CanceledBy::Buyer, &buyer), (CanceledBy::Staff, &staff)] {
                assert_eq!(
                    actions.contains(&Action::RequestReturn),
                    works(OrderCommand::RequestReturn(Box::new(ReturnRequest {
                        claim: id(0xFFFF),
                        pieces: ClaimPieces::all(no.clone()),
                        by,
                        reason: CancelReason::plain("사유"),
                        fault: Fault::Seller,
                        pickup: pickup(),
                        pictures: vec![],
                        parcels: ParcelRules::default(),
                        earned: EarnedPoints::default(),
                    })))
                );
                assert_eq!(
                    actions.contains(&Action::RequestExchange),
                    works(OrderCommand::RequestExchange(Box::new(ExchangeRequest {
                        claim: id(0xFFFF),
                        pieces: ClaimPieces::all(no.clone()),
                        replacement: Replacement::Same,
                        by,
                        reason: CancelReason::plain("사유"),
                        fault: Fault::Seller,
                        pickup: pickup(),
                        pictures: vec![],
                        parcels: ParcelRules::default(),
                    })))
                );
            }
            // a seller may do all of that except recording received money, and except claims that also cover goods of others
            let is_mixed = claim.is_some_and(|claim| {
                let mut lines = order.purchases.iter();
                lines.any(|line| {
                    claim.purchase_nos.contains(&line.purchase_no) && line.seller != purchase.seller
                })
            });
            let own = order.purchase_actions(Reader::Seller(purchase.seller), purchase);
            let answers = [
                Action::ApproveCancel,
                Action::RejectCancel,
                Action::PickUpGoods,
                Action::InspectGoods,
                Action::ApproveReturn,
                Action::RejectReturn,
                Action::ReceiveFee,
            ];
            let of_staff = [
                Action::ReceiveFee,
                Action::RequestReturn,
                Action::RequestExchange,
            ];
            let all_but = |action: &&Action| {
                !of_staff.contains(action) && (!is_mixed || !answers.contains(action))
            };
            let expected: Vec<Action> = staff.iter().filter(all_but).copied().collect();
            assert_eq!(own, expected);
            if let Some(claim) = claim {
                assert_eq!(
                    staff.contains(&Action::ReceiveFee),
                    works(OrderCommand::ReceiveFee {
                        claim: claim.id,
                        amount: claim.fee_due(),
                        reference: "20261123-0007".to_owned(),
                        payment: None,
                    })
                );
                let by = Reader::Seller(purchase.seller);
                let reason = "사유".to_owned();
                let (claim, refund) = (claim.id, id(0xFFFE));
                let offers = |actions: &[Action]| actions.iter().any(|one| own.contains(one));
                let invoice = || {
                    Some(Invoice {
                        courier: "kr.epost".to_owned(),
                        invoice_no: "8888888888888".to_owned(),
                    })
                };
                let parcels = ParcelRules::default();
                let pieces = order.purchase_terms(&no).unwrap().quantity;
                for (actions, act) in [
                    (
                        [Action::ApproveCancel, Action::ApproveReturn].as_slice(),
                        OrderCommand::ApproveClaim(Box::new(ClaimAnswer {
                            claim,
                            refund,
                            by,
                            parcels,
                            earned: EarnedPoints::default(),
                        })),
                    ),
                    (
                        &[
                            Action::RejectCancel,
                            Action::RejectReturn,
                            Action::RejectExchange,
                        ],
                        OrderCommand::RejectClaim {
                            claim,
                            reason,
                            invoice: invoice(),
                            by,
                        },
                    ),
                    (
                        &[Action::PickUpGoods],
                        OrderCommand::PickUpGoods {
                            claim,
                            invoice: invoice(),
                            by,
                        },
                    ),
                    (
                        &[Action::AcceptExchange],
                        OrderCommand::AcceptExchange { claim, by },
                    ),
                    (
                        &[Action::ShipReplacement, Action::CorrectReplacement],
                        OrderCommand::ShipReplacement {
                            claim,
                            invoice: invoice().unwrap(),
                            auto_deliver_days: 7,
                            by,
                            earned: EarnedPoints::default(),
                        },
                    ),
                    (
                        &[Action::DelayReplacement],
                        OrderCommand::DelayReplacement {
                            claim,
                            reason: "다른 사유".to_owned(),
                            by,
                        },
                    ),
                    (
                        &[Action::CompleteExchange],
                        OrderCommand::CompleteExchange {
                            claim,
                            auto_confirm_days: 8,
                            by,
                        },
                    ),
                    (
                        &[Action::InspectGoods],
                        OrderCommand::InspectGoods {
                            claim,
                            inspection: Inspection {
                                arrived: pieces,
                                resellable: 0,
                                fault: Fault::Buyer,
                            },
                            by,
                        },
                    ),
                ] {
                    assert_eq!(works(act), offers(actions), "{actions:?} of {purchase:?}");
                }
            }
            assert!(
                order
                    .purchase_actions(Reader::Seller(id(0x5E)), purchase)
                    .is_empty()
            );
        }
        assert_eq!(
            order.next_actions(Reader::Buyer).contains(&Action::Pay),
            order.paid.is_none() && order.canceled.is_none()
        );
        let receiver = OrderCommand::CorrectReceiver {
            receiver: pickup(),
            area: order.terms().unwrap().area,
        };
        let corrects = order.decide(receiver, &context).is_ok();
        let offers = |reader| {
            order
                .next_actions(reader)
                .contains(&Action::CorrectReceiver)
        };
        assert_eq!(offers(Reader::Staff), corrects);
        assert!(!offers(Reader::Buyer));
    }
}
