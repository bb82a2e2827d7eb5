// Node types are not available where the web tests, which import this too, are type-checked.
export const { setImmediate } = globalThis as unknown as { setImmediate: (work: () => void) => unknown }
