import { AsyncLocalStorage } from 'node:async_hooks'
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { createGroupSync } from './group-sync.ts'
import { createPatience, type Patience } from './patience.ts'
import { createStatements } from './statements.ts'

/** Set around work that need not be on the disk when it is told as done. */
export const mayBeLost = new AsyncLocalStorage<true>()

/** Opens (or makes) the file of the embedded database; what it commits is on the disk. */
export function openSqliteFile(path: string): DatabaseSync {
  if (path !== ':memory:') restrictToOwner(path)
  const file = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true })
  const mode = file.prepare('pragma journal_mode').get() as { journal_mode: string }
  if (path !== ':memory:' && mode.journal_mode !== 'wal') {
    // Two processes switching a new file at once would trip over each other without this lock.
    file.exec('begin immediate; commit')
    file.exec('pragma journal_mode = wal')
  }
  file.exec('pragma synchronous = full; pragma temp_store = memory; pragma cache_size = -16000')
  return file
}

/**
 * Creates the file for its owner alone, whatever the folder allows, and restricts one that other users could read. SQLite
 * gives the log files next to it the same mode.
 */
function restrictToOwner(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
  for (const name of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(name)) chmodSync(name, 0o600)
}

/**
 * A dialect over `node:sqlite`: one connection, handed out first come, first served. Whoever has written waits until it is
 * on the disk, but holds up nobody else meanwhile.
 */
export function sqliteDialect(file: DatabaseSync): Dialect {
  return {
    createAdapter: () => new QueueingSqliteAdapter(),
    createDriver: () => createDriver(file),
    createIntrospector: (db) => new SqliteIntrospector(db as Kysely<unknown>),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** The driver queues by itself, and tables can be made inside a transaction. */
class QueueingSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function createDriver(file: DatabaseSync): Driver {
  const patiently = createPatience()
  const log = logOf(file)
  let hasWritten = false
  const connection = createConnection(file, patiently, () => {
    hasWritten = true
  })
  const waiting: (() => void)[] = []
  const insideTransaction = new AsyncLocalStorage<{ open: boolean }>()
  let busy = false

  return {
    async init() {
      // Waiting inside of SQLite would hold up everything else this process does.
      file.exec('pragma busy_timeout = 0')
      // What keeps a power cut from damaging the file is still done at once; what makes a commit last, by the log's sync.
      if (log) file.exec('pragma synchronous = normal')
    },
    async acquireConnection() {
      // A query beside the transaction that surrounds it would wait for that transaction forever.
      if (insideTransaction.getStore()?.open) throw new Error('A query inside a transaction must use the transaction')
      if (busy) await new Promise<void>((resolve) => waiting.push(resolve))
      busy = true
      return connection
    },
    async releaseConnection() {
      const mustLast = hasWritten && !mayBeLost.getStore()
      hasWritten = false
      const next = waiting.shift()
      if (next) next()
      else busy = false
      if (mustLast) await log?.settle()
    },
    async beginTransaction() {
      // Entered before anything is waited for, so that it holds for whoever called.
      const scope = { open: false }
      insideTransaction.enterWith(scope)
      await patiently(() => file.exec('begin immediate'))
      scope.open = true
    },
    async commitTransaction() {
      await patiently(() => file.exec('commit'))
      closeScope()
    },
    async rollbackTransaction() {
      if (file.isTransaction) file.exec('rollback')
      closeScope()
    },
    async savepoint(_connection, name) {
      file.exec(`savepoint "${name}"`)
    },
    async rollbackToSavepoint(_connection, name) {
      file.exec(`rollback to "${name}"`)
    },
    async releaseSavepoint(_connection, name) {
      file.exec(`release "${name}"`)
    },
    async destroy() {
      await log?.close()
      file.close()
    },
  }

  function closeScope(): void {
    const scope = insideTransaction.getStore()
    if (scope) scope.open = false
  }
}

/** The file that commits are appended to; null for a database that has none and waits for the disk by itself. */
function logOf(file: DatabaseSync) {
  const { journal_mode } = file.prepare('pragma journal_mode').get() as { journal_mode: string }
  const path = file.location()
  if (journal_mode !== 'wal' || path === null) return null
  return createGroupSync({ path: `${path}-wal`, startOver: () => emptyLog(file) })
}

/** Writes all that the log holds into the database itself, which is synced by SQLite. */
function emptyLog(file: DatabaseSync): void {
  const { busy } = file.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number }
  if (busy !== 0) throw new Error('The log of the database is in use')
}

function createConnection(file: DatabaseSync, patiently: Patience, onWrite: () => void): DatabaseConnection {
  const statements = createStatements(file)
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      if (query.query.kind !== 'SelectQueryNode') onWrite()
      return patiently(() => execute<Row>(query))
    },
    async *streamQuery<Row>(query: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
      const values = query.parameters as readonly SQLInputValue[]
      for (const row of statements.get(query.sql).iterate(...values)) yield { rows: [{ ...row }] as Row[] }
    },
  }

  function execute<Row>(query: CompiledQuery): QueryResult<Row> {
    const statement = statements.get(query.sql)
    const values = query.parameters as readonly SQLInputValue[]
    // Bound one by one: an object in the first place would be taken for named values.
    if (statement.columns().length > 0) return { rows: statement.all(...values).map((row) => ({ ...row })) as Row[] }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
}
