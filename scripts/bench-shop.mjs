// `node scripts/bench-shop.mjs PROGRAM [SECONDS] [CALLERS]`: what the shop's calls cost over HTTP. Prints a table: operations a second,
// times, CPU milliseconds of the server and of Postgres, and statements and transactions an operation. Load comes from this process;
// its own CPU is not counted. Work that follows the log after an operation is counted with it; that of an idle shop is printed.
// The shop is the demonstration; with `PRODUCTS=100000 ORDERS=100000` it is copied until it has so many.
// Postgres is the program's own, with fsync and synchronous_commit on, and pg_stat_statements loaded.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { copyShop } from './copied-orders.mjs'
import { freePort } from './free-port.mjs'

const [program, seconds = '5', callers = '1,8,64'] = process.argv.slice(2)
if (!program) throw new Error('usage: node scripts/bench-shop.mjs PROGRAM [SECONDS] [CALLERS]')
/** Password of every account of the demonstration. */
const PASSWORD = 'jangbu!23'
/** More than any round sells. */
const STOCK = 10_000_000
/** Clock ticks a second of /proc. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK']).toString())
/** Statements shown for an operation with `STATEMENTS=1`. */
const SHOWN_STATEMENTS = 45
/** Bytes of an answer of Postgres. */
const ANSWER_MOST = 2 ** 30
/** Milliseconds in which the followers of the log come to its head. */
const FOLLOWING_MOST = 1_800_000
const [PRODUCTS, ORDERS] = [Number(process.env.PRODUCTS ?? 0), Number(process.env.ORDERS ?? 0)]

const folder = mkdtempSync(join(tmpdir(), 'jangbu-bench-'))
chmodSync(folder, 0o755)
const children = []

/** Starts the program; resolves with the child and what `heard` makes of its output. */
const start = (words, env, heard) =>
  new Promise((done, failed) => {
    const child = spawn(program, words, {
      env: { ...process.env, ...env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    let said = ''
    const hear = (text) => {
      said += text
      const found = heard(said)
      if (found) done({ child, found })
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('exit', (code) => failed(new Error(`${words[0]} ended with ${code}: ${said.slice(-2000)}`)))
  })

const stopped = (child) =>
  new Promise((done) => {
    child.removeAllListeners('exit')
    child.on('exit', done)
    child.kill('SIGINT')
  })

const postgresSettings = { JANGBU_DATA_FOLDER: join(folder, 'postgres'), JANGBU_DATABASE_DURABLE: 'true' }
const startPostgres = () => start(['postgres'], postgresSettings, (said) => said.match(/postgres:\/\/\S+/)?.[0])

/** Ticks of a process: its own, and of its ended children. */
const ticks = (pid) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0)
  } catch {
    return 0
  }
}
const childrenOf = (pid) =>
  readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry)) return false
    try {
      return readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ')[1].split(' ')[1] === String(pid)
    } catch {
      return false
    }
  })

let psqlUrl = ''
const sql = (input) =>
  execFileSync('psql', [psqlUrl, '-AtXq', '-v', 'ON_ERROR_STOP=1'], { input, maxBuffer: ANSWER_MOST }).toString().trim()

const percentile = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]

async function main() {
  let postgres = await startPostgres()
  psqlUrl = postgres.found
  sql("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'")
  sql('ALTER SYSTEM SET pg_stat_statements.track_utility = on')
  await stopped(postgres.child)
  postgres = await startPostgres()
  psqlUrl = postgres.found
  sql('CREATE EXTENSION pg_stat_statements')
  const postmaster = Number(readFileSync(join(sql('SHOW data_directory'), 'postmaster.pid'), 'utf8').split('\n')[0])
  const [port, payPort, mailPort] = [await freePort(), await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const sandbox = `http://127.0.0.1:${payPort}`
  const env = {
    ...process.env,
    JANGBU_DATA_FOLDER: join(folder, 'shop'),
    JANGBU_SERVER_ADDRESS: `127.0.0.1:${port}`,
    JANGBU_SERVER_PUBLIC_URL: url,
    JANGBU_SANDBOX_ADDRESS: `127.0.0.1:${payPort}`,
    JANGBU_SANDBOX_SMTP_ADDRESS: `127.0.0.1:${mailPort}`,
    JANGBU_LIMITS_BURST: '1000000',
    DATABASE_URL: psqlUrl,
  }
  const startShop = async () => {
    const shop = spawn(program, ['demo'], { stdio: 'ignore', env })
    children.push(shop)
    const isReady = () =>
      fetch(`${url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isReady())) await sleep(20)
    return shop
  }
  /** Waits until every follower of the log is at its head. */
  const quiet = async () => {
    for (const until = performance.now() + FOLLOWING_MOST; performance.now() < until; await sleep(50)) {
      const behind = sql(
        'SELECT count(*) FROM projection_checkpoint WHERE active AND position < (SELECT coalesce(max(global_position), 0) FROM events)',
      )
      if (behind === '0') return
    }
    throw new Error('the followers of the log do not come to its head')
  }
  let server = await startShop()
  let readyAfter
  if (PRODUCTS + ORDERS > 0) {
    await quiet()
    await stopped(server)
    const events = copyShop(sql, { products: PRODUCTS, orders: ORDERS })
    const begun = performance.now()
    server = await startShop()
    await quiet()
    process.stderr.write(`${events} events copied; followed in ${Math.round((performance.now() - begun) / 1000)} s\n`)
    await stopped(server)
    sql('VACUUM ANALYZE')
    const again = performance.now()
    server = await startShop()
    readyAfter = Math.round(performance.now() - again)
  }

  const call = async (method, path, { token, body, expected } = {}) => {
    const headers = {}
    if (token) headers.authorization = `Bearer ${token}`
    if (body) headers['content-type'] = 'application/json'
    const answer = await fetch(path.startsWith('http') ? path : url + path, {
      method,
      headers,
      body: body && JSON.stringify(body),
      redirect: 'manual',
    })
    const text = await answer.text()
    if (expected ? answer.status !== expected : !answer.ok)
      throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`)
    return text.startsWith('{') ? JSON.parse(text) : text
  }
  const signIn = async (name) => {
    const authorization = `Basic ${Buffer.from(`${name}:${PASSWORD}`).toString('base64')}`
    const answer = await fetch(`${url}/api/auth/refreshToken`, { headers: { authorization } })
    return (await answer.json()).accessToken
  }
  const operator = await signIn('operator')
  const shoppers = await Promise.all(Array.from({ length: 8 }, (_, place) => signIn(`shopper0${place + 1}`)))
  const all = (await call('GET', '/api/v1/shop/products?limit=100')).products
  const products = sql(
    "SELECT id FROM products WHERE NOT removed AND kind = 'NORMAL_PRODUCT' AND shows AND coalesce(jsonb_array_length(data -> 'options'), 0) = 0 ORDER BY id LIMIT 16",
  ).split('\n')
  for (const _id of products) {
    const { product } = await call('GET', `/api/console/shop/products/${_id}`, { token: operator })
    const body = { version: product.version, stock: [{ _stock: _id, quantity: STOCK }] }
    await call('PUT', `/api/console/shop/products/${_id}`, { token: operator, body })
  }
  const categories = (await call('GET', '/api/v1/shop/categories')).categories.map(({ code }) => code)
  const words = ['자전거', '헬멧', '킥보드', '라이트', '안장', '장갑', '펌프', '자물쇠', '주스', '스쿠터']
  const orders = await Promise.all(
    shoppers.map(async (token) =>
      (await call('GET', '/api/v1/me/orders?limit=100', { token })).orders.map(({ _id }) => _id),
    ),
  )
  const orderOf = (caller) => any(orders[caller % orders.length])
  let turn = 0
  const any = (list) => list[turn++ % list.length]
  const tokenOf = (caller) => shoppers[caller % shoppers.length]
  const form = (product, extra) => ({
    carts: [{ _product: product, quantity: 1 }],
    sender: { name: '홍길동', phone: '010-1234-5678', email: 'hong@example.com' },
    receiver: { name: '김받음', phone: '010-8765-4321', postcode: '06236', address1: '서울시 강남구 테헤란로 1' },
    _terms: ['purchase', 'privacy', 'privacy-third'],
    ...extra,
  })
  /** What the payment window does, and the return from it. */
  const pay = async (order, payment) => {
    const names = [
      'clientId',
      'method',
      'orderId',
      'amount',
      'goodsName',
      'returnUrl',
      'mallReserved',
      'vbankValidHours',
    ]
    const wish = Object.fromEntries(names.map((name) => [name, payment[name]]))
    const back = await call('POST', `${sandbox}/sandbox/authenticate`, { body: { ...wish, vbankHolder: '' } })
    const answer = await fetch(`${url}/plugins/nicepayments/response`, {
      method: 'POST',
      body: new URLSearchParams(back),
      redirect: 'manual',
    })
    await answer.text()
    if (answer.status !== 303 || !answer.headers.get('location').includes(order))
      throw new Error(`paying: ${answer.status} ${answer.headers.get('location')}`)
  }
  const sorts = ['LATEST', 'PRICE_ASC', 'PRICE_DESC', 'NAME']
  const place = (token, product) =>
    call('POST', '/api/v1/shop/orders?startPayment=true', { token, body: form(product), expected: 201 })
  const checkout = async (token, product) => {
    const { order, payment } = await place(token, product)
    await pay(order._id, payment)
    return order._id
  }
  const operations = {
    'ready (one query)': () => call('GET', '/ready'),
    'list of 12': () =>
      call(
        'GET',
        `/api/v1/shop/products?limit=12&category=${any(categories)}&skip=${(turn % 8) * 12}&sort=${any(sorts)}`,
      ),
    'search of 12': () =>
      call('GET', `/api/v1/shop/products?limit=12&searchValue=${encodeURIComponent(any(words))}&skip=${turn % 3}`),
    'product detail': () => call('GET', `/api/v1/shop/products/${all[turn++ % all.length]._id}`),
    'add to cart, cart read': async (caller) => {
      const token = tokenOf(caller)
      await call('POST', '/api/v1/me/carts', { token, body: { _product: any(products), quantity: 1 } })
      await call('GET', '/api/v1/me/carts', { token })
    },
    preview: (caller) =>
      call('POST', '/api/v1/shop/orders/preview', { token: tokenOf(caller), body: form(any(products)) }),
    'my orders': (caller) => call('GET', '/api/v1/me/orders?limit=10', { token: tokenOf(caller) }),
    'order detail': (caller) => call('GET', `/api/v1/me/orders/${orderOf(caller)}`, { token: tokenOf(caller) }),
    'console purchases': () => call('GET', '/api/console/shop/purchases?limit=20', { token: operator }),
    'order placed': (caller) => place(tokenOf(caller), any(products)),
    'checkout, fewest calls': (caller) => checkout(tokenOf(caller), any(products)),
    'checkout as the web does it': async (caller) => {
      const [token, product] = [tokenOf(caller), any(products)]
      await call('GET', '/api/v1/me/info', { token })
      await call('GET', `/api/v1/shop/products/${product}`, { token })
      await call('POST', '/api/v1/me/watches', { token, body: { _product: product } })
      await call('POST', '/api/v1/shop/orders/preview?offers=true', { token, body: form(product) })
      await call('GET', '/api/v1/me/destinations', { token })
      await call('POST', '/api/v1/shop/orders/preview', { token, body: form(product) })
      const order = await checkout(token, product)
      await call('GET', '/api/v1/me/info', { token })
      await call('POST', `/api/v1/shop/orders/${order}/process`, { token, body: {} })
    },
  }
  const chosen = process.env.ONLY
    ? Object.keys(operations).filter((name) => name.includes(process.env.ONLY))
    : Object.keys(operations)

  const counted = () => ({
    server: ticks(server.pid),
    postgres: [postmaster, ...childrenOf(postmaster)].reduce((sum, pid) => sum + ticks(pid), 0),
    transactions: Number(sql('SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()')),
    statements: Number(sql('SELECT coalesce(sum(calls), 0) FROM pg_stat_statements')),
  })
  const shownStatements = (many) =>
    sql(
      `SELECT round(calls / ${many}.0, 2), round((total_exec_time / ${many})::numeric, 3), left(regexp_replace(query, '\\s+', ' ', 'g'), 150) FROM pg_stat_statements ORDER BY calls DESC LIMIT ${SHOWN_STATEMENTS}`,
    )
  await quiet()
  await sleep(3000)
  sql('SELECT pg_stat_statements_reset()')
  const before = counted()
  await sleep(5000)
  const idle = counted()
  const millis = (now, then) => ((now - then) * 1000) / TICKS
  const [shown, placed] = ['product', 'order'].map((kind) =>
    sql(`SELECT count(DISTINCT aggregate_id) FROM events WHERE aggregate_type = '${kind}'`),
  )
  console.log(`## The shop over HTTP: ${shown} products, ${placed} orders\n`)
  const resident = Number(readFileSync(`/proc/${server.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1])
  const ready = readyAfter === undefined ? '' : `Ready ${readyAfter} ms after the start, the payment sandbox included. `
  console.log(
    `${ready}${Math.round(resident / 1024)} MB resident, the search index included. An idle shop: ${((idle.statements - before.statements) / 5).toFixed(1)} statements, ${millis(idle.server, before.server) / 5} + ${millis(idle.postgres, before.postgres) / 5} CPU ms a second.\n`,
  )
  if (process.env.STATEMENTS) console.log(shownStatements(1))
  console.log(
    '| operation | callers | /s | p50 ms | p95 | p99 | server CPU ms | Postgres CPU ms | statements | transactions |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|')
  for (const many of callers.split(',').map(Number)) {
    for (const name of chosen) {
      const once = operations[name]
      for (let warm = 0; warm < 30; warm++) await once(warm)
      await quiet()
      sql('SELECT pg_stat_statements_reset()')
      const then = counted()
      const until = performance.now() + Number(seconds) * 1000
      const times = []
      await Promise.all(
        Array.from({ length: many }, async (_, caller) => {
          while (performance.now() < until) {
            const begun = performance.now()
            await once(caller)
            times.push(performance.now() - begun)
          }
        }),
      )
      await quiet()
      const now = counted()
      times.sort((a, b) => a - b)
      const each = (count) => (count / times.length).toFixed(1)
      const cells = [
        name,
        many,
        Math.round(times.length / Number(seconds)),
        ...[0.5, 0.95, 0.99].map((share) => percentile(times, share).toFixed(1)),
        (millis(now.server, then.server) / times.length).toFixed(2),
        (millis(now.postgres, then.postgres) / times.length).toFixed(2),
        each(now.statements - then.statements),
        each(now.transactions - then.transactions),
      ]
      console.log(`| ${cells.join(' | ')} |`)
      if (process.env.STATEMENTS) {
        console.log(shownStatements(times.length))
      }
    }
  }
}

try {
  await main()
} finally {
  for (const child of children) if (child.exitCode === null) await stopped(child)
  rmSync(folder, { recursive: true, force: true })
}
