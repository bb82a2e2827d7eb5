// The types of Node are not there where the page's own tests are checked, which import this as well.
export const { setImmediate } = globalThis as unknown as { setImmediate: (work: () => void) => unknown }
