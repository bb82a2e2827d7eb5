import { appendFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGroupCommit } from './group-commit.ts'

const createFolder = (): string => mkdtempSync(join(tmpdir(), 'sallyport-log-'))

test('flush: a failed sync rejects all waiting and later callers', async () => {
  const log = createGroupCommit({ path: join(createFolder(), 'nowhere', 'log'), checkpoint: () => undefined })

  const waiting = await Promise.allSettled([log.flush(), log.flush(), log.flush()])
  const later = log.flush()

  for (const { status } of waiting) expect(status).toBe('rejected')
  await expect(later).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('flush: callers during a running sync share the next one', async () => {
  const path = join(createFolder(), 'log')
  appendFileSync(path, 'first')
  const log = createGroupCommit({ path, checkpoint: () => undefined })
  const order: string[] = []

  const first = log.flush().then(() => order.push('first'))
  appendFileSync(path, 'second')
  const others = [log.flush(), log.flush()]
  await Promise.all([first, ...others.map((one) => one.then(() => order.push('other')))])
  await log.flush()

  expect(order).toEqual(['first', 'other', 'other'])
  expect(others[0]).toBe(others[1])
  await log.close()
})

test('F05 flush: after a failed sync, rejects until a checkpoint succeeds', async () => {
  const path = join(createFolder(), 'log')
  appendFileSync(path, 'lost by a disk that fails once')
  const state = { fails: true, canCheckpoint: false, checkpoints: 0 }
  const log = createGroupCommit({
    path,
    syncToDisk: async () => {
      if (state.fails) throw new Error('EIO')
    },
    checkpoint() {
      if (!state.canCheckpoint) throw new Error('still no disk')
      state.checkpoints += 1
    },
  })

  await expect(log.flush()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  state.fails = false
  await expect(log.flush()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  state.canCheckpoint = true
  await log.flush()
  await log.flush()

  expect(state.checkpoints).toBe(1)
  await log.close()
})
