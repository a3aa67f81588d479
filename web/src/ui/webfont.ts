// The shop's font: our own file with the most used characters, which the build cuts from Pretendard (scripts/webfont.ts),
// and Pretendard's own subsets for the others.

import file from 'jangbu-sans.woff2'
import rest from 'pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css?url'

/** Adds all faces at once: each change of the font set lays out the whole page again. */
export async function addWebfont(): Promise<void> {
  const most = new FontFace('Jangbu Sans', `url("${file}") format("woff2")`, {
    weight: '400 920',
    unicodeRange: 'U+0-10FFFF',
  })
  const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: rest, media: 'not all' })
  const arrived = new Promise((arrive, fail) => {
    sheet.onload = arrive
    sheet.onerror = fail
  })
  document.head.append(sheet)
  await Promise.all([most.load(), arrived])
  sheet.media = 'all'
  document.fonts.add(most)
}
