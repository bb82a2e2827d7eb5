import { pinKey, sessionKey } from '../second-zk1.ts'
import type { Operations, VectorCase } from '../vector-case.ts'
import { countingBytes } from './inputs.ts'

const pin = '123456'
const sessionId = 'b7c1b7a4-4f0e-4b52-8a53-6a3d1f6f2f10'
const share = countingBytes(0x30, 32)
const linkSecret = countingBytes(0xc0, 16)
const secretMode = { mode: 'secret', pin, sessionId, share: share.toHex(), linkSecret: linkSecret.toHex() } as const

type SessionKeyInput = Operations['session-key']['input']

export function sessionKeys(): VectorCase[] {
  const validCase = (what: string, input: SessionKeyInput, key: Uint8Array): VectorCase => ({
    name: `derive the key of a session, ${what}`,
    operation: 'session-key',
    input,
    expect: 'ok',
    output: { sessionKey: key.toHex() },
  })
  const errorCase = (what: string, changed: Partial<SessionKeyInput>): VectorCase => ({
    name: `refuse a session with ${what}`,
    operation: 'session-key',
    input: { ...secretMode, ...changed },
    expect: 'malformed',
  })
  const version1Label = 'ef1/session'
  return [
    validCase('mode pin', { mode: 'pin', pin }, pinKey(pin)),
    validCase('mode pin with zeros', { mode: 'pin', pin: '000000' }, pinKey('000000')),
    validCase('mode pin2', { ...secretMode, mode: 'pin2' }, sessionKey(pin, sessionId, [share], 'ef1/session/pin2')),
    validCase('mode secret', secretMode, sessionKey(pin, sessionId, [share, linkSecret], 'ef1/session/secret')),
    validCase('mode pin, version 1', { mode: 'pin', pin, version: 1 }, pinKey(pin)),
    validCase(
      'mode pin2, version 1',
      { ...secretMode, mode: 'pin2', version: 1 },
      sessionKey(pin, sessionId, [share], version1Label),
    ),
    validCase(
      'mode secret, version 1',
      { ...secretMode, version: 1 },
      sessionKey(pin, sessionId, [share, linkSecret], version1Label),
    ),
    errorCase('a PIN of five digits', { pin: '12345' }),
    errorCase('a PIN of seven digits', { pin: '1234567' }),
    errorCase('a PIN with a letter', { pin: '12345a' }),
    errorCase('a PIN of other digits', { pin: '１２３４５６' }),
    errorCase('no id', { sessionId: '' }),
    errorCase('a short share', { share: countingBytes(0x30, 31).toHex() }),
    errorCase('a share of zeros', { share: new Uint8Array(32).toHex() }),
    errorCase('no link secret', { linkSecret: '' }),
    errorCase('a short link secret', { linkSecret: countingBytes(0xc0, 15).toHex() }),
  ]
}
