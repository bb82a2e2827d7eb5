import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely'
import { Pool, types } from 'pg'
import { asOutage } from './failures.ts'

const int8Type = 20
const numericType = 1700

/** A dialect over PostgreSQL; whole numbers of 64 bits come back as numbers. */
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
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', onError)
  // So would one that breaks between two queries of a transaction; whoever holds it is told by the next of them.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new PostgresDialect({
    pool: {
      connect: async () => withOutages(await pool.connect().catch(throwAsOutage)),
      end: () => pool.end(),
      options: pool.options,
    },
  })
}

/** A connection that tells what the database does not give at the moment as such. */
function withOutages(client: PostgresPoolClient): PostgresPoolClient {
  const query = (sql: string, parameters: readonly unknown[]) => client.query(sql, parameters).catch(throwAsOutage)
  // Reading row by row through a cursor is not done here.
  return { query: query as PostgresPoolClient['query'], release: (discard) => client.release(discard) }
}

function throwAsOutage(error: unknown): never {
  throw asOutage(error)
}
