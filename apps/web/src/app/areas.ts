/** The parts of the product that are there to be used, in the order of the tab bar. */
export const areas = [{ name: 'Files', path: '/' }] as const
