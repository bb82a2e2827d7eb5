/** A part that is empty, or that leads nowhere or upwards. */
const noPart = /^\s*\.{0,2}\s*$/

/** The folders and the file that a name is made of, such as `plans` and `north.dwg`; none of them leads upwards. */
export const partsOfPath = (name: string): readonly string[] => name.split('/').filter((part) => !noPart.test(part))

/** The name without the folders in front of it. */
export const lastPartOf = (name: string): string => partsOfPath(name).at(-1) ?? name

/** The folders in front of a name, such as `site/plans`; empty where there are none. */
export const foldersOf = (name: string): string => partsOfPath(name).slice(0, -1).join('/')
