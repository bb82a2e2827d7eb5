import { resourceLimits } from '@sallyport/contract/server-limits'
import { expect, test } from 'vitest'
import { readMetric } from '../../testing/clients/attackers.ts'
import { sealFile } from '../../testing/clients/sealed-file.ts'
import { beginRequest, chunkHeaders, randomUploadId } from '../../testing/servers/file-server.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'
import { createWriteBufferBudget } from './write-buffer-budget.ts'

test('over the limit the largest transfer flushes its buffer', () => {
  const budget = createWriteBufferBudget(100)
  const flushed: string[] = []
  const register = (name: string) => {
    const buffer = budget.register(() => {
      flushed.push(name)
      return true
    })
    return buffer
  }
  const [small, large] = [register('small'), register('large')]
  small.add(20)
  large.add(80)
  expect([budget.isExceeded(), flushed]).toEqual([false, []])

  small.add(1)
  expect([budget.isExceeded(), flushed]).toEqual([true, ['large']])
  large.add(-80)
  small.release()

  expect([budget.isExceeded(), budget.bytes()]).toEqual([false, 0])
})

test('stalled uploads use little memory regardless of their number, and another upload succeeds', async () => {
  const bufferedUploadBytes = 512 * 1024
  const server = await startWholeServer({}, undefined, { bufferedUploadBytes })
  const { accessToken } = await server.createMember()
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
      headers: { ...headers(randomUploadId()), 'content-length': String(chunk.length) },
    })
    request.request.write(chunk.subarray(0, 700_000))
    return request
  })

  const bytes = () => readMetric(server, 'sallyport_gathered_bytes')
  await expect.poll(bytes).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 500))

  expect(await bytes()).toBeLessThanOrEqual(bufferedUploadBytes)
  expect(resourceLimits.bufferedUploadBytes).toBeGreaterThan(bufferedUploadBytes)
  await server.store(accessToken, await sealFile({ plainBytes: 400_000 }))
  for (const request of stalled) request.request.destroy()
  await server.stop()
})
