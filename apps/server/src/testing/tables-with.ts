import type { Database } from '../platform/db/schema.ts'

/** The tables that have this text in a row, in alphabetical order. */
export async function tablesWith(db: Database, text: string): Promise<string[]> {
  const found: string[] = []
  for (const { name } of await db.introspection.getTables()) {
    const rows = await db
      .selectFrom(name as 'users')
      .selectAll()
      .execute()
    if (JSON.stringify(rows).includes(text)) found.push(name)
  }
  return found.toSorted()
}
