//! Coupon codes: made, redeemed and stopped.

use domain::coupon::{CodeBatchCommand, CodeHandle, make_codes, redeem_code};

use super::{Shop, keys};

/// Codes are made every so many deeds.
pub(super) const MADE_EVERY: u32 = 55;

impl Shop {
    /// Codes for a coupon, of which every member redeems one, if the coupon is theirs to have. Uses no random numbers, so that it does
    /// not change what the others do.
    pub(super) async fn make_codes(&mut self) {
        let turn = self.deeds / MADE_EVERY;
        let coupons = keys(&self.coupons);
        let place = usize::try_from(turn).unwrap() % coupons.len();
        let handle = CodeHandle::of_random(turn);
        let (coupon, batch) = (coupons[place], handle.batch());
        self.decide(|work| make_codes(work, handle, (coupon, 50), format!("전단지 {turn}")))
            .await;
        for (number, member) in (1..).zip(keys(&self.members)) {
            self.decide(|work| redeem_code(work, (batch, number), member, 1))
                .await;
        }
        if turn.is_multiple_of(2)
            && let Some(mut state) = self.code_batches.remove(&batch)
        {
            let memo = "전단지를 잃어버렸습니다".to_owned();
            self.act(batch, &mut state, CodeBatchCommand::Stop { memo })
                .await;
            self.code_batches.insert(batch, state);
        }
    }
}
