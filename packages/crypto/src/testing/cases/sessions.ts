import { pinKey, sessionKey } from '../second-zk1.ts'
import type { Operations, VectorCase } from '../vector-case.ts'
import { counting } from './ingredients.ts'

const pin = '123456'
const sessionId = 'b7c1b7a4-4f0e-4b52-8a53-6a3d1f6f2f10'
const share = counting(0x30, 32)
const linkSecret = counting(0xc0, 16)
const secretMode = { mode: 'secret', pin, sessionId, share: share.toHex(), linkSecret: linkSecret.toHex() } as const

type Sources = Operations['session-key']['input']

export function sessionKeys(): VectorCase[] {
  const sound = (what: string, input: Sources, key: Uint8Array): VectorCase => ({
    name: `derive the key of a session, ${what}`,
    operation: 'session-key',
    input,
    expect: 'ok',
    output: { sessionKey: key.toHex() },
  })
  const refused = (what: string, changed: Partial<Sources>): VectorCase => ({
    name: `refuse a session with ${what}`,
    operation: 'session-key',
    input: { ...secretMode, ...changed },
    expect: 'malformed',
  })
  const earlier = 'ef1/session'
  return [
    sound('mode pin', { mode: 'pin', pin }, pinKey(pin)),
    sound('mode pin with zeros', { mode: 'pin', pin: '000000' }, pinKey('000000')),
    sound('mode pin2', { ...secretMode, mode: 'pin2' }, sessionKey(pin, sessionId, [share], 'ef1/session/pin2')),
    sound('mode secret', secretMode, sessionKey(pin, sessionId, [share, linkSecret], 'ef1/session/secret')),
    sound('mode pin, version 1', { mode: 'pin', pin, version: 1 }, pinKey(pin)),
    sound(
      'mode pin2, version 1',
      { ...secretMode, mode: 'pin2', version: 1 },
      sessionKey(pin, sessionId, [share], earlier),
    ),
    sound(
      'mode secret, version 1',
      { ...secretMode, version: 1 },
      sessionKey(pin, sessionId, [share, linkSecret], earlier),
    ),
    refused('a PIN of five digits', { pin: '12345' }),
    refused('a PIN of seven digits', { pin: '1234567' }),
    refused('a PIN with a letter', { pin: '12345a' }),
    refused('a PIN of other digits', { pin: '１２３４５６' }),
    refused('no id', { sessionId: '' }),
    refused('a short share', { share: counting(0x30, 31).toHex() }),
    refused('a share of zeros', { share: new Uint8Array(32).toHex() }),
    refused('no link secret', { linkSecret: '' }),
    refused('a short link secret', { linkSecret: counting(0xc0, 15).toHex() }),
  ]
}
