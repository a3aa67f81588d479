// The check for cut text finds what it should, and nothing else.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DESK, openBrowser, PHONE } from './browser.mjs'
import { cutText, foldedDates } from './cut.mjs'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

const LONG = '주문 상품의 이름이 아주 길어서 한 줄에 다 들어가지 않습니다'
const NARROW = 'width:120px;white-space:nowrap'
/** HTML of a page, and whether its text is cut. */
const CASES = {
  'wider than its box': [`<p style="${NARROW};overflow:hidden">${LONG}</p>`, true],
  'wider than a box around it': [`<div style="width:120px;overflow:clip"><p style="${NARROW}">${LONG}</p></div>`, true],
  'higher than its box': [`<p style="width:120px;height:20px;overflow:hidden">${LONG}</p>`, true],
  'ends with an ellipsis': [`<p style="${NARROW};overflow:hidden;text-overflow:ellipsis">${LONG}</p>`, false],
  'ends after some lines': [
    `<p style="width:120px;overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2">${LONG}</p>`,
    false,
  ],
  scrolls: [`<p style="${NARROW};overflow-x:auto">${LONG}</p>`, false],
  'in a scrolling box': [
    `<div style="width:120px;overflow-x:auto"><p style="white-space:nowrap">${LONG}</p></div>`,
    false,
  ],
  'for screen readers': [
    `<span style="position:absolute;width:1px;height:1px;overflow:hidden;white-space:nowrap">${LONG}</span>`,
    false,
  ],
  hidden: [`<p style="${NARROW};overflow:hidden;visibility:hidden">${LONG}</p>`, false],
  'placeholder wider than its box': [`<input style="width:120px" placeholder="${LONG}">`, true],
  'placeholder fits': [`<input style="width:120px" placeholder="이름">`, false],
  fits: [`<p style="width:120px;overflow:hidden">${LONG}</p>`, false],
}

test('cut text is found', async () => {
  const page = await browser.newPage({ viewport: PHONE })
  for (const [title, [body, isCut]] of Object.entries(CASES)) {
    await page.setContent(`<body style="font-size:16px;line-height:20px">${body}</body>`)
    const found = await page.evaluate(cutText)
    assert.equal(found.length > 0, isCut, `${title}: ${found}`)
  }
})

test('a date in two lines is found on a wide screen', async () => {
  const page = await browser.newPage({ viewport: DESK })
  const date = (width) =>
    `<table><td><time style="display:block;width:${width}px;font-size:14px"><span>2026.11.27.</span> <span>09:00</span></time></table>`
  for (const [width, count] of [
    [90, 1],
    [200, 0],
  ]) {
    await page.setContent(date(width))
    assert.equal((await page.evaluate(foldedDates)).length, count, `${width} px`)
  }
})
