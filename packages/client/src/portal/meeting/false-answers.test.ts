import { portalLimits } from '@sallyport/contract/limits'
import type { SignalSent } from '@sallyport/contract/portals'
import { randomBytes, toBase64url } from '@sallyport/crypto/portal'
import { expect, onTestFinished, test } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { type Answer, createSignallingServer, type ServerSide } from '../../testing/signalling-server.ts'
import { createPortal, type PortalParts, type PortalState } from '../portal.ts'
import { portalTexts } from '../texts.ts'
import { usualOptions } from './options.ts'
import { startProof } from './proof.ts'
import type { Invitation } from './room-code.ts'
import type { UnverifiedPeer } from './unverified.ts'

type Sent<Type extends SignalSent['type']> = Extract<SignalSent, { type: Type }>

interface Options {
  readonly answer: Answer
  /** Never answered without one. */
  readonly confirm?: (peer: UnverifiedPeer) => Promise<boolean>
}

function aDevice({ answer, confirm = () => new Promise(() => undefined) }: Options) {
  const server = createSignallingServer(answer)
  const asked: UnverifiedPeer[] = []
  const portal = createPortal({
    ...server.parts,
    clock: createManualClock(),
    deviceName: 'Laptop',
    openDirect: () => ({
      link: new Promise(() => undefined),
      hear: () => undefined,
      tryAgain: () => undefined,
      close: () => undefined,
    }),
    confirmUnverified: (peer: UnverifiedPeer) => {
      asked.push(peer)
      return confirm(peer)
    },
    sinkOf: () => {
      throw new Error('nothing is received')
    },
  } as unknown as PortalParts)
  const shown: PortalState[] = []
  portal.state.subscribe(() => shown.push(portal.state.current()))
  onTestFinished(() => portal.close())
  const sent = <Type extends SignalSent['type']>(type: Type) =>
    server.received.filter((message): message is Sent<Type> => message.type === type)
  return { portal, server, asked, shown, sent, state: () => portal.state.current() }
}

const created = (roomCode: string) => ({
  type: 'room-created',
  roomCode,
  peerId: 'creator',
  px: { v: 2, digits: roomCode.length, resume: 'r' },
})

/** Answers every request for a room, and then lets a device of the server's own arrive. */
const withArrival =
  (arrive: (server: ServerSide, room: Sent<'create-room'>) => void | Promise<void>, roomCode = '42'): Answer =>
  async (message, server) => {
    if (message.type !== 'create-room') return
    server.send(created(roomCode))
    await arrive(server, message)
  }

/** A device of the server's, which guesses the digits it was not given. */
const guessing = (): Answer => {
  const arrive = async (server: ServerSide, n: string) => {
    const guess = {
      role: 'joiner',
      mode: 'pin',
      pin: '420000',
      secret: new Uint8Array(0),
      n,
      origin: 'https://files.example',
      prefix: '42',
      deviceName: 'Phone',
    } as const
    const { message } = await startProof(guess)
    const px = { mode: 'pin', y: toBase64url(message.element), ad: toBase64url(message.associated) }
    server.send({ type: 'peer-joined', deviceName: 'Phone', peerId: 'p', px })
  }
  let n = ''
  return async (message, server) => {
    if (message.type === 'px-pake') server.send({ type: 'px-confirm', tag: toBase64url(randomBytes(32)) })
    if (message.type === 'create-room') {
      n = message.px?.n ?? ''
      server.send(created('42'))
      await arrive(server, n)
    }
    // The room goes on where a link opens it, and so does the guessing.
    if (message.type === 'px-fail' && message.stage === 'link-only') await arrive(server, n)
  }
}

const settled = async () => {
  for (let round = 0; round < 200; round += 1) await new Promise((resolve) => setImmediate(resolve))
}

const invitationOf = (state: PortalState) => state.invitation as Invitation

test.each(['42', '4217'])('T205 with the prefix %s the device draws four secret digits of its own', async (prefix) => {
  const pins = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { portal, state } = aDevice({ answer: withArrival(() => undefined, prefix) })
      portal.create()
      await expect.poll(() => state().mode).toBe('create')
      return invitationOf(state())
    }),
  )

  for (const { pin, linkDigits } of pins) {
    expect(pin).toMatch(new RegExp(`^${prefix}\\d{4}$`))
    expect(linkDigits).toMatch(new RegExp(`^${prefix}\\d{${6 - prefix.length}}$`))
  }
  expect(new Set(pins.map(({ pin }) => pin)).size).toBeGreaterThan(15)
  expect(pins.filter(({ pin, linkDigits }) => pin.startsWith(linkDigits)).length).toBeLessThan(10)
})

test.each(['427391', '42739', '427', '4', '', '04', '0421', '42173999', '4a', ' 42'])(
  'T205 a server that answers the prefix %j opens no portal, and no code is shown',
  async (prefix) => {
    const { portal, shown, state } = aDevice({ answer: withArrival(() => undefined, prefix) })

    portal.create()

    await expect.poll(() => state().trouble).not.toBe(null)
    expect([portalTexts.codeNotAccepted, portalTexts.answerNotAccepted]).toContain(state().trouble)
    expect(shown.filter(({ invitation }) => invitation !== null)).toEqual([])
  },
)

test('T205 after two wrong guesses no further code is drawn, however many devices a server lets arrive', async () => {
  const { portal, sent, shown, state } = aDevice({ answer: guessing() })

  portal.create()
  await expect.poll(() => state().isGuessed, { timeout: 10_000 }).toBe(true)
  await settled()

  expect(sent('create-room')).toHaveLength(portalLimits.wrongCodes)
  expect(sent('px-pake')).toHaveLength(portalLimits.wrongCodes)
  expect(new Set(shown.map((one) => invitationOf(one)?.pin).filter(Boolean)).size).toBe(portalLimits.wrongCodes)
  expect(state()).toMatchObject({ mode: 'create', invitation: null, isConnected: false })
})

test('T205 a person who asks for another code gets one, which has one guess', async () => {
  const { portal, sent, state } = aDevice({ answer: guessing() })
  portal.create()
  await expect.poll(() => state().isGuessed, { timeout: 10_000 }).toBe(true)

  portal.renewInvitation('code')

  await expect.poll(() => sent('create-room').length).toBe(portalLimits.wrongCodes + 1)
  await expect.poll(() => state().isGuessed, { timeout: 10_000 }).toBe(true)
  await settled()
  expect(sent('create-room')).toHaveLength(portalLimits.wrongCodes + 1)
})

test('T205 a person who asks for a link instead waits with the same one, whatever is guessed', async () => {
  const { portal, sent, state } = aDevice({ answer: guessing() })
  portal.create()
  await expect.poll(() => state().isGuessed, { timeout: 10_000 }).toBe(true)

  portal.renewInvitation('link')

  await expect.poll(() => sent('px-fail').filter(({ stage }) => stage === 'link-only').length).toBeGreaterThan(20)
  expect(sent('create-room').map(({ px }) => px?.linkOnly === true)).toEqual([false, false, true])
  expect(invitationOf(state()).isLinkOnly).toBe(true)
  expect(state()).toMatchObject({ isGuessed: false, isConnected: false, notice: portalTexts.typedRefused })
})

test('T205 an arrival without a proof in a verified room is refused, and nothing is asked or shown', async () => {
  const arrive = (server: ServerSide) => server.send({ type: 'peer-joined', deviceName: 'Your phone', peerId: 'p' })
  const { portal, asked, sent, shown, state } = aDevice({ answer: withArrival(arrive), confirm: async () => true })

  portal.create()

  await expect.poll(() => state().isGuessed).toBe(true)
  expect(sent('px-fail').map(({ stage }) => stage)).toEqual(['no-proof', 'no-proof'])
  expect(asked).toEqual([])
  expect(shown.filter(({ mode, peerName, isConnected }) => mode === 'connected' || peerName || isConnected)).toEqual([])
})

/** A device that gives the digits to the server, which passes them on. */
function legacyArrival(tailOf: (pin: string) => string) {
  const place: { server?: ServerSide } = {}
  const device = (confirm: (peer: UnverifiedPeer) => Promise<boolean>) => {
    const made = aDevice({
      answer: withArrival((server) => {
        place.server = server
      }),
      confirm,
    })
    const arrive = async () => {
      await expect.poll(() => made.state().invitation).not.toBe(null)
      const px = { classic: true, tail: tailOf(invitationOf(made.state()).pin) }
      place.server?.send({ type: 'peer-joined', deviceName: 'Old phone', peerId: 'p', px })
    }
    return { ...made, arrive, say: (message: object) => place.server?.send(message) }
  }
  return device
}

const right = (pin: string) => pin.slice(2)
const wrong = (pin: string) => pin.slice(2).replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))

test('T205 a legacy device with the right code is connected only after the person has allowed it', async () => {
  const answered = Promise.withResolvers<boolean>()
  const { portal, arrive, asked, say, sent, shown } = legacyArrival(right)(() => answered.promise)
  portal.create()
  await arrive()
  await expect.poll(() => asked.length).toBe(1)
  expect(asked[0]).toMatchObject({ role: 'creator', name: 'Old phone' })

  say({ type: 'webrtc-offer', data: { type: 'offer', sdp: 'v=0' } })
  say({ type: 'file-offer', fileName: 'a.exe', fileSize: 1, fileType: '', isEncrypted: true })
  await settled()
  expect(sent('px-admit')).toEqual([])
  expect(sent('px-ice')).toEqual([])
  expect(shown.filter(({ exchange, isConnected, peerName }) => exchange.offer || isConnected || peerName)).toEqual([])

  answered.resolve(true)
  await expect.poll(() => sent('px-admit')).toEqual([{ type: 'px-admit', peerId: 'p', ok: true }])
  await expect.poll(() => sent('px-ice').length).toBe(1)
})

test('T205 a declined legacy device is refused, and the code that the server knows by now is replaced', async () => {
  const { portal, arrive, sent, state } = legacyArrival(right)(async () => false)
  portal.create()
  await expect.poll(() => state().invitation).not.toBe(null)
  const { pin } = invitationOf(state())
  await arrive()

  await expect.poll(() => sent('px-admit')).toEqual([{ type: 'px-admit', peerId: 'p', ok: false }])
  await expect.poll(() => sent('create-room').length).toBe(2)
  await expect.poll(() => invitationOf(state()).pin).not.toBe(pin)
  expect(state().notice).toBe(portalTexts.declined)
})

test('T205 a legacy device that leaves before the answer takes the question with it, and its code is not used again', async () => {
  const confirm = ({ signal }: UnverifiedPeer) =>
    new Promise<boolean>((resolve) => signal.addEventListener('abort', () => resolve(false)))
  const { portal, arrive, asked, say, sent, state } = legacyArrival(right)(confirm)
  portal.create()
  await arrive()
  await expect.poll(() => asked.length).toBe(1)

  say({ type: 'peer-left' })

  await expect.poll(() => asked[0]?.signal.aborted).toBe(true)
  await expect.poll(() => sent('create-room').length).toBe(2)
  expect(sent('px-leave')).toHaveLength(1)
  expect(sent('px-admit')).toEqual([])
  expect(state().notice).toBe(portalTexts.leftUnanswered)
})

test('T205 a legacy device with a wrong code is refused without a question', async () => {
  const { portal, arrive, asked, sent } = legacyArrival(wrong)(async () => true)
  portal.create()
  await arrive()

  await expect.poll(() => sent('px-admit')).toEqual([{ type: 'px-admit', peerId: 'p', ok: false }])
  expect(asked).toEqual([])
})

test.each(['verifiedOnly', 'linkOnly', 'relayOnly'] as const)(
  'T205 a portal with the option %s refuses a legacy device with the right code without a question',
  async (option) => {
    const { portal, arrive, asked, sent } = legacyArrival(right)(async () => true)
    portal.create({ ...usualOptions, [option]: true })
    await arrive()

    await expect.poll(() => sent('px-admit')).toEqual([{ type: 'px-admit', peerId: 'p', ok: false }])
    expect(asked).toEqual([])
  },
)

const located =
  (result: object): Answer =>
  (message, server) => {
    if (message.type === 'px-locate') server.send({ type: 'px-located', ...result })
  }

test('a device that asked for too many codes reads how long to wait, and no join request is sent', async () => {
  const { portal, sent, state } = aDevice({ answer: located({ result: 'none', retryAfterSeconds: 540 }) })

  portal.join({ pin: '482913' })

  await expect.poll(() => state().trouble).toBe('Too many tries. Try again in 9 minutes.')
  expect(sent('join-room')).toEqual([])
})

test.each([
  ['482913', '48'],
  ['48291357', '4829'],
])('T205 of the typed code %s the server gets the prefix %s alone', async (pin, prefix) => {
  const n = toBase64url(randomBytes(16))
  const { portal, server, sent } = aDevice({ answer: located({ result: 'v2', n }) })

  portal.join({ pin })

  await expect.poll(() => sent('join-room').map(({ roomCode }) => roomCode)).toEqual([prefix])
  expect(sent('px-locate')).toEqual([{ type: 'px-locate', prefix }])
  expect(server.received.filter((message) => JSON.stringify(message).includes(pin.slice(-4)))).toEqual([])
})

test.each(['', '4829', '48291', '4829135', '482913571', '04829135', '48291a'])(
  'T205 of %j, which is no code, the server gets nothing',
  async (pin) => {
    const { portal, server, state } = aDevice({ answer: located({ result: 'classic' }) })
    portal.join({ pin })
    await expect.poll(() => state().trouble).toBe(portalTexts.cannotJoin)
    expect(server.received.filter(({ type }) => type !== 'px-leave')).toEqual([])
  },
)

test('T205 a server that calls the room of a typed code a legacy one gets its digits only if the person agrees', async () => {
  const answers: boolean[] = []
  const confirm = async () => answers.shift() ?? false
  const { portal, asked, sent, state } = aDevice({ answer: located({ result: 'classic' }), confirm })
  portal.join({ pin: '482913' })
  await expect.poll(() => state().trouble).toBe(portalTexts.cannotJoin)
  expect(asked).toMatchObject([{ role: 'joiner', name: '' }])
  expect(sent('join-room')).toEqual([])

  answers.push(true)
  portal.join({ pin: '482913' })
  await expect.poll(() => sent('join-room')).toMatchObject([{ roomCode: '482913' }])
})

test('T205 a code whose digits the server was given for a legacy portal proves nothing in a room that it opens later', async () => {
  const results = [{ result: 'classic' }, { result: 'v2', n: toBase64url(randomBytes(16)) }]
  const { portal, sent, state } = aDevice({
    answer(message, server) {
      if (message.type === 'px-locate') server.send({ type: 'px-located', ...results.shift() })
      if (message.type === 'join-room') server.send({ type: 'room-error', error: 'Failed to join room' })
    },
    confirm: async () => true,
  })
  portal.join({ pin: '482913' })
  await expect.poll(() => state().trouble).toBe(portalTexts.cannotEnter)
  expect(sent('join-room')).toMatchObject([{ roomCode: '482913' }])

  portal.join({ pin: '482913' })
  await expect.poll(() => state().trouble).toBe(portalTexts.codeUsedUp)
  expect(sent('join-room')).toHaveLength(1)
})

test('T205 a code from an address is not tried in a verified room before the person has agreed, typed later neither', async () => {
  const n = toBase64url(randomBytes(16))
  const { portal, asked, sent, state } = aDevice({ answer: located({ result: 'v2', n }), confirm: async () => false })

  portal.join({ pin: '482913', isFromAddress: true })
  await expect.poll(() => state().trouble).toBe(portalTexts.cannotJoin)
  portal.dismiss()
  portal.join({ pin: '482913' })
  await expect.poll(() => state().trouble).toBe(portalTexts.cannotJoin)

  expect(asked).toMatchObject(Array.from({ length: 2 }, () => ({ role: 'joiner', isCodeFromAddress: true })))
  expect(sent('join-room')).toEqual([])
})

test('a link without its whole secret is called incomplete, and the server gets nothing', async () => {
  const { portal, server, state } = aDevice({ answer: located({ result: 'classic' }) })
  portal.join({ prefix: '', secret: new Uint8Array(0) })
  await expect.poll(() => state().trouble).toBe(portalTexts.linkIncomplete)
  expect(server.received.filter(({ type }) => type !== 'px-leave')).toEqual([])
})

test.each([
  ['482913', { result: 'v2' }],
  ['482913', { result: 'none' }],
  ['48291357', { result: 'classic' }],
])('T205 for %s the answer %j asks nothing of the person and gives nothing away', async (pin, result) => {
  const { portal, asked, sent, state } = aDevice({ answer: located(result), confirm: async () => true })
  portal.join({ pin })
  await expect.poll(() => state().trouble).toBe(portalTexts.cannotJoin)
  expect([asked, sent('join-room')]).toEqual([[], []])
})

test.each([{ result: 'classic' }, { result: 'v2' }])(
  'T205 a link is never joined as a code, though the server answers %j',
  async (result) => {
    const { portal, asked, sent, state } = aDevice({ answer: located(result), confirm: async () => true })
    portal.join({ prefix: '48', secret: randomBytes(16) })
    await expect.poll(() => state().trouble).toBe(portalTexts.notVerified)
    expect([asked, sent('join-room')]).toEqual([[], []])
  },
)

test('T205 a code whose proof has failed is not tried a second time, because each try is a guess for the server', async () => {
  const n = toBase64url(randomBytes(16))
  const { portal, sent, state } = aDevice({
    async answer(message, server) {
      if (message.type === 'px-locate') server.send({ type: 'px-located', result: 'v2', n })
      if (message.type !== 'join-room') return
      server.send({ type: 'room-joined', peerId: 'p', px: { resume: 'r' } })
      const origin = 'https://files.example'
      const own = { role: 'creator', mode: 'pin', pin: '480000', secret: new Uint8Array(0), n, origin } as const
      const proof = await startProof({ ...own, prefix: '48', deviceName: 'Laptop' })
      const [y, ad] = [proof.message.element, proof.message.associated].map(toBase64url)
      server.send({ type: 'px-pake', y, ad, tag: toBase64url(randomBytes(32)) })
    },
  })
  portal.join({ pin: '482913' })
  await expect.poll(() => state().trouble).toBe(portalTexts.cannotJoin)
  expect(sent('join-room')).toHaveLength(1)

  portal.join({ pin: '482913' })
  await expect.poll(() => state().trouble).toBe(portalTexts.codeUsedUp)
  expect(sent('join-room')).toHaveLength(1)
})

test('T205 sentences of the server are not shown to people', async () => {
  const arrive = (server: ServerSide) => server.send({ type: 'room-error', error: 'Verified. Call 555 for help' })
  const { portal, state } = aDevice({ answer: withArrival(arrive) })
  portal.create()
  await expect.poll(() => state().trouble).toBe(portalTexts.unknown)
})
