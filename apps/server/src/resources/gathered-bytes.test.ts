import { resourceLimits } from '@sallyport/contract/server-limits'
import { expect, test } from 'vitest'
import { metricOf } from '../testing/attackers.ts'
import { sealFile } from '../testing/sealed-file.ts'
import { anUploadId, beginRequest, chunkHeaders } from '../testing/storing-server.ts'
import { startWholeServer } from '../testing/whole-server.ts'
import { createGatheredBytes } from './gathered-bytes.ts'

test('over the bound the largest transfer hands on what it has gathered', () => {
  const gathered = createGatheredBytes(100)
  const flushed: string[] = []
  const enter = (name: string) => {
    const gathering = gathered.enter(() => {
      flushed.push(name)
      return true
    })
    return gathering
  }
  const [small, large] = [enter('small'), enter('large')]
  small.count(20)
  large.count(80)
  expect([gathered.isFull(), flushed]).toEqual([false, []])

  small.count(1)
  expect([gathered.isFull(), flushed]).toEqual([true, ['large']])
  large.count(-80)
  small.leave()

  expect([gathered.isFull(), gathered.bytes()]).toEqual([false, 0])
})

test('uploads that stand still hold little memory, however many there are, and another one goes through', async () => {
  const gatheredBytes = 512 * 1024
  const server = await startWholeServer({}, undefined, { gatheredBytes })
  const { accessToken } = await server.aMember()
  const file = await sealFile({ plainBytes: 900_000, chunkBytes: 13 * 65_536 })
  const headers = (uploadId: string) => ({
    authorization: `Bearer ${accessToken}`,
    ...chunkHeaders(file, { uploadId, index: 0 }),
  })
  const chunk = file.chunks[0] ?? Buffer.alloc(0)
  const stalled = Array.from({ length: 5 }, () => {
    const request = beginRequest(server.port, {
      method: 'POST',
      path: '/api/upload-chunk',
      headers: { ...headers(anUploadId()), 'content-length': String(chunk.length) },
    })
    request.request.write(chunk.subarray(0, 700_000))
    return request
  })

  const bytes = () => metricOf(server, 'sallyport_gathered_bytes')
  await expect.poll(bytes).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 500))

  expect(await bytes()).toBeLessThanOrEqual(gatheredBytes)
  expect(resourceLimits.gatheredBytes).toBeGreaterThan(gatheredBytes)
  await server.store(accessToken, await sealFile({ plainBytes: 400_000 }))
  for (const request of stalled) request.request.destroy()
  await server.stop()
})
