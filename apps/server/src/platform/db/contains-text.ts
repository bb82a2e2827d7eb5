import { type RawBuilder, sql } from 'kysely'

/** SQL that is true if the column contains this text in lower case; its `%` and `_` stand for themselves. */
export function containsText(column: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const pattern = `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`
  return sql<boolean>`${column} like ${pattern} escape '\\'`
}
