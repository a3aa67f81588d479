//! Corrections of the receiver, and the note of staff.

use domain::personal::Party;
use domain::shipping::Area;

use super::*;

fn sealed<T>(text: &str) -> Sealed<T> {
    let key = terms().receiver;
    Sealed::from_parts(key.subject, key.purpose, text.to_owned())
}

fn moved_house() -> Sealed<Party> {
    sealed("bW92ZWQ=")
}

fn correct(area: Area) -> OrderCommand {
    OrderCommand::CorrectReceiver {
        receiver: moved_house(),
        area,
    }
}

fn corrected() -> OrderEvent {
    OrderEvent::ReceiverCorrected {
        receiver: moved_house(),
    }
}

fn is_offered(events: Vec<OrderEvent>, reader: Reader) -> bool {
    let actions = folded(events).next_actions(reader);
    actions.contains(&Action::CorrectReceiver)
}

#[test]
fn a_receiver_is_corrected_while_something_is_still_to_be_sent() {
    let requested = || {
        let order = folded([placed(), paid(), prepared(0), prepared(1), prepared(2)]);
        let context = super::super::given::at_noon();
        domain::Decider::decide(&order, cancel(7, &[0], CanceledBy::Buyer), &context).unwrap()
    };
    let paid_for = || vec![placed(), paid()];
    let two_sent = || {
        [
            paid_for(),
            vec![shipped(0), delivered(1, 29)],
            vec![shipped(2)],
        ]
        .concat()
    };
    let open = [
        vec![placed()],
        paid_for(),
        [paid_for(), vec![prepared(0), delayed(1)]].concat(),
        [paid_for(), vec![shipped(0), shipped(1)]].concat(),
        [paid_for(), vec![prepared(0)], requested()].concat(),
    ];
    for past in open {
        assert!(is_offered(past.clone(), Reader::Staff), "{past:?}");
        assert!(!is_offered(past.clone(), Reader::Buyer));
        assert!(!is_offered(past.clone(), Reader::Seller(seller(0))));
        order(past).when(correct(Area::None)).then([corrected()]);
    }
    let canceled = OrderEvent::OrderCanceled {
        by: CanceledBy::Buyer,
        reason: None,
    };
    let all_sent = || [two_sent(), vec![shipped(1)]].concat();
    let closed = [
        (vec![placed(), canceled], OrderError::OrderCanceled),
        (all_sent(), OrderError::NothingToSend),
        (
            [all_sent(), vec![completed(0, ConfirmedBy::Buyer)]].concat(),
            OrderError::NothingToSend,
        ),
        (vec![], OrderError::NotPlaced),
    ];
    for (past, error) in closed {
        assert!(!is_offered(past.clone(), Reader::Staff), "{past:?}");
        order(past).when(correct(Area::None)).then_refuses(error);
    }
}

/// The refund of a canceled purchase may take days; nothing is sent meanwhile.
#[test]
fn a_purchase_whose_cancellation_is_approved_is_not_to_be_sent() {
    let mut past = vec![placed(), paid(), prepared(0), shipped(1), shipped(2)];
    for act in [cancel(7, &[0], CanceledBy::Buyer), approve(7)] {
        order(past.clone())
            .when(correct(Area::None))
            .then([corrected()]);
        let context = super::super::given::at_noon();
        let events = domain::Decider::decide(&folded(past.clone()), act, &context).unwrap();
        past.extend(events);
    }
    order(past)
        .when(correct(Area::None))
        .then_refuses(OrderError::NothingToSend);
}

#[test]
fn fares_were_paid_for_one_surcharge_area() {
    for area in [Area::Island, Area::Jeju] {
        order([placed(), paid()])
            .when(correct(area))
            .then_refuses(OrderError::OtherArea);
    }
    let mut to_jeju = terms();
    to_jeju.area = Area::Jeju;
    let to_jeju = OrderEvent::OrderPlaced(Box::new(to_jeju));
    order([to_jeju.clone()])
        .when(correct(Area::Jeju))
        .then([corrected()]);
    order([to_jeju])
        .when(correct(Area::None))
        .then_refuses(OrderError::OtherArea);
}

#[test]
fn the_receiver_in_force_is_the_one_corrected_last() {
    let before = folded([placed(), paid()]);
    assert_eq!(before.receiver(), Ok(&terms().receiver));
    let after = folded([placed(), corrected(), paid()]);
    assert_eq!(after.receiver(), Ok(&moved_house()));
    assert_eq!(after.terms().unwrap().receiver, terms().receiver);
    order([placed(), corrected()])
        .when(correct(Area::None))
        .then_nothing();
    let stored = serde_json::to_value(&before).unwrap();
    assert_eq!(stored.get("correctedReceiver"), None);
    assert_eq!(stored.get("staffNote"), None);
    assert_eq!(serde_json::from_value::<Order>(stored).unwrap(), before);
    assert_eq!(Order::default().receiver(), Err(OrderError::NotPlaced));
}

#[test]
fn staff_have_one_note_on_an_order() {
    let write = |note: Option<&str>| OrderCommand::WriteStaffNote {
        note: note.map(sealed),
    };
    let written = |note: Option<&str>| OrderEvent::StaffNoteWritten {
        note: note.map(sealed),
    };
    order([placed()])
        .when(write(Some("YQ==")))
        .then([written(Some("YQ=="))]);
    order([placed()]).when(write(None)).then_nothing();
    let noted = || vec![placed(), written(Some("YQ=="))];
    order(noted()).when(write(Some("YQ=="))).then_nothing();
    order(noted())
        .when(write(Some("Yg==")))
        .then([written(Some("Yg=="))]);
    order(noted()).when(write(None)).then([written(None)]);
    let removed = [noted(), vec![written(None)]].concat();
    assert_eq!(folded(removed).staff_note, None);
    order([])
        .when(write(Some("YQ==")))
        .then_refuses(OrderError::NotPlaced);
    let erased = || [noted(), vec![OrderEvent::GuestRecordsErased {}]].concat();
    order(erased())
        .when(write(Some("Yg==")))
        .then_refuses(OrderError::RecordsErased);
    order(erased()).when(write(None)).then([written(None)]);
}
