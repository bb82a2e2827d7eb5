import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What a server has stored, seen from outside while it runs: every row of every table, and every file of its volume. */
export function watchStorage(dataFolder: string) {
  const file = new DatabaseSync(join(dataFolder, 'sallyport.db'), { readOnly: true })
  const tables = file
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .all()
    .map(({ name }) => String(name))
  const statements = tables.map((name) => ({ name, rows: file.prepare(`select * from "${name}"`) }))

  const volumes = join(dataFolder, 'volumes')
  mkdirSync(volumes, { recursive: true })

  return {
    tables,
    /** A line for each table and file; two that are equal mean that nothing was stored in between. */
    look: (): string[] => [
      ...statements.map(({ name, rows }) => {
        const found = rows.all()
        return `${name}: ${found.length} rows, ${createHash('sha256').update(JSON.stringify(found)).digest('hex')}`
      }),
      ...readdirSync(volumes, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(dataFolder.length))
        .sort(),
    ],
    close: () => file.close(),
  }
}
