import { chatLimits, sessionLimits } from '@sallyport/contract/limits'
import { createSenderId, sealMessage, sealSessionMessage, sealSessionName } from '@sallyport/crypto'
import { expect } from 'vitest'
import { createSealedMessage } from '../../testing/clients/sealed-message.ts'
import { onSessionServerWithBothDatabases } from '../../testing/servers/session-server.ts'

const root = new Uint8Array(32).fill(7)

async function sealText(sessionId: string, text = 'gate code') {
  const sealed = await sealMessage({ root, kind: 'session', contextId: sessionId, text, sentAt: 1 })
  return { message_text: sealed.encryptedContent, encrypted_key: sealed.encryptedKey }
}

async function sealName(sessionId: string) {
  const { message_text, encrypted_key } = await sealText(sessionId, 'Mara')
  return `${encrypted_key}.${message_text}`
}

onSessionServerWithBothDatabases(
  'SES-06 every participant reads a message with the name that its sender gave it',
  async (server) => {
    const { createSession, joinAsGuest, post, get } = server
    const { id, pin, token, session } = await createSession()
    const guest = await joinAsGuest(pin)
    const byPinAlone = await joinAsGuest(pin)
    const sealed = await sealText(id)
    const name = await sealName(id)

    const sent = (
      await post(`/api/sessions/${id}/messages`, { ...sealed, participant_name: name }, { token: guest.token })
    ).json()
    await server.send(id, { pin })
    const { messages } = (await get(`/api/sessions/${id}/messages`, { token })).json()
    const later = (await get(`/api/sessions/${id}/messages?session_pin=${pin}&after=${sent.message.created_at}`)).json()

    expect(messages).toEqual([
      {
        id: sent.message.id,
        content: sealed.message_text,
        encrypted_key: sealed.encrypted_key,
        participant_name: name,
        participant_id: guest.id,
        created_at: sent.message.created_at,
        expires_at: session.expires_at,
      },
      expect.objectContaining({ participant_name: 'Anonymous', participant_id: byPinAlone.id }),
    ])
    expect(later.messages).toEqual([messages[1]])
  },
)

onSessionServerWithBothDatabases(
  'each message of a session has a later time than the one before, and the same message is stored once',
  async (server) => {
    const { createSession, post, get } = server
    const { id, token } = await createSession()
    const sealed = await Promise.all(Array.from({ length: 15 }, () => sealText(id)))
    const send = (body: object) => post(`/api/sessions/${id}/messages`, body, { token })

    const sent = await Promise.all(sealed.map(send))
    const repeated = await send(sealed[3] ?? {})
    const other = await send({ ...sealed[3], message_text: sealed[4]?.message_text ?? '' })
    const { messages } = (await get(`/api/sessions/${id}/messages`, { token })).json()
    const times = messages.map((one: { created_at: number }) => one.created_at)

    expect(sent.every(({ statusCode }) => statusCode === 200)).toBe(true)
    expect(repeated.json()).toEqual(sent[3]?.json())
    expect([other.statusCode, other.json().code]).toEqual([409, 'CONFLICT'])
    expect(messages).toHaveLength(15)
    expect(new Set(times).size).toBe(15)
    expect(times).toEqual(times.toSorted())
  },
)

onSessionServerWithBothDatabases(
  'T022 a message with its sender is accepted up to the full length, and a sealed name is no message',
  async (server) => {
    const { createSession, post } = server
    const { id: sessionId, token } = await createSession()
    const sender = { root, sessionId, senderId: createSenderId(), senderName: 'ö'.repeat(128), sentAt: 1 }
    const send = async ({ encryptedKey, encryptedContent }: { encryptedKey: string; encryptedContent: string }) => {
      const body = { message_text: encryptedContent, encrypted_key: encryptedKey }
      const answer = await post(`/api/sessions/${sessionId}/messages`, body, { token })
      return [answer.statusCode, answer.json().code]
    }
    const sealOfLength = (bytes: number) => sealSessionMessage({ ...sender, text: 'x'.repeat(bytes) })
    const name = await sealSessionName({ ...sender, participantId: sessionId })
    const [encryptedKey = '', encryptedContent = ''] = name.split('.')

    expect(await send(await sealOfLength(chatLimits.textBytes))).toEqual([200, undefined])
    expect(await send(await sealOfLength(chatLimits.textBytes + 64))).toEqual([413, 'MESSAGE_TOO_LONG'])
    expect(await send({ encryptedKey, encryptedContent })).toEqual([expect.any(Number), 'ENVELOPE_KIND'])
  },
)

onSessionServerWithBothDatabases(
  'T022 only messages and names sealed for this session are accepted',
  async (server) => {
    const { createSession, joinAsGuest, post, put } = server
    const [here, there] = [await createSession(), await createSession()]
    const guest = await joinAsGuest(here.pin)
    const code = async (body: object) =>
      (await post(`/api/sessions/${here.id}/messages`, body, { token: here.token })).json().code
    const sealed = await sealText(here.id)
    const personal = await createSealedMessage({ contextId: here.id })
    const rename = async (participant_name: string | null) =>
      (await put(`/api/sessions/${here.id}/participant`, { participant_name }, { token: guest.token })).statusCode

    expect(await code({ ...sealed, message_text: 'The gate code is 4471' })).toBe('SEALED_MESSAGE_REQUIRED')
    expect(await code({ ...sealed, participant_name: 'Mara' })).toBe('SEALED_MESSAGE_REQUIRED')
    expect(await code(await sealText(there.id))).toBe('ENVELOPE_KIND')
    expect(await code({ message_text: personal.encryptedMessage, encrypted_key: personal.encryptedKey })).toBe(
      'ENVELOPE_KIND',
    )
    expect(await code({ ...sealed, message_text: 'A'.repeat(chatLimits.textBytes * 2) })).toBe('MESSAGE_TOO_LONG')
    expect([await rename('Mara'), await rename(await sealName(here.id)), await rename(null)]).toEqual([400, 200, 200])
  },
)

onSessionServerWithBothDatabases(
  'other participants see the name that a participant sealed for them',
  async (server) => {
    const { createSession, joinAsGuest, put, get } = server
    const { id, pin, token } = await createSession()
    const guest = await joinAsGuest(pin)
    const name = await sealName(id)

    await put(`/api/sessions/${id}/participant`, { participant_name: name }, { token: guest.token })
    const { participants } = (await get(`/api/sessions/${id}`, { token })).json().session
    const byPin = await put(`/api/sessions/${id}/participant`, { participant_name: name }, { pin })

    expect(participants.map((one: { participant_name: string }) => one.participant_name)).toEqual(['Anonymous', name])
    expect(byPin.statusCode, 'a participant that has used its token is not identified by the PIN').toBe(404)
  },
)

onSessionServerWithBothDatabases(
  'a participant who floods a session is rate limited, and the others are not',
  async (server) => {
    const { createSession, joinAsGuest, send, advance, db } = server
    const { id, pin, token } = await createSession()
    const guest = await joinAsGuest(pin)
    const codes = []
    for (let count = 0; count < 21; count += 1) codes.push((await send(id, { token: guest.token })).statusCode)

    const other = await send(id, { token })
    advance(4_000)
    const later = await send(id, { token: guest.token })
    await db.updateTable('sessions').set({ message_count: sessionLimits.liveMessages }).where('id', '=', id).execute()
    const full = await send(id, { token })

    expect(codes.filter((code) => code === 200)).toHaveLength(20)
    expect([codes.at(-1), other.statusCode, later.statusCode]).toEqual([429, 200, 200])
    expect([full.statusCode, full.json().code]).toEqual([413, 'TOO_MANY_MESSAGES'])
  },
)

onSessionServerWithBothDatabases(
  'admission messages between participants are forwarded without reading and deleted soon',
  async (server) => {
    const { createSession, joinAsGuest, post, get, advance, closeEnded, db } = server
    const { id, pin, token } = await createSession()
    const guest = await joinAsGuest(pin)
    const sendAdmission = (body: string, show: object = { token: guest.token }) =>
      post(`/api/sessions/${id}/admit`, { body }, show)

    const first = (await sendAdmission('knock.AAAA')).json()
    const second = (await sendAdmission('offer.BBBB', { token })).json()
    const since = (await get(`/api/sessions/${id}/admit?since=${first.seq}`, { token: guest.token })).json()
    const byPin = await sendAdmission('knock.CCCC', { pin })
    const malformed = await sendAdmission('<script>')
    advance(sessionLimits.admissionMs - 1)
    await post(`/api/sessions/${id}/heartbeat`, {}, { token })
    advance(1)
    await closeEnded()

    expect([first.seq, second.seq]).toEqual([1, 2])
    expect(since.admissions).toMatchObject([{ seq: 2, body: 'offer.BBBB' }])
    expect([byPin.statusCode, malformed.statusCode]).toEqual([404, 400])
    expect(await db.selectFrom('session_admissions').selectAll().execute()).toEqual([])
  },
)
