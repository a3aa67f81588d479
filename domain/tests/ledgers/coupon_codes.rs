//! Coupon codes: how they are written and read, who redeems one, and what a stopped batch is worth.

use std::collections::BTreeMap;

use domain::coupon::{
    CODES_MOST, Campaign, CampaignError, CodeBatch, CodeBatchCommand, CodeBatchError,
    CodeBatchEvent, CodeDisclosure, CodeError, CodeHandle, Coupon, CouponCode, DrawError,
    IssueTargetType, IssueType, IssuedCoupon, Round, issued_id, make_codes, redeem_code,
};
use domain::ids::{CouponId, IssuedCouponId, MemberId};
use domain::member::Member;
use domain::record::{Record, RecordCommand};
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Amount, Context, Decider};
use proptest::prelude::*;
use time::Duration;

use super::given::{NOON, id};
use super::issuing::{coupon, joined};

const HANDLE: CodeHandle = CodeHandle::of_random(0x8_1234);

fn coupon_id() -> CouponId {
    id(0x7000)
}

fn member(place: u128) -> MemberId {
    id(0x8000 + place)
}

fn code(number: u32, proof: u64) -> CouponCode {
    CouponCode {
        handle: HANDLE,
        number,
        proof,
    }
}

/// What is stored: a coupon, and members who joined.
struct MemoryLog {
    batch: CodeBatch,
    coupon: Record<Coupon>,
    campaign: Campaign,
    boxed: BTreeMap<IssuedCouponId, IssuedCoupon>,
    members: BTreeMap<MemberId, Member>,
}

impl MemoryLog {
    fn new(coupon: Coupon) -> Self {
        let mut log = Self {
            batch: CodeBatch::default(),
            coupon: Record::default(),
            campaign: Campaign::default(),
            boxed: BTreeMap::new(),
            members: (1..4).map(|place| (member(place), joined())).collect(),
        };
        let limits = coupon.campaign_limits();
        for event in log.campaign.decide(limits, &context()).unwrap() {
            log.campaign.evolve(event);
        }
        log.edit(RecordCommand::Create(Box::new(coupon)));
        log
    }

    fn edit(&mut self, command: RecordCommand<Coupon>) {
        for event in self.coupon.decide(command, &context()).unwrap() {
            cqrs_es::Aggregate::apply(&mut self.coupon, event);
        }
    }

    /// Decides on what is stored and stores what was decided, or nothing.
    fn decide<R>(
        &mut self,
        decide: impl Fn(&mut UnitOfWork) -> Result<R, CodeError>,
    ) -> Result<R, CodeError> {
        let mut work = UnitOfWork::new(context());
        let batch = HANDLE.batch();
        work.insert(batch, self.batch.clone(), 1);
        work.insert(coupon_id(), self.coupon.clone(), 1);
        work.insert(coupon_id(), self.campaign.clone(), 1);
        for (id, state) in &self.boxed {
            work.insert(id, state.clone(), 1);
        }
        for (id, state) in &self.members {
            work.insert(id, state.clone(), 1);
        }
        let mut result = decide(&mut work);
        while !work.is_loaded() {
            work.load_rest_empty();
            work.rewind();
            result = decide(&mut work);
        }
        let result = result?;
        self.batch = (*work.state::<CodeBatch>(batch)).clone();
        self.campaign = (*work.state::<Campaign>(coupon_id())).clone();
        for member in self.members.keys() {
            for number in 1..9 {
                let id = issued_id(coupon_id(), *member, number);
                let state = (*work.state::<IssuedCoupon>(id)).clone();
                if state != IssuedCoupon::default() {
                    self.boxed.insert(id, state);
                }
            }
        }
        Ok(result)
    }

    fn make(&mut self, count: u32) -> Result<(), CodeError> {
        self.decide(|work| {
            make_codes(work, HANDLE, (coupon_id(), count), "전단지".to_owned()).map(|_| ())
        })
    }

    fn redeem(&mut self, number: u32, place: u128) -> Result<IssuedCouponId, CodeError> {
        let batch = HANDLE.batch();
        self.decide(|work| redeem_code(work, (batch, number), member(place), 1))
    }

    fn stop(&mut self) {
        let memo = "잃어버림".to_owned();
        let stop = CodeBatchCommand::Stop { memo };
        for event in self.batch.decide(stop, &context()).unwrap() {
            self.batch.evolve(event);
        }
    }
}

fn context() -> Context {
    Context {
        now: NOON,
        actor: Actor::System,
    }
}

fn made(coupon: Coupon) -> MemoryLog {
    let mut log = MemoryLog::new(coupon);
    log.make(10).unwrap();
    log
}

fn hidden() -> Coupon {
    Coupon {
        on_display: false,
        ..coupon(IssueType::Request, Round::default())
    }
}

#[test]
fn a_code_is_redeemed_once_for_ever() {
    let mut log = made(hidden());
    let issued = log.redeem(3, 1).unwrap();
    assert_eq!(issued, issued_id(coupon_id(), member(1), 1));
    assert_eq!(log.boxed[&issued].held.as_ref().unwrap().member, member(1));
    assert_eq!((log.campaign.drawn, log.boxed.len()), (1, 1));
    // the same code is dead for others, and says so to its owner
    assert_eq!(log.redeem(3, 2), Err(CodeBatchError::Unusable.into()));
    assert_eq!(log.redeem(3, 1), Err(CodeBatchError::RedeemedBefore.into()));
    // one round a member, as for a download
    let again = CodeError::Draw(CampaignError::AlreadyDrawn.into());
    assert_eq!(log.redeem(4, 1), Err(again));
    log.redeem(4, 2).unwrap();
    assert_eq!((log.campaign.drawn, log.boxed.len()), (2, 2));
}

#[test]
fn numbers_that_do_not_exist_and_codes_of_a_stopped_batch_are_refused_alike() {
    let unusable = Err(CodeBatchError::Unusable.into());
    let mut log = MemoryLog::new(hidden());
    assert_eq!(log.redeem(1, 1), unusable);
    log.make(10).unwrap();
    assert_eq!(log.redeem(0, 1), unusable);
    assert_eq!(log.redeem(11, 1), unusable);
    log.redeem(10, 1).unwrap();
    log.stop();
    assert_eq!(log.redeem(1, 2), unusable);
    // what was redeemed stays, and its owner is still told
    assert_eq!(
        log.redeem(10, 1),
        Err(CodeBatchError::RedeemedBefore.into())
    );
    assert_eq!(log.boxed.len(), 1);
    let stop = CodeBatchCommand::Stop {
        memo: "또".to_owned(),
    };
    let again = log.batch.decide(stop.clone(), &context());
    assert_eq!(again, Err(CodeBatchError::Stopped));
    let nothing = CodeBatch::default().decide(stop, &context());
    assert_eq!(nothing, Err(CodeBatchError::NotMade));
}

#[test]
fn the_issue_rule_decides_as_for_a_download_and_a_refused_code_stays_good() {
    let cases: Vec<(Coupon, DrawError)> = {
        let mut over = hidden();
        over.issue.ends_at = Some(NOON);
        let mut off = hidden();
        off.issue.is_active = false;
        let mut for_others = hidden();
        for_others.issue.target.kind = IssueTargetType::UserLevels;
        for_others.issue.target.levels = vec!["gold".to_owned()];
        let mut none_left = hidden();
        none_left.issue.limit.shop.count_sum = Some(0);
        vec![
            (over, DrawError::NotInTime),
            (off, DrawError::NotInTime),
            (for_others, DrawError::NotForMember),
            (none_left, CampaignError::UsedUp.into()),
        ]
    };
    for (coupon, error) in cases {
        let mut log = made(coupon);
        assert_eq!(log.redeem(1, 1), Err(error.into()));
        assert!(log.batch.redeemed.is_empty() && log.boxed.is_empty());
    }
    let mut log = made(hidden());
    log.members.get_mut(&member(1)).unwrap().left = true;
    assert_eq!(log.redeem(1, 1), Err(DrawError::MemberLeft.into()));
    log.edit(RecordCommand::Remove);
    assert_eq!(log.redeem(1, 2), Err(DrawError::NotInTime.into()));
}

#[test]
fn several_coupons_come_at_once() {
    let mut three = hidden();
    three.count = 3;
    let mut log = made(three);
    log.redeem(1, 1).unwrap();
    assert_eq!((log.boxed.len(), log.batch.redeemed.len()), (3, 1));
}

#[test]
fn codes_are_made_for_coupons_that_can_be_asked_for() {
    for count in [0, CODES_MOST + 1] {
        let mut log = MemoryLog::new(hidden());
        assert_eq!(log.make(count), Err(CodeBatchError::Count.into()));
    }
    let mut log = MemoryLog::new(hidden());
    log.make(CODES_MOST).unwrap();
    // another batch does not get the same handle
    assert_eq!(log.make(1), Err(CodeBatchError::HandleTaken.into()));
    let mut instant = hidden();
    instant.issue.kind = IssueType::Instant;
    let made = MemoryLog::new(instant).make(1);
    assert_eq!(made, Err(CodeError::IssuedByEvent));
    let mut over = hidden();
    over.usage.ends_at = Some(NOON - Duration::days(1));
    let made = MemoryLog::new(over).make(1);
    assert_eq!(made, Err(DrawError::NotInTime.into()));
    let mut removed = MemoryLog::new(hidden());
    removed.edit(RecordCommand::Remove);
    assert_eq!(removed.make(1), Err(CodeError::UnknownCoupon));
}

#[test]
fn a_code_looks_the_same_for_ever() {
    let text = code(17, 0x12_3456_789A).text();
    assert_eq!(text, "J6KN-22K4-AU7E-Y6U5");
    assert_eq!(HANDLE.text(), "J6KN");
    assert_eq!(CodeHandle::parse("J6KN"), Some(HANDLE));
    for wrong in ["J6K", "J6KNN", "J6K0", "j6kn"] {
        assert_eq!(CodeHandle::parse(wrong), None, "{wrong}");
    }
    let mut hash = [0xFF; 32];
    hash[..5].copy_from_slice(&[0x12, 0x34, 0x56, 0x78, 0x9A]);
    assert_eq!(CouponCode::proof_of(hash), 0x12_3456_789A);
}

#[test]
fn a_code_is_read_as_people_type_it() {
    let code = code(17, 0x12_3456_789A);
    let text = code.text();
    for typed in [
        text.clone(),
        text.to_lowercase(),
        text.replace('-', ""),
        format!("  {} ", text.replace('-', " ")),
    ] {
        assert_eq!(CouponCode::parse(&typed), Some(code), "{typed}");
    }
    for wrong in [
        "",
        "J6KN",
        &text.replace('K', "0"),
        &format!("{text}2"),
        "쿠폰",
    ] {
        assert_eq!(CouponCode::parse(wrong), None, "{wrong}");
    }
}

proptest! {
    /// No slip of one finger makes another code.
    #[test]
    fn a_wrong_character_and_two_swapped_ones_are_noticed(
        handle in any::<u32>(), number in 1..=CODES_MOST, proof in 0_u64..1 << 40, place in 0_usize..16, other in 0_usize..16,
        with in 0_usize..32,
    ) {
        let code = CouponCode { handle: CodeHandle::of_random(handle), number, proof };
        let text = code.text();
        prop_assert_eq!(CouponCode::parse(&text), Some(code));
        let plain: Vec<char> = text.chars().filter(|one| *one != '-').collect();
        let mut wrong = plain.clone();
        wrong[place] = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ".chars().nth(with).unwrap();
        let mut swapped = plain.clone();
        swapped.swap(place, other);
        for typed in [wrong, swapped] {
            let read = CouponCode::parse(&typed.iter().collect::<String>());
            prop_assert_eq!(read.is_some(), typed == plain);
        }
    }

    /// In any order of redemptions a code gives one round to one member, and a campaign keeps its limit.
    #[test]
    fn no_code_gives_twice(tries in prop::collection::vec((0_u32..6, 1_u128..4), 0..20), limit in 0_u32..4, stop in 0_usize..20) {
        let mut few = hidden();
        few.issue.limit.shop.count_sum = Some(limit);
        let mut log = MemoryLog::new(few);
        log.make(4).unwrap();
        let mut by: BTreeMap<u32, u128> = BTreeMap::new();
        for (turn, (number, place)) in tries.into_iter().enumerate() {
            if turn == stop {
                log.stop();
            }
            if log.redeem(number, place).is_ok() {
                prop_assert!(turn < stop && (1..=4).contains(&number));
                prop_assert_eq!(by.insert(number, place), None);
            }
        }
        prop_assert_eq!(log.boxed.len(), by.len());
        prop_assert_eq!(log.batch.redeemed.len(), by.len());
        prop_assert!(by.len() <= usize::try_from(limit).unwrap());
    }
}

#[test]
fn amounts_of_a_campaign_count_codes_too() {
    let mut few = hidden();
    few.unit = domain::catalogue::ValueUnit::Amount;
    few.value = 500;
    few.issue.limit.shop.price_sum = Some(Amount::new(700));
    let mut log = made(few);
    log.redeem(1, 1).unwrap();
    let used_up = CodeError::Draw(CampaignError::UsedUp.into());
    assert_eq!(log.redeem(2, 2), Err(used_up));
}

/// Only codes that were made are read out.
#[test]
fn codes_that_were_made_are_read_out() {
    let disclose = |log: &MemoryLog, first, last| {
        let purpose = CodeDisclosure::File;
        let command = CodeBatchCommand::Disclose {
            purpose,
            first,
            last,
        };
        log.batch.decide(command, &context())
    };
    let none = MemoryLog::new(hidden());
    assert_eq!(disclose(&none, 1, 1), Err(CodeBatchError::NotMade));
    let log = made(hidden());
    let read = CodeBatchEvent::CouponCodesDisclosed {
        purpose: CodeDisclosure::File,
        first: 3,
        last: 10,
    };
    assert_eq!(disclose(&log, 3, 10), Ok(vec![read]));
    for (first, last) in [(0, 1), (2, 1), (10, 11), (11, 11)] {
        assert_eq!(disclose(&log, first, last), Err(CodeBatchError::Count));
    }
}
