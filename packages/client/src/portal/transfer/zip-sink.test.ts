import { expect, test } from 'vitest'
import * as yauzl from 'yauzl'
import { randomOf } from '../../testing/portal-bytes.ts'
import { memorySink, seeded } from '../../testing/portal-link.ts'
import { createZipSinks } from './zip-sink.ts'

test('zip sinks: files of a folder written out of order become one archive that yauzl reads', async () => {
  const random = seeded(4)
  const contents = [randomOf(300_000, random), new Uint8Array(0), randomOf(1, random)]
  const offers = [
    { name: 'north.dwg', path: 'site/plans', size: 300_000, mime: '' },
    { name: 'empty', path: 'site', size: 0, mime: '' },
    { name: 'Å “one”.txt', size: 1, mime: '' },
  ]
  const { state, sink } = memorySink()
  const sizes: number[] = []
  const next = createZipSinks(offers, Date.UTC(2026, 4, 17), (bytes) => {
    sizes.push(bytes)
    return sink
  })
  const [first, second, third] = offers.map(() => next())

  await third?.write(contents[2] as Uint8Array<ArrayBuffer>, 0)
  await third?.finish()
  await first?.write((contents[0] as Uint8Array<ArrayBuffer>).subarray(100_000), 100_000)
  await second?.finish()
  await first?.write((contents[0] as Uint8Array<ArrayBuffer>).subarray(0, 100_000), 0)
  expect(state.isFinished).toBe(false)
  await first?.finish()

  expect(state.isFinished).toBe(true)
  expect(sizes).toEqual([state.bytes.length])
  const zip = await yauzl.fromBufferPromise(Buffer.from(state.bytes))
  const read = []
  for await (const entry of zip.eachEntry()) {
    read.push({
      name: entry.fileName,
      bytes: Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray()),
    })
  }
  expect(read.map(({ name }) => name)).toEqual(['site/plans/north.dwg', 'site/empty', 'Å “one”.txt'])
  expect(read.map(({ bytes }, at) => bytes.equals(contents[at] as Uint8Array))).toEqual([true, true, true])
})
