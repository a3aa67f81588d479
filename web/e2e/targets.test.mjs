// The tap target check finds what it should, and nothing else.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openBrowser, PHONE } from './browser.mjs'
import { smallTargets } from './targets.mjs'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

const SMALL = 'style="width:16px;height:16px;padding:0;border:0;font-size:8px"'
/** HTML of a page, and the targets in it that are too small. */
const CASES = {
  'two side by side': [`<button ${SMALL}>a</button><button ${SMALL}>b</button>`, ['a', 'b']],
  'one beside a large one': [`<button ${SMALL}>a</button><button style="width:60px;height:60px">b</button>`, ['a']],
  'one with room around it': [`<button ${SMALL}>a</button>`, []],
  'two with too narrow a gap': [
    `<div style="display:flex;gap:7px"><button ${SMALL}>a</button><button ${SMALL}>b</button></div>`,
    ['a', 'b'],
  ],
  'two with a gap': [
    `<div style="display:flex;gap:8px"><button ${SMALL}>a</button><button ${SMALL}>b</button></div>`,
    [],
  ],
  'one on a large one': [
    `<a href="/x" style="position:absolute;left:0;top:0;width:200px;height:200px">카드</a><div style="position:absolute;left:105px;top:92px"><button ${SMALL}>a</button></div>`,
    ['a'],
  ],
  'a link in a sentence': [
    '<p style="font-size:12px;line-height:14px">글 <a href="/x">가</a><a href="/y">나</a> 글</p>',
    [],
  ],
  'a link beside a word': [
    '<p style="font-size:12px;line-height:14px">상품 <a href="/x">가</a><a href="/y">나</a></p>',
    [],
  ],
  'buttons beside a word': [`<p>상품 <button ${SMALL}>a</button><button ${SMALL}>b</button></p>`, ['a', 'b']],
  'buttons that are words of a sentence': [
    '<style>button{all:unset;font-size:12px;line-height:14px}</style><p style="font-size:12px;line-height:14px">글 <button>a</button><button>b</button> 글</p>',
    [],
  ],
  'links with a box beside a word': [
    '<style>a{display:inline-block;padding:1px;line-height:14px}</style><p style="font-size:12px">상품 <a href="/x">가</a><a href="/y">나</a></p>',
    ['가', '나'],
  ],
  'links under a sentence': [
    '<div style="font-size:12px;line-height:14px"><p>글</p><a href="/x">가</a><a href="/y">나</a></div>',
    ['가', '나'],
  ],
  'links alone in a line': [
    '<p style="font-size:12px;line-height:14px"><a href="/x">가</a><a href="/y">나</a></p>',
    ['가', '나'],
  ],
  'boxes with labels': [
    `<style>label{display:inline-block;line-height:30px}input{margin:0}</style><div style="display:flex;align-items:center"><label for="a">상품</label><input type="checkbox" id="a"><input type="checkbox" id="b"><label for="b">상품</label></div>`,
    [],
  ],
  'what can be pressed beside it': [
    `<style>a{position:relative;display:inline-block;width:12px;font-size:12px;line-height:14px;margin:0 5px}a::before{content:"";position:absolute;inset:-7px}</style><div><a href="/x">가</a><a href="/y">나</a></div>`,
    [],
  ],
  'what something lies over': [
    `<button ${SMALL}>a</button><button ${SMALL}>b</button><div style="position:fixed;inset:0;background:#fff"></div>`,
    [],
  ],
  'one that something lies over': [
    `<button ${SMALL}>a</button><button style="width:60px;height:60px">b</button><div style="position:fixed;left:0;top:0;width:55px;height:200px;background:#fff"></div>`,
    [],
  ],
  'what may not be pressed': [`<button disabled ${SMALL}>a</button><button disabled ${SMALL}>b</button>`, []],
}

test('tap targets are measured', async () => {
  const page = await browser.newPage({ viewport: PHONE })
  for (const [title, [body, small]] of Object.entries(CASES)) {
    await page.setContent(`<body style="margin:40px">${body}</body>`)
    const found = await page.evaluate(smallTargets)
    assert.deepEqual(found.map((one) => one.split('> ')[1]).sort(), small, `${title}: ${found}`)
  }
})
