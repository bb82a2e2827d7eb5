import { rateLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { onFileServer, randomUploadId } from '../../../testing/servers/file-server.ts'

onFileServer(
  'T147 FIL-06 warm-up requests need no account, are limited by address and do not count as uploads',
  async (server) => {
    const { app, createUser, sendChunk, advance } = server
    const ann = await createUser()
    const file = await sealFile({ plainBytes: 1000 })
    const warmUp = () => app.inject({ method: 'HEAD', url: '/api/upload' })

    const answers = []
    for (let count = 0; count <= rateLimits.warmUpsPerAddress.points; count += 1) answers.push(await warmUp())
    const chunk = await sendChunk(ann, { file, uploadId: randomUploadId(), index: 0 })
    advance(rateLimits.warmUpsPerAddress.windowSeconds * 1000)
    const later = await warmUp()

    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses).toEqual([...Array(rateLimits.warmUpsPerAddress.points).fill(200), 429])
    expect(answers.at(-1)?.headers['retry-after']).toBe('60')
    expect([chunk.statusCode, later.statusCode]).toEqual([200, 200])
  },
)

onFileServer('T147 FIL-06 a flood of warm-up requests runs no database queries', async ({ app, db }) => {
  await db.destroy()

  const answers = await Promise.all(
    Array.from({ length: 200 }, () => app.inject({ method: 'HEAD', url: '/api/upload' })),
  )

  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
})
