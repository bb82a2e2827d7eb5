import { DeleteResult, type SelectQueryBuilder, type UpdateResult } from 'kysely'

/** Counts the rows that a query selects. */
export async function countRows<DB, Table extends keyof DB>(
  query: SelectQueryBuilder<DB, Table, Record<never, never>>,
): Promise<number> {
  const { count } = await query
    .select((row) => row.fn.countAll<number>().as('count'))
    .$castTo<{ readonly count: number }>()
    .executeTakeFirstOrThrow()
  return Number(count)
}

interface ChangingQuery {
  executeTakeFirst(): Promise<UpdateResult | DeleteResult>
}

/** Runs an update or a deletion, and counts the rows that it changed. */
export async function countChanged(query: ChangingQuery): Promise<number> {
  const result = await query.executeTakeFirst()
  return Number(result instanceof DeleteResult ? result.numDeletedRows : result.numUpdatedRows)
}

/** Runs an update or a deletion, and returns whether it changed a row. */
export const hasChanged = async (query: ChangingQuery): Promise<boolean> => (await countChanged(query)) > 0
