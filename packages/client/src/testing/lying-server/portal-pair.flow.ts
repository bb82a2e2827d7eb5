import { randomBytes } from '@sallyport/crypto/portal'
import fc from 'fast-check'
import type { OutgoingFile } from '../../portal/channel.ts'
import { createManualClock } from '../manual-clock.ts'
import { fileOf, settle } from '../portal-bytes.ts'
import { coveredCalls } from './covered-calls.ts'
import type { Flow, Report } from './flow.ts'
import { servePortals } from './honest-portals.ts'
import { createDevice, createPortalServer, noDirect, type OpenPortal } from './portal-client.ts'
import { createFramePasser, createSignalTeller, frameLies, type MessageLie, signalLies } from './portal-lies.ts'

export interface PairCase {
  readonly signals: readonly MessageLie[]
  readonly frames: readonly MessageLie[]
  readonly isByLink: boolean
  readonly isConfirming: boolean
}

const fileName = 'plan-of-the-north-gate.txt'
const longestMs = 30_000

/** Two people connect their devices over the relay, and one sends a file to the other. */
export const portalPairFlow = (open?: OpenPortal): Flow<PairCase> => ({
  name: 'portal between two devices, over the relay',
  calls: coveredCalls['portal between two devices, over the relay'],
  honest: { signals: [], frames: [], isByLink: false, isConfirming: false },
  cases: fc.record({
    signals: signalLies,
    frames: frameLies,
    isByLink: fc.boolean(),
    isConfirming: fc.boolean(),
  }),
  async run({ signals, frames, isByLink, isConfirming }): Promise<Report> {
    const server = createPortalServer()
    const clock = createManualClock()
    const accept = servePortals({ send: createSignalTeller(server, signals), pass: createFramePasser(frames) })
    const device = (deviceName: string) =>
      createDevice({ server, accept, clock, deviceName, isConfirming, openDirect: noDirect, open })
    const [laptop, phone] = [device('Laptop'), device('Phone')]
    const bytes = randomBytes(5000)
    const invitation = () => {
      const shown = laptop.portal.state.current().invitation
      return shown && 'secret' in shown ? shown : null
    }

    async function meet(): Promise<void> {
      laptop.portal.create({ verifiedOnly: false, linkOnly: false, relayOnly: true })
      while (!invitation()) await clock.wait(100)
      const shown = invitation()
      if (shown) phone.portal.join(isByLink ? { prefix: shown.prefix, secret: shown.secret } : { pin: shown.pin })
      while (!laptop.portal.state.current().isConnected) await clock.wait(100)
      await Promise.all([sendFile(fileOf(bytes, fileName)), takeFile()])
    }
    async function sendFile(file: OutgoingFile): Promise<void> {
      await laptop.portal.send([file]).catch(() => undefined)
    }
    async function takeFile(): Promise<void> {
      while (!phone.portal.state.current().exchange.offer) await clock.wait(100)
      phone.portal.answer(true)
    }
    const met = meet()
    met.catch(() => undefined)
    let code = ''
    let linkSecret: Uint8Array | null = null
    laptop.portal.state.subscribe(() => {
      code = invitation()?.pin ?? code
      linkSecret = invitation()?.secret ?? linkSecret
    })
    await settle(clock, Promise.race([met, clock.wait(longestMs)]))

    const violations: string[] = []
    const states = [laptop.portal.state.current(), phone.portal.state.current()] as const
    const [here, there] = states
    if (
      here.proved &&
      there.proved &&
      here.isConnected &&
      there.isConnected &&
      String(here.pictures) !== String(there.pictures)
    ) {
      violations.push('both devices show a proved portal and other pictures')
    }
    if (here.isConnected && here.proved && here.peerName !== 'Phone')
      violations.push('a proved device has another name')
    if (there.isConnected && there.proved && there.peerName !== 'Laptop')
      violations.push('a proved device has another name')
    for (const [state, { asked }] of [
      [here, laptop],
      [there, phone],
    ] as const) {
      if (state.isConnected && !state.proved && asked.count === 0)
        violations.push('a device that proved nothing was let in unasked')
    }
    const arrived = phone.received.find(({ isFinished }) => isFinished)
    if (arrived && !isEqual(arrived.bytes, bytes)) violations.push('another file arrived than was sent')
    laptop.portal.close()
    phone.portal.close()
    const wasAgreed = phone.asked.count > 0 && isConfirming
    const secrets: Record<string, string | Uint8Array> = { 'the name of the file': fileName, 'the file': bytes }
    if (code !== '' && !wasAgreed) secrets['the code'] = code
    if (linkSecret) secrets['the secret of the link'] = linkSecret
    return { server, secrets, violations, isComplete: arrived !== undefined }
  },
})

const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])
