import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { openSqliteFile } from '../../apps/server/src/platform/db/sqlite.ts'

type Row = Readonly<Record<string, SQLInputValue>>

interface RowCounts {
  readonly accounts: number
  readonly filesPerAccount: number
}

/**
 * Fills the database of a stopped server with copies of its first account and that account's first file, up to the given
 * counts. The copies have rows in every table of a file, and no bytes.
 */
export function fillWithFiles(dataFolder: string, { accounts, filesPerAccount }: RowCounts): void {
  const db = openSqliteFile(join(dataFolder, 'sallyport.db'))
  try {
    db.exec('begin immediate')
    const user = firstRow(db, 'users')
    const storageUse = firstRow(db, 'storage_use')
    const rows = { file: firstRow(db, 'files'), upload: firstRow(db, 'uploads'), object: firstRow(db, 'objects') }
    const insert = { users: createInsert(db, 'users', user), storage_use: createInsert(db, 'storage_use', storageUse) }
    const copyFile = copyFiles(db, rows)
    for (let account = 0; account < accounts; account += 1) {
      const userId = account === 0 ? String(user['id']) : randomUUID()
      if (account > 0) {
        insert.users({ ...user, id: userId, email: `copy-${userId}@example.org` })
        insert.storage_use({ ...storageUse, user_id: userId })
      }
      const existing = account === 0 ? countFiles(db, userId) : 0
      for (let file = existing; file < filesPerAccount; file += 1) copyFile(userId)
    }
    db.exec('commit')
  } finally {
    db.close()
  }
}

/** Sets the expiry of `count` files to the past. */
export function expireFiles(dataFolder: string, count: number): void {
  const db = openSqliteFile(join(dataFolder, 'sallyport.db'))
  db.prepare('update files set expires_at = 1 where id in (select id from files order by id limit ?)').run(count)
  db.close()
}

function copyFiles(db: DatabaseSync, rows: { readonly file: Row; readonly upload: Row; readonly object: Row }) {
  const files = createInsert(db, 'files', rows.file)
  const uploads = createInsert(db, 'uploads', rows.upload)
  const objects = createInsert(db, 'objects', rows.object)
  return (ownerId: string): void => {
    const id = randomUUID()
    uploads({ ...rows.upload, id, owner_id: ownerId, upload_key: id })
    objects({ ...rows.object, file_id: id })
    files({ ...rows.file, id, owner_id: ownerId })
  }
}

function firstRow(db: DatabaseSync, table: string): Row {
  const row = db.prepare(`select * from ${table} limit 1`).get() as Row | undefined
  if (!row) throw new Error(`Table ${table} has no row to copy`)
  return row
}

function createInsert(db: DatabaseSync, table: string, template: Row): (row: Row) => void {
  const columns = Object.keys(template)
  const insert = db.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  return (row) => void insert.run(...columns.map((column) => row[column] ?? null))
}

const countFiles = (db: DatabaseSync, userId: string): number =>
  Number(db.prepare('select count(*) as files from files where owner_id = ?').get(userId)?.['files'])
