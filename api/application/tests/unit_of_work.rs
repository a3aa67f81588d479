//! Units of work on a real Postgres: a stream that a decision has read cannot change before the append, and a plan that grows is planned
//! again.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use application::clock::{Clock, SystemClock};
use application::error::{AppError, AppResult, Code};
use application::executor::{CommandContext, CommandExecutor};
use domain::ids::{LotId, MemberId, OrderId, ProductId, StockId};
use domain::points::{self, Points, PointsCommand};
use domain::stock::{Stock, StockCommand};
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Amount};
use event_store::testing::Database;
use event_store::{KeyRing, MasterKey, Store, TransactionStep};
use futures::future::join_all;
use sqlx::PgConnection;
use time::Duration;
use tokio::runtime::Handle;
use tokio::task::block_in_place;
use uuid::Uuid;

struct Shop {
    database: Database,
    store: Store,
    executor: CommandExecutor,
}

impl Shop {
    async fn open() -> Self {
        let database = Database::create().await;
        let store = database.store().await;
        let keys = KeyRing::new(store.pool().clone(), MasterKey::from_bytes([7; 32]));
        let executor = CommandExecutor::new(store.clone(), keys, Arc::new(SystemClock));
        Self {
            database,
            store,
            executor,
        }
    }

    async fn count(&self, pile: StockId, quantity: u32) {
        let count = |work: &mut UnitOfWork| {
            work.decide::<Stock>(pile, counted(pile, quantity))?;
            Ok(())
        };
        self.executor.commit(&command(), count).await.unwrap();
    }

    async fn pieces(&self, pile: StockId) -> u32 {
        let stock = self.store.load::<Stock>(&pile.to_string()).await;
        stock.unwrap().state.available
    }
}

fn command() -> CommandContext {
    CommandContext::for_actor("test", Actor::System)
}

fn pile() -> StockId {
    StockId(Uuid::now_v7())
}

fn counted(pile: StockId, quantity: u32) -> StockCommand {
    StockCommand::Count {
        product: ProductId(pile.0),
        quantity,
    }
}

fn taken(quantity: u32) -> StockCommand {
    let order = OrderId(Uuid::now_v7());
    StockCommand::Take { order, quantity }
}

/// Points are granted for the stock of an option, which is counted again after the decision has read it.
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_was_only_read_may_not_have_changed() {
    let shop = Shop::open().await;
    let (pile, member) = (pile(), MemberId(Uuid::now_v7()));
    shop.count(pile, 100).await;
    let decisions = AtomicU32::new(0);
    let grant = |work: &mut UnitOfWork| {
        let pieces = work.state::<Stock>(pile).available;
        if work.is_loaded() && decisions.fetch_add(1, Ordering::SeqCst) == 0 {
            block_in_place(|| Handle::current().block_on(shop.count(pile, 50)));
        }
        let grant = PointsCommand::Grant {
            member,
            lot: LotId(Uuid::now_v7()),
            amount: Amount::new(pieces.max(1).into()),
            reason: "적립".to_owned(),
            order: None,
            grant: None,
            expires_at: SystemClock.now() + Duration::days(1),
        };
        work.decide::<Points>(points::stream_id(member), grant)?;
        Ok(pieces)
    };
    let done = shop.executor.commit(&command(), grant).await.unwrap();
    assert_eq!(done.result::<u32>().unwrap(), 50, "decided again");
    let points = shop.store.load::<Points>(&points::stream_id(member)).await;
    let points = points.unwrap();
    let left = points.state.remain(SystemClock.now()).unwrap();
    assert_eq!((points.version, left), (1, Amount::new(50)));
}

/// Rows written by a step.
struct Row<'a>(&'a Database);

impl TransactionStep<AppError> for Row<'_> {
    type Output = String;

    async fn run(&self, connection: &mut PgConnection) -> AppResult<String> {
        let insert = "INSERT INTO rows_of_steps DEFAULT VALUES";
        sqlx::query(insert).execute(connection).await?;
        Ok(self.0.url().to_owned())
    }
}

/// Which second stock is taken from is known only when the first one is loaded, under its lock.
#[tokio::test]
async fn a_plan_that_grows_under_locks_is_locked_whole() {
    let shop = Shop::open().await;
    let (first, second) = (pile(), pile());
    shop.count(first, 2).await;
    shop.count(second, 5).await;
    let create = "CREATE TABLE rows_of_steps (id serial)";
    sqlx::query(create)
        .execute(shop.store.pool())
        .await
        .unwrap();
    let step = Row(&shop.database);
    let take = |work: &mut UnitOfWork, output: Option<&String>| {
        work.decide::<Stock>(first, taken(1))?;
        if work.state::<Stock>(first).available == 1 {
            work.decide::<Stock>(second, taken(5))?;
        }
        Ok(output.cloned())
    };
    let command = command();
    let done = shop.executor.commit_with_step(&command, &step, [], take);
    let done = done.await.unwrap();
    let output = done.result::<Option<String>>().unwrap();
    assert_eq!(output.as_deref(), Some(shop.database.url()));
    assert_eq!(
        (shop.pieces(first).await, shop.pieces(second).await),
        (1, 0)
    );
    let rows: i64 = sqlx::query_scalar("SELECT count(*) FROM rows_of_steps")
        .fetch_one(shop.store.pool())
        .await
        .unwrap();
    assert_eq!(
        rows, 1,
        "what a step wrote for a smaller plan is rolled back"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_each_piece_goes_to_one() {
    let shop = Shop::open().await;
    let (apples, pears) = (pile(), pile());
    shop.count(apples, 10).await;
    shop.count(pears, 100).await;
    let take = |work: &mut UnitOfWork| {
        work.decide::<Stock>(pears, taken(1))?;
        work.decide::<Stock>(apples, taken(1))?;
        Ok(())
    };
    let commands: Vec<CommandContext> = (0..40).map(|_| command()).collect();
    let tries = commands.iter().map(|one| shop.executor.commit(one, take));
    let done = join_all(tries).await;
    let refused = done.iter().filter_map(|one| one.as_ref().err());
    assert!(refused.clone().all(|error| error.code() == Code::SoldOut));
    assert_eq!(refused.count(), 30);
    assert_eq!(
        (shop.pieces(apples).await, shop.pieces(pears).await),
        (0, 90)
    );
}
