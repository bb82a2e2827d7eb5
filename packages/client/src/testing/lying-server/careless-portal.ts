import { fromBase64url, randomBytes, toBase64url } from '@sallyport/crypto/portal'
import { createSubject } from '../../observable.ts'
import { startProof } from '../../portal/meeting/proof.ts'
import { drawDigits } from '../../portal/meeting/room-code.ts'
import type { PortalState } from '../../portal/portal.ts'
import { orNull } from './attempt.ts'
import type { OpenPortal } from './portal-client.ts'
import { origin } from './server.ts'
import type { ServerSignal } from './signals.ts'

/** A fault that is planted into a client to see whether the suite notices it. */
export type PortalFault = 'takes any prefix' | 'guessed at without end' | 'lets in without proof' | 'code in its link'

const mostGuesses = 2

/** The creator's half of a portal, as small as it can be, careful but for one fault. */
export const carelessPortal =
  (fault: PortalFault): OpenPortal =>
  ({ openSocket, deviceName }) => {
    const state = createSubject({ isConnected: false, proved: null, invitation: null } as unknown as PortalState)
    const set = (change: Partial<PortalState>) => state.set({ ...state.current(), ...change })
    const socket = openSocket?.(`${origin.replace('http', 'ws')}/api/webrtc-signal`)
    const say = (message: object) => socket?.send(JSON.stringify(message))
    let n = ''
    let guesses = 0
    let prefix = ''
    let keys: Awaited<ReturnType<Awaited<ReturnType<typeof startProof>>['finish']>> | null = null

    function openRoom(): void {
      n = toBase64url(randomBytes(16))
      say({ type: 'create-room', deviceName, px: { v: 2, n } })
    }

    function show(roomCode: string): void {
      if (fault !== 'takes any prefix' && !/^[1-9]\d$/.test(roomCode)) return
      prefix = roomCode
      const pin = prefix + drawDigits(Math.max(0, 6 - prefix.length))
      const linkDigits = fault === 'code in its link' ? pin : prefix + drawDigits(4)
      set({ invitation: { pin, prefix, linkDigits, secret: randomBytes(16), isLinkOnly: false } })
    }

    async function prove({ px }: Extract<ServerSignal, { type: 'peer-joined' }>): Promise<void> {
      if (!px && fault === 'lets in without proof') return set({ isConnected: true })
      const { invitation } = state.current()
      if (!px || 'classic' in px || px.mode === 'link' || !invitation) return
      const { pin } = invitation
      const place = { origin, prefix, deviceName, n }
      const proof = await startProof({ role: 'creator', mode: 'pin', pin, secret: new Uint8Array(0), ...place })
      keys = await proof.finish({ element: fromBase64url(px.y), associated: fromBase64url(px.ad) })
      const { element, associated } = proof.message
      const [y, ad, tag] = [element, associated, await keys.tag()].map(toBase64url)
      say({ type: 'px-pake', y, ad, tag })
    }

    async function confirm(tag: string): Promise<void> {
      try {
        await keys?.requireTag(fromBase64url(tag))
        set({ isConnected: true, proved: 'pin' })
      } catch {
        guesses += 1
        if (guesses < mostGuesses || fault === 'guessed at without end') openRoom()
      }
    }

    if (socket) {
      socket.onopen = openRoom
      socket.onmessage = ({ data }: MessageEvent<string>) => {
        const told = JSON.parse(data) as ServerSignal
        if (told.type === 'room-created') show(told.roomCode)
        if (told.type === 'peer-joined') void orNull(() => prove(told))
        if (told.type === 'px-confirm') void confirm(told.tag)
      }
    }
    return { state, create: () => undefined, close: () => socket?.close() } as unknown as ReturnType<OpenPortal>
  }
