// Accessibility faults of what is on the page, as readable lines; an empty list is what a test wants.
import axe from 'axe-core'

/** Colours are judged in the browser: jsdom draws nothing. `region` is for whole pages. */
const RULES = { 'color-contrast': { enabled: false }, region: { enabled: false } }

export async function a11yViolations(root: Element = document.body): Promise<string[]> {
  const { violations } = await axe.run(root, { rules: RULES })
  return violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${node.html}`))
}
