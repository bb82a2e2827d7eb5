import { appendFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGroupSync } from './group-sync.ts'

const aFolder = (): string => mkdtempSync(join(tmpdir(), 'sallyport-log-'))

test('a sync that cannot be done is refused, to everybody who waits for it and to whoever comes later', async () => {
  const log = createGroupSync({ path: join(aFolder(), 'nowhere', 'log'), startOver: () => undefined })

  const waiting = await Promise.allSettled([log.settle(), log.settle(), log.settle()])
  const later = log.settle()

  for (const { status } of waiting) expect(status).toBe('rejected')
  await expect(later).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('whoever asks while a sync runs waits for one that begins later, all of them for the same', async () => {
  const path = join(aFolder(), 'log')
  appendFileSync(path, 'first')
  const log = createGroupSync({ path, startOver: () => undefined })
  const order: string[] = []

  const first = log.settle().then(() => order.push('first'))
  appendFileSync(path, 'second')
  const others = [log.settle(), log.settle()]
  await Promise.all([first, ...others.map((one) => one.then(() => order.push('other')))])
  await log.settle()

  expect(order).toEqual(['first', 'other', 'other'])
  expect(others[0]).toBe(others[1])
  await log.close()
})

test('F05 after a sync that failed nothing is told as kept until everything was brought to the disk anew', async () => {
  const path = join(aFolder(), 'log')
  appendFileSync(path, 'lost by a disk that fails once')
  const state = { fails: true, canStartOver: false, startedOver: 0 }
  const log = createGroupSync({
    path,
    putOnDisk: async () => {
      if (state.fails) throw new Error('EIO')
    },
    startOver() {
      if (!state.canStartOver) throw new Error('still no disk')
      state.startedOver += 1
    },
  })

  await expect(log.settle()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  state.fails = false
  await expect(log.settle()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  state.canStartOver = true
  await log.settle()
  await log.settle()

  expect(state.startedOver).toBe(1)
  await log.close()
})
