// One Chromium per test file. Every page that is looked at has to be sound: no error on the page or in the console, exactly one
// h1, nothing that axe objects to, nothing wider than the window, no broken picture.
import assert from 'node:assert/strict'
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
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
/** Enough for a machine many times slower than ours: it costs nothing while all is well. */
const PATIENCE = 60_000
/** The gallery shows for ever how waiting looks. */
const NEVER_RESTS = '/test'
/** A page that has asked for nothing for so long has what it wants. */
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
        // not here
      }
    }
  throw new Error('no Chromium: install it (apt-get install chromium) or set CHROMIUM_PATH')
}

/** On a machine without a language a file cannot have a Korean name. */
const env = { ...process.env, LC_ALL: 'C.UTF-8' }

export const openBrowser = (more = {}) =>
  chromium.launch({ executablePath: browserPath(), headless: true, args: FLAGS, env, ...more })

/**
 * Somebody at a screen: a fresh profile, without cookies and storage unless `storageState` brings another's along. What goes wrong
 * on its pages is remembered and fails the next {@link Visitor.look}.
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

/** Answers `instead` where a page went elsewhere while it was asked. */
const whenGone = (instead) => (error) => {
  if (/context was destroyed|navigat/i.test(error.message)) return instead
  throw error
}

export class Visitor {
  faults = []
  step = 0
  /** Requests under way. */
  waiting = new Set()
  changedAt = 0

  constructor(page, name) {
    this.page = page
    this.name = name
    page.on('pageerror', (error) => this.faults.push(`page error at ${page.url()}: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error')
        this.faults.push(`console at ${page.url()}: ${message.text()} (${message.location().url})`)
    })
    const note = (change) => (request) => {
      change(request)
      this.changedAt = performance.now()
    }
    page.on(
      'request',
      note((request) => this.waiting.add(request)),
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
      // What a page no longer wants when it is left is given up.
      if (why !== 'net::ERR_ABORTED') this.faults.push(`request from ${page.url()}: ${request.url()} ${why}`)
    })
  }

  /** Goes to an address by typing it; again if a layer that has just closed went back in the history meanwhile. */
  async open(path) {
    await this.page.goto(path).catch((thrown) => {
      if (!String(thrown).includes('net::ERR_ABORTED')) throw thrown
      return this.page.goto(path)
    })
    await this.settled()
  }

  /** Goes to an address as a link of the app does, until the line at the top that tells of moving is gone. */
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

  /** No request is under way, and none was for a moment. */
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

  /** What a press just asked for is answered. */
  async answered() {
    this.changedAt = performance.now()
    await this.quiet()
  }

  /** Nothing loads or waits any more. */
  async settled() {
    await this.quiet()
    if (new URL(this.page.url()).pathname === NEVER_RESTS) return
    const until = performance.now() + PATIENCE
    for (let waits = await this.loading(); waits.length > 0; waits = await this.loading()) {
      if (performance.now() > until) throw new Error(`${this.page.url()} still loads: ${waits.join('\n')}`)
      await sleep(50)
    }
  }

  /** What still loads on the page; nothing once its fonts are there, too. */
  loading() {
    // Not waitForFunction, which brings all of Playwright's own code to each document.
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

  /** The server refused what was meant to be refused: the browser's word of it is no fault. */
  wasRefused(status) {
    const at = this.faults.findIndex((fault) => fault.includes(`the server responded with a status of ${status}`))
    assert.ok(at >= 0, `nothing was refused with ${status}: ${this.faults.join('; ')}`)
    this.faults.splice(at, 1)
  }

  /** Checks the page as it stands, and keeps a picture of it. */
  async look(title) {
    assert.deepEqual(await this.flaws(title), [], `${title} at ${this.page.url()}`)
  }

  /** Takes a picture of the page as it stands and tells what is wrong with it. */
  async flaws(title) {
    await this.settled()
    await this.shoot(title)
    const found = await this.unsound()
    found.push(...(await this.axe()).map((objection) => `axe: ${JSON.stringify(objection)}`))
    if (this.page.viewportSize().width === PHONE.width) found.push(...(await this.small()))
    return [...found, ...this.faults]
  }

  /** What is too small for a finger on the page as it stands. */
  small() {
    return this.page.evaluate(smallTargets)
  }

  /** What is too small for a finger when the same page is a phone's. */
  async smallOnPhone() {
    const before = this.page.viewportSize()
    await this.page.setViewportSize(PHONE)
    await this.settled()
    const found = await this.small()
    await this.page.setViewportSize(before)
    await this.settled()
    return found
  }

  /** What is wrong with the page's frame: headings, width, pictures. */
  async unsound() {
    const found = []
    const { headings, wide, broken } = await this.page.evaluate(() => ({
      headings: [...document.querySelectorAll('h1')].map((one) => one.innerText),
      wide: document.documentElement.scrollWidth - window.innerWidth,
      broken: [...document.images].filter((one) => one.complete && one.naturalWidth === 0).map((one) => one.src),
    }))
    if (headings.length !== 1) found.push(`one h1, not ${JSON.stringify(headings)}`)
    if (wide > 0) found.push(`${wide} px wider than the window`)
    found.push(...broken.map((picture) => `broken picture ${picture}`))
    return found
  }

  /** What axe objects to. */
  async axe() {
    // A page within the app is the same document as the one before.
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

  /** A picture in the SHOTS folder, if one is wanted. */
  async shoot(title, { whole = true } = {}) {
    if (!shots) return
    mkdirSync(shots, { recursive: true })
    this.step += 1
    const number = String(this.step).padStart(2, '0')
    const file = `${this.name}-${number}-${title.replaceAll(/[^\p{L}\d]+/gu, '-')}.png`
    // Lazy pictures load when they come into sight, and what is far below is drawn then.
    await this.page.evaluate(async () => {
      for (const one of document.images) one.loading = 'eager'
      for (const one of document.querySelectorAll('.later')) one.style.contentVisibility = 'visible'
      await Promise.all([...document.images].map((one) => one.decode().catch(() => undefined)))
      window.scrollTo(0, 0)
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    })
    await this.page.screenshot({ path: join(shots, file), fullPage: whole })
  }

  /** Closes; with an error at hand it says where the visitor stood. */
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

/** Runs `steps` with a visitor; at an error it tells what the visitor saw. */
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
