// Two programs on one shop: `node upgrade.mjs OLD_PROGRAM NEW_PROGRAM SECONDS [older-events]`; with the last argument, the new program
// writes events that the old one cannot read, and the old one has to report that. See scripts/upgrade.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.mjs'

const [oldProgram, newProgram, seconds, events] = process.argv.slice(2)
const PASSWORD = 'jangbu!23'
const CALLERS = 3

const folder = await mkdtemp(join(tmpdir(), 'jangbu-upgrade-'))
await chmod(folder, 0o755)
const children = new Set()
let databaseUrl
let paymentUrl

const run = (program, args, environment = {}, pipe = 'ignore') => {
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      ...process.env,
      JANGBU_DATA_FOLDER: join(folder, 'data'),
      JANGBU_SERVER_METRICS_ADDRESS: '127.0.0.1:0',
      JANGBU_LIMITS_REQUESTS_PER_SECOND: '10000',
      JANGBU_LIMITS_BURST: '10000',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      ...(paymentUrl && { JANGBU_PAYMENT_BASE_URL: paymentUrl }),
      ...environment,
    },
    stdio: ['ignore', pipe, 'inherit'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

const done = async (program, args, environment = {}) => {
  const [code] = await once(run(program, args, environment, 'inherit'), 'exit')
  if (code !== 0) throw new Error(`jangbu ${args.join(' ')} ended with ${code}`)
}

const stop = async (child) => {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Starts a server of this program; resolves once it is ready. */
const serve = async (name, program, environment = {}) => {
  const address = `127.0.0.1:${await freePort()}`
  const url = `http://${address}`
  const child = run(program, ['serve'], { JANGBU_SERVER_ADDRESS: address, JANGBU_SERVER_PUBLIC_URL: url, JANGBU_LOG_LEVEL: 'error', ...environment })
  for (let tries = 0; tries < 2400; tries++) {
    if (child.exitCode !== null) throw new Error(`the ${name} server ended with ${child.exitCode}`)
    const ready = await fetch(`${url}/ready`).catch(() => null)
    if (ready?.ok) return { name, child, url, acknowledged: [], outdated: 0 }
    await pause(100)
  }
  throw new Error(`the ${name} server never became ready`)
}

const call = async (server, path, { method, body, token, basic, key } = {}) => {
  const headers = { 'content-type': 'application/json' }
  if (token) headers.authorization = `Bearer ${token}`
  if (basic) headers.authorization = `Basic ${Buffer.from(basic).toString('base64')}`
  if (key) headers['idempotency-key'] = key
  const answer = await fetch(server.url + path, { method: method ?? (body ? 'POST' : 'GET'), headers, body: body && JSON.stringify(body) })
  const text = await answer.text()
  let said = {}
  try {
    said = JSON.parse(text)
  } catch {
    // not JSON: callers get `text`
  }
  return { status: answer.status, body: said, text }
}
const isOutdated = ({ status, text }) => status === 503 && text.includes('outdated')
const wrong = (what, { status, text }) => new Error(`${what}: ${status} ${text.slice(0, 300)}`)

const signIn = async (server, username) => {
  const answer = await call(server, '/api/auth/refreshToken', { basic: `${username}:${PASSWORD}` })
  if (answer.status !== 200) throw wrong(`${username} signs in`, answer)
  return answer.body.accessToken
}

const form = (product) => ({
  carts: [{ _product: product, quantity: 1 }],
  sender: { name: '홍길동', phone: '010-1234-5678', email: 'hong@example.com' },
  receiver: { name: '김받음', phone: '010-8765-4321', postcode: '06236', address1: '서울시 강남구 테헤란로 1' },
  _terms: ['purchase', 'privacy', 'privacy-third'],
})

/** Products that can be ordered by id alone. Orders as a member, because guests' unpaid orders are limited. */
const orderable = async (server) => {
  server.token = await signIn(server, 'shopper01')
  const { body } = await call(server, '/api/v1/shop/products?limit=60')
  const found = []
  for (const product of body.products ?? []) {
    if (product.soldOut) continue
    const answer = await call(server, '/api/v1/shop/orders', { body: form(product._id), token: server.token })
    if (answer.status !== 201) continue
    server.acknowledged.push(answer.body.order._id)
    found.push(product._id)
    if (found.length === 8) break
  }
  if (found.length < 3) throw new Error(`only ${found.length} products can be ordered`)
  return found
}

let ordering = true
/** Places orders one after the other until the server is stopped. A refusal other than `outdated` fails the run. */
const shopper = async (server, products, number) => {
  const left = [...products]
  for (let turn = number; ordering && server.child.exitCode === null && left.length > 0; turn++) {
    const place = turn % left.length
    const key = crypto.randomUUID()
    const answer = await call(server, '/api/v1/shop/orders', { body: form(left[place]), key, token: server.token }).catch((error) => {
      if (!server.stopping) throw error
    })
    if (!answer) return
    if (answer.status === 201) server.acknowledged.push(answer.body.order._id)
    else if (isOutdated(answer)) server.outdated += 1
    else if (answer.text.includes('sold_out')) left.splice(place, 1)
    else if (!server.stopping) throw wrong(`an order at the ${server.name} server`, answer)
  }
}

/** The new program writes events that the old one cannot read; the old one has to refuse those, and nothing else. */
const tomorrow = async (old, now) => {
  const first = await signIn(now, 'shopper01')
  const second = await signIn(old, 'shopper04')
  const offered = await call(now, '/api/v1/shop/coupons', { token: first })
  let told = 0
  for (const coupon of offered.body.coupons ?? []) {
    const drawn = await call(now, '/api/v1/me/coupons', { body: { _coupon: coupon._id }, token: first })
    if (drawn.status !== 201) continue
    const refused = await call(old, '/api/v1/me/coupons', { body: { _coupon: coupon._id }, token: second })
    if (!isOutdated(refused)) throw wrong('the old server decides on a coupon it cannot read', refused)
    old.outdated += 1
    told += 1
    const again = await call(now, '/api/v1/me/coupons', { body: { _coupon: coupon._id }, token: second })
    if (again.status !== 201 && !again.text.includes('coupon_drawn')) throw wrong('the new server gives the coupon', again)
  }
  const mine = await call(now, '/api/v1/me/purchases?limit=50', { token: first })
  for (const { orderStatus, _order, orderNo } of mine.body.purchases ?? []) {
    if (orderStatus !== 'ORDER_DELIVERED' && orderStatus !== 'DELIVERY_COMPLETED') continue
    const id = _order ?? orderNo
    const confirmed = await call(now, `/api/v1/me/orders/${id}/confirm`, { body: {}, token: first })
    if (confirmed.status !== 200) continue
    const refused = await call(old, `/api/v1/me/orders/${id}`, { token: first })
    if (!isOutdated(refused)) throw wrong('the old server shows an order it cannot read', refused)
    old.outdated += 1
    told += 1
  }
  if (told === 0) throw new Error('the new program wrote nothing the old one does not know')
  return told
}

/** The new program handles claims left open by the old one: it takes back goods that the old one sold, and refunds them. */
const answerClaims = async (now) => {
  const token = await signIn(now, 'operator')
  const purchases = async (tab, status) => {
    const answer = await call(now, `/api/console/shop/purchases?limit=50&tab=${tab}`, { token })
    if (answer.status !== 200) throw wrong('a list of purchases', answer)
    return answer.body.purchases.filter(({ claimStatus }) => claimStatus === status)
  }
  const change = async ({ purchaseNo }, body) => {
    const answer = await call(now, `/api/console/shop/purchases/${purchaseNo}`, { method: 'PUT', body, token })
    if (answer.status !== 200) throw wrong(`${JSON.stringify(body)} of ${purchaseNo}`, answer)
  }
  const open = await purchases('cancel', 'CANCEL_REQUESTED')
  for (const purchase of open) await change(purchase, { claimStatus: 'CANCEL_COMPLETED' })
  const delivered = (await purchases('delivery', 'NONE')).filter(({ purchaseStatus }) => purchaseStatus === 'PURCHASE_SCHEDULE')
  for (const purchase of delivered) {
    const { quantity } = purchase
    await change(purchase, { claimStatus: 'RETURN_REQUESTED', reason: '하자가 있습니다', claim: { quantity, fault: 'SELLER' } })
    await change(purchase, { collectionStatus: 'COLLECTION_PROGRESS' })
    const inspection = { arrived: quantity, resellable: quantity, fault: 'SELLER' }
    await change(purchase, { collectionStatus: 'COLLECTION_COMPLETE', inspection })
    await change(purchase, { claimStatus: 'RETURN_COMPLETED' })
  }
  if (open.length === 0 || delivered.length === 0)
    throw new Error(`${open.length} open cancellations and ${delivered.length} deliveries of the old program`)
  const answered = [...open, ...delivered].map(({ purchaseNo }) => purchaseNo)
  for (let second = 0; second < 60; second++) {
    const back = [...(await purchases('cancel', 'CANCEL_COMPLETED')), ...(await purchases('return', 'RETURN_COMPLETED'))]
    if (answered.every((no) => back.some(({ purchaseNo }) => purchaseNo === no))) return answered.length
    await pause(1000)
  }
  throw new Error(`the money of ${answered.join(', ')} never came back`)
}

/** How often each order was placed, according to the log. */
const placed = async () => {
  const child = run(newProgram, ['export', '--kind', 'order'], {}, 'pipe')
  const ended = once(child, 'exit')
  const times = new Map()
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line)
    if (event.type === 'OrderPlaced') times.set(event.streamId, (times.get(event.streamId) ?? 0) + 1)
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`jangbu export ended with ${code}`)
  return times
}

const upgrade = async () => {
  const postgres = run(newProgram, ['postgres'], {}, 'pipe')
  const [line] = await once(createInterface({ input: postgres.stdout }), 'line')
  databaseUrl = line.trim()
  const payments = `127.0.0.1:${await freePort()}`
  run(newProgram, ['sandbox'], { JANGBU_SANDBOX_ADDRESS: payments })
  paymentUrl = `http://${payments}`
  await done(oldProgram, ['seed'])
  const old = await serve('old', oldProgram)
  console.log('the old program serves')
  const products = await orderable(old)
  const shoppers = []
  for (let number = 0; number < CALLERS; number++) shoppers.push(shopper(old, products, number))
  const buying = Promise.all(shoppers)
  // the first failure ends the run
  const during = (work) => Promise.race([work, buying.then(() => work)])

  // The embedded search index belongs to one program, so the new one gets its own data folder, with the same secrets.
  const own = { JANGBU_DATA_FOLDER: join(folder, 'new-data') }
  await mkdir(own.JANGBU_DATA_FOLDER)
  await copyFile(join(folder, 'data', 'secrets.toml'), join(own.JANGBU_DATA_FOLDER, 'secrets.toml'))
  const now = await during(serve('new', newProgram, own))
  now.token = await during(signIn(now, 'shopper01'))
  console.log(`the new one serves beside it; ${old.acknowledged.length} orders so far`)
  const beside = []
  for (let number = 0; number < CALLERS; number++) beside.push(shopper(now, products, number))
  const both = Promise.all([buying, ...beside])
  const meanwhile = (work) => Promise.race([work, both.then(() => work)])
  await meanwhile(pause((seconds * 1000) / 3))
  if (events === 'older-events') {
    const told = await meanwhile(tomorrow(old, now))
    console.log(`the old one refused ${told} things it cannot read`)
  }
  await meanwhile(pause((seconds * 1000) / 3))
  old.stopping = true
  await stop(old.child)
  console.log('the old one has stopped, in the middle of orders')
  await meanwhile(pause((seconds * 1000) / 3))
  ordering = false
  await both
  console.log(`${await answerClaims(now)} claims on what the old program sold are refunded`)

  const times = await placed()
  const acknowledged = [...old.acknowledged, ...now.acknowledged]
  const foundOnce = acknowledged.filter((order) => times.get(order) === 1)
  console.log(
    `${acknowledged.length} orders were acknowledged (${old.acknowledged.length} by the old server, ${now.acknowledged.length} by the new one): ` +
      `${foundOnce.length} were found once. The old server refused ${old.outdated} requests with 503 outdated.`,
  )
  if (foundOnce.length !== acknowledged.length || new Set(acknowledged).size !== acknowledged.length) {
    const lost = acknowledged.filter((order) => times.get(order) !== 1)
    throw new Error(`not found once: ${lost.slice(0, 10).join(', ')}`)
  }
  if (now.outdated > 0) throw new Error(`the new server refused ${now.outdated} orders as outdated`)
  await done(newProgram, ['verify'], own)
}

let failed
try {
  await upgrade()
} catch (error) {
  failed = error
  console.error(error.message)
} finally {
  // servers stop before their database
  for (const child of [...children].reverse()) await stop(child)
  await rm(folder, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)
