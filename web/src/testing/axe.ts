// Accessibility violations on the page, as readable lines; tests expect an empty list.
import axe from 'axe-core'

/** Colours are checked in the browser: jsdom renders nothing. `region` is for whole pages. */
const RULES = { 'color-contrast': { enabled: false }, region: { enabled: false } }

export async function a11yViolations(root: Element = document.body): Promise<string[]> {
  const { violations } = await axe.run(root, { rules: RULES })
  return violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${node.html}`))
}
