/** A string, or a function that returns one with its arguments inserted. Nothing else, so that the extractor can read it. */
type Text = string | ((...values: never[]) => string)

export interface Strings {
  readonly [key: string]: Text | readonly Text[] | Strings
}

/** Replaces the strings of an area in place. */
export type Translate = (name: string, strings: Strings) => void

const areas = new Map<string, Strings>()
let translate: Translate | null = null

/**
 * Declares the strings of one part of the user interface, in English. Read them when they are rendered, never at module
 * level: a translation replaces them in place, in areas that are imported later as well.
 */
export function area<const T extends Strings>(name: string, strings: T): T {
  areas.set(name, strings)
  translate?.(name, strings)
  return strings
}

/** Translates the areas declared so far, and those declared later. */
export function translateAreas(next: Translate): void {
  translate = next
  for (const [name, strings] of areas) next(name, strings)
}
