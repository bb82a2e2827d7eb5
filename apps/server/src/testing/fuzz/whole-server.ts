import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../config.ts'
import { createLogger } from '../../http/logger.ts'
import { createServer } from '../../server.ts'

/** The whole server, as it is put together for people, on a folder and a port of its own. */
export async function startWholeServer(environment: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-fuzz-'))
  const logged: string[] = []
  const config = readConfig({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, ...environment })
  const logger = createLogger('error', { write: (line) => void logged.push(line) })
  const server = await createServer({ config, logger, version: '9.8.7' })
  await server.listen()
  const { port } = server.app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`

  return {
    app: server.app,
    folder,
    port,
    /** Lines of the log at level error. */
    logged,
    aMember,
    /** A member, and ids of things that are really there. */
    async furnish() {
      const { accessToken, userId } = await aMember()
      return { accessToken, knownIds: [userId] }
    },
    async stop() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }

  async function aMember() {
    const credentials = {
      email: `${randomBytes(6).toString('hex')}@example.org`,
      password: `Zk2.${randomBytes(32).toString('base64url')}`,
    }
    const call = async (path: string) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(credentials) })
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
      return answer.json() as Promise<{ session: { access_token: string }; user: { id: string } }>
    }
    await call('/api/register')
    const { session, user } = await call('/api/login')
    return { accessToken: session.access_token, userId: user.id }
  }
}

export type WholeServer = Awaited<ReturnType<typeof startWholeServer>>
