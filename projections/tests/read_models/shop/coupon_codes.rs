//! Coupon codes: made, redeemed and stopped.

use domain::catalogue::ValueUnit;
use domain::coupon::{
    CodeBatchCommand, CodeDisclosure, CodeHandle, Coupon, IssueRule, IssuedCoupon, Stage,
    UsageRule, make_codes, redeem_code,
};
use domain::ids::{CouponId, IssuedCouponId};
use domain::record::{Record, RecordCommand};
use uuid::Uuid;

use super::{Shop, keys};

/// Codes are made every so many deeds.
pub(super) const MADE_EVERY: u32 = 55;

impl Shop {
    /// Codes for a coupon of their own, of which every member redeems one. Leaves the random numbers and the states as they were, so that
    /// it does not change what the others do.
    pub(super) async fn make_codes(&mut self) {
        let random = self.random.0;
        let turn = self.deeds / MADE_EVERY;
        let handle = CodeHandle::of_random(turn);
        let batch = handle.batch();
        let coupon = CouponId(Uuid::from_u128(0xC0DE_0000_0000 + u128::from(turn)));
        let before = keys(&self.issued);
        let mut record = Record::<Coupon>::default();
        self.record(coupon, &mut record, RecordCommand::Create(on_paper()))
            .await;
        self.coupons.insert(coupon, record);
        self.decide(|work| make_codes(work, handle, (coupon, 50), format!("전단지 {turn}")))
            .await;
        for (number, member) in (1..).zip(keys(&self.members)) {
            self.decide(|work| redeem_code(work, (batch, number), member, 1))
                .await;
        }
        if let Some(mut state) = self.code_batches.remove(&batch) {
            let read = CodeBatchCommand::Disclose {
                purpose: CodeDisclosure::Print,
                first: 1,
                last: 50,
            };
            self.act(batch, &mut state, read).await;
            if turn.is_multiple_of(2) {
                let memo = "전단지를 잃어버렸습니다".to_owned();
                self.act(batch, &mut state, CodeBatchCommand::Stop { memo })
                    .await;
            }
        }
        self.coupons.remove(&coupon);
        self.campaigns.remove(&coupon);
        let is_new = |id: &IssuedCouponId, _: &mut IssuedCoupon| !before.contains(id);
        self.from_paper.extend(self.issued.extract_if(.., is_new));
        self.random.0 = random;
    }
}

fn on_paper() -> Box<Coupon> {
    Box::new(Coupon {
        issuer: None,
        seller: None,
        name: "전단지 쿠폰".to_owned(),
        unit: ValueUnit::Percent,
        value: 10,
        limit: None,
        share: None,
        count: 1,
        issue: IssueRule {
            is_active: true,
            ..IssueRule::default()
        },
        usage: UsageRule {
            stage: Stage::Total,
            target: Default::default(),
            limit: Default::default(),
            starts_at: None,
            ends_at: None,
            is_active: true,
            combinable: true,
            returnable: true,
        },
        on_console: true,
        on_display: false,
    })
}
