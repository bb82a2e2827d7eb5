import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { deletionLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import type { FailpointName } from '../../../platform/storage/failpoints.ts'
import { openVolumes } from '../../../platform/storage/volumes.ts'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { createSealedMessage } from '../../../testing/clients/sealed-message.ts'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { randomCredential, randomEmail } from '../../../testing/servers/account-server.ts'
import { chunkHeaders, randomUploadId, storedObjects } from '../../../testing/servers/file-server.ts'
import { startServerProcess } from '../../../testing/servers/server-process.ts'
import { tablesWith } from '../../../testing/tables-with.ts'
import { createOrphanSweep } from '../../files/cleanup/orphan-sweep.ts'
import { createSweepStore } from '../../files/cleanup/sweep.store.ts'

const hour = 3_600_000

/** After each of them everything before is done, and nothing after. */
const failpoints: readonly FailpointName[] = [
  'after-deletion-begin',
  'after-deletion-sign-ins',
  'after-deletion-organization',
  'after-deletion-subscription',
  'after-deletion-rows',
  'after-deletion-files',
  'after-deletion-account',
]

for (const failpoint of failpoints)
  onBothDatabases(`ADM-04 T232 a deletion continues after a server that was killed ${failpoint}`, async (stage) => {
    const { admin, owner, member } = await setUp(stage)
    const killed = await start(stage, failpoint)

    await expect(deleteUser(killed.url, admin, owner)).rejects.toThrow()

    expect(await signIn(killed.url, owner).catch(() => 'no answer')).toBe('no answer')
    await stage.db
      .updateTable('user_deletions')
      .set({ due_at: Date.now() + hour })
      .execute()
    const server = await start(stage)
    if (failpoint !== 'after-deletion-account') {
      expect(await statusOf(server.url, owner)).toBe(401)
      expect(await signIn(server.url, owner)).not.toBe(200)
      expect(await register(server.url, owner.email)).not.toBe(200)
      // As after the lease of the killed server.
      await stage.db.updateTable('user_deletions').set({ due_at: 0 }).execute()
    }
    await expect.poll(() => tablesWith(stage.db, owner.userId)).toEqual(['admin_audit'])

    if (failpoint === 'after-deletion-rows') await removeOrphans(stage)
    expect(storedObjects(bytesOf(stage))).toEqual([])
    const audit = await stage.db.selectFrom('admin_audit').select(['action', 'outcome']).execute()
    expect(audit).toEqual([{ action: 'user.delete', outcome: 'done' }])
    const plans = await stage.db.selectFrom('test_subscriptions').select('ends_at').execute()
    expect(plans).toEqual([{ ends_at: expect.any(Number) }])
    expect(await stage.db.selectFrom('organizations').select('id').execute()).toEqual([])
    expect(await statusOf(server.url, member)).toBe(200)
    expect(await signIn(server.url, owner)).not.toBe(200)
    expect(await register(server.url, owner.email)).toBe(200)
  })

onBothDatabases('ADM-04 T232 another start waits for the lease of a killed server, and no longer', async (stage) => {
  const { admin, owner } = await setUp(stage)
  const killed = await start(stage, 'after-deletion-organization')
  await expect(deleteUser(killed.url, admin, owner)).rejects.toThrow()
  const killedAt = Date.now()

  await start(stage)
  await expect.poll(() => tablesWith(stage.db, owner.userId)).toEqual(['admin_audit'])

  expect(Date.now() - killedAt).toBeGreaterThan(deletionLimits.leaseMs - 1000)
  expect(storedObjects(bytesOf(stage))).toEqual([])
})

interface Member {
  readonly email: string
  readonly password: string
  readonly userId: string
  readonly accessToken: string
}

const bytesOf = ({ folder }: Stage): string => join(folder, 'bytes')

const start = ({ folder, databaseUrl }: Stage, failpoint?: FailpointName) =>
  startServerProcess({
    DATA_DIR: folder,
    VOLUMES: join(folder, 'bytes'),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...(failpoint !== undefined && { SALLYPORT_FAILPOINT: failpoint }),
  })

/** An admin, and an owner with a team, a plan, a shared file, an upload in progress, a message and a session. */
async function setUp(stage: Stage) {
  const server = await start(stage)
  const { url } = server
  const [admin, owner, member] = [await createMember(url), await createMember(url), await createMember(url)]
  await stage.db.insertInto('admins').values({ user_id: admin.userId, since: 0 }).execute()
  await buySeats(url, owner)
  const organization = await stage.db.selectFrom('organizations').select('id').executeTakeFirstOrThrow()
  const membership = { user_id: member.userId, organization_id: organization.id, role: 'member', joined_at: 0 }
  await stage.db.insertInto('organization_members').values(membership).execute()
  await store(url, owner)
  await send(url, '/api/messages', await createSealedMessage({ contextId: owner.userId }), owner)
  await send(url, '/api/sessions', { session_pin: '739251' }, owner)
  expect(storedObjects(bytesOf(stage)).length).toBeGreaterThan(1)
  await server.stop()
  return { admin, owner, member }
}

async function createMember(url: string): Promise<Member> {
  const credentials = { email: randomEmail(), password: randomCredential() }
  await send(url, '/api/register', credentials)
  const { session, user } = await send(url, '/api/login', credentials)
  return { ...credentials, userId: String(user.id), accessToken: String(session.access_token) }
}

async function buySeats(url: string, owner: Member): Promise<void> {
  const order = {
    organization_name: 'Blue Whale',
    quantity: 5,
    customer_email: owner.email,
    user_id: owner.userId,
    success_url: '/',
    cancel_url: '/',
  }
  const { checkout_url } = await send(url, '/api/stripe/create-business-checkout', order, owner)
  await send(url, `/api/billing/test-checkouts/${checkout_url.split('/').at(-1)}/pay`, {})
}

/** Stores a shared file and the first of two chunks of another one. */
async function store(url: string, owner: Member): Promise<void> {
  const file = await sealFile({ plainBytes: 1000 })
  const headers = { ...bearer(owner), 'content-type': 'application/octet-stream' }
  const named = { ...headers, 'x-file-name': file.name, 'x-encrypted-file-key': file.envelope }
  const { id } = await post(`${url}/api/upload`, named, new Uint8Array(file.sealed))
  await send(url, `/api/file/${id}/share-zk`, { shareEncryptedFileKey: await file.wrap('share', file.rootKey) }, owner)
  const large = await sealFile({ plainBytes: 100_000 })
  const chunk = { ...headers, ...chunkHeaders(large, { uploadId: randomUploadId(), index: 0 }) }
  await post(`${url}/api/upload-chunk`, chunk, new Uint8Array(large.chunks[0] ?? []))
}

async function deleteUser(url: string, admin: Member, { userId, email }: Member): Promise<void> {
  await fetch(`${url}/api/admin/users/${userId}`, {
    method: 'DELETE',
    headers: { ...bearer(admin), 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
}

const bearer = ({ accessToken }: Pick<Member, 'accessToken'>) => ({ authorization: `Bearer ${accessToken}` })

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
type Answer = any

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<Answer> {
  const answer = await fetch(url, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

const send = (url: string, path: string, body: object, member?: Member) =>
  post(url + path, { 'content-type': 'application/json', ...(member && bearer(member)) }, JSON.stringify(body))

const statusOf = async (url: string, member: Member): Promise<number> =>
  (await fetch(`${url}/api/user-info`, { headers: bearer(member) })).status

async function signIn(url: string, { email, password }: Pick<Member, 'email' | 'password'>): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${url}/api/login`, { method: 'POST', headers, body: JSON.stringify({ email, password }) }))
    .status
}

/** Registers an address with a new password, and returns the status of signing in with it. */
async function register(url: string, email: string): Promise<number> {
  const credentials = { email, password: randomCredential() }
  await send(url, '/api/register', credentials)
  return signIn(url, credentials)
}

/** Removes bytes without a row as the server does once they are an hour old. */
async function removeOrphans(stage: Stage): Promise<void> {
  for (const path of storedObjects(bytesOf(stage))) {
    const object = join(bytesOf(stage), path, '..')
    if (existsSync(object)) utimesSync(object, 0, 0)
  }
  const volumes = await openVolumes({ folders: [bytesOf(stage)] })
  const log = { info: () => undefined, error: () => undefined }
  const sweep = createOrphanSweep({ store: createSweepStore(stage.db), volumes, log })
  for (const { signal } of [new AbortController(), new AbortController()]) await sweep.run(signal)
}
