// Setup of every test file. Files with `@vitest-environment node` have no page and skip its setup.
if (typeof document !== 'undefined') await import('./page')

export {}
