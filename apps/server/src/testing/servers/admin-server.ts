import type { Stage } from '../engines/databases.ts'
import { startWholeServer } from './whole-server.ts'

/** Starts the complete server with the database of a test and an admin, who makes the calls. */
export async function startAdminServer(
  { db, folder, databaseUrl }: Stage,
  environment: Readonly<Record<string, string>> = {},
) {
  const server = await startWholeServer({
    DATA_DIR: folder,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...environment,
  })
  const admin = await server.createMember()
  await db.insertInto('admins').values({ user_id: admin.userId, since: 0 }).execute()
  let headers = { authorization: `Bearer ${admin.accessToken}` }
  return {
    server,
    admin,
    ask: async (path: string) => (await server.app.inject({ url: `/api/admin/${path}`, headers })).json(),
    post: (path: string, body?: object) => {
      const { pathname: url } = new URL(path, 'http://server/api/admin/')
      return server.app.inject({ method: 'POST', url, headers, ...(body && { payload: body }) })
    },
    async signInAgain() {
      const { email, password } = admin
      const payload = { email, password }
      const { session } = (await server.app.inject({ method: 'POST', url: '/api/login', payload })).json()
      headers = { authorization: `Bearer ${session.access_token}` }
    },
    stop: () => server.stop(),
  }
}
