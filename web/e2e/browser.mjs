// One Chromium per test file. Every checked page has to be free of problems: no error on the page or in the console, exactly one
// h1, no axe violation, nothing wider than the window, no broken image.
import assert from 'node:assert/strict'
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { cutText, foldedDates } from './cut.mjs'
import { smallTargets } from './targets.mjs'

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--lang=ko-KR',
]
/** Enough for a machine many times slower than ours; costs no time when nothing is wrong. */
const PATIENCE = 60_000
/** The gallery shows loading states permanently. */
const NEVER_RESTS = '/test'
/** A page without requests for this long has loaded everything. */
const QUIET_MS = 120
export const DESK = { width: 1440, height: 900 }
export const TABLET = { width: 1024, height: 768 }
export const PHONE = { width: 390, height: 844 }

export const shopUrl = process.env.SHOP_URL
export const sandboxUrl = process.env.SANDBOX_URL
const shots = process.env.SHOTS

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export function browserPath() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const folders = (process.env.PATH ?? '').split(delimiter)
  for (const name of ['chromium', 'chromium-browser', 'google-chrome'])
    for (const folder of folders) {
      try {
        const path = join(folder, name)
        accessSync(path, constants.X_OK)
        return path
      } catch {
        // not installed here
      }
    }
  throw new Error('no Chromium: install it (apt-get install chromium) or set CHROMIUM_PATH')
}

/** Without a locale, files cannot have Korean names. */
const env = { ...process.env, LC_ALL: 'C.UTF-8' }

export const openBrowser = (more = {}) =>
  chromium.launch({ executablePath: browserPath(), headless: true, args: FLAGS, env, ...more })

/**
 * A user of the browser: a new profile, without cookies and storage unless `storageState` brings them. Errors on its pages are
 * collected and fail the next {@link Visitor.look}.
 */
export async function visitor(browser, { screen = DESK, name, colorScheme = 'light', storageState } = {}) {
  const context = await browser.newContext({
    baseURL: shopUrl,
    viewport: screen,
    locale: 'ko-KR',
    timezoneId: 'Asia/Seoul',
    reducedMotion: 'reduce',
    isMobile: screen === PHONE,
    hasTouch: screen === PHONE,
    colorScheme,
    storageState,
  })
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
  return new Visitor(page, name ?? 'visitor')
}

/** Returns `instead` if the page navigated during the call. */
const whenGone = (instead) => (error) => {
  if (/context was destroyed|navigat/i.test(error.message)) return instead
  throw error
}

/** Open as long as the page. */
const ALARM_STREAM = '/api/v1/me/alarms/stream'

/** A warning that depends on the machine's speed: a preloaded picture is drawn some seconds after the page's load event. */
const LATE = /was preloaded using link preload but not used within a few seconds/

export class Visitor {
  faults = []
  step = 0
  /** Requests in flight. */
  waiting = new Set()
  changedAt = 0

  constructor(page, name) {
    this.page = page
    this.name = name
    page.on('pageerror', (error) => this.faults.push(`page error at ${page.url()}: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error' || (message.type() === 'warning' && !LATE.test(message.text())))
        this.faults.push(`console at ${page.url()}: ${message.text()} (${message.location().url})`)
    })
    const note = (change) => (request) => {
      change(request)
      this.changedAt = performance.now()
    }
    page.on(
      'request',
      note((request) => request.url().endsWith(ALARM_STREAM) || this.waiting.add(request)),
    )
    page.on(
      'requestfinished',
      note((request) => this.waiting.delete(request)),
    )
    page.on(
      'requestfailed',
      note((request) => this.waiting.delete(request)),
    )
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? ''
      // Requests aborted because the page was left.
      if (why !== 'net::ERR_ABORTED') this.faults.push(`request from ${page.url()}: ${request.url()} ${why}`)
    })
  }

  /** Goes to an address as if typed; retries if a closing layer navigated back in the history meanwhile. */
  async open(path) {
    await this.page.goto(path).catch((thrown) => {
      if (!String(thrown).includes('net::ERR_ABORTED')) throw thrown
      return this.page.goto(path)
    })
    await this.settled()
  }

  /** Goes to an address as a link of the app does, and waits until the progress bar at the top is gone. */
  async move(path) {
    this.changedAt = performance.now()
    const move = async ([to, patience]) => {
      history.pushState({ idx: (history.state?.idx ?? 0) + 1 }, '', to)
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
      const until = performance.now() + patience
      do {
        await new Promise((over) => setTimeout(over, 50))
      } while (document.querySelector('.scale-x-75') !== null && performance.now() < until)
      return performance.now() < until
    }
    const hasMoved = await this.page.evaluate(move, [path, PATIENCE]).catch(whenGone(true))
    assert.ok(hasMoved, `the way to ${path} has no end`)
  }

  /** No request is in flight, and none was for a moment. */
  async quiet() {
    const until = performance.now() + PATIENCE
    while (this.waiting.size > 0 || performance.now() - this.changedAt < QUIET_MS) {
      if (performance.now() > until) {
        const urls = [...this.waiting].map((request) => request.url())
        throw new Error(`${this.page.url()} never came to rest: ${urls.join(', ')}`)
      }
      await sleep(20)
    }
  }

  /** Waits for the responses to the last click. */
  async answered() {
    this.changedAt = performance.now()
    await this.quiet()
  }

  /** Waits until nothing is loading. */
  async settled() {
    await this.quiet()
    if (new URL(this.page.url()).pathname === NEVER_RESTS) return
    const until = performance.now() + PATIENCE
    for (let waits = await this.loading(); waits.length > 0; waits = await this.loading()) {
      if (performance.now() > until) throw new Error(`${this.page.url()} still loads: ${waits.join('\n')}`)
      await sleep(50)
    }
  }

  /** What is still loading on the page; empty once the fonts are loaded too. */
  loading() {
    // Not waitForFunction, which injects all of Playwright's own code into each document.
    return this.page
      .evaluate(async () => {
        const waits = [...document.querySelectorAll('[aria-busy="true"], [role="status"]')].filter(
          (one) => one.ariaBusy === 'true' || one.textContent.startsWith('불러오는 중'),
        )
        if (waits.length === 0) await document.fonts.ready
        return waits.map((one) => one.outerHTML.slice(0, 300))
      })
      .catch(whenGone(['the page was left meanwhile']))
  }

  /** Drops the browser's console errors about expected refusals. */
  wasRefused(status) {
    const at = this.faults.findIndex((fault) => fault.includes(`the server responded with a status of ${status}`))
    assert.ok(at >= 0, `nothing was refused with ${status}: ${this.faults.join('; ')}`)
    this.faults.splice(at, 1)
  }

  /** Checks the page as it is now, and takes a screenshot. */
  async look(title) {
    assert.deepEqual(await this.flaws(title), [], `${title} at ${this.page.url()}`)
  }

  /** Takes a screenshot of the page as it is now and returns its problems. */
  async flaws(title) {
    await this.settled()
    await this.shoot(title)
    const found = await this.unsound()
    found.push(...(await this.axe()).map((objection) => `axe: ${JSON.stringify(objection)}`))
    if (this.page.viewportSize().width === PHONE.width) found.push(...(await this.small()))
    return [...found, ...this.faults]
  }

  /** Tap targets that are too small on the page as it is now. */
  small() {
    return this.page.evaluate(smallTargets)
  }

  /** Tap targets that are too small, and cut text, when the same page has a phone's size. */
  async unsoundOnPhone() {
    const before = this.page.viewportSize()
    await this.page.setViewportSize(PHONE)
    await this.settled()
    const found = [...(await this.small()), ...(await this.page.evaluate(cutText))]
    await this.page.setViewportSize(before)
    await this.settled()
    return found
  }

  /** Problems of the page's structure: headings, width, images. */
  async unsound() {
    const found = []
    const { headings, wide, broken } = await this.page.evaluate(() => ({
      headings: [...document.querySelectorAll('h1')].map((one) => one.innerText),
      wide: document.documentElement.scrollWidth - window.innerWidth,
      broken: [...document.images].filter((one) => one.complete && one.naturalWidth === 0).map((one) => one.src),
    }))
    if (headings.length !== 1) found.push(`one h1, not ${JSON.stringify(headings)}`)
    if (wide > 0) found.push(`${wide} px wider than the window`)
    found.push(...(await this.page.evaluate(cutText)), ...(await this.page.evaluate(foldedDates)))
    found.push(...broken.map((picture) => `broken picture ${picture}`))
    return found
  }

  /** Violations that axe finds. */
  async axe() {
    // Client-side navigation keeps the document of the page before.
    if (!(await this.page.evaluate(() => 'axe' in window))) await this.page.evaluate(axe)
    return this.page.evaluate(async () => {
      const { violations } = await window.axe.run(document, { resultTypes: ['violations'] })
      return violations.map(({ id, help, nodes }) => ({
        id,
        help,
        nodes: nodes.slice(0, 3).map((node) => `${node.target.join(' ')}: ${node.html.slice(0, 160)}`),
      }))
    })
  }

  /** A screenshot in the SHOTS folder, if it is set. */
  async shoot(title, { whole = true } = {}) {
    if (!shots) return
    mkdirSync(shots, { recursive: true })
    this.step += 1
    const number = String(this.step).padStart(2, '0')
    const file = `${this.name}-${number}-${title.replaceAll(/[^\p{L}\d]+/gu, '-')}.png`
    // Lazy images load, and content far below is rendered, when scrolled into view.
    await this.page.evaluate(async () => {
      for (const one of document.images) one.loading = 'eager'
      for (const one of document.querySelectorAll('.later')) one.style.contentVisibility = 'visible'
      await Promise.all([...document.images].map((one) => one.decode().catch(() => undefined)))
      window.scrollTo(0, 0)
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    })
    await this.page.screenshot({ path: join(shots, file), fullPage: whole })
  }

  /** Closes the visitor; adds the visitor's page to the error, if there is one. */
  async leave(error) {
    if (error) {
      await this.shoot('failed').catch(() => undefined)
      const text = await this.page
        .locator('body')
        .innerText()
        .catch(() => '(no page)')
      process.stderr.write(`\n${this.name} stood at ${this.page.url()}:\n${text.slice(0, 3000)}\n`)
      for (const fault of this.faults) process.stderr.write(`${fault}\n`)
    }
    await this.page.context().close()
  }
}

/** Runs `steps` with a visitor; adds what the visitor saw to an error. */
export async function as(browser, options, steps) {
  const who = await visitor(browser, options)
  try {
    const result = await steps(who)
    await who.leave()
    return result
  } catch (error) {
    await who.leave(error)
    throw error
  }
}
