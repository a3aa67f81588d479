// Before every test file. One that begins with `@vitest-environment node` has no page, and does not wait for one.
if (typeof document !== 'undefined') await import('./page')

export {}
