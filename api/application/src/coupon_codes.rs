//! Codes of coupons: made in batches by staff, redeemed by members. The decisions are in [`domain::coupon`].
//!
//! A code is computed from the handle of its batch, its number and the look-up key, and stored nowhere. Guesses are counted by account
//! and by client address; what was mistyped is noticed by the check character and is no guess.

use domain::Actor;
use domain::coupon::{
    CodeBatch, CodeBatchCommand, CodeBatchError, CodeDisclosure, CodeError, CodeHandle, CouponCode,
    make_codes, redeem_code,
};
use domain::ids::{CodeBatchId, CouponId, MemberId};
use domain::unit_of_work::UnitOfWork;
use projections::state::password_tries::{self, Try};

use crate::app::App;
use crate::coupons::next_number;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome, RequestOrigin};

/// Scope of the keyed hash that proves a code. Codes are printed, so it never changes.
const PROOF: &str = "coupon-code";
/// Scope of the count of guesses of a member.
const OF_MEMBER: &str = "coupon-code:member";
/// Scope of the count of guesses from an address.
const OF_ADDRESS: &str = "coupon-code:address";
/// Guesses of a member before they have to wait.
const MEMBER_MOST: i32 = 5;
/// Guesses from an address before it has to wait: a household and a school have one.
const ADDRESS_MOST: i32 = 20;
/// Random handles that are tried.
const HANDLES_TRIED: u32 = 10;

/// Makes codes for a coupon; the result is the id of the batch.
///
/// # Errors
/// `invalid` at `_coupon` or `count`; `coupon_expired`; `not_allowed_now` for a coupon that an event issues.
pub async fn make(
    app: &App,
    command: &CommandContext,
    (coupon, count): (CouponId, u32),
    memo: &str,
) -> AppResult<CommandOutcome> {
    let mut tries = 0;
    loop {
        let handle = CodeHandle::of_random(rand::random());
        let batch = handle.batch().to_string();
        let known = app.store.load::<CodeBatch>(&batch).await?;
        tries += 1;
        if known.state.terms.is_some() && tries < HANDLES_TRIED {
            continue;
        }
        let make = |work: &mut UnitOfWork| {
            let made = make_codes(work, handle, (coupon, count), memo.to_owned());
            Ok(made?)
        };
        return app.executor.commit(command, make).await;
    }
}

/// Stops a batch: codes that were not redeemed are dead.
///
/// # Errors
/// `not_found`; `not_allowed_now` for one that was stopped.
pub async fn stop(
    app: &App,
    command: &CommandContext,
    batch: CodeBatchId,
    memo: &str,
) -> AppResult<CommandOutcome> {
    let stop = |work: &mut UnitOfWork| {
        let memo = memo.to_owned();
        work.decide::<CodeBatch>(batch, CodeBatchCommand::Stop { memo })?;
        Ok(())
    };
    app.executor.commit(command, stop).await
}

/// Codes of a batch that are read out, and what for.
#[derive(Clone, Copy, Debug)]
pub struct CodeReading {
    /// The batch.
    pub batch: CodeBatchId,
    /// What for.
    pub purpose: CodeDisclosure,
    /// The first and the last number.
    pub numbers: (u32, u32),
}

/// Seconds within which reading the same codes again is the same reading: a page reads them whenever it is shown.
const ONE_READING: i64 = 3_600;

/// Records who reads codes, before they are handed over. The same codes for the same purpose are recorded once an hour.
///
/// # Errors
/// `not_found`; `invalid` at `count` for codes that were not made.
pub async fn disclose(
    app: &App,
    (actor, origin): (Actor, &RequestOrigin),
    codes: CodeReading,
) -> AppResult<()> {
    let CodeReading {
        batch,
        purpose,
        numbers: (first, last),
    } = codes;
    let hour = app.clock.now().unix_timestamp().div_euclid(ONE_READING);
    let once = RequestOrigin {
        key: Some(format!("{} {first}-{last} {hour}", purpose.code())),
        body_hash: [0; 32],
        ..origin.clone()
    };
    let command = CommandContext::new("disclose-coupon-codes", actor, &once);
    let disclose = CodeBatchCommand::Disclose {
        purpose,
        first,
        last,
    };
    let executor = &app.executor;
    executor
        .execute::<CodeBatch>(&command, batch, disclose)
        .await?;
    Ok(())
}

/// The code with this number.
pub fn code(app: &App, handle: CodeHandle, number: u32) -> CouponCode {
    let proved = format!("{} {number}", handle.text());
    CouponCode {
        handle,
        number,
        proof: CouponCode::proof_of(app.keys.lookup_hash(PROOF, &proved)),
    }
}

/// Redeems a code as the member typed it; the result is the id of the issued coupon.
///
/// # Errors
/// `invalid` at `code`: `mistyped` for a slip of the finger, `unusable` for a code that does not exist, is used up or was stopped;
/// `too_many_requests`; those of drawing a coupon.
pub async fn redeem(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    (typed, address): (&str, &str),
) -> AppResult<CommandOutcome> {
    let Some(typed) = CouponCode::parse(typed) else {
        let message = "쿠폰 코드를 잘못 입력했습니다. 16자리를 다시 확인해 주세요. 0, 1, I, O는 쓰지 않습니다.";
        return Err(AppError::invalid_field("code", "mistyped", message));
    };
    let guesses = Guesses::of(app, member, address);
    guesses.allowed(app).await?;
    let batch = typed.handle.batch();
    let known = app.store.load::<CodeBatch>(&batch.to_string()).await?.state;
    let is_genuine = code(app, typed.handle, typed.number) == typed;
    let usable = known.usable(typed.number, member);
    let coupon = match (is_genuine, usable) {
        (true, Ok(terms)) => Some(terms.coupon),
        (true, Err(CodeBatchError::RedeemedBefore)) => None,
        _ => {
            guesses.count(app).await?;
            return Err(CodeBatchError::Unusable.into());
        }
    };
    let first = match coupon {
        Some(coupon) => next_number(app, coupon, member).await?,
        None => 1,
    };
    let redeem = |work: &mut UnitOfWork| {
        let redeemed = redeem_code(work, (batch, typed.number), member, first);
        Ok(redeemed?)
    };
    let done = app.executor.commit(command, redeem).await?;
    guesses.forget(app).await?;
    Ok(done)
}

/// The counts of wrong codes that a request adds to.
struct Guesses {
    of_member: [u8; 32],
    of_address: [u8; 32],
}

impl Guesses {
    fn of(app: &App, member: MemberId, address: &str) -> Self {
        Self {
            of_member: app.keys.lookup_hash(OF_MEMBER, &member.to_string()),
            of_address: app.keys.lookup_hash(OF_ADDRESS, address),
        }
    }

    /// Whether neither has to wait. Codes are only counted when they are wrong, so many may redeem from one address at once.
    async fn allowed(&self, app: &App) -> AppResult<()> {
        let now = app.clock.now();
        for counted in [&self.of_member, &self.of_address] {
            match password_tries::state(app.pool(), counted, now).await? {
                Try::Counted => {}
                Try::Closed(until) => return Err(wait(app, until)),
            }
        }
        Ok(())
    }

    /// Counts a wrong code, so that parallel guesses are all counted.
    async fn count(&self, app: &App) -> AppResult<()> {
        let now = app.clock.now();
        let counts = [
            (&self.of_member, MEMBER_MOST),
            (&self.of_address, ADDRESS_MOST),
        ];
        for (counted, most) in counts {
            match password_tries::count_up_to(app.pool(), counted, most, now).await? {
                Try::Counted => {}
                Try::Closed(until) => return Err(wait(app, until)),
            }
        }
        Ok(())
    }

    /// After a right code the member's count starts again; that of the address does not, or one own code would buy more guesses.
    async fn forget(&self, app: &App) -> AppResult<()> {
        Ok(password_tries::forget(app.pool(), &self.of_member).await?)
    }
}

fn wait(app: &App, until: time::OffsetDateTime) -> AppError {
    let left = (until - app.clock.now()).whole_seconds();
    let seconds = u64::try_from(left).unwrap_or_default();
    AppError::new(Code::TooManyRequests).retry_after(seconds.saturating_add(1))
}

impl From<CodeBatchError> for AppError {
    #[track_caller]
    fn from(error: CodeBatchError) -> Self {
        match error {
            CodeBatchError::NotMade => Self::not_found(),
            CodeBatchError::Count => Self::invalid_field(
                "count",
                error.code(),
                "만들 코드 수를 1 이상 10,000 이하로 입력해 주세요.",
            ),
            CodeBatchError::Stopped => {
                let details = serde_json::json!({ "reason": error.code() });
                Self::new(Code::NotAllowedNow).with_details(details)
            }
            CodeBatchError::HandleTaken => Self::new(Code::Unavailable).caused_by(error),
            CodeBatchError::Unusable => Self::invalid_field(
                "code",
                error.code(),
                "사용할 수 없는 쿠폰 코드입니다. 이미 등록되었거나 중지된 코드일 수 있습니다.",
            ),
            CodeBatchError::RedeemedBefore => Self::new(Code::CouponDrawn),
        }
    }
}

impl From<CodeError> for AppError {
    #[track_caller]
    fn from(error: CodeError) -> Self {
        match error {
            CodeError::Batch(error) => error.into(),
            CodeError::Draw(error) => error.into(),
            CodeError::UnknownCoupon => {
                Self::invalid_field("_coupon", "unknown_coupon", "쿠폰을 찾을 수 없습니다.")
            }
            CodeError::IssuedByEvent => Self::invalid_field(
                "_coupon",
                "issued_by_event",
                "자동 발급 쿠폰은 코드를 만들 수 없습니다. 발급 방식을 다운로드로 바꿔 주세요.",
            ),
        }
    }
}
