import { type Dialect, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'

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
  return new PostgresDialect({ pool })
}
