import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Keeps the statements used last, prepared; preparing one each time costs almost three times as much. */
export function createStatements(file: DatabaseSync, capacity = 256) {
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
