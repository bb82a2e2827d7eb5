import { dayOf } from '@sallyport/contract/days'
import { failedAttemptLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { onBothDatabases, type Stage } from '../../testing/engines/databases.ts'
import { addressBlock } from '../http/address.ts'
import { createFailedAttemptsStore } from './failed-attempts.store.ts'
import { createFailedAttempts } from './failed-attempts.ts'

const day = 24 * 3_600_000

onBothDatabases('ADM-07 attempts of one network are one row, and two nodes add to it', async (stage) => {
  const { attempts, rows } = start(stage)
  const { attempts: other } = start(stage)
  for (const address of ['203.0.113.7', '203.0.113.8', '203.0.113.9']) attempts.count('wrong_pins', address)
  for (let subnet = 0; subnet < 4; subnet += 1) attempts.count('wrong_codes', `2001:db8:1:${subnet}::/64`)
  other.count('wrong_pins', '203.0.113.1')
  attempts.count('failed_sign_ins', '10.1.2.3')
  attempts.count('failed_sign_ins', addressBlock('::1'))

  await Promise.all([attempts.flush(), other.flush()])

  const today = { day: dayOf(stage.now()), failed_sign_ins: 0, refused_sign_ins: 0, wrong_codes: 0, wrong_pins: 0 }
  expect(await rows()).toEqual(
    [
      { ...today, network: attempts.networkOf('2001:db8:1:ffff::/64'), wrong_codes: 4 },
      { ...today, network: attempts.networkOf('203.0.113.255'), wrong_pins: 4 },
      { ...today, network: 'local', failed_sign_ins: 2 },
    ].toSorted(byNetwork),
  )
  expect(start(stage, 2).attempts.networkOf('203.0.113.7')).not.toBe(attempts.networkOf('203.0.113.7'))
})

onBothDatabases('ADM-07 networks beyond the number of a day are counted together', async (stage) => {
  const { attempts, rows } = start(stage)
  const { networksPerDay } = failedAttemptLimits
  const fromNetwork = (index: number) => attempts.count('failed_sign_ins', `8.${index >> 8}.${index & 255}.1`)
  for (let index = 0; index < networksPerDay + 100; index += 1) fromNetwork(index)
  fromNetwork(0)
  await attempts.flush()

  const stored = await rows()
  expect(stored).toHaveLength(networksPerDay + 1)
  expect(stored.find(({ network }) => network === 'other')?.failed_sign_ins).toBe(100)
  stage.advance(day)
  fromNetwork(networksPerDay + 1)
  await attempts.flush()
  expect((await rows()).filter(({ day }) => day === dayOf(stage.now()))).toHaveLength(1)
  stage.advance(failedAttemptLimits.retentionDays * day)
  await attempts.cleanupJob.run(new AbortController().signal)
  expect(await rows()).toHaveLength(1)
})

onBothDatabases('ADM-07 attempts that cannot be stored are stored later, none twice', async (stage) => {
  const { attempts, rows, errors } = start(stage)
  await stage.db.schema.alterTable('failed_attempts').renameTo('away').execute()
  attempts.count('wrong_pins', '203.0.113.7')
  await attempts.flush()
  attempts.count('wrong_pins', '203.0.113.7')
  expect(errors).toHaveLength(1)
  await stage.db.schema.alterTable('away').renameTo('failed_attempts').execute()

  await attempts.close()

  expect(await rows()).toMatchObject([{ wrong_pins: 2 }])
})

const byNetwork = (one: { readonly network: string }, other: { readonly network: string }): number =>
  one.network < other.network ? -1 : 1

function start({ db, now }: Stage, secret = 1) {
  const errors: Error[] = []
  const attempts = createFailedAttempts({
    store: createFailedAttemptsStore(db),
    secret: Buffer.alloc(32, secret),
    now,
    onError: (error) => void errors.push(error),
  })
  const rows = async () =>
    (await db.selectFrom('failed_attempts').selectAll().execute())
      .map((row) => ({ ...row, failed_sign_ins: Number(row.failed_sign_ins) }))
      .toSorted(byNetwork)
  return { attempts, errors, rows }
}
