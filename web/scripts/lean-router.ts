// Lets the build drop the components of react-router that nothing imports. The package is one module: a component created by a call
// (`forwardRef`) and named for React's developer tools (`displayName`) otherwise stays in the bundle with its dependencies.
import type { Plugin } from 'vite'

/** Calls that only create a component or a context; marked pure, as React's own Babel plugin for annotations does. */
const MAKES = /^(var \w+ = )(React\d*\.(?:createContext|forwardRef|memo)\()/gm
const NAMED = /^\w+\.displayName = "\w+";$/gm

/** The module with its components marked free of side effects; line numbers stay the same. */
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
