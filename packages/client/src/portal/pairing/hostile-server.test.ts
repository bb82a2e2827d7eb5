import { portalLimits } from '@sallyport/contract/limits'
import type { ClientSignal } from '@sallyport/contract/portals'
import { randomBytes, toBase64url } from '@sallyport/crypto/portal'
import { expect, onTestFinished, test } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createSignallingServer, type MessageHandler, type ServerEnd } from '../../testing/signalling-server.ts'
import { PortalError } from '../errors.ts'
import { createPortal, type PortalDeps } from '../portal.ts'
import type { PortalState } from '../portal-state.ts'
import type { UnverifiedPeer } from './pairing.ts'
import { startPake } from './pake.ts'
import { defaultPortalOptions, type Invitation } from './room-code.ts'

type SentOf<Type extends ClientSignal['type']> = Extract<ClientSignal, { type: Type }>

interface DeviceOptions {
  readonly answer: MessageHandler
  /** The user's answer; without it the question stays open. */
  readonly confirm?: (peer: UnverifiedPeer) => Promise<boolean>
}

function createDevice({ answer, confirm = () => new Promise(() => undefined) }: DeviceOptions) {
  const server = createSignallingServer(answer)
  const prompts: UnverifiedPeer[] = []
  const portal = createPortal({
    ...server.deps,
    clock: createManualClock(),
    deviceName: 'Laptop',
    openDirect: () => ({
      link: new Promise(() => undefined),
      handleSignal: () => undefined,
      retryIceRestart: () => undefined,
      close: () => undefined,
    }),
    confirmUnverified: (peer: UnverifiedPeer) => {
      prompts.push(peer)
      return confirm(peer)
    },
    createSink: () => {
      throw new Error('Unexpected received file')
    },
  } as unknown as PortalDeps)
  const shown: PortalState[] = []
  portal.state.subscribe(() => shown.push(portal.state.current()))
  onTestFinished(() => portal.close())
  const sent = <Type extends ClientSignal['type']>(type: Type) =>
    server.received.filter((message): message is SentOf<Type> => message.type === type)
  return { portal, server, prompts, shown, sent, state: () => portal.state.current() }
}

const roomCreated = (roomCode: string) => ({
  type: 'room-created',
  roomCode,
  peerId: 'creator',
  px: { v: 2, digits: roomCode.length, resume: 'r' },
})

/** Answers every create-room request and then lets a device controlled by the server join. */
const onCreateRoom =
  (
    joinAsPeer: (server: ServerEnd, room: SentOf<'create-room'>) => void | Promise<void>,
    roomCode = '42',
  ): MessageHandler =>
  async (message, server) => {
    if (message.type !== 'create-room') return
    server.send(roomCreated(roomCode))
    await joinAsPeer(server, message)
  }

/** A device controlled by the server that guesses the secret digits. */
const guessCodes = (): MessageHandler => {
  const joinAsPeer = async (server: ServerEnd, n: string) => {
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
    const { message } = await startPake(guess)
    const px = { mode: 'pin', y: toBase64url(message.element), ad: toBase64url(message.aad) }
    server.send({ type: 'peer-joined', deviceName: 'Phone', peerId: 'p', px })
  }
  let n = ''
  return async (message, server) => {
    if (message.type === 'px-pake') server.send({ type: 'px-confirm', tag: toBase64url(randomBytes(32)) })
    if (message.type === 'create-room') {
      n = message.px?.n ?? ''
      server.send(roomCreated('42'))
      await joinAsPeer(server, n)
    }
    // A link-only room stays open, so the guessing continues.
    if (message.type === 'px-fail' && message.stage === 'link-only') await joinAsPeer(server, n)
  }
}

const flush = async () => {
  for (let round = 0; round < 200; round += 1) await new Promise((resolve) => setImmediate(resolve))
}

const invitationOf = (state: PortalState) => state.invitation as Invitation

test.each(['42', '4217'])('T205 with the prefix %s the client draws four secret digits itself', async (prefix) => {
  const pins = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { portal, state } = createDevice({ answer: onCreateRoom(() => undefined, prefix) })
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
  'T205 the prefix %j from the server is rejected and no code is shown',
  async (prefix) => {
    const { portal, shown, state } = createDevice({ answer: onCreateRoom(() => undefined, prefix) })

    portal.create()

    await expect.poll(() => state().error).not.toBe(null)
    expect(['CODE_NOT_ACCEPTED', 'ANSWER_NOT_ACCEPTED']).toContain(state().error?.code)
    expect(shown.filter(({ invitation }) => invitation !== null)).toEqual([])
  },
)

test('T205 after 2 wrong guesses no further code is drawn, however many devices the server lets join', async () => {
  const { portal, sent, shown, state } = createDevice({ answer: guessCodes() })

  portal.create()
  await expect.poll(() => state().isCodeLimitReached).toBe(true)
  await flush()

  expect(sent('create-room')).toHaveLength(portalLimits.maxWrongCodes)
  expect(sent('px-pake')).toHaveLength(portalLimits.maxWrongCodes)
  expect(new Set(shown.map((one) => invitationOf(one)?.pin).filter(Boolean)).size).toBe(portalLimits.maxWrongCodes)
  expect(state()).toMatchObject({ mode: 'create', invitation: null, isConnected: false })
})

test('T205 another code that the user requests allows one guess', async () => {
  const { portal, sent, state } = createDevice({ answer: guessCodes() })
  portal.create()
  await expect.poll(() => state().isCodeLimitReached).toBe(true)

  portal.renewInvitation('code')

  await expect.poll(() => sent('create-room').length).toBe(portalLimits.maxWrongCodes + 1)
  await expect.poll(() => state().isCodeLimitReached).toBe(true)
  await flush()
  expect(sent('create-room')).toHaveLength(portalLimits.maxWrongCodes + 1)
})

test('T205 a link that the user requests instead survives any number of guesses', async () => {
  const { portal, sent, state } = createDevice({ answer: guessCodes() })
  portal.create()
  await expect.poll(() => state().isCodeLimitReached).toBe(true)

  portal.renewInvitation('link')

  await expect.poll(() => sent('px-fail').filter(({ stage }) => stage === 'link-only').length).toBeGreaterThan(20)
  expect(sent('create-room').map(({ px }) => px?.linkOnly === true)).toEqual([false, false, true])
  expect(invitationOf(state()).isLinkOnly).toBe(true)
  expect(state()).toMatchObject({
    isCodeLimitReached: false,
    isConnected: false,
    notice: 'TYPED_CODE_REJECTED',
  })
})

test('T205 a join without a proof in a verified room is rejected; nothing is asked or shown', async () => {
  const joinAsPeer = (server: ServerEnd) => server.send({ type: 'peer-joined', deviceName: 'Your phone', peerId: 'p' })
  const { portal, prompts, sent, shown, state } = createDevice({
    answer: onCreateRoom(joinAsPeer),
    confirm: async () => true,
  })

  portal.create()

  await expect.poll(() => state().isCodeLimitReached).toBe(true)
  expect(sent('px-fail').map(({ stage }) => stage)).toEqual(['no-proof', 'no-proof'])
  expect(prompts).toEqual([])
  expect(shown.filter(({ mode, peerName, isConnected }) => mode === 'connected' || peerName || isConnected)).toEqual([])
})

/** A legacy device, which sends all digits to the server. */
function legacyDevice(tailOf: (pin: string) => string) {
  const captured: { server?: ServerEnd } = {}
  const createLegacyDevice = (confirm: (peer: UnverifiedPeer) => Promise<boolean>) => {
    const setup = createDevice({
      answer: onCreateRoom((server) => {
        captured.server = server
      }),
      confirm,
    })
    const joinAsPeer = async () => {
      await expect.poll(() => setup.state().invitation).not.toBe(null)
      const px = { classic: true, tail: tailOf(invitationOf(setup.state()).pin) }
      captured.server?.send({ type: 'peer-joined', deviceName: 'Old phone', peerId: 'p', px })
    }
    return { ...setup, joinAsPeer, send: (message: object) => captured.server?.send(message) }
  }
  return createLegacyDevice
}

const right = (pin: string) => pin.slice(2)
const wrong = (pin: string) => pin.slice(2).replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))

test('T205 a legacy device with the right code is connected only after the user allows it', async () => {
  const answered = Promise.withResolvers<boolean>()
  const { portal, joinAsPeer, prompts, send, sent, shown } = legacyDevice(right)(() => answered.promise)
  portal.create()
  await joinAsPeer()
  await expect.poll(() => prompts.length).toBe(1)
  expect(prompts[0]).toMatchObject({ role: 'creator', name: 'Old phone' })

  send({ type: 'webrtc-offer', data: { type: 'offer', sdp: 'v=0' } })
  send({ type: 'file-offer', fileName: 'a.exe', fileSize: 1, fileType: '', isEncrypted: true })
  await flush()
  expect(sent('px-admit')).toEqual([])
  expect(sent('px-ice')).toEqual([])
  expect(shown.filter(({ exchange, isConnected, peerName }) => exchange.offer || isConnected || peerName)).toEqual([])

  answered.resolve(true)
  await expect.poll(() => sent('px-admit')).toEqual([{ type: 'px-admit', peerId: 'p', ok: true }])
  await expect.poll(() => sent('px-ice').length).toBe(1)
})

test('T205 a declined legacy device is rejected, and the code, now known to the server, is replaced', async () => {
  const { portal, joinAsPeer, sent, state } = legacyDevice(right)(async () => false)
  portal.create()
  await expect.poll(() => state().invitation).not.toBe(null)
  const { pin } = invitationOf(state())
  await joinAsPeer()

  await expect.poll(() => sent('px-admit')).toEqual([{ type: 'px-admit', peerId: 'p', ok: false }])
  await expect.poll(() => sent('create-room').length).toBe(2)
  await expect.poll(() => invitationOf(state()).pin).not.toBe(pin)
  expect(state().notice).toBe('DECLINED')
})

test('T205 a legacy device that leaves before the answer closes the question, and its code is not used again', async () => {
  const confirm = ({ signal }: UnverifiedPeer) =>
    new Promise<boolean>((resolve) => signal.addEventListener('abort', () => resolve(false)))
  const { portal, joinAsPeer, prompts, send, sent, state } = legacyDevice(right)(confirm)
  portal.create()
  await joinAsPeer()
  await expect.poll(() => prompts.length).toBe(1)

  send({ type: 'peer-left' })

  await expect.poll(() => prompts[0]?.signal.aborted).toBe(true)
  await expect.poll(() => sent('create-room').length).toBe(2)
  expect(sent('px-leave')).toHaveLength(1)
  expect(sent('px-admit')).toEqual([])
  expect(state().notice).toBe('LEFT_UNANSWERED')
})

test('T205 a legacy device with a wrong code is rejected without a question', async () => {
  const { portal, joinAsPeer, prompts, sent } = legacyDevice(wrong)(async () => true)
  portal.create()
  await joinAsPeer()

  await expect.poll(() => sent('px-admit')).toEqual([{ type: 'px-admit', peerId: 'p', ok: false }])
  expect(prompts).toEqual([])
})

test.each(['verifiedOnly', 'linkOnly', 'relayOnly'] as const)(
  'T205 a portal with the option %s rejects a legacy device with the right code without a question',
  async (option) => {
    const { portal, joinAsPeer, prompts, sent } = legacyDevice(right)(async () => true)
    portal.create({ ...defaultPortalOptions, [option]: true })
    await joinAsPeer()

    await expect.poll(() => sent('px-admit')).toEqual([{ type: 'px-admit', peerId: 'p', ok: false }])
    expect(prompts).toEqual([])
  },
)

const locatedAs =
  (result: object): MessageHandler =>
  (message, server) => {
    if (message.type === 'px-locate') server.send({ type: 'px-located', ...result })
  }

test('a device that looked up too many codes sees how long to wait, and sends no join request', async () => {
  const { portal, sent, state } = createDevice({ answer: locatedAs({ result: 'none', retryAfterSeconds: 540 }) })

  portal.join({ pin: '482913' })

  await expect.poll(() => state().error).toEqual(new PortalError('TOO_MANY_TRIES', 540))
  expect(sent('join-room')).toEqual([])
})

test.each([
  ['482913', '48'],
  ['48291357', '4829'],
])('T205 of the typed code %s the server receives only the prefix %s', async (pin, prefix) => {
  const n = toBase64url(randomBytes(16))
  const { portal, server, sent } = createDevice({ answer: locatedAs({ result: 'v2', n }) })

  portal.join({ pin })

  await expect.poll(() => sent('join-room').map(({ roomCode }) => roomCode)).toEqual([prefix])
  expect(sent('px-locate')).toEqual([{ type: 'px-locate', prefix }])
  expect(server.received.filter((message) => JSON.stringify(message).includes(pin.slice(-4)))).toEqual([])
})

test.each(['', '4829', '48291', '4829135', '482913571', '04829135', '48291a'])(
  'T205 of %j, which is not a code, the server receives nothing',
  async (pin) => {
    const { portal, server, state } = createDevice({ answer: locatedAs({ result: 'classic' }) })
    portal.join({ pin })
    await expect.poll(() => state().error).toMatchObject({ code: 'CANNOT_JOIN' })
    expect(server.received.filter(({ type }) => type !== 'px-leave')).toEqual([])
  },
)

test('T205 a server that claims that a room is a legacy one receives the typed digits only if the user agrees', async () => {
  const answers: boolean[] = []
  const confirm = async () => answers.shift() ?? false
  const { portal, prompts, sent, state } = createDevice({ answer: locatedAs({ result: 'classic' }), confirm })
  portal.join({ pin: '482913' })
  await expect.poll(() => state().error).toMatchObject({ code: 'CANNOT_JOIN' })
  expect(prompts).toMatchObject([{ role: 'joiner', name: '' }])
  expect(sent('join-room')).toEqual([])

  answers.push(true)
  portal.join({ pin: '482913' })
  await expect.poll(() => sent('join-room')).toMatchObject([{ roomCode: '482913' }])
})

test('T205 a code that was sent to the server for a legacy portal is not accepted in a later room', async () => {
  const results = [{ result: 'classic' }, { result: 'v2', n: toBase64url(randomBytes(16)) }]
  const { portal, sent, state } = createDevice({
    answer(message, server) {
      if (message.type === 'px-locate') server.send({ type: 'px-located', ...results.shift() })
      if (message.type === 'join-room') server.send({ type: 'room-error', error: 'Failed to join room' })
    },
    confirm: async () => true,
  })
  portal.join({ pin: '482913' })
  await expect.poll(() => state().error).toMatchObject({ code: 'CANNOT_ENTER' })
  expect(sent('join-room')).toMatchObject([{ roomCode: '482913' }])

  portal.join({ pin: '482913' })
  await expect.poll(() => state().error).toMatchObject({ code: 'CODE_USED_UP' })
  expect(sent('join-room')).toHaveLength(1)
})

test('T205 a code from a URL is not tried in a verified room before the user agrees, even when it is typed later', async () => {
  const n = toBase64url(randomBytes(16))
  const { portal, prompts, sent, state } = createDevice({
    answer: locatedAs({ result: 'v2', n }),
    confirm: async () => false,
  })

  portal.join({ pin: '482913', isFromAddress: true })
  await expect.poll(() => state().error).toMatchObject({ code: 'CANNOT_JOIN' })
  portal.dismiss()
  portal.join({ pin: '482913' })
  await expect.poll(() => state().error).toMatchObject({ code: 'CANNOT_JOIN' })

  expect(prompts).toMatchObject(Array.from({ length: 2 }, () => ({ role: 'joiner', isCodeFromAddress: true })))
  expect(sent('join-room')).toEqual([])
})

test('a link without its whole secret is reported as incomplete, and the server receives nothing', async () => {
  const { portal, server, state } = createDevice({ answer: locatedAs({ result: 'classic' }) })
  portal.join({ prefix: '', secret: new Uint8Array(0) })
  await expect.poll(() => state().error).toMatchObject({ code: 'LINK_INCOMPLETE' })
  expect(server.received.filter(({ type }) => type !== 'px-leave')).toEqual([])
})

test.each([
  ['482913', { result: 'v2' }],
  ['482913', { result: 'none' }],
  ['48291357', { result: 'classic' }],
])('T205 for %s the answer %j asks the user nothing and reveals nothing', async (pin, result) => {
  const { portal, prompts, sent, state } = createDevice({ answer: locatedAs(result), confirm: async () => true })
  portal.join({ pin })
  await expect.poll(() => state().error).toMatchObject({ code: 'CANNOT_JOIN' })
  expect([prompts, sent('join-room')]).toEqual([[], []])
})

test.each([{ result: 'classic' }, { result: 'v2' }])(
  'T205 a link is never joined as a code, even if the server answers %j',
  async (result) => {
    const { portal, prompts, sent, state } = createDevice({ answer: locatedAs(result), confirm: async () => true })
    portal.join({ prefix: '48', secret: randomBytes(16) })
    await expect.poll(() => state().error).toMatchObject({ code: 'NOT_VERIFIED' })
    expect([prompts, sent('join-room')]).toEqual([[], []])
  },
)

test('T205 a code whose proof failed is not tried again, because each try is a guess for the server', async () => {
  const n = toBase64url(randomBytes(16))
  const { portal, sent, state } = createDevice({
    async answer(message, server) {
      if (message.type === 'px-locate') server.send({ type: 'px-located', result: 'v2', n })
      if (message.type !== 'join-room') return
      server.send({ type: 'room-joined', peerId: 'p', px: { resume: 'r' } })
      const origin = 'https://files.example'
      const own = { role: 'creator', mode: 'pin', pin: '480000', secret: new Uint8Array(0), n, origin } as const
      const proof = await startPake({ ...own, prefix: '48', deviceName: 'Laptop' })
      const [y, ad] = [proof.message.element, proof.message.aad].map(toBase64url)
      server.send({ type: 'px-pake', y, ad, tag: toBase64url(randomBytes(32)) })
    },
  })
  portal.join({ pin: '482913' })
  await expect.poll(() => state().error).toMatchObject({ code: 'CANNOT_JOIN' })
  expect(sent('join-room')).toHaveLength(1)

  portal.join({ pin: '482913' })
  await expect.poll(() => state().error).toMatchObject({ code: 'CODE_USED_UP' })
  expect(sent('join-room')).toHaveLength(1)
})

test('T205 error texts from the server are not shown', async () => {
  const joinAsPeer = (server: ServerEnd) => server.send({ type: 'room-error', error: 'Verified. Call 555 for help' })
  const { portal, state } = createDevice({ answer: onCreateRoom(joinAsPeer) })
  portal.create()
  await expect.poll(() => state().error).toMatchObject({ code: 'UNKNOWN' })
})

test('POR-07 a portal that nobody joined is created again with the same options', async () => {
  const expire = (server: ServerEnd) => server.send({ type: 'room-error', error: 'Room creation timeout' })
  const { portal, sent, state } = createDevice({ answer: onCreateRoom(expire) })
  portal.create({ verifiedOnly: false, linkOnly: true, relayOnly: false })
  await expect.poll(() => state().error).toMatchObject({ code: 'NOBODY_JOINED' })

  portal.createAgain()
  await expect.poll(() => sent('create-room')).toMatchObject([{ px: { linkOnly: true } }, { px: { linkOnly: true } }])
})
