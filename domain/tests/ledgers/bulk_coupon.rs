//! A coupon for many members: each receiver gets the coupons of one round or a refusal with a reason; a stopped grant takes back those
//! that are not used.

use std::collections::BTreeMap;

use domain::bulk_grant::{
    Benefit, BulkGrant, BulkGrantCommand, CarryOutError, CouponReach, GrantRefusal, carry_out,
    order_coupon,
};
use domain::coupon::{
    Campaign, CampaignError, Coupon, DrawError, IssueTargetType, IssueType, IssuedCoupon,
    IssuedCouponCommand, Round, issued_id,
};
use domain::ids::{BulkGrantId, CouponId, IssuedCouponId, MemberId};
use domain::member::Member;
use domain::record::{Record, RecordCommand};
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Amount, Context, Decider};
use proptest::prelude::*;
use time::Duration;

use super::given::{NOON, id};
use super::issuing::{coupon, joined, limited};

const GRANT: u128 = 0x6000;
const COUPON: u128 = 0x7000;

fn grant_id() -> BulkGrantId {
    id(GRANT)
}

fn coupon_id() -> CouponId {
    id(COUPON)
}

fn receiver(place: u128) -> MemberId {
    id(0x8000 + place)
}

/// What is stored: the receivers are members who have joined.
struct MemoryLog {
    grant: BulkGrant,
    coupon: Record<Coupon>,
    campaign: Campaign,
    boxed: BTreeMap<IssuedCouponId, IssuedCoupon>,
    members: BTreeMap<MemberId, Member>,
    receivers: Vec<MemberId>,
}

impl MemoryLog {
    fn new(many: u128, coupon: &Coupon) -> Self {
        let receivers: Vec<MemberId> = (0..many).map(receiver).collect();
        let mut log = Self {
            grant: BulkGrant::default(),
            coupon: Record::default(),
            campaign: Campaign::default(),
            boxed: BTreeMap::new(),
            members: receivers.iter().map(|id| (*id, joined())).collect(),
            receivers,
        };
        log.edit(RecordCommand::Create(Box::new(coupon.clone())));
        log
    }

    fn edit(&mut self, command: RecordCommand<Coupon>) {
        let events = self.coupon.decide(command, &context()).unwrap();
        for event in events {
            cqrs_es::Aggregate::apply(&mut self.coupon, event);
        }
    }

    fn numbers(&self) -> impl Iterator<Item = IssuedCouponId> + use<> {
        let receivers = self.receivers.clone();
        receivers
            .into_iter()
            .flat_map(|member| (1..=9).map(move |number| issued_id(coupon_id(), member, number)))
    }

    /// Decides on what is stored and stores what was decided, or nothing.
    fn decide<R, E>(&mut self, decide: impl Fn(&mut UnitOfWork) -> Result<R, E>) -> Result<R, E> {
        let mut work = UnitOfWork::new(context());
        work.insert(grant_id(), self.grant.clone(), 1);
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
        self.grant = (*work.state::<BulkGrant>(grant_id())).clone();
        self.campaign = (*work.state::<Campaign>(coupon_id())).clone();
        for id in self.numbers() {
            let state = (*work.state::<IssuedCoupon>(id)).clone();
            if state != IssuedCoupon::default() {
                self.boxed.insert(id, state);
            }
        }
        Ok(result)
    }

    fn order(&mut self) -> Result<CouponReach, CarryOutError> {
        let members = self.receivers.clone();
        let memo = || "창립 기념".to_owned();
        self.decide(|work| order_coupon(work, grant_id(), coupon_id(), members.clone(), memo()))
    }

    fn next(&mut self, most: u32) -> Result<bool, CarryOutError> {
        self.decide(|work| carry_out(work, grant_id(), most))
    }

    fn stop(&mut self) {
        self.decide(|work| {
            let memo = "잘못 지급했습니다".to_owned();
            work.decide::<BulkGrant>(grant_id(), BulkGrantCommand::Stop { memo })
        })
        .unwrap();
    }

    /// The coupons of a receiver, by number.
    fn coupons(&self, place: u128) -> Vec<&IssuedCoupon> {
        (1..=9)
            .filter_map(|number| {
                self.boxed
                    .get(&issued_id(coupon_id(), receiver(place), number))
            })
            .collect()
    }
}

fn context() -> Context {
    Context {
        now: NOON,
        actor: Actor::System,
    }
}

/// A coupon of 5.00 that is downloaded once.
fn plain() -> Coupon {
    coupon(IssueType::Request, Round::default())
}

#[test]
fn every_receiver_gets_the_coupons_of_one_round_once() {
    let mut two = plain();
    two.count = 2;
    // as a coupon given by hand: past the members, the switch and the period of the issue rule
    two.issue.is_active = false;
    two.issue.ends_at = Some(NOON - Duration::DAY);
    two.issue.target.kind = IssueTargetType::Users;
    two.issue.target.users = vec![id(1)];
    let mut stored = MemoryLog::new(4, &two);
    stored.members.get_mut(&receiver(2)).unwrap().left = true;
    let reach = stored.order().unwrap();
    assert_eq!((reach.count, reach.receivers_left), (2, None));
    assert_eq!(reach.face_value, Some(Amount::new(500)));
    assert_eq!(stored.next(3), Ok(false));
    assert_eq!(stored.coupons(3).len(), 0);
    assert_eq!(stored.next(3), Ok(true));
    for place in [0, 1, 3] {
        let coupons = stored.coupons(place);
        assert_eq!(coupons.len(), 2, "{place}");
        for coupon in coupons {
            let held = coupon.held.as_ref().unwrap();
            assert_eq!((held.round, held.grant), (Some(1), Some(grant_id())));
        }
    }
    assert_eq!(stored.coupons(2).len(), 0);
    assert_eq!(stored.grant.left_out, [receiver(2)].into());
    assert_eq!(stored.campaign.drawn, 6);
    // once more, and nothing is given
    assert_eq!(stored.next(3), Ok(true));
    assert_eq!(stored.campaign.drawn, 6);
}

#[test]
fn it_is_one_more_round_of_a_member_who_has_the_coupon() {
    let mut stored = MemoryLog::new(1, &plain());
    let once = plain();
    let download =
        |work: &mut UnitOfWork| domain::coupon::draw(work, coupon_id(), &once, receiver(0), 1);
    stored.decide(download).unwrap();
    stored.order().unwrap();
    stored.next(9).unwrap();
    let rounds: Vec<_> = stored
        .coupons(0)
        .iter()
        .filter_map(|one| one.held.clone())
        .collect();
    let rounds: Vec<_> = rounds.iter().map(|held| (held.round, held.grant)).collect();
    assert_eq!(rounds, [(Some(1), None), (Some(2), Some(grant_id()))]);
    // stopping takes back what this grant gave and nothing else
    stored.stop();
    stored.next(9).unwrap();
    let taken: Vec<bool> = stored.coupons(0).iter().map(|one| one.taken).collect();
    assert_eq!(taken, [false, true]);
}

#[test]
fn those_whom_a_limit_of_the_campaign_leaves_out_are_refused_with_the_reason() {
    // five coupons and two at once: the third receiver gets none, not one
    for limits in [limited(Some(5), None), limited(None, Some(2_500))] {
        let mut two = plain();
        two.count = 2;
        let mut stored = MemoryLog::new(4, &two);
        stored.campaign.evolve(limits);
        assert_eq!(stored.order().unwrap().receivers_left, Some(2));
        assert_eq!(stored.next(9), Ok(true));
        let got: Vec<usize> = (0..4).map(|place| stored.coupons(place).len()).collect();
        assert_eq!(got, [2, 2, 0, 0]);
        let used_up = GrantRefusal::CouponUsedUp;
        let refused = [(receiver(2), used_up), (receiver(3), used_up)];
        assert_eq!(stored.grant.refused, refused.into());
        assert_eq!(stored.campaign.drawn, 4);
    }
}

/// What happens to the coupon between two parts.
type Change = fn(&mut MemoryLog);

#[test]
fn a_coupon_that_is_over_or_deleted_meanwhile_is_refused_to_the_rest() {
    let over = |stored: &mut MemoryLog| {
        let mut coupon = plain();
        coupon.usage.ends_at = Some(NOON);
        stored.edit(RecordCommand::Revise(Box::new(coupon)));
    };
    let off = |stored: &mut MemoryLog| {
        let mut coupon = plain();
        coupon.usage.is_active = false;
        stored.edit(RecordCommand::Revise(Box::new(coupon)));
    };
    let gone = |stored: &mut MemoryLog| stored.edit(RecordCommand::Remove);
    let cases: [(Change, GrantRefusal); 3] = [
        (over, GrantRefusal::CouponOver),
        (off, GrantRefusal::CouponOver),
        (gone, GrantRefusal::CouponRemoved),
    ];
    for (meanwhile, reason) in cases {
        let mut stored = MemoryLog::new(2, &plain());
        stored.order().unwrap();
        assert_eq!(stored.next(1), Ok(false));
        meanwhile(&mut stored);
        assert_eq!(stored.next(1), Ok(true));
        assert_eq!(stored.coupons(0).len(), 1);
        assert_eq!(stored.coupons(1).len(), 0);
        assert_eq!(stored.grant.refused, [(receiver(1), reason)].into());
    }
}

#[test]
fn one_who_never_joined_is_refused() {
    let mut stored = MemoryLog::new(2, &plain());
    stored.members.remove(&receiver(0));
    stored.order().unwrap();
    stored.next(9).unwrap();
    let refused = [(receiver(0), GrantRefusal::UnknownMember)];
    assert_eq!(stored.grant.refused, refused.into());
    assert_eq!(stored.coupons(1).len(), 1);
}

#[test]
fn a_coupon_that_is_over_or_used_up_is_not_ordered() {
    let mut over = plain();
    over.usage.ends_at = Some(NOON);
    let mut stored = MemoryLog::new(1, &over);
    assert_eq!(stored.order(), Err(DrawError::NotInTime.into()));
    let mut stored = MemoryLog::new(1, &plain());
    stored.campaign.evolve(limited(Some(0), None));
    let used_up = DrawError::from(CampaignError::UsedUp);
    assert_eq!(stored.order(), Err(used_up.into()));
    let mut stored = MemoryLog::new(1, &plain());
    stored.edit(RecordCommand::Remove);
    assert_eq!(stored.order(), Err(CarryOutError::UnknownCoupon));
    assert_eq!(stored.grant, BulkGrant::default());
}

#[test]
fn one_that_is_stopped_takes_back_what_is_not_used() {
    let mut stored = MemoryLog::new(4, &plain());
    stored.order().unwrap();
    stored.next(3).unwrap();
    let use_it = IssuedCouponCommand::Use {
        order: id(70),
        member: receiver(1),
        amount: Amount::new(500),
    };
    let used = issued_id(coupon_id(), receiver(1), 1);
    stored
        .decide(|work| work.decide::<IssuedCoupon>(used, use_it.clone()))
        .unwrap();
    stored.stop();
    assert_eq!(stored.next(2), Ok(false));
    assert_eq!(stored.next(2), Ok(true));
    let taken: Vec<Vec<bool>> = (0..4)
        .map(|place| stored.coupons(place).iter().map(|one| one.taken).collect())
        .collect();
    assert_eq!(taken, [vec![true], vec![false], vec![true], vec![]]);
}

#[test]
fn a_coupon_as_benefit_is_stored_with_its_name() {
    let benefit = Benefit::Coupon {
        coupon: coupon_id(),
        name: "환영".to_owned(),
    };
    let stored = serde_json::json!({
        "coupon": { "coupon": "00000000-0000-0000-0000-000000007000", "name": "환영" },
    });
    assert_eq!(serde_json::to_value(&benefit).unwrap(), stored);
    assert_eq!(serde_json::from_value::<Benefit>(stored).unwrap(), benefit);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever the parts, the limit and the moment it is stopped: each receiver served has the coupons of one round or a reason, the
    /// campaign is not over its limit, and of a stopped grant nothing is left.
    #[test]
    fn any_parts_give_each_receiver_once_within_the_limits(
        many in 1..9_u128,
        count in 1..3_u32,
        limit in proptest::option::of(2..14_u32),
        parts in proptest::collection::vec(0..5_u32, 0..9),
        stops_after in proptest::option::of(0..9_usize),
    ) {
        let mut definition = plain();
        definition.count = count;
        let mut stored = MemoryLog::new(many, &definition);
        stored.campaign.evolve(limited(limit, None));
        stored.order().unwrap();
        for (place, part) in parts.iter().enumerate() {
            if Some(place) == stops_after {
                stored.stop();
            }
            stored.next(*part).unwrap();
        }
        while !stored.next(4).unwrap() {}
        let served = u128::from(stored.grant.served);
        let is_stopped = stored.grant.stopped.is_some();
        prop_assert!(is_stopped || served == many);
        prop_assert!(limit.is_none_or(|limit| stored.campaign.drawn <= limit.into()));
        for place in 0..many {
            let coupons = stored.coupons(place);
            let is_refused = stored.grant.refused.contains_key(&receiver(place));
            let has = place < served && !is_refused;
            let each = usize::try_from(count).unwrap();
            prop_assert_eq!(coupons.len(), if has { each } else { 0 });
            prop_assert!(coupons.iter().all(|one| one.taken == is_stopped));
        }
    }
}
