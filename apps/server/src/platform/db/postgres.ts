import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely'
import { Pool, types } from 'pg'
import { toOutageError } from './database-errors.ts'

const int8Type = 20
const numericType = 1700

/** Creates the PostgreSQL dialect; 64-bit integers are parsed as numbers. */
export function postgresDialect(url: string, onError: (error: Error) => void): Dialect {
  const pool = new Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: 2000,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8Type || oid === numericType ? Number : types.getTypeParser(oid, format as 'text'),
    },
  })
  // The pool replaces a connection that breaks while idle; without a listener the error would crash the process.
  pool.on('error', onError)
  // So would a connection that breaks between two queries of a transaction; its next query rejects.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new PostgresDialect({
    pool: {
      connect: async () => withOutageErrors(await pool.connect().catch(throwOutage)),
      end: () => pool.end(),
      options: pool.options,
    },
  })
}

/** Wraps a connection so that outages reject with UNAVAILABLE. */
function withOutageErrors(client: PostgresPoolClient): PostgresPoolClient {
  const query = (sql: string, parameters: readonly unknown[]) => client.query(sql, parameters).catch(throwOutage)
  // Streaming through a cursor is not supported.
  return { query: query as PostgresPoolClient['query'], release: (discard) => client.release(discard) }
}

function throwOutage(error: unknown): never {
  throw toOutageError(error)
}
