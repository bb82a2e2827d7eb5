import { expect } from 'vitest'
import { onBothDatabases } from '../../testing/engines/databases.ts'
import { acquireInstanceLock } from './instance-lock.ts'

onBothDatabases('a database has one lock, which can be acquired again once it is released', async (stage) => {
  const options = { ...stage, log: { error: () => undefined }, waitMs: 200 }
  const lock = await acquireInstanceLock(options)

  await expect(acquireInstanceLock(options)).rejects.toThrow(/^Another server uses the da/)
  await lock.release()

  const next = await acquireInstanceLock(options)
  await next.release()
})
