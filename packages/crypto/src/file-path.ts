/** A part that is empty, `.` or `..`. */
const ignoredPart = /^\s*\.{0,2}\s*$/

/** The folders and the file of a path, such as `plans` and `north.dwg`, without empty parts, `.` and `..`. */
export const partsOfPath = (name: string): readonly string[] =>
  name.split('/').filter((part) => !ignoredPart.test(part))

/** The file name without its folders. */
export const lastPartOf = (name: string): string => partsOfPath(name).at(-1) ?? name

/** The folders of a path, such as `site/plans`; empty if there are none. */
export const foldersOf = (name: string): string => partsOfPath(name).slice(0, -1).join('/')
