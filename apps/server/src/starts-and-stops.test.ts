import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startServerProcess } from './testing/servers/server-process.ts'
import { createTestFolder } from './testing/test-folder.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

test('a start with other secrets is refused and names the file; the right ones start again', async () => {
  const folder = createTestFolder()
  const first = await startServerProcess({ DATA_DIR: folder })
  await first.stop()
  const key = join(folder, 'secrets', 'salt.key')
  const moved = `${key}.moved`
  renameSync(key, moved)
  writeFileSync(key, randomBytes(32), { mode: 0o600 })

  await expect(startServerProcess({ DATA_DIR: folder })).rejects.toThrow(/belongs to other secrets: salt\.key in /)
  renameSync(moved, key)

  expect(await (await startServerProcess({ DATA_DIR: folder })).stop()).toBe(0)
})

test('a stopping server is not ready but serves until a slow response has ended, and exits with 0', async () => {
  const server = await startServerProcess({ DATA_DIR: createTestFolder() })
  const body = JSON.stringify({ email: 'mara@example.org' })
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const slow = request(`${server.url}/api/auth/prelogin`, { method: 'POST', headers })
  slow.write(body.slice(0, 5))
  const answered = new Promise<number | undefined>((resolve) =>
    slow.once('response', ({ statusCode }) => resolve(statusCode)),
  )
  await wait(200)

  const stopped = server.stop()
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${server.url}/api/config`)).status).toBe(200)
  slow.end(body.slice(5))

  expect(await answered).toBe(200)
  expect(await stopped).toBe(0)
})

test('ADM-03 activity of the last second is stored when the server stops', async () => {
  const folder = createTestFolder()
  const member = { email: 'mara@example.org', password: `Zk2.${randomBytes(32).toString('base64url')}` }
  const post = (url: string) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(member) })
  const first = await startServerProcess({ DATA_DIR: folder })
  await post(`${first.url}/api/register`)
  const { session } = (await (await post(`${first.url}/api/login`)).json()) as { session: { access_token: string } }

  expect(await first.stop()).toBe(0)

  const second = await startServerProcess({ DATA_DIR: folder })
  const headers = { authorization: `Bearer ${session.access_token}` }
  const listed = await (await fetch(`${second.url}/api/account/activity`, { headers })).json()
  expect(listed).toEqual({
    success: true,
    activity: [{ action: 'sign-in', timestamp: expect.any(Number), details: {} }],
  })
  expect(await second.stop()).toBe(0)
})

test('npm run admin installs nothing, and refuses to work on a data folder without a database', () => {
  const clone = createTestFolder()
  for (const path of ['node_modules', 'apps', 'packages', 'tools']) symlinkSync(join(root, path), join(clone, path))
  rmSync(join(clone, 'tools'))
  mkdirSync(join(clone, 'tools'))
  for (const path of ['tools/run.mjs', 'tools/bootstrap.mjs', 'package.json'])
    spawnSync('cp', [join(root, path), join(clone, path)])
  // Another lockfile than the one that the packages were installed for.
  writeFileSync(join(clone, 'package-lock.json'), '{}')
  const run = (...args: string[]) =>
    spawnSync('npm', ['run', '--silent', 'admin', '--', ...args], {
      cwd: clone,
      encoding: 'utf8',
      env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, DATA_DIR: join(clone, 'data') },
    })

  const help = run('help')
  const elsewhere = run('licence', 'mara@example.org', 'personal')

  expect([help.status, help.stdout]).toEqual([0, expect.stringContaining('magic-link')])
  expect(help.stdout + help.stderr).not.toContain('Installing')
  expect([elsewhere.status, elsewhere.stderr]).toEqual([1, expect.stringContaining('There is no database in')])
})
