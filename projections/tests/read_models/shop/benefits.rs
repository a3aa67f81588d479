//! Coupons and points.

use domain::Amount;
use domain::bulk_grant::{BulkGrantCommand, carry_out, order_coupon, order_points};
use domain::catalogue::ValueUnit;
use domain::coupon::{
    CampaignCommand, Coupon, IssueRule, IssuedCoupon, IssuedCouponCommand, Round, RoundType,
    ShopLimit, Stage, UsageLimit, UsageRule, issued_id,
};
use domain::ids::{BulkGrantId, CouponId, LotId, MemberId};
use domain::points::{PointsCommand, stream_id};
use domain::record::{Record, RecordCommand};
use time::Duration;

use super::{Shop, keys};

impl Shop {
    pub(super) async fn add_coupon(&mut self) {
        let id: CouponId = self.id();
        let mut record = Record::<Coupon>::default();
        let (stage, unit, value) = match self.random.below(3) {
            0 => (Stage::Product, ValueUnit::Percent, 10),
            1 => (Stage::Fare, ValueUnit::Percent, 100),
            _ => (Stage::Total, ValueUnit::Amount, 333),
        };
        let limited = self.random.one_in(2);
        let coupon = Coupon {
            issuer: None,
            seller: None,
            name: format!("쿠폰 {}", self.ids),
            unit,
            value,
            limit: None,
            share: None,
            count: 1,
            issue: IssueRule {
                is_active: true,
                ..IssueRule::default()
            },
            usage: UsageRule {
                stage,
                target: Default::default(),
                limit: UsageLimit {
                    shop: ShopLimit {
                        count_sum: limited.then_some(12),
                        price_sum: None,
                    },
                    ..UsageLimit::default()
                },
                starts_at: None,
                ends_at: self
                    .random
                    .one_in(2)
                    .then(|| self.now + Duration::days(self.random.below(60) as i64)),
                is_active: true,
                combinable: true,
                // decided by its id, not by the random generator
                returnable: !id.0.as_u128().is_multiple_of(3),
            },
            on_console: true,
            on_display: true,
        };
        self.record(id, &mut record, RecordCommand::Create(Box::new(coupon)))
            .await;
        if self.random.one_in(4) {
            let mut coupon: Coupon = record.data().unwrap();
            coupon.on_display = false;
            self.record(id, &mut record, RecordCommand::Revise(Box::new(coupon)))
                .await;
            if self.random.one_in(2) {
                self.record(id, &mut record, RecordCommand::Remove).await;
            }
        }
        self.coupons.insert(id, record);
        if limited {
            let act = CampaignCommand::Limit {
                draws: None,
                uses: Some(2),
                amount: None,
                face_value: None,
            };
            self.campaign(id, act).await;
        }
    }

    async fn campaign(&mut self, id: CouponId, act: CampaignCommand) -> bool {
        let mut campaign = self.campaigns.remove(&id).unwrap_or_default();
        let did = self.act(id, &mut campaign, act).await;
        self.campaigns.insert(id, campaign);
        did
    }

    pub(super) async fn limit(&mut self) {
        let Some(id) = self.random.pick(&keys(&self.campaigns)) else {
            return;
        };
        let act = CampaignCommand::Limit {
            draws: self.random.one_in(2).then_some(3),
            uses: Some(1 + self.random.below(9) as u32),
            amount: self.random.one_in(2).then_some(Amount::new(1_000)),
            face_value: self.random.one_in(2).then_some(Amount::new(5_000)),
        };
        self.campaign(id, act).await;
    }

    pub async fn issue(&mut self) {
        let Some(coupon) = self.random.pick(&keys(&self.coupons)) else {
            return;
        };
        let Ok(definition) = self.coupons.get(&coupon).unwrap().data() else {
            return;
        };
        let member = self.random.pick(&keys(&self.members)).unwrap();
        let drawn = self.issued.values().filter(|issued| {
            let held = issued.held.as_ref();
            held.is_some_and(|held| (held.coupon, held.member) == (coupon, member))
        });
        let number = u32::try_from(drawn.count()).unwrap() + 1;
        let id = issued_id(coupon, member, number);
        let act = CampaignCommand::Draw {
            issued: id,
            member,
            number,
            round: number,
            rounds: Round {
                kind: RoundType::Infinite,
                ..Round::default()
            },
            face_value: definition.face_value(),
        };
        if !self.campaign(coupon, act).await {
            return;
        }
        let mut issued = IssuedCoupon::default();
        // rounds without an issue come before the coupon
        if self.random.one_in(4) {
            let act = IssuedCouponCommand::Pass {
                coupon,
                member,
                round: 1,
                occasion: None,
            };
            self.act(id, &mut issued, act).await;
        }
        let act = IssuedCouponCommand::Issue {
            coupon,
            member,
            terms: Box::new(definition.terms()),
            round: 2,
            occasion: self.random.one_in(4).then(|| id.to_string()),
            memo: self.random.one_in(4).then(|| "드립니다".to_owned()),
            grant: None,
        };
        self.act(id, &mut issued, act).await;
        self.issued.insert(id, issued);
    }

    /// Staff takes a coupon, brings it back, or sets another end.
    pub(super) async fn change_coupon(&mut self) {
        let taken = self.issued.iter().filter(|(_, issued)| issued.taken);
        let taken: Vec<_> = taken.map(|(id, _)| *id).collect();
        let back = self.random.pick(&taken).filter(|_| self.random.one_in(2));
        let Some(id) = back.or_else(|| self.random.pick(&keys(&self.issued))) else {
            return;
        };
        let memo = "고객센터 처리".to_owned();
        let act = match self.random.below(2) {
            _ if back.is_some() => IssuedCouponCommand::BringBack { memo },
            0 => IssuedCouponCommand::Take { memo },
            _ => IssuedCouponCommand::ChangePeriod {
                ends_at: self.now + Duration::days(self.random.below(9) as i64),
                memo,
            },
        };
        let mut issued = self.issued.remove(&id).unwrap();
        self.act(id, &mut issued, act).await;
        self.issued.insert(id, issued);
    }

    pub async fn grant(&mut self) {
        let member = self.random.pick(&keys(&self.members)).unwrap();
        let lot: LotId = self.id();
        let order = self
            .random
            .pick(&keys(&self.orders))
            .filter(|_| self.ids.is_multiple_of(2));
        let act = PointsCommand::Grant {
            member,
            lot,
            amount: Amount::new(100 + self.random.below(5_000) as i64),
            reason: "가입을 환영합니다".to_owned(),
            order,
            grant: None,
            expires_at: self.now + Duration::days(1 + self.random.below(300) as i64),
        };
        self.act_points(member, act).await;
    }

    /// Staff orders points or a coupon for many members or stops that, or the next of them have their turn.
    pub(super) async fn grant_to_many(&mut self) {
        let open: Vec<BulkGrantId> = self
            .bulk_grants
            .iter()
            .filter(|(_, grant)| !grant.is_done())
            .map(|(id, _)| *id)
            .collect();
        let Some(grant) = self.random.pick(&open) else {
            let (grant, members) = (self.id(), keys(&self.members));
            let amount = Amount::new(10 + self.random.below(90) as i64);
            let memo = || "창립 기념".to_owned();
            if self.random.one_in(2) {
                let coupon = self.random.pick(&keys(&self.coupons)).unwrap();
                self.decide(|work| order_coupon(work, grant, coupon, members.clone(), memo()))
                    .await;
                return;
            }
            self.decide(|work| order_points(work, grant, (amount, None), members.clone(), memo()))
                .await;
            return;
        };
        if self.random.one_in(5) {
            let memo = "잘못 지급했습니다".to_owned();
            let stop = BulkGrantCommand::Stop { memo };
            let note = BulkGrantCommand::Note {
                memo: format!("메모 {}", self.ids),
            };
            let mut state = self.bulk_grants.remove(&grant).unwrap();
            self.act(grant, &mut state, note).await;
            self.act(grant, &mut state, stop).await;
            self.bulk_grants.insert(grant, state);
        } else {
            self.decide(|work| carry_out(work, grant, 3)).await;
        }
    }

    /// Staff takes a lot back, or lets it live longer or shorter.
    pub(super) async fn correct_points(&mut self) {
        let member = self.random.pick(&keys(&self.points)).unwrap();
        let lots = keys(&self.points.get(&member).unwrap().lots);
        let Some(lot) = self.random.pick(&lots) else {
            return;
        };
        let memo = "잘못 지급했습니다".to_owned();
        // Most of these end within a week, so that their end is announced.
        let hours = self.random.below(200) as i64;
        let act = match self.random.one_in(2) {
            true => PointsCommand::Take { lot, memo },
            false => PointsCommand::ChangeLife {
                lot,
                expires_at: self.now + Duration::hours(hours),
                memo,
            },
        };
        self.act_points(member, act).await;
        self.act_points(member, PointsCommand::AnnounceExpiry { lot })
            .await;
    }

    pub(super) async fn act_points(&mut self, member: MemberId, act: PointsCommand) {
        let mut points = self.points.remove(&member).unwrap_or_default();
        self.act(stream_id(member), &mut points, act).await;
        self.points.insert(member, points);
    }

    pub(super) async fn expire(&mut self) {
        for member in keys(&self.points) {
            for lot in keys(&self.points.get(&member).unwrap().lots) {
                self.act_points(member, PointsCommand::AnnounceExpiry { lot })
                    .await;
                self.act_points(member, PointsCommand::Expire { lot }).await;
            }
        }
    }
}
