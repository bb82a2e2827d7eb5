import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { chatLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { createSealedMessage } from '../../testing/clients/sealed-message.ts'
import { onBothDatabases } from '../../testing/engines/databases.ts'
import { startChatServer } from '../../testing/servers/chat-server.ts'

const minute = 60_000

onBothDatabases(
  'CHT-01 a message is stored as it was sealed, for as long as the files of the account',
  async (stage) => {
    const server = await startChatServer(stage)
    const ann = await server.createMember()
    await server.setExpiration(ann, 15)
    const sealed = await createSealedMessage({ contextId: ann.userId })

    const sent = await server.post(ann, sealed)

    const message = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      encryptedContent: sealed.encryptedMessage,
      encryptedKey: sealed.encryptedKey,
      createdAt: stage.now(),
      expiresAt: stage.now() + 15 * minute,
    }
    expect([sent.statusCode, sent.json()]).toEqual([200, { success: true, ...message }])
    expect(await server.list(ann)).toEqual([message])
    const { id, createdAt } = sent.json()
    expect(server.events).toEqual([{ userId: ann.userId, event: { type: 'message.inserted', id, createdAt } }])
  },
)

onBothDatabases('CHT-01 only messages sealed for this account are accepted', async (stage) => {
  const server = await startChatServer(stage)
  const [ann, bob] = [await server.createMember(), await server.createMember()]
  const sealed = await createSealedMessage({ contextId: ann.userId })
  const { encryptedMessage, encryptedKey } = sealed
  const foreign = await createSealedMessage({ contextId: bob.userId })
  const forSession = await createSealedMessage({ contextId: ann.userId, kind: 'session' })
  const notSealed = [
    { encryptedMessage: 'The gate code is 4471', encryptedKey },
    { encryptedMessage: `${encryptedMessage}=`, encryptedKey },
    { encryptedMessage: encryptedMessage.slice(0, -4), encryptedKey },
    { encryptedMessage: randomBytes(28).toString('base64url'), encryptedKey },
    { encryptedMessage: randomBytes(28 + 63).toString('base64url'), encryptedKey },
    { encryptedMessage, encryptedKey: 'a key' },
    { encryptedMessage, encryptedKey: encryptedKey.slice(0, -4) },
    { encryptedMessage, encryptedKey: encryptedKey.replace(/^..../, 'AAAA') },
  ]

  for (const body of notSealed) {
    const refused = await server.post(ann, body)
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'SEALED_MESSAGE_REQUIRED'])
  }
  for (const body of [foreign, forSession]) {
    const refused = await server.post(ann, body)
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'ENVELOPE_KIND'])
  }
  for (const body of [{}, { encryptedMessage }, { ...sealed, encryptedKey: '' }, { ...sealed, encryptedKey: 7 }]) {
    const refused = await server.post(ann, body)
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'BAD_REQUEST'])
  }
  expect(await server.list(ann)).toEqual([])
  expect(server.events).toEqual([])
})

onBothDatabases('CHT-01 a server that is not strict accepts the message format of other clients', async (stage) => {
  const server = await startChatServer(stage, { strict: false })
  const ann = await server.createMember()

  const sent = await server.post(ann, { encryptedMessage: 'c2VhbGVk+/==', encryptedKey: 'a2V5+/==' })
  const tooLongKey = await server.post(ann, { encryptedMessage: 'c2VhbGVk', encryptedKey: 'k'.repeat(9000) })

  expect(sent.statusCode).toBe(200)
  expect(await server.list(ann)).toMatchObject([{ encryptedContent: 'c2VhbGVk+/==', encryptedKey: 'a2V5+/==' }])
  expect(tooLongKey.statusCode).toBe(400)
})

onBothDatabases('64 KB of text is accepted, and a text that exceeds its padding gets 413', async (stage) => {
  const server = await startChatServer(stage)
  const ann = await server.createMember()
  const contextId = ann.userId
  const longest = await createSealedMessage({ contextId, text: 'x'.repeat(chatLimits.textBytes) })
  const tooLong = await createSealedMessage({ contextId, text: 'x'.repeat(chatLimits.textBytes + 64) })

  const accepted = await server.post(ann, longest)
  const refused = await server.post(ann, tooLong)

  expect(accepted.statusCode).toBe(200)
  expect([refused.statusCode, refused.json().code]).toEqual([413, 'MESSAGE_TOO_LONG'])
})

onBothDatabases('the same message is stored once, and reusing its key for another one gets 409', async (stage) => {
  const server = await startChatServer(stage)
  const ann = await server.createMember()
  const sealed = await createSealedMessage({ contextId: ann.userId })
  const other = await createSealedMessage({ contextId: ann.userId, text: 'another text' })

  const first = await server.post(ann, sealed)
  stage.advance(1000)
  const repeated = await server.post(ann, sealed)
  const reused = await server.post(ann, { ...other, encryptedKey: sealed.encryptedKey })

  expect(repeated.json()).toEqual(first.json())
  expect([reused.statusCode, reused.json().code]).toEqual([409, 'CONFLICT'])
  expect(await server.list(ann)).toHaveLength(1)
  expect(server.events).toHaveLength(1)
})

onBothDatabases(
  'T148 CHT-01 a message is listed until the millisecond it expires, and deleted from the database afterwards',
  async (stage) => {
    const server = await startChatServer(stage)
    const ann = await server.createMember()
    await server.setExpiration(ann, 1)
    const short = await server.send(ann)
    await server.setExpiration(ann, 5)
    const long = await server.send(ann)
    const rows = async () => (await stage.db.selectFrom('messages').select('id').execute()).map(({ id }) => id)
    const signal = new AbortController().signal

    stage.advance(short.expiresAt - stage.now() - 1)
    await server.sweeper.run(signal)
    expect((await server.list(ann)).length).toBe(2)
    expect(await rows()).toHaveLength(2)

    stage.advance(1)
    expect((await server.list(ann)).map(({ id }: { id: string }) => id)).toEqual([long.id])
    const late = await server.remove(`/api/messages/${short.id}`, ann.bearer)
    expect([late.statusCode, late.json().code]).toEqual([404, 'MESSAGE_NOT_FOUND'])

    await server.sweeper.run(signal)
    expect(await rows()).toEqual([long.id])
    expect(server.events.at(-1)).toEqual({ userId: ann.userId, event: { type: 'message.deleted', id: short.id } })
    expect(server.sweeper.everyMs).toBeLessThanOrEqual(5000)
  },
)

onBothDatabases(
  'CHT-01 the list pages by time and misses no message, even of those sent at the same moment',
  async (stage) => {
    const server = await startChatServer(stage)
    const ann = await server.createMember()

    const sent = await Promise.all([1, 2, 3, 4, 5].map(() => server.send(ann)))

    const times = sent.map(({ createdAt }) => createdAt).sort()
    const listed = await server.list(ann)
    expect(new Set(times).size).toBe(5)
    expect(listed.map(({ createdAt }: { createdAt: number }) => createdAt)).toEqual(times)
    expect(await server.list(ann, `?after=${times[2]}`)).toEqual(listed.slice(3))
    expect(await server.list(ann, `?after=${times[4]}`)).toEqual([])
    expect((await server.get('/api/messages?after=yesterday', ann.bearer)).statusCode).toBe(400)
  },
)

onBothDatabases('T098 CHT-01 an account can neither read nor delete the messages of another', async (stage) => {
  const server = await startChatServer(stage)
  const [ann, bob] = [await server.createMember(), await server.createMember()]
  const { id } = await server.send(ann)

  const foreign = await server.remove(`/api/messages/${id}`, bob.bearer)
  const missing = await server.remove('/api/messages/01a1fd00-0000-7000-8000-000000000000', bob.bearer)
  const all = await server.remove('/api/messages', bob.bearer)

  expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'MESSAGE_NOT_FOUND'])
  expect(foreign.body).toBe(missing.body)
  expect(all.json()).toEqual({ success: true, deleted: 0 })
  expect(await server.list(bob)).toEqual([])
  expect(await server.list(ann)).toHaveLength(1)
})

onBothDatabases('CHT-01 deleting one message and then all of them notifies every open page', async (stage) => {
  const server = await startChatServer(stage)
  const ann = await server.createMember()
  const [first, second, third] = [await server.send(ann), await server.send(ann), await server.send(ann)]

  const one = await server.remove(`/api/messages/${second.id}`, ann.bearer)
  const repeated = await server.remove(`/api/messages/${second.id}`, ann.bearer)
  expect([one.json(), repeated.statusCode]).toEqual([{ success: true }, 404])
  expect(await server.list(ann)).toMatchObject([{ id: first.id }, { id: third.id }])

  const all = await server.remove('/api/messages', ann.bearer)
  expect(all.json()).toEqual({ success: true, deleted: 2 })
  expect(await server.list(ann)).toEqual([])
  const deleted = server.events.flatMap(({ event }) => (event.type === 'message.deleted' ? [event.id] : []))
  expect(deleted.sort()).toEqual([first.id, second.id, third.id].sort())
})

onBothDatabases(
  '20 messages are accepted at once and then 5 a second; other accounts are unaffected',
  async (stage) => {
    const server = await startChatServer(stage)
    const [ann, bob] = [await server.createMember(), await server.createMember()]
    const sealed = await createSealedMessage({ contextId: ann.userId })
    const burst = async (count: number) => {
      const answers = []
      for (let sent = 0; sent < count; sent += 1) answers.push(await server.post(ann, sealed))
      return answers
    }

    const [refused] = (await burst(21)).filter(({ statusCode }) => statusCode !== 200)

    expect([refused?.statusCode, refused?.json().code, refused?.headers['retry-after']]).toEqual([
      429,
      'RATE_LIMITED',
      '4',
    ])
    expect((await server.send(bob)).success).toBe(true)
    stage.advance(4000)
    expect((await burst(21)).filter(({ statusCode }) => statusCode === 200)).toHaveLength(20)
  },
)

onBothDatabases('an account stores at most 500 messages, and deleting one allows another', async (stage) => {
  const server = await startChatServer(stage)
  const ann = await server.createMember()
  const { id, expiresAt } = await server.send(ann)
  const row = await stage.db.selectFrom('messages').selectAll().executeTakeFirstOrThrow()
  const copies = Array.from({ length: 499 }, (_, copy) => ({
    ...row,
    id: randomUUIDv7(),
    wrapped_key: `key ${copy}`,
    created_at: row.created_at - 1 - copy,
  }))
  await stage.db.insertInto('messages').values(copies.slice(0, 498)).execute()
  expect((await server.send(ann)).success).toBe(true)

  const refused = await server.post(ann, await createSealedMessage({ contextId: ann.userId }))
  expect([refused.statusCode, refused.json()]).toEqual([
    413,
    { success: false, code: 'TOO_MANY_MESSAGES', error: 'There are too many messages. Delete some first.' },
  ])
  expect(await server.list(ann)).toHaveLength(chatLimits.livePerAccount)

  await server.remove(`/api/messages/${id}`, ann.bearer)
  expect((await server.send(ann)).success).toBe(true)
  stage.advance(expiresAt - stage.now())
  expect((await server.send(ann)).success).toBe(true)
})

onBothDatabases('T096 messages require a token', async (stage) => {
  const { get, app, remove } = await startChatServer(stage)

  const answers = [
    await get('/api/messages'),
    await app.inject({ method: 'POST', url: '/api/messages', payload: {} }),
    await remove('/api/messages/01a1fd00-0000-7000-8000-000000000000'),
    await remove('/api/messages'),
  ]

  for (const answer of answers) expect([answer.statusCode, answer.json().code]).toEqual([401, 'NO_TOKEN'])
})

onBothDatabases('deleting an account deletes its messages', async (stage) => {
  const server = await startChatServer(stage)
  const ann = await server.createMember()
  await server.send(ann)

  await stage.db.deleteFrom('users').where('id', '=', ann.userId).execute()

  expect(await stage.db.selectFrom('messages').select('id').execute()).toEqual([])
})
