import { AsyncLocalStorage } from 'node:async_hooks'
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
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
import { type BusyRetry, createBusyRetry } from './busy-retry.ts'
import { createGroupCommit } from './group-commit.ts'

/** Set around work that is acknowledged without being durable. */
export const nonDurable = new AsyncLocalStorage<true>()

/** Opens or creates the file of the embedded database. Its commits are durable. */
export function openSqliteFile(path: string): DatabaseSync {
  if (path !== ':memory:') restrictToOwner(path)
  const file = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true })
  const mode = file.prepare('pragma journal_mode').get() as { journal_mode: string }
  if (path !== ':memory:' && mode.journal_mode !== 'wal') {
    // Without this lock, two processes that switch a new file to WAL at once would fail with SQLITE_BUSY.
    file.exec('begin immediate; commit')
    file.exec('pragma journal_mode = wal')
  }
  file.exec('pragma synchronous = full; pragma temp_store = memory; pragma cache_size = -16000')
  // Deleted rows are overwritten within the pages that a delete writes anyway.
  file.exec('pragma secure_delete = fast')
  return file
}

/**
 * Creates the file with mode 0600 regardless of the folder, and restricts an existing one. SQLite gives the files next
 * to it the same mode.
 */
function restrictToOwner(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
  for (const name of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(name)) chmodSync(name, 0o600)
}

/**
 * A Kysely dialect for `node:sqlite` with one connection, acquired in FIFO order. A writer waits until its commit is on
 * disk without blocking the others.
 */
export function sqliteDialect(file: DatabaseSync): Dialect {
  return {
    createAdapter: () => new QueueingSqliteAdapter(),
    createDriver: () => createDriver(file),
    createIntrospector: (db) => new SqliteIntrospector(db as Kysely<unknown>),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** The driver queues queries itself, and SQLite supports DDL inside transactions. */
class QueueingSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function createDriver(file: DatabaseSync): Driver {
  const retryWhileBusy = createBusyRetry()
  const groupCommit = createWalCommit(file)
  let hasWritten = false
  const connection = createConnection(file, retryWhileBusy, () => {
    hasWritten = true
  })
  const waiting: (() => void)[] = []
  const insideTransaction = new AsyncLocalStorage<{ open: boolean }>()
  let busy = false

  return {
    async init() {
      // Waiting inside SQLite would block the event loop.
      file.exec('pragma busy_timeout = 0')
      // SQLite still protects against corruption; the sync of the WAL makes commits durable.
      if (groupCommit) file.exec('pragma synchronous = normal')
    },
    async acquireConnection() {
      // A query outside of its surrounding transaction would wait for that transaction forever.
      if (insideTransaction.getStore()?.open) throw new Error('A query inside a transaction must use the transaction')
      if (busy) await new Promise<void>((resolve) => waiting.push(resolve))
      busy = true
      return connection
    },
    async releaseConnection() {
      const mustBeDurable = hasWritten && !nonDurable.getStore()
      hasWritten = false
      const next = waiting.shift()
      if (next) next()
      else busy = false
      if (mustBeDurable) await groupCommit?.flush()
    },
    async beginTransaction() {
      // Entered before the first await, so that it applies to the caller.
      const scope = { open: false }
      insideTransaction.enterWith(scope)
      await retryWhileBusy(() => file.exec('begin immediate'))
      scope.open = true
    },
    async commitTransaction() {
      await retryWhileBusy(() => file.exec('commit'))
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
      await groupCommit?.close()
      file.close()
    },
  }

  function closeScope(): void {
    const scope = insideTransaction.getStore()
    if (scope) scope.open = false
  }
}

/** Group commit for the WAL; null for a database without one, which syncs by itself. */
function createWalCommit(file: DatabaseSync) {
  const { journal_mode } = file.prepare('pragma journal_mode').get() as { journal_mode: string }
  const path = file.location()
  if (journal_mode !== 'wal' || path === null) return null
  return createGroupCommit({ path: `${path}-wal`, checkpoint: () => checkpointWal(file) })
}

/** Checkpoints the WAL into the database file, which SQLite syncs. */
function checkpointWal(file: DatabaseSync): void {
  const { busy } = file.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number }
  if (busy !== 0) throw new Error('The WAL is in use')
}

function createConnection(file: DatabaseSync, retryWhileBusy: BusyRetry, onWrite: () => void): DatabaseConnection {
  const statements = createStatements(file)
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      if (query.query.kind !== 'SelectQueryNode') onWrite()
      return retryWhileBusy(() => execute<Row>(query))
    },
    async *streamQuery<Row>(query: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
      const values = query.parameters as readonly SQLInputValue[]
      for (const row of statements.get(query.sql).iterate(...values)) yield { rows: [{ ...row }] as Row[] }
    },
  }

  function execute<Row>(query: CompiledQuery): QueryResult<Row> {
    const statement = statements.get(query.sql)
    const values = query.parameters as readonly SQLInputValue[]
    // Spread, because an object as the first argument would be treated as named parameters.
    if (statement.columns().length > 0) return { rows: statement.all(...values).map((row) => ({ ...row })) as Row[] }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
}

/** An LRU cache of prepared statements; preparing a statement for each query costs almost three times as much. */
function createStatements(file: DatabaseSync, capacity = 256) {
  const prepared = new Map<string, StatementSync>()
  return {
    get(text: string): StatementSync {
      const known = prepared.get(text)
      prepared.delete(text)
      const statement = known ?? file.prepare(text)
      prepared.set(text, statement)
      const oldest = prepared.size > capacity ? prepared.keys().next().value : undefined
      if (oldest !== undefined) prepared.delete(oldest)
      return statement
    },
  }
}
