import { expect, test } from 'vitest'
import { type ConnectionState, receiveKeys, receivePeerSignal, receivePresence } from './connection.rules.ts'

const joiner: ConnectionState = { role: 'joiner', isPeerPresent: true, hasPeerLeft: false }
const creator: ConnectionState = { ...joiner, role: 'creator' }
const away: ConnectionState = { ...joiner, isPeerPresent: false }

test('a device that is away re-pairs when it is back, and only the new keys make it present', () => {
  const left = receivePresence(joiner, { type: 'peer-left', px: { away: true } }, true)
  expect(left).toEqual({ state: away, effects: [] })

  const back = receivePresence(left.state, { type: 'px-back' }, true)
  expect(back).toEqual({ state: away, effects: ['start-re-pairing'] })

  expect(receiveKeys(back.state)).toEqual({ state: joiner, effects: ['abort-try', 'retry-ice-restart'] })
})

test.each([
  [{ isOtherHere: true }, { state: joiner, effects: ['start-re-pairing'] }],
  [{ isOtherHere: false }, { state: away, effects: [] }],
])('a device that rejoins its room with %j re-pairs or waits', (presence, expected) => {
  expect(receivePresence(joiner, { type: 'px-rejoined', peerId: 'p', ...presence }, false)).toEqual(expected)
})

test.each([
  ['present', true, true, ['end-portal']],
  ['away, without a link', false, false, ['end-portal']],
  ['away, with an open link', false, true, []],
])(
  'a device that leaves for good while it is %s ends the portal unless the link still works',
  (_, isPeerPresent, hasLink, effects) => {
    const step = receivePresence({ ...joiner, isPeerPresent }, { type: 'peer-left' }, hasLink)

    expect(step).toEqual({ state: { ...joiner, isPeerPresent, hasPeerLeft: true }, effects })
  },
)

test('a new offer replaces the link of the joiner, an ICE restart keeps it, and the creator accepts no offers', () => {
  const offer = { type: 'webrtc-offer', data: { sdp: '' } } as const
  const restart = { type: 'webrtc-offer', data: { sdp: '', restart: 1 } } as const

  expect(receivePeerSignal(joiner, offer).effects).toEqual(['close-link', 'open-attempt', 'pass-signal-to-attempt'])
  expect(receivePeerSignal(joiner, restart).effects).toEqual(['pass-signal-to-attempt'])
  expect(receivePeerSignal(creator, offer).effects).toEqual(['pass-signal-to-attempt'])
})

test('only the creator replaces a link that the other device reports as lost', () => {
  const lost = { type: 'px-lost', data: null } as const

  expect(receivePeerSignal(creator, lost).effects).toEqual(['close-link', 'abort-try'])
  expect(receivePeerSignal(joiner, lost).effects).toEqual([])
})
