// Modules generated from resources.json by scripts/resource-schemas.ts.
declare module 'virtual:resource/*' {
  const schema: import('./schema').ResourceSchema
  export default schema
}
declare module 'virtual:resource-kinds' {
  const kinds: readonly import('./schema').KnownKind[]
  export default kinds
}
declare module 'virtual:resource-loaders' {
  const loaders: Record<string, () => Promise<{ default: import('./schema').ResourceSchema }>>
  export default loaders
}
