import { sessionLimits } from '@sallyport/contract/limits'
import { sealGrant } from '@sallyport/crypto/cpace'
import { type Clock, systemClock } from '../clock.ts'
import { createSubject, type Observable } from '../observable.ts'
import {
  type AdmissionPlace,
  associatedOf,
  type Piece,
  readPiece,
  startExchange,
  writePiece,
} from './admission-pieces.ts'

export interface Knocking {
  readonly kid: string
  readonly participantId: string
}

export type AdmittingEnd = 'admitted' | 'wrong-code' | 'timeout'

export interface Admitting {
  /** Six digits to be told to the newcomer, and to nobody else; good for one try within two minutes. */
  readonly code: string
  readonly finished: Promise<AdmittingEnd>
}

export interface AdmissionDesk extends Observable<readonly Knocking[]> {
  admit(knocking: Knocking): Promise<Admitting>
  stop(): void
}

interface Parts extends AdmissionPlace {
  readonly linkSecret: Uint8Array
  readonly clock?: Clock
}

const deadCodesAllowed = 3

/** Hears who knocks at a private session, and lets in whoever enters the code that this member has told them. */
export function openAdmissionDesk({ relay, origin, sessionId, linkSecret, clock = systemClock }: Parts): AdmissionDesk {
  const knocks = createSubject<readonly Knocking[]>([])
  const hearing = new Map<string, (from: string, piece: Piece) => void>()
  const failures = new Map<string, { count: number; until: number }>()

  function isBlocked(participantId: string): boolean {
    const known = failures.get(participantId)
    return known !== undefined && known.until > clock.now() && known.count >= deadCodesAllowed
  }

  function countDeadCode(participantId: string): void {
    const count = (failures.get(participantId)?.count ?? 0) + 1
    failures.set(participantId, { count, until: clock.now() + sessionLimits.creatorSilenceMs })
  }

  const forget = (kid: string) => knocks.set(knocks.current().filter((one) => one.kid !== kid))

  const stop = relay.subscribe((from, body) => {
    const piece = readPiece(body)
    if (!piece) return
    if (piece.kind === 'knock' && !isBlocked(from)) {
      knocks.set([
        ...knocks.current().filter(({ participantId }) => participantId !== from),
        { kid: piece.kid, participantId: from },
      ])
    }
    // Another member was faster.
    if (piece.kind === 'offer' && !hearing.has(piece.kid)) forget(piece.kid)
    hearing.get(piece.kid)?.(from, piece)
  })

  async function admit({ kid, participantId }: Knocking): Promise<Admitting> {
    const code = drawCode()
    const exchangeId = crypto.getRandomValues(new Uint8Array(16))
    const exchange = await startExchange({ role: 'responder', code, kid, exchangeId, origin, sessionId })
    const { promise: finished, resolve } = Promise.withResolvers<AdmittingEnd>()
    const ended = new AbortController()
    const send = (kind: Piece['kind'], ...parts: Piece['parts']) => relay.send(writePiece({ kind, kid, parts }))

    function end(how: AdmittingEnd): void {
      if (ended.signal.aborted) return
      ended.abort()
      hearing.delete(kid)
      forget(kid)
      if (how === 'wrong-code') countDeadCode(participantId)
      resolve(how)
    }

    async function answer({ parts: [element] }: Piece): Promise<void> {
      if (!element) return end('wrong-code')
      const keys = await exchange.finish({ element, associated: associatedOf(kid, 'initiator') })
      hearing.set(kid, (from, piece) => {
        if (from !== participantId) return
        if (piece.kind === 'fail') return end('wrong-code')
        if (piece.kind === 'ok') void grant(piece).catch(() => refuse())
      })
      await send('y2', exchange.message.element, await keys.tag())

      async function grant({ parts: [tag] }: Piece): Promise<void> {
        await keys.requireTag(tag ?? new Uint8Array(0))
        await send('grant', await sealGrant(keys, linkSecret))
        end('admitted')
      }
    }

    async function refuse(): Promise<void> {
      end('wrong-code')
      await send('fail')
    }

    hearing.set(kid, (from, piece) => {
      if (piece.kind !== 'y' || from !== participantId) return
      // One try for each code: whatever comes next, this one has been taken.
      hearing.delete(kid)
      void answer(piece).catch(() => refuse())
    })
    await send('offer', exchangeId)
    void clock.wait(sessionLimits.admissionCodeMs, ended.signal).then(
      () => end('timeout'),
      () => undefined,
    )
    return { code, finished }
  }

  return { current: knocks.current, subscribe: knocks.subscribe, admit, stop }
}

/** Six digits, each as likely as the others. */
function drawCode(): string {
  const bound = 4_294_000_000
  for (;;) {
    const [drawn = bound] = crypto.getRandomValues(new Uint32Array(1))
    if (drawn < bound) return String(drawn % 1_000_000).padStart(6, '0')
  }
}
