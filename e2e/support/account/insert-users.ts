import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { RunningServer } from '../server/server.ts'

type Row = Record<string, SQLInputValue>

/**
 * Adds accounts to the database of a server by copying the rows of one that is there. They are called `user-001@…` and so
 * on, each a minute older than the one before; nobody can sign in to them.
 */
export function insertUsers({ dataFolder }: Pick<RunningServer, 'dataFolder'>, count: number): void {
  const database = new DatabaseSync(join(dataFolder, 'sallyport.db'), { timeout: 5000 })
  const find = (table: string, key: string, id: SQLInputValue): Row | undefined =>
    database.prepare(`select * from ${table} where ${key} = ?`).get(id) as Row | undefined
  const insert = (table: string, row: Row): void => {
    const names = Object.keys(row)
    database
      .prepare(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
      .run(...Object.values(row))
  }

  const model = database.prepare('select * from users order by created_at limit 1').get() as Row | undefined
  if (!model) throw new Error('There is no account to copy')
  const related = ['licences', 'effective_licences', 'storage_use'].map((table) => ({
    table,
    row: find(table, 'user_id', model['id'] ?? null),
  }))
  database.exec('begin immediate')
  for (let number = 1; number <= count; number += 1) {
    const id = randomUUID()
    const email = `user-${String(number).padStart(3, '0')}@example.org`
    insert('users', { ...model, id, email, created_at: Number(model['created_at']) - number * 60_000 })
    for (const { table, row } of related) if (row) insert(table, { ...row, user_id: id })
  }
  database.exec('commit')
  database.close()
}
