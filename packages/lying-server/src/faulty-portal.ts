import { createSubject } from '@sallyport/client/observable'
import { startPake } from '@sallyport/client/portal/pairing/pake'
import { drawDigits } from '@sallyport/client/portal/pairing/room-code'
import type { PortalState } from '@sallyport/client/portal/portal-state'
import { fromBase64url, randomBytes, toBase64url } from '@sallyport/crypto/portal'
import { orNull } from './attempt.ts'
import type { OpenPortal } from './portal-client.ts'
import { origin } from './server.ts'
import type { AnyServerSignal } from './signals.ts'

/** A fault that is planted into a client to test that the suite detects it. */
export type PortalFault = 'takes any prefix' | 'guessed at without end' | 'lets in without proof' | 'code in its link'

const maxGuesses = 2

/** A minimal portal creator that is correct except for one fault. */
export const faultyPortal =
  (fault: PortalFault): OpenPortal =>
  ({ openSocket, deviceName }) => {
    const state = createSubject({ isConnected: false, verifiedBy: null, invitation: null } as unknown as PortalState)
    const set = (change: Partial<PortalState>) => state.set({ ...state.current(), ...change })
    const socket = openSocket?.(`${origin.replace('http', 'ws')}/api/webrtc-signal`)
    const send = (message: object) => socket?.send(JSON.stringify(message))
    let n = ''
    let guesses = 0
    let prefix = ''
    let keys: Awaited<ReturnType<Awaited<ReturnType<typeof startPake>>['finish']>> | null = null

    function openRoom(): void {
      n = toBase64url(randomBytes(16))
      send({ type: 'create-room', deviceName, px: { v: 2, n } })
    }

    function showInvitation(roomCode: string): void {
      if (fault !== 'takes any prefix' && !/^[1-9]\d$/.test(roomCode)) return
      prefix = roomCode
      const pin = prefix + drawDigits(Math.max(0, 6 - prefix.length))
      const linkDigits = fault === 'code in its link' ? pin : prefix + drawDigits(4)
      set({ invitation: { pin, prefix, linkDigits, secret: randomBytes(16), isLinkOnly: false } })
    }

    async function answerJoin({ px }: Extract<AnyServerSignal, { type: 'peer-joined' }>): Promise<void> {
      if (!px && fault === 'lets in without proof') return set({ isConnected: true })
      const { invitation } = state.current()
      if (!px || 'classic' in px || px.mode === 'link' || !invitation) return
      const { pin } = invitation
      const context = { origin, prefix, deviceName, n }
      const pake = await startPake({ role: 'creator', mode: 'pin', pin, secret: new Uint8Array(0), ...context })
      keys = await pake.finish({ element: fromBase64url(px.y), aad: fromBase64url(px.ad) })
      const { element, aad } = pake.message
      const [y, ad, tag] = [element, aad, await keys.tag()].map(toBase64url)
      send({ type: 'px-pake', y, ad, tag })
    }

    async function confirm(tag: string): Promise<void> {
      try {
        await keys?.requireTag(fromBase64url(tag))
        set({ isConnected: true, verifiedBy: 'pin' })
      } catch {
        guesses += 1
        if (guesses < maxGuesses || fault === 'guessed at without end') openRoom()
      }
    }

    if (socket) {
      socket.onopen = openRoom
      socket.onmessage = ({ data }: MessageEvent<string>) => {
        const message = JSON.parse(data) as AnyServerSignal
        if (message.type === 'room-created') showInvitation(message.roomCode)
        if (message.type === 'peer-joined') void orNull(() => answerJoin(message))
        if (message.type === 'px-confirm') void confirm(message.tag)
      }
    }
    return { state, create: () => undefined, close: () => socket?.close() } as unknown as ReturnType<OpenPortal>
  }
