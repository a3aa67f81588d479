// Lets the build drop the components of react-router that nothing imports. The package is one module: a component made by a call
// (`forwardRef`) and named for React's developer tools (`displayName`) stays in it, with all it uses.
import type { Plugin } from 'vite'

/** Calls that only make a component or a context, as React's own compiler plugin for annotations marks them. */
const MAKES = /^(var \w+ = )(React\d*\.(?:createContext|forwardRef|memo)\()/gm
const NAMED = /^\w+\.displayName = "\w+";$/gm

/** The module with its components free of side effects; lines keep their numbers. */
export const withoutSideEffects = (code: string): string =>
  code.replace(MAKES, '$1/* @__PURE__ */ $2').replace(NAMED, '')

export function leanRouter(): Plugin {
  return {
    name: 'lean-router',
    apply: 'build',
    transform: {
      filter: { id: /\/react-router\/dist\/production\/[^/]+\.mjs$/ },
      handler: (code) => ({ code: withoutSideEffects(code), map: null }),
    },
  }
}
