import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { sealFile } from './testing/clients/sealed-file.ts'
import { randomCredential, randomEmail } from './testing/servers/account-server.ts'
import { startServerProcess } from './testing/servers/server-process.ts'
import { startWholeServer } from './testing/servers/whole-server.ts'
import { createTestFolder } from './testing/test-folder.ts'

async function register(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email: randomEmail(), password: randomCredential() })
  const answer = await fetch(`${url}/api/register`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
}

/** Makes the database look like one from before fingerprints were stored. */
function forgetFingerprints(folder: string): void {
  const database = new DatabaseSync(join(folder, 'sallyport.db'))
  database.exec('delete from secret_fingerprints')
  database.close()
}

test('a database with accounts refuses a start without its secrets, and none is created in their place', async () => {
  const folder = createTestFolder()
  const first = await startServerProcess({ DATA_DIR: folder })
  await register(first.url)
  await first.stop()
  const secrets = join(folder, 'secrets')
  renameSync(secrets, `${secrets}.moved`)
  const files = /pin\.key, post\.key, provider\.key, salt\.key, session\.key, share\.key is missing in /

  await expect(startServerProcess({ DATA_DIR: folder })).rejects.toThrow(files)
  await expect(startServerProcess({ DATA_DIR: folder })).rejects.toThrow(files)
  forgetFingerprints(folder)
  await expect(startServerProcess({ DATA_DIR: folder })).rejects.toThrow(/salt\.key, share\.key, .* is missing in /)

  expect(readdirSync(secrets)).toEqual([])
})

test('a server whose volume is not mounted says so and is not ready, until it is mounted', async () => {
  const folder = createTestFolder()
  const volume = join(folder, 'disk')
  const first = await startWholeServer({ DATA_DIR: folder, VOLUMES: volume })
  const { accessToken } = await first.createMember()
  await first.store(accessToken, await sealFile({ plainBytes: 10 }))
  await first.stop()
  const id = readFileSync(join(volume, 'volume-id'), 'utf8')
  renameSync(volume, `${volume}.moved`)

  const without = await startServerProcess({ DATA_DIR: folder, VOLUMES: volume })
  const statuses = [(await fetch(`${without.url}/readyz`)).status, (await fetch(`${without.url}/healthz`)).status]
  await without.stop()
  rmSync(volume, { recursive: true })
  renameSync(`${volume}.moved`, volume)
  const mounted = await startServerProcess({ DATA_DIR: folder, VOLUMES: volume })

  expect(statuses).toEqual([503, 200])
  expect(without.log()).toContain(`"volumes":["${id}"]`)
  expect(without.log()).toContain('check VOLUMES and whether the disks are mounted')
  expect((await fetch(`${mounted.url}/readyz`)).status).toBe(200)
})
