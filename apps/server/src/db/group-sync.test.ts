import { appendFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGroupSync } from './group-sync.ts'

const aFolder = (): string => mkdtempSync(join(tmpdir(), 'sallyport-log-'))

test('a sync that cannot be done is refused, to everybody who waits for it and to whoever comes later', async () => {
  const log = createGroupSync(join(aFolder(), 'nowhere', 'log'))

  const waiting = await Promise.allSettled([log.settle(), log.settle(), log.settle()])
  const later = log.settle()

  for (const { status } of waiting) expect(status).toBe('rejected')
  await expect(later).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('whoever asks while a sync runs waits for one that begins later, all of them for the same', async () => {
  const path = join(aFolder(), 'log')
  appendFileSync(path, 'first')
  const log = createGroupSync(path)
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
