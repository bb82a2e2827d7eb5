import { rateLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { sealFile } from '../testing/sealed-file.ts'
import { anUploadId, onStoringServer } from '../testing/storing-server.ts'

onStoringServer(
  'T147 FIL-06 warming up needs no account, is limited by address, and takes no upload’s place',
  async (server) => {
    const { app, aUser, sendChunk, advance } = server
    const ann = await aUser()
    const file = await sealFile({ plainBytes: 1000 })
    const warmUp = () => app.inject({ method: 'HEAD', url: '/api/upload' })

    const answers = []
    for (let count = 0; count <= rateLimits.warmUpsPerAddress.points; count += 1) answers.push(await warmUp())
    const chunk = await sendChunk(ann, { file, uploadId: anUploadId(), index: 0 })
    advance(rateLimits.warmUpsPerAddress.windowSeconds * 1000)
    const later = await warmUp()

    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses).toEqual([...Array(rateLimits.warmUpsPerAddress.points).fill(200), 429])
    expect(answers.at(-1)?.headers['retry-after']).toBe('60')
    expect([chunk.statusCode, later.statusCode]).toEqual([200, 200])
  },
)

onStoringServer('T147 FIL-06 a flood of warm-ups asks nothing of the database', async ({ app, db }) => {
  await db.destroy()

  const answers = await Promise.all(
    Array.from({ length: 200 }, () => app.inject({ method: 'HEAD', url: '/api/upload' })),
  )

  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
})
