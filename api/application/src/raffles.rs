//! Raffles of events: their seeds, entries and draws. The decisions are in [`domain::raffle`].

use domain::Purpose;
use domain::ids::{MemberId, ShopEventId};
use domain::raffle::{
    Raffle, RaffleCommand, RaffleError, RaffleHash, RaffleRefusal, RaffleSeed, RaffleTerms,
    draw_winners, enter,
};
use domain::unit_of_work::UnitOfWork;
use projections::raffles;
use serde_json::json;

use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome};

/// Scope of the keyed hash of an event and a member that marks an entry in public. Marks are in the log, so it never changes.
const MARK: &str = "raffle-entry";

/// The command that opens a raffle with a new seed, or changes its terms. The seed is drawn here, and nothing shows it before the draw.
///
/// # Errors
/// Errors of the key ring.
pub(crate) async fn terms_command(
    app: &App,
    event: ShopEventId,
    terms: Option<RaffleTerms>,
) -> AppResult<RaffleCommand> {
    let seed = RaffleSeed(RaffleHash(rand::random()));
    Ok(RaffleCommand::Set {
        terms,
        commitment: seed.commitment(),
        seed: app.keys.seal(event.0, Purpose::Statutory, &seed).await?,
    })
}

/// Enters a member; the result is the number, the same however often the member asks.
///
/// # Errors
/// `not_found` for an event that is hidden or has no raffle; `not_allowed_now` before it begins and once it is over.
pub async fn enter_raffle(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    event: ShopEventId,
) -> AppResult<CommandOutcome> {
    let of = format!("{event} {member}");
    let mark = RaffleHash(app.keys.lookup_hash(MARK, &of));
    let decide = |work: &mut UnitOfWork| Ok(enter(work, event, member, mark)?);
    app.executor.commit(command, decide).await
}

/// Draws the winners of a raffle that is over; does nothing once they are drawn.
///
/// # Errors
/// It is not over; its seed cannot be opened; `unavailable` while the read model lacks entries.
pub(crate) async fn draw(
    app: &App,
    command: &CommandContext,
    event: ShopEventId,
) -> AppResult<CommandOutcome> {
    let raffle = app.store.load::<Raffle>(&event.to_string()).await?.state;
    let seed = raffle.seed.ok_or(RaffleError::NotOpened)?;
    let seed = app.keys.open(&seed).await?.value();
    let seed = seed.ok_or_else(|| {
        AppError::internal(anyhow::anyhow!("the seed of {event} cannot be opened"))
    })?;
    app.wait_until_current(&[raffles::NAME]).await?;
    let entrants = raffles::entrants(app.pool(), event).await?;
    let decide = |work: &mut UnitOfWork| Ok(draw_winners(work, event, seed, &entrants)?);
    app.executor.commit(command, decide).await
}

impl From<RaffleError> for AppError {
    #[track_caller]
    fn from(error: RaffleError) -> Self {
        let invalid =
            |field: &str, message: &str| Self::invalid_field(field, error.code(), message);
        match error {
            RaffleError::NotOpened => Self::not_found(),
            RaffleError::Kept => invalid(
                "raffle.winners",
                "추첨은 한 번 열면 없앨 수 없습니다. 당첨자 수를 입력해 주세요.",
            ),
            RaffleError::EndInPast => invalid(
                "endsAt",
                "추첨하는 이벤트의 종료 일시는 지금보다 뒤여야 합니다.",
            ),
            RaffleError::EarlierEnd => invalid(
                "endsAt",
                "응모한 회원이 있어 종료 일시를 앞당길 수 없습니다.",
            ),
            RaffleError::FewerWinners => invalid(
                "raffle.winners",
                "응모한 회원이 있어 당첨자 수를 줄일 수 없습니다.",
            ),
            RaffleError::OtherPrize => invalid(
                "raffle._coupon",
                "응모한 회원이 있어 당첨 쿠폰을 바꿀 수 없습니다.",
            ),
            RaffleError::Over => not_now(error.code(), "응모가 끝난 추첨입니다.").caused_by(error),
            RaffleError::NotDue | RaffleError::Full => {
                Self::new(Code::Unavailable).caused_by(error)
            }
            RaffleError::OtherSeed => Self::internal(error),
        }
    }
}

fn not_now(reason: &str, message: &str) -> AppError {
    let details = json!({ "reason": reason });
    AppError::new(Code::NotAllowedNow)
        .with_details(details)
        .saying(message)
}

impl From<RaffleRefusal> for AppError {
    #[track_caller]
    fn from(error: RaffleRefusal) -> Self {
        match error {
            RaffleRefusal::Raffle(error) => error.into(),
            RaffleRefusal::NoEvent => Self::not_found(),
            RaffleRefusal::NotBegun => not_now(
                "raffle_not_begun",
                "아직 시작하지 않은 이벤트입니다. 시작한 뒤에 응모해 주세요.",
            ),
            RaffleRefusal::MemberLeft => Self::new(Code::LoginRequired),
            RaffleRefusal::Entry(_) | RaffleRefusal::UnknownNumber(_) => {
                Self::new(Code::Unavailable).caused_by(error)
            }
        }
    }
}
