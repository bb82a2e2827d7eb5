import { expect } from 'vitest'
import { onFileServer } from '../../testing/servers/file-server.ts'

onFileServer('every response carries the time by which data expires as its Date', async (server) => {
  const { createUser, call, advance, now } = server
  const ann = await createUser()
  advance(3 * 3_600_000)
  const toSeconds = (time: number) => Math.floor(time / 1000) * 1000

  const responses = [
    await call(ann, 'GET', '/api/files'),
    await call(ann, 'GET', '/api/file/unknown/key'),
    await call(ann, 'GET', '/nowhere'),
  ]

  for (const { headers } of responses) expect(Date.parse(String(headers.date))).toBe(toSeconds(now()))
})
