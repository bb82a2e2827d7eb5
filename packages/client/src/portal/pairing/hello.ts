import { CryptoError } from '@sallyport/crypto'
import {
  type Contribution,
  commitTo,
  equalBytes,
  fromBase64url,
  importPortalKey,
  lengthPrefixed,
  startComparison,
  toBase64url,
  utf8,
  verifyCommitment,
} from '@sallyport/crypto/portal'
import { type Clock, withDeadline } from '../../clock.ts'
import { type Channel, createMessageBuffer, type Link, withTimeoutError } from '../channel.ts'
import { PortalError } from '../errors.ts'
import { createMailbox } from '../mailbox.ts'
import type { KeyWrap } from '../transfer/exchange-context.ts'
import { type FastMessage, type FastMessageOf, parseFastMessage } from '../transfer/fast-messages.ts'
import { createKeyWrap, type PairKeys, type PortalRole, type RoleCertificates, toSasEmoji } from './pake.ts'

interface HelloOptions {
  readonly link: Link
  readonly role: PortalRole
  /** Null between unverified devices. */
  readonly keys: PairKeys | null
  readonly clock: Clock
  readonly signal: AbortSignal
}

export interface HelloResult {
  /** The same link; messages that arrived meanwhile are buffered. */
  readonly link: Link
  readonly fileKeys: KeyWrap
  /** Four emoji that match on both screens unless the connection is intercepted. */
  readonly sasEmoji: readonly string[]
}

const helloTimeoutMs = 10_000
const maxMessage = 262_144

/**
 * The first exchange of two Sallyport devices over a new link. With keys, both prove that they see the same two
 * certificates; without, they derive SAS emoji for the users to compare. Throws a `PortalError` when the other device
 * does not answer or sees different certificates.
 */
export async function sendHello({ link, role, keys, clock, signal }: HelloOptions): Promise<HelloResult> {
  const ends = certificatesByRole(link, role)
  const { channel, take } = interceptHello(link.control)
  const sendMessage = (message: FastMessage) => channel.send(JSON.stringify(message))
  const ending = AbortSignal.any([signal, link.lost])

  async function exchangeHello(ended: AbortSignal): Promise<Omit<HelloResult, 'link'>> {
    const bind = keys && toBase64url(await keys.bind(role, ends))
    sendMessage({ type: 'px-hello', v: 2, maxMessage, ...(bind && { bind }) })
    const hello = await take(['px-hello'], ended)
    if (!keys) return compareSas({ role, ends, sendMessage, nextMessage: () => take(['px-sas'], ended) })
    const expected = await keys.bind(role === 'creator' ? 'joiner' : 'creator', ends)
    if (!equalBytes(expected, fromBase64url(hello.bind ?? ''))) throw new PortalError('TAMPERED')
    return keys
  }

  try {
    const exchanged = withDeadline({ clock, timeoutMs: helloTimeoutMs, signal: ending }, exchangeHello)
    const { fileKeys, sasEmoji } = await withTimeoutError(exchanged, 'CONNECTION_TIMEOUT')
    return { link: { ...link, control: channel }, fileKeys, sasEmoji }
  } catch (error) {
    throw error instanceof CryptoError ? new PortalError('TAMPERED') : error
  }
}

interface CompareInput {
  readonly role: PortalRole
  readonly ends: RoleCertificates
  readonly sendMessage: (message: FastMessage) => void
  readonly nextMessage: () => Promise<FastMessageOf<'px-sas'>>
}

/** The creator commits to its contribution first, so that an interceptor has to choose before it sees any value. */
async function compareSas({ role, ends, sendMessage, nextMessage }: CompareInput): Promise<Omit<HelloResult, 'link'>> {
  const { own, finish } = await startComparison()
  const sendContribution = () =>
    sendMessage({ type: 'px-sas', nonce: toBase64url(own.nonce), key: toBase64url(own.key) })
  let other: Contribution
  if (role === 'creator') {
    sendMessage({ type: 'px-sas', commit: toBase64url(await commitTo(own)) })
    other = parseContribution(await nextMessage())
    sendContribution()
  } else {
    const { commit } = await nextMessage()
    sendContribution()
    other = parseContribution(await nextMessage())
    await verifyCommitment(fromBase64url(commit ?? ''), other)
  }
  const [creator, joiner] = role === 'creator' ? [own, other] : [other, own]
  const channelBinding = lengthPrefixed(utf8(ends.creator), utf8(ends.joiner))
  const derive = await finish({ creator, joiner, channelBinding })
  return {
    fileKeys: createKeyWrap(await importPortalKey(await derive('xfer', 32))),
    sasEmoji: toSasEmoji(await derive('sas', 3)),
  }
}

const parseContribution = ({ nonce, key }: FastMessageOf<'px-sas'>): Contribution => ({
  nonce: fromBase64url(nonce ?? ''),
  key: fromBase64url(key ?? ''),
})

function certificatesByRole({ certificates }: Link, role: PortalRole): RoleCertificates {
  if (!certificates) return { creator: '', joiner: '' }
  const { own, other } = certificates
  return role === 'creator' ? { creator: own, joiner: other } : { creator: other, joiner: own }
}

/** Intercepts hello and SAS messages of a channel; all others are buffered for the handler that is set later. */
function interceptHello(channel: Channel) {
  const { put, take } = createMailbox<FastMessage>()
  const { deliver, onMessage } = createMessageBuffer()
  let isOver = false
  channel.onMessage((data) => {
    const message = typeof data === 'string' ? parseFastMessage(data) : null
    if (!isOver && (message?.type === 'px-hello' || message?.type === 'px-sas')) put(message)
    else deliver(data)
  })
  const wrapped: Channel = {
    ...channel,
    onMessage(handler) {
      isOver = true
      onMessage(handler)
    },
  }
  return { channel: wrapped, take }
}
