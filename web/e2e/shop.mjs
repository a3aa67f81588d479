// Starts the real shop for a test run: `jangbu demo` on free ports with its own data folder.
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/free-port.mjs'

const READY_WITHIN = 180_000
const STOPPED_WITHIN = 30_000
const KEPT_LOG = 2_000_000
const root = resolve(import.meta.dirname, '../..')

/** Starts the shop; resolves once it has its demo data and serves requests. */
export async function startShop() {
  const data = await mkdtemp(join(tmpdir(), 'jangbu-e2e-'))
  // Started as root, Postgres runs as another user, who has to have access to its folder.
  await chmod(data, 0o755)
  const [port, payPort, mailPort] = [await freePort(), await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const sandbox = `http://127.0.0.1:${payPort}`
  const program = process.env.JANGBU_BIN ?? join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'debug/jangbu')
  const server = spawn(program, ['demo'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      JANGBU_DATA_FOLDER: join(data, 'shop'),
      JANGBU_SERVER_ADDRESS: `127.0.0.1:${port}`,
      JANGBU_SERVER_PUBLIC_URL: url,
      JANGBU_SANDBOX_ADDRESS: `127.0.0.1:${payPort}`,
      JANGBU_SANDBOX_SMTP_ADDRESS: `127.0.0.1:${mailPort}`,
      JANGBU_DATABASE_DURABLE: 'false',
      // Staff send texts; orders of other journeys tell nothing by text.
      JANGBU_SMS_SENDER: '02-1234-5678',
      JANGBU_SMS_REFUSAL_NUMBER: '080-123-4567',
      JANGBU_SMS_ORDER_PLACED: 'false',
      JANGBU_SMS_DEPOSIT_AWAITED: 'false',
      JANGBU_SMS_PURCHASE_SHIPPED: 'false',
      JANGBU_SMS_REFUND_COMPLETED: 'false',
      // All guests of the journeys have one address.
      JANGBU_LIMITS_SUBMISSIONS_BURST: '1000',
      NO_COLOR: '1',
    },
  })
  let said = ''
  const hear = (text) => {
    said = (said + text).slice(-KEPT_LOG)
  }
  // A log line per request would hide the cause of failures.
  const log = () =>
    said
      .split('\n')
      .filter((line) => !/^\S+ +INFO /.test(line))
      .join('\n')
  server.stdout.on('data', hear)
  server.stderr.on('data', hear)
  server.on('error', (error) => hear(`${program}: ${error.message}\n`))
  const ended = new Promise((done) => {
    server.on('exit', () => done(true))
    server.on('error', () => done(true))
  })
  const stop = async () => {
    server.kill('SIGINT')
    const stopped = await Promise.race([ended, sleep(STOPPED_WITHIN, false, { ref: false })])
    if (!stopped) server.kill('SIGKILL')
    await rm(data, { recursive: true, force: true })
    return stopped
  }

  let gone = false
  ended.then(() => {
    gone = true
  })
  const until = Date.now() + READY_WITHIN
  while (!(await isReady(url))) {
    if (gone || Date.now() > until) {
      await stop()
      throw new Error(`the shop did not start:\n${log()}`)
    }
    await sleep(100)
  }
  return { url, sandbox, stop, log }
}

const isReady = (url) =>
  fetch(`${url}/ready`).then(
    (answer) => answer.ok,
    () => false,
  )
