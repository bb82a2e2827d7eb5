import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { openSqliteFile } from '../apps/server/src/db/sqlite.ts'

type Row = Readonly<Record<string, SQLInputValue>>

interface Wanted {
  readonly accounts: number
  readonly filesPerAccount: number
}

/**
 * Fills the database of a server that is stopped with copies of its first account and that account's first file, until
 * there are so many of both. The copies have rows everywhere a file has some, and no bytes.
 */
export function fillWithFiles(dataFolder: string, { accounts, filesPerAccount }: Wanted): void {
  const db = openSqliteFile(join(dataFolder, 'sallyport.db'))
  try {
    db.exec('begin immediate')
    const user = firstOf(db, 'users')
    const room = firstOf(db, 'storage_use')
    const rows = { file: firstOf(db, 'files'), upload: firstOf(db, 'uploads'), object: firstOf(db, 'objects') }
    const copy = { users: into(db, 'users', user), storage_use: into(db, 'storage_use', room) }
    const copyFile = copyFiles(db, rows)
    for (let account = 0; account < accounts; account += 1) {
      const userId = account === 0 ? String(user['id']) : randomUUID()
      if (account > 0) {
        copy.users({ ...user, id: userId, email: `copy-${userId}@example.org` })
        copy.storage_use({ ...room, user_id: userId })
      }
      const there = account === 0 ? countFiles(db, userId) : 0
      for (let file = there; file < filesPerAccount; file += 1) copyFile(userId)
    }
    db.exec('commit')
  } finally {
    db.close()
  }
}

/** Lets so many files have expired. */
export function expireFiles(dataFolder: string, count: number): void {
  const db = openSqliteFile(join(dataFolder, 'sallyport.db'))
  db.prepare('update files set expires_at = 1 where id in (select id from files order by id limit ?)').run(count)
  db.close()
}

function copyFiles(db: DatabaseSync, rows: { readonly file: Row; readonly upload: Row; readonly object: Row }) {
  const files = into(db, 'files', rows.file)
  const uploads = into(db, 'uploads', rows.upload)
  const objects = into(db, 'objects', rows.object)
  return (ownerId: string): void => {
    const id = randomUUID()
    uploads({ ...rows.upload, id, owner_id: ownerId, upload_key: id })
    objects({ ...rows.object, file_id: id })
    files({ ...rows.file, id, owner_id: ownerId })
  }
}

function firstOf(db: DatabaseSync, table: string): Row {
  const row = db.prepare(`select * from ${table} limit 1`).get() as Row | undefined
  if (!row) throw new Error(`There is nothing in ${table} to copy`)
  return row
}

function into(db: DatabaseSync, table: string, template: Row): (row: Row) => void {
  const columns = Object.keys(template)
  const insert = db.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  return (row) => void insert.run(...columns.map((column) => row[column] ?? null))
}

const countFiles = (db: DatabaseSync, userId: string): number =>
  Number(db.prepare('select count(*) as files from files where owner_id = ?').get(userId)?.['files'])
