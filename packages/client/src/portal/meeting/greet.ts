import { CryptoError } from '@sallyport/crypto'
import {
  type Bytes,
  type Contribution,
  commitmentTo,
  equalBytes,
  fromBase64url,
  importPortalKey,
  lengthPrefixed,
  requireCommitment,
  startComparison,
  toBase64url,
  utf8,
} from '@sallyport/crypto/portal'
import { type Clock, isTimeout, unlessAborted, withDeadline } from '../../clock.ts'
import { type Channel, type Link, PortalError } from '../channel.ts'
import type { KeyWrap } from '../fast/exchange-parts.ts'
import { type FastMessage, readFastMessage, type Said } from '../fast/fast-messages.ts'
import { portalTexts } from '../texts.ts'
import { emojiOf } from './emoji.ts'
import { type Ends, type PairKeys, type PortalRole, wrapUnder } from './proof.ts'

interface Parts {
  readonly link: Link
  readonly role: PortalRole
  /** Null between two that have proved nothing to each other. */
  readonly keys: PairKeys | null
  readonly clock: Clock
  readonly signal: AbortSignal
}

export interface Greeted {
  /** The same link; what was said over it meanwhile is still to be heard. */
  readonly link: Link
  readonly fileKeys: KeyWrap
  /** The same four on both screens when nobody stands in between. */
  readonly pictures: readonly string[]
}

const greetingMs = 10_000
const maxMessage = 262_144

/**
 * The first words between two of ours over a new line: both show that they see the same two certificates at its ends, or,
 * where they have no keys to show it by, find four pictures for people to compare. Throws a `PortalError` when the other
 * device does not answer, or sees another line than this one.
 */
export async function greet({ link, role, keys, clock, signal }: Parts): Promise<Greeted> {
  const ends = endsOf(link, role)
  const { channel, heard } = listenFirst(link.control)
  const say = (message: FastMessage) => channel.send(JSON.stringify(message))
  const ending = AbortSignal.any([signal, link.lost])

  async function exchange(): Promise<Omit<Greeted, 'link'>> {
    const bind = keys && toBase64url(await keys.bind(role, ends))
    say({ type: 'px-hello', v: 2, maxMessage, ...(bind && { bind }) })
    const hello = await heard('px-hello')
    if (!keys) return compare({ role, ends, say, heard: () => heard('px-sas') })
    const expected = await keys.bind(role === 'creator' ? 'joiner' : 'creator', ends)
    if (!equalBytes(expected, fromBase64url(hello.bind ?? ''))) throw new PortalError(portalTexts.tampered)
    return keys
  }

  try {
    const { fileKeys, pictures } = await withDeadline({ clock, timeoutMs: greetingMs, signal: ending }, (ended) =>
      unlessAborted(exchange(), ended),
    )
    return { link: { ...link, control: channel }, fileKeys, pictures }
  } catch (error) {
    if (isTimeout(error)) throw new PortalError(portalTexts.connectionTimeout)
    throw error instanceof CryptoError ? new PortalError(portalTexts.tampered) : error
  }
}

interface Comparing {
  readonly role: PortalRole
  readonly ends: Ends
  readonly say: (message: FastMessage) => void
  readonly heard: () => Promise<Said<'px-sas'>>
}

/** Whoever stands in between has to choose before it sees anything: the creator is held to what it committed to. */
async function compare({ role, ends, say, heard }: Comparing): Promise<Omit<Greeted, 'link'>> {
  const { own, finish } = await startComparison()
  const tell = () => say({ type: 'px-sas', nonce: toBase64url(own.nonce), key: toBase64url(own.key) })
  let other: Contribution
  if (role === 'creator') {
    say({ type: 'px-sas', commit: toBase64url(await commitmentTo(own)) })
    other = contributionOf(await heard())
    tell()
  } else {
    const { commit } = await heard()
    tell()
    other = contributionOf(await heard())
    await requireCommitment(fromBase64url(commit ?? ''), other)
  }
  const [creator, joiner] = role === 'creator' ? [own, other] : [other, own]
  const line = lengthPrefixed(utf8(ends.creator), utf8(ends.joiner))
  const derive = await finish({ creator, joiner, line })
  return {
    fileKeys: wrapUnder(await importPortalKey(await derive('xfer', 32))),
    pictures: emojiOf(await derive('sas', 3)),
  }
}

const contributionOf = ({ nonce, key }: Said<'px-sas'>): Contribution => ({
  nonce: fromBase64url(nonce ?? ''),
  key: fromBase64url(key ?? ''),
})

function endsOf({ certificates }: Link, role: PortalRole): Ends {
  if (!certificates) return { creator: '', joiner: '' }
  const { own, other } = certificates
  return role === 'creator' ? { creator: own, joiner: other } : { creator: other, joiner: own }
}

/** Takes the greetings out of what is said over a channel; everything else is kept for whoever listens afterwards. */
function listenFirst(channel: Channel) {
  const greetings: FastMessage[] = []
  const kept: (string | Bytes)[] = []
  let wake: () => void = () => undefined
  let hear: ((data: string | Bytes) => void) | null = null
  channel.listen((data) => {
    const message = typeof data === 'string' ? readFastMessage(data) : null
    const isGreeting = message?.type === 'px-hello' || message?.type === 'px-sas'
    if (hear) hear(data)
    else if (isGreeting) greetings.push(message)
    else kept.push(data)
    wake()
  })
  const passing: Channel = {
    ...channel,
    listen(next) {
      hear = next
      for (const data of kept.splice(0)) next(data)
    },
  }

  async function heard<Type extends 'px-hello' | 'px-sas'>(type: Type): Promise<Said<Type>> {
    for (;;) {
      const index = greetings.findIndex((one) => one.type === type)
      if (index >= 0) return greetings.splice(index, 1)[0] as Said<Type>
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  return { channel: passing, heard }
}
