import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { accounts } from '@sallyport/contract/accounts'
import { messages } from '@sallyport/contract/messages'
import {
  createFileHeader,
  createFileKey,
  deriveFileKeys,
  sealedBytes,
  sealMessage,
  sealName,
  wrapFileKey,
} from '@sallyport/crypto'
import { createFloodAccount, type FloodAccount } from './accounts.ts'
import { createHttpClient, type HttpClient, jsonOf } from './http-client.ts'

export type Operation = 'sign in' | 'write' | 'send' | 'fetch'

export interface Observed {
  /** Milliseconds of each operation. */
  readonly times: Record<Operation, number[]>
  readonly errors: string[]
}

const people = 10
const everyMs = 1000
/** Signing in is rarer than the rest, and costs the server a slow hash. */
const roundsBetweenSignIns = 5
const fileBytes = 256 * 1024

interface Person {
  readonly account: FloodAccount
  readonly client: HttpClient
  readonly file: { readonly body: Buffer; readonly headers: Record<string, string> }
}

async function createPerson(url: string, number: number): Promise<Person> {
  const account = await createFloodAccount(url)
  const header = createFileHeader({ kind: 'personal', plainBytes: fileBytes })
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, header)
  const headers = {
    'x-file-name': await sealName({ name: 'notes.bin', mimeType: '', lastModified: 0 }, keys),
    'x-encrypted-file-key': await wrapFileKey({ fileKey, keys, root: account.accountKey, wrapType: 'account' }),
  }
  const client = createHttpClient(url, `127.2.0.${number + 1}`)
  return { account, client, file: { body: randomBytes(sealedBytes(header)), headers } }
}

/** One round of a person: now and then signs in, then writes a message, sends a file and fetches it again. */
async function runRound({ account, client, file }: Person, round: number, observed: Observed): Promise<void> {
  const { email, credential, accessToken, accountKey, userId } = account
  async function measure<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result | null> {
    const startedAt = performance.now()
    try {
      const result = await work()
      observed.times[operation].push(performance.now() - startedAt)
      return result
    } catch (error) {
      observed.errors.push(`${operation}: ${String(error).slice(0, 200)}`)
      return null
    }
  }
  if (round % roundsBetweenSignIns === 0) {
    await measure('sign in', async () =>
      jsonOf(await client.send('POST', accounts.login.path, { body: { email, password: credential } })),
    )
  }
  const sealed = await sealMessage({
    root: accountKey,
    kind: 'personal',
    contextId: userId,
    text: `Round ${round}`,
    sentAt: Date.now(),
  })
  await measure('write', async () =>
    jsonOf(
      await client.send('POST', messages.send.path, {
        accessToken,
        body: { encryptedMessage: sealed.encryptedContent, encryptedKey: sealed.encryptedKey },
      }),
    ),
  )
  const stored = await measure('send', async () =>
    jsonOf<{ fileId: string }>(
      await client.send('POST', '/api/upload', { accessToken, headers: file.headers, body: file.body }),
    ),
  )
  if (!stored) return
  await measure('fetch', async () => {
    const answer = await client.send('GET', `/api/download/${stored.fileId}`, { accessToken })
    if (answer.status !== 200 || !answer.body.equals(file.body)) throw new Error(`${answer.status}: other bytes`)
  })
}

async function observe(group: readonly Person[], seconds: number): Promise<Observed> {
  const observed: Observed = { times: { 'sign in': [], write: [], send: [], fetch: [] }, errors: [] }
  const endsAt = performance.now() + seconds * 1000
  await Promise.all(
    group.map(async (person, number) => {
      await pause((number * everyMs) / group.length)
      for (let round = number; performance.now() < endsAt; round += 1) {
        const startedAt = performance.now()
        await runRound(person, round, observed)
        await pause(Math.max(0, everyMs - (performance.now() - startedAt)))
      }
    }),
  )
  return observed
}

/** Answers each message `{ seconds }` with what ten people observed for that long; the first message is `{ url }`. */
let group: readonly Person[] = []
process.on('message', async (message: { url: string } | { seconds: number }) => {
  if ('url' in message) {
    group = await Promise.all(Array.from({ length: people }, (_, number) => createPerson(message.url, number)))
    process.send?.('ready')
  } else {
    process.send?.(await observe(group, message.seconds))
  }
})
