import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Reads what a running server has stored: all rows of all tables and all files of its volumes. */
export function watchStorage(dataFolder: string) {
  const file = new DatabaseSync(join(dataFolder, 'sallyport.db'), { readOnly: true })
  const tables = file
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .all()
    .map(({ name }) => String(name))
  const statements = tables.map((name) => ({ name, rows: file.prepare(`select * from "${name}"`) }))

  const dataVersion = file.prepare('pragma data_version')
  let version: unknown
  let tableLines: string[] = []

  /** Reads the rows again only after another connection has committed a change, which SQLite counts. */
  function readTables(): string[] {
    const current = dataVersion.get()?.['data_version']
    if (current === version) return tableLines
    version = current
    tableLines = statements.map(({ name, rows }) => {
      const found = rows.all()
      return `${name}: ${found.length} rows, ${createHash('sha256').update(JSON.stringify(found)).digest('hex')}`
    })
    return tableLines
  }

  const volumes = join(dataFolder, 'volumes')
  mkdirSync(volumes, { recursive: true })

  return {
    tables,
    /** Whether emails of earlier requests are still to be sent. */
    hasQueuedEmails: (): boolean => readTables().some((line) => /^post_queue: [1-9]/.test(line)),
    /** Returns one line per table and file. Two equal snapshots mean that nothing was stored in between. */
    snapshot: (): string[] => [
      ...readTables(),
      ...readdirSync(volumes, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(dataFolder.length))
        .sort(),
    ],
    close: () => file.close(),
  }
}
