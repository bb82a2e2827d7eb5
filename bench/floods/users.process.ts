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
import { createHttpClient, type HttpClient, parseJson } from './http-client.ts'

export type Operation = 'sign in' | 'write' | 'send' | 'fetch'

export interface Observations {
  /** Milliseconds of each operation. */
  readonly times: Record<Operation, number[]>
  readonly errors: string[]
}

const userCount = 10
const roundMs = 1000
const maxWaitMs = 20_000
/** Each sign-in costs the server a slow password hash, so it runs in every fifth round only. */
const roundsBetweenSignIns = 5
const fileBytes = 256 * 1024

interface User {
  readonly account: FloodAccount
  readonly client: HttpClient
  readonly file: { readonly body: Buffer; readonly headers: Record<string, string> }
}

async function createUser(url: string, index: number): Promise<User> {
  const account = await createFloodAccount(url)
  const header = createFileHeader({ kind: 'personal', plainBytes: fileBytes })
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, header)
  const headers = {
    'x-file-name': await sealName({ name: 'notes.bin', mimeType: '', lastModified: 0 }, keys),
    'x-encrypted-file-key': await wrapFileKey({ fileKey, keys, root: account.accountKey, wrapType: 'account' }),
  }
  const client = createHttpClient(url, `127.2.0.${index + 1}`)
  return { account, client, file: { body: randomBytes(sealedBytes(header)), headers } }
}

/** One round of a user: signs in every few rounds, then sends a message, uploads a file and downloads it. */
async function runRound({ account, client, file }: User, round: number, observations: Observations): Promise<void> {
  const { email, credential, accessToken, accountKey, userId } = account
  async function measure<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result | null> {
    const startedAt = performance.now()
    try {
      const result = await work()
      observations.times[operation].push(performance.now() - startedAt)
      return result
    } catch (error) {
      observations.errors.push(`${operation}: ${String(error).slice(0, 200)}`)
      return null
    }
  }
  if (round % roundsBetweenSignIns === 0) {
    await measure('sign in', async () =>
      parseJson(await client.send('POST', accounts.login.path, { body: { email, password: credential } })),
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
    parseJson(
      await client.send('POST', messages.send.path, {
        accessToken,
        body: { encryptedMessage: sealed.encryptedContent, encryptedKey: sealed.encryptedKey },
      }),
    ),
  )
  const stored = await measure('send', async () =>
    parseJson<{ fileId: string }>(
      await client.send('POST', '/api/upload', { accessToken, headers: file.headers, body: file.body }),
    ),
  )
  if (!stored) return
  await measure('fetch', async () => {
    const answer = await client.send('GET', `/api/download/${stored.fileId}`, { accessToken })
    if (answer.status !== 200 || !answer.body.equals(file.body))
      throw new Error(`${answer.status}: the downloaded bytes differ`)
  })
}

/** Observes the users for this time. One that waits for a response long after it counts as an error. */
async function observe(users: readonly User[], seconds: number): Promise<Observations> {
  const observations: Observations = { times: { 'sign in': [], write: [], send: [], fetch: [] }, errors: [] }
  const endsAt = performance.now() + seconds * 1000
  const unfinished = new Set(users)
  const allFinished = Promise.all(
    users.map(async (user, number) => {
      await pause((number * roundMs) / users.length)
      for (let round = number; performance.now() < endsAt; round += 1) {
        const startedAt = performance.now()
        await runRound(user, round, observations)
        await pause(Math.max(0, roundMs - (performance.now() - startedAt)))
      }
      unfinished.delete(user)
    }),
  )
  await Promise.race([allFinished, pause(seconds * 1000 + maxWaitMs)])
  for (const _ of unfinished) observations.errors.push(`no response ${maxWaitMs / 1000} s after the end`)
  return observations
}

/** Responds to each message `{ seconds }` with the observations of 10 users over that time; the first message is `{ url }`. */
let group: readonly User[] = []
process.on('message', async (message: { url: string } | { seconds: number }) => {
  if ('url' in message) {
    group = await Promise.all(Array.from({ length: userCount }, (_, number) => createUser(message.url, number)))
    process.send?.('ready')
  } else {
    process.send?.(await observe(group, message.seconds))
  }
})
