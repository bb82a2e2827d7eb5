import type { LicenceFilter, UserSortKey } from '@sallyport/contract/admin'
import { sql } from 'kysely'
import { containsText } from '../../../platform/db/contains-text.ts'
import type { Database } from '../../../platform/db/schema.ts'

export interface UserFilter {
  /** Part of an email address or phone number; empty for all. */
  readonly search: string
  readonly licence: LicenceFilter
}

export interface UserPage extends UserFilter {
  readonly sortBy: UserSortKey
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

const columns = {
  created_at: sql`users.created_at`,
  email: sql`users.email`,
  last_login_at: sql`users.last_sign_in_at`,
  license_type: sql`effective_licences.type`,
  file_count: sql`storage_use.file_count`,
  total_storage: sql`storage_use.used_bytes`,
} satisfies Record<UserSortKey, unknown>

const joins = {
  licences: sql`join effective_licences on effective_licences.user_id = users.id`,
  storage: sql`join storage_use on storage_use.user_id = users.id`,
  none: sql``,
}

const joinOf: Record<UserSortKey, keyof typeof joins> = {
  created_at: 'none',
  email: 'none',
  last_login_at: 'none',
  license_type: 'licences',
  file_count: 'storage',
  total_storage: 'storage',
}

/** SQL for the list of users that admins see. */
export function createUserListStore(db: Database) {
  async function count(filter: UserFilter): Promise<number> {
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from users ${joins[filter.licence === 'all' ? 'none' : 'licences']}
      where ${matching(filter)}
    `.execute(db)
    return Number(rows[0]?.total ?? 0)
  }

  /** The ids first, so that the database reads whole rows of this page only. */
  async function listIds({ sortBy, order, limit, offset, ...filter }: UserPage): Promise<string[]> {
    const sortJoin = joinOf[sortBy]
    const filterJoin = filter.licence === 'all' || sortJoin === 'licences' ? 'none' : 'licences'
    const direction = order === 'asc' ? sql`asc nulls first` : sql`desc nulls last`
    const { rows } = await sql<{ id: string }>`
      select users.id from users ${joins[sortJoin]} ${joins[filterJoin]}
      where ${matching(filter)}
      order by ${columns[sortBy]} ${direction}, users.id ${sql.raw(order)}
      limit ${limit} offset ${offset}
    `.execute(db)
    return rows.map(({ id }) => id)
  }

  /** A page of the second half is read from the end of the list, which is closer. */
  async function listNearest(page: UserPage, total: number): Promise<string[]> {
    const limit = Math.min(page.limit, total - page.offset)
    if (limit <= 0) return []
    const fromEnd = total - page.offset - limit
    if (fromEnd >= page.offset) return listIds({ ...page, limit })
    const order = page.order === 'asc' ? 'desc' : 'asc'
    return (await listIds({ ...page, order, limit, offset: fromEnd })).reverse()
  }

  return {
    /** Returns a page of users and how many there are on all pages. */
    async list(page: UserPage) {
      const total = await count(page)
      const ids = await listNearest(page, total)
      if (ids.length === 0) return { total, users: [] }
      const rows = await db
        .selectFrom('users')
        .leftJoin('storage_use', 'storage_use.user_id', 'users.id')
        .leftJoin('effective_licences', 'effective_licences.user_id', 'users.id')
        .leftJoin('admins', 'admins.user_id', 'users.id')
        .select(['users.id', 'email', 'phone', 'created_at', 'last_sign_in_at', 'banned_until', 'deleting_since'])
        .select(['email_confirmed_at', 'phone_confirmed_at', 'file_count', 'used_bytes', 'type', 'admins.since'])
        .where('users.id', 'in', ids)
        .execute()
      const byId = new Map(rows.map((row) => [row.id, row]))
      return { total, users: ids.map((id) => byId.get(id)).filter((row) => row !== undefined) }
    },
  }
}

export type UserListStore = ReturnType<typeof createUserListStore>

function matching({ search, licence }: UserFilter) {
  const text = search.trim().toLowerCase()
  const conditions = [sql`users.deleted_at is null`]
  if (text !== '')
    conditions.push(sql`(${containsText(sql`users.email`, text)} or ${containsText(sql`users.phone`, digitsOf(text))})`)
  if (licence !== 'all') conditions.push(sql`effective_licences.type in (${sql.join(typesOf(licence))})`)
  return sql.join(conditions, sql` and `)
}

/** A number is stored as digits, whatever it was typed or copied with. */
const digitsOf = (text: string): string => (/^[\d+ ().-]*\d[\d+ ().-]*$/.test(text) ? text.replace(/\D/g, '') : text)

const typesOf = (licence: LicenceFilter): string[] => (licence === 'paid' ? ['personal', 'business'] : [licence])
