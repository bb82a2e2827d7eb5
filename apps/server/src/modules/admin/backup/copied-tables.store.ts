import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts'
import type { ListedFile } from './object-list.ts'

type Connection = Database | DatabaseTransaction

/** What a manifest says about a database. */
export interface DatabaseSummary {
  readonly migration: string
  readonly instance: string | null
  readonly tables: Record<string, number>
}

const filesPerQuery = 200

/** Counts the rows of all tables and finds the newest migration. */
export async function summarizeDatabase(db: Connection): Promise<DatabaseSummary> {
  const tables: Record<string, number> = {}
  const found = (await db.introspection.getTables()).filter(({ isView }) => !isView)
  for (const name of found.map((table) => table.name).sort()) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db)
    tables[name] = Number(rows[0]?.count)
  }
  return { migration: await findMigration(db), instance: await findInstance(db, tables), tables }
}

/** The newest migration of a database. */
export async function findMigration(db: Connection): Promise<string> {
  const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db)
  return rows[0]?.name ?? ''
}

async function findInstance(db: Connection, tables: Readonly<Record<string, number>>): Promise<string | null> {
  if (tables['secret_fingerprints'] === undefined) return null
  const query = db.selectFrom('secret_fingerprints').select('fingerprint').where('name', '=', 'salt')
  return (await query.executeTakeFirst())?.fingerprint ?? null
}

/** Yields all files with their objects, in the order of their ids. Open uploads are not files yet. */
export async function* listFiles(db: Connection): AsyncGenerator<ListedFile> {
  for (let after = ''; ; ) {
    const files = await db
      .selectFrom('files')
      .select(['id', 'volume'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(filesPerQuery)
      .execute()
    const last = files.at(-1)
    if (!last) return
    after = last.id
    const ids = files.map(({ id }) => id)
    const objects = await db
      .selectFrom('objects')
      .select(['file_id', 'object_index as index', 'sealed_bytes as bytes', 'checksum'])
      .where('file_id', 'in', ids)
      .orderBy('file_id')
      .orderBy('object_index')
      .execute()
    const byFile = Map.groupBy(objects, ({ file_id }) => file_id)
    for (const { id, volume } of files)
      yield { id, volume, objects: (byFile.get(id) ?? []).map(({ file_id: _, ...object }) => object) }
  }
}
