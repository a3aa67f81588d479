//! Stored names of types, fields and variants: stream kinds, events, the JSON of states in snapshots and columns.
//!
//! Kinds and events are literals here; the states are literals in `fixtures/states.json`, each folded from stored samples. A rename
//! in the code changes none of them. A state whose shape changes on purpose is regenerated with `UPDATE_STATES=1`, and every read
//! model that stores it (`orders`, `order_timeline`, `coupon_box`) gets a new version.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot read its fixtures has to stop"
)]

use std::collections::BTreeMap;
use std::path::Path;

use domain::registry::{KINDS, knows, replay};
use serde_json::Value;

type States = BTreeMap<String, BTreeMap<String, Value>>;

/// Every stream kind and the events of its streams.
const STORED: &[(&str, &str)] = &[
    ("alarm", "AlarmWithdrawn 1.0"),
    (
        "bulk-grant",
        "BulkGrantNoted 1.0, BulkGrantOrdered 2.0, BulkGrantPartGiven 2.0, BulkGrantPartTaken 1.0, BulkGrantStopped 1.0",
    ),
    (
        "coupon-code-batch",
        "CouponCodeRedeemed 1.0, CouponCodesDisclosed 1.0, CouponCodesMade 1.0, CouponCodesStopped 1.0",
    ),
    (
        "coupon-campaign",
        "CampaignLimited 2.0, CouponDrawn 3.0, CouponUseCounted 2.0, CouponUseReturned 2.0",
    ),
    (
        "category-tree",
        "CategoryAdded 1.0, CategoryMoved 1.0, CategoryRemoved 1.0, CategoryRevised 1.0",
    ),
    ("deadline", "DeadlineRetried 1.0"),
    ("file", "FileReplaced 1.0"),
    (
        "issued-coupon",
        "CouponBroughtBack 1.0, CouponIssued 4.0, CouponPeriodChanged 1.0, CouponReturned 1.0, CouponRoundPassed 2.0, \
         CouponTaken 1.0, CouponUsed 1.0",
    ),
    (
        "member",
        "ConsentGiven 1.0, ConsentWithdrawn 1.0, DocumentHandedIn 1.0, EmailConfirmationEnded 1.0, EmailConfirmed 1.0, \
         MemberJoined 2.0, MemberLeft 1.0, MembershipLevelAssigned 1.0, \
         ProfileRevised 2.0, ScopesChanged 1.0, StatutoryDataErased 1.0",
    ),
    (
        "message",
        "MessageAddressReleased 1.0, MessageAttempted 1.0, MessageBounced 1.0, MessageDeferred 1.0, MessageDelivered 1.0, MessageGivenUp 1.0, \
         MessageReportMissing 1.0, MessageRequested 1.0, MessageResendRequested 1.0, MessageSent 1.0, MessageUncertain 1.0",
    ),
    (
        "order",
        "CancelApproved 2.0, CancelCompleted 1.0, CancelRejected 1.0, CancelRequested 3.0, ClaimWithdrawn 1.0, \
         DepositAwaited 1.0, DepositWaitEnded 1.0, ExchangeAccepted 1.0, ExchangeCompleted 1.0, ExchangeFeeReceived 3.0, ExchangeFeeRefunded 2.0, \
         ExchangeFeeWaived 1.0, ExchangeRejected 1.0, ExchangeRequested 4.0, FeeRefundAccountGiven 1.0, FeeRefundTransferred 1.0, GoodsInspected 1.0, GoodsPickedUp 1.0, GoodsSentBack 1.0, GuestRecordsErased 1.0, InvoiceCorrected 1.0, \
         OrderCanceled 2.0, OrderPaid 1.0, OrderPlaced 2.0, PriceDifferenceRefunded 2.0, PurchaseCompleted 2.0, \
         PurchaseDelayed 1.0, PurchaseDelivered 1.0, PurchasePrepared 1.0, PurchaseShipped 2.0, PurchaseSplit 2.0, \
         ReceiverCorrected 1.0, ReceiverDisclosed 1.0, ReplacementDelayed 1.0, ReplacementShipped 1.0, ReturnApproved 2.0, ReturnCompleted 1.0, ReturnRejected 1.0, \
         ReturnRequested 2.0, StaffNoteWritten 1.0",
    ),
    (
        "payment",
        "AccountCloseRequested 1.0, DepositReceived 1.0, NoticeDoubted 1.0, PaymentAbandoned \
         1.0, PaymentApprovalRequested 1.0, PaymentApprovalUnknown 1.0, PaymentApproved 1.0, \
         PaymentNetCanceled 1.0, PaymentRefused 1.0, PaymentStarted 2.0, RefundAccountGiven \
         1.0, RefundCompleted 1.0, RefundRefused 1.0, RefundRequested 1.0, RefundTransferred 1.0, RefundUnknown 1.0, \
         VirtualAccountClosed 1.0, VirtualAccountIssued 1.0",
    ),
    (
        "points",
        "PointsExpired 1.0, PointsExpiryAnnounced 1.0, PointsGranted 2.0, PointsLifeChanged 1.0, PointsRestored 1.0, PointsRevoked 1.0, PointsSpent 1.0, PointsTaken 1.0",
    ),
    (
        "sending",
        "SendingOrdered 1.0, SendingPartSent 1.0, SendingPostponed 1.0, SendingRevised 1.0, SendingStopped 1.0, SendingWithdrawn 1.0",
    ),
    (
        "stock",
        "StockCounted 1.0, StockGivenBack 1.0, StockTaken 1.0, StockWrittenOff 1.0",
    ),
    (
        "user-payment",
        "UserPaymentCanceled 1.0, UserPaymentCompleted 1.0, UserPaymentReduced 1.0, UserPaymentRefunded 1.0, UserPaymentRequested 1.0",
    ),
    (
        "band-banner",
        "BandBannerCreated 1.0, BandBannerRemoved 1.0, BandBannerRevised 1.0",
    ),
    (
        "banner",
        "BannerCreated 1.0, BannerRemoved 1.0, BannerRevised 1.0",
    ),
    (
        "banner-advertisement",
        "BannerAdvertisementCreated 1.0, BannerAdvertisementRemoved 1.0, \
         BannerAdvertisementRevised 1.0",
    ),
    (
        "brand",
        "BrandCreated 1.0, BrandRemoved 1.0, BrandRevised 1.0",
    ),
    (
        "coupon",
        "CouponCreated 1.0, CouponRemoved 1.0, CouponRevised 1.0",
    ),
    (
        "contact",
        "ContactCreated 1.0, ContactRemoved 1.0, ContactRevised 1.0",
    ),
    ("form", "FormCreated 1.0, FormRemoved 1.0, FormRevised 1.0"),
    (
        "inquiry",
        "InquiryCreated 1.0, InquiryRemoved 1.0, InquiryRevised 1.0",
    ),
    (
        "question",
        "QuestionCreated 1.0, QuestionRemoved 1.0, QuestionRevised 1.0",
    ),
    ("faq", "FaqCreated 1.0, FaqRemoved 1.0, FaqRevised 1.0"),
    (
        "message-template",
        "MessageTemplateCreated 1.0, MessageTemplateRemoved 1.0, MessageTemplateRevised 1.0",
    ),
    (
        "notice",
        "NoticeCreated 1.0, NoticeRemoved 1.0, NoticeRevised 1.0",
    ),
    (
        "holiday",
        "HolidayCreated 1.0, HolidayRemoved 1.0, HolidayRevised 1.0",
    ),
    (
        "inquire",
        "InquireCreated 1.0, InquireRemoved 1.0, InquireRevised 1.0",
    ),
    (
        "island",
        "IslandCreated 1.0, IslandRemoved 1.0, IslandRevised 1.0",
    ),
    (
        "level",
        "LevelCreated 1.0, LevelRemoved 1.0, LevelRevised 1.0",
    ),
    (
        "popup",
        "PopupCreated 1.0, PopupRemoved 1.0, PopupRevised 1.0",
    ),
    (
        "answer-template",
        "AnswerTemplateCreated 1.0, AnswerTemplateRemoved 1.0, AnswerTemplateRevised 1.0",
    ),
    (
        "category-detail",
        "CategoryDetailCreated 1.0, CategoryDetailRemoved 1.0, CategoryDetailRevised 1.0",
    ),
    (
        "exhibition",
        "ExhibitionCreated 1.0, ExhibitionRemoved 1.0, ExhibitionRevised 1.0",
    ),
    (
        "main-link",
        "MainLinkCreated 1.0, MainLinkRemoved 1.0, MainLinkRevised 1.0",
    ),
    (
        "material",
        "MaterialCreated 1.0, MaterialRemoved 1.0, MaterialRevised 1.0",
    ),
    (
        "review-display",
        "ReviewDisplayCreated 1.0, ReviewDisplayRemoved 1.0, ReviewDisplayRevised 1.0",
    ),
    (
        "shop-code",
        "ShopCodeCreated 1.0, ShopCodeRemoved 1.0, ShopCodeRevised 1.0",
    ),
    (
        "shop-event",
        "ShopEventCreated 1.0, ShopEventRemoved 1.0, ShopEventRevised 1.0",
    ),
    (
        "tag-event",
        "TagEventCreated 1.0, TagEventRemoved 1.0, TagEventRevised 1.0",
    ),
    (
        "product",
        "ProductCreated 1.0, ProductRemoved 1.0, ProductRevised 1.0",
    ),
    (
        "display",
        "DisplayCreated 1.0, DisplayRemoved 1.0, DisplayRevised 1.0",
    ),
    (
        "review",
        "ReviewCreated 1.0, ReviewRemoved 1.0, ReviewRevised 1.0",
    ),
    (
        "shipping",
        "ShippingCreated 1.0, ShippingRemoved 1.0, ShippingRevised 1.0",
    ),
    (
        "showroom",
        "ShowroomCreated 1.0, ShowroomRemoved 1.0, ShowroomRevised 1.0",
    ),
    (
        "site-setting",
        "SiteSettingCreated 1.0, SiteSettingRemoved 1.0, SiteSettingRevised 1.0",
    ),
    (
        "store",
        "StoreCreated 1.0, StoreRemoved 1.0, StoreRevised 1.0",
    ),
    (
        "terms",
        "TermsCreated 1.0, TermsRemoved 1.0, TermsRevised 1.0",
    ),
];

/// Each stored sample of this program's own versions: type, version, payload.
fn samples() -> Vec<(String, String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut samples: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let (event_type, version) =
                name.strip_suffix(".json").unwrap().split_once('.').unwrap();
            let payload = serde_json::from_slice(&std::fs::read(entry.path()).unwrap()).unwrap();
            (event_type.to_owned(), version.to_owned(), payload)
        })
        .collect();
    samples.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    samples
}

/// The samples a stream of this kind may contain.
fn samples_of(kind: &str) -> Vec<(String, Value)> {
    samples()
        .into_iter()
        .filter(|(event_type, version, _)| knows(kind, event_type, version) == Some(true))
        .map(|(event_type, version, payload)| (format!("{event_type} {version}"), payload))
        .collect()
}

#[test]
fn kinds_and_events_keep_their_names() {
    let stored: BTreeMap<&str, String> = KINDS
        .iter()
        .map(|kind| {
            let names: Vec<String> = samples_of(kind).into_iter().map(|(name, _)| name).collect();
            (*kind, names.join(", "))
        })
        .collect();
    let expected: BTreeMap<&str, String> = STORED
        .iter()
        .map(|(kind, names)| (*kind, (*names).to_owned()))
        .collect();
    assert_eq!(stored, expected);
}

#[test]
fn states_keep_their_json() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/states.json");
    let states: States = KINDS
        .iter()
        .map(|kind| {
            let states = samples_of(kind)
                .into_iter()
                .map(|(name, payload)| {
                    let state = replay(kind, None, &[payload]).unwrap();
                    let state = state.unwrap_or_else(|error| panic!("{kind} {name}: {error}"));
                    (name, state)
                })
                .collect();
            ((*kind).to_owned(), states)
        })
        .collect();
    if std::env::var_os("UPDATE_STATES").is_some() {
        let text = serde_json::to_string_pretty(&states).unwrap();
        std::fs::write(&path, text + "\n").unwrap();
    }
    let expected: States = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    for (kind, states) in &states {
        for (name, state) in states {
            let expected = expected.get(kind).and_then(|states| states.get(name));
            assert_eq!(Some(state), expected, "the state of {kind} after {name}");
        }
    }
}
