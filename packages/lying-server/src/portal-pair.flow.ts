import type { OutgoingFile } from '@sallyport/client/portal/channel'
import { createManualClock } from '@sallyport/client/testing/manual-clock'
import { fileOf, runUntilSettled } from '@sallyport/client/testing/portal-bytes'
import { randomBytes } from '@sallyport/crypto/portal'
import fc from 'fast-check'
import { coveredCalls } from './covered-calls.ts'
import type { Flow, FlowReport } from './flow.ts'
import { servePortals } from './honest-portals.ts'
import { createDevice, createPortalServer, noDirect, type OpenPortal } from './portal-client.ts'
import { createLyingForwarder, createLyingSignalSender, frameLies, type MessageLie, signalLies } from './portal-lies.ts'

export interface PairCase {
  readonly signals: readonly MessageLie[]
  readonly frames: readonly MessageLie[]
  readonly isByLink: boolean
  readonly confirmsUnverified: boolean
}

const fileName = 'plan-of-the-north-gate.txt'
const maxMs = 30_000

/** Two users connect their devices over the relay, and one sends a file to the other. */
export const portalPairFlow = (open?: OpenPortal): Flow<PairCase> => ({
  name: 'portal between two devices over the relay',
  calls: coveredCalls['portal between two devices over the relay'],
  honest: { signals: [], frames: [], isByLink: false, confirmsUnverified: false },
  cases: fc.record({
    signals: signalLies,
    frames: frameLies,
    isByLink: fc.boolean(),
    confirmsUnverified: fc.boolean(),
  }),
  async run({ signals, frames, isByLink, confirmsUnverified }): Promise<FlowReport> {
    const server = createPortalServer()
    const clock = createManualClock()
    const accept = servePortals({
      send: createLyingSignalSender(server, signals),
      forward: createLyingForwarder(frames),
    })
    const device = (deviceName: string) =>
      createDevice({ server, accept, clock, deviceName, confirmsUnverified, openDirect: noDirect, open })
    const [laptop, phone] = [device('Laptop'), device('Phone')]
    const bytes = randomBytes(5000)
    const invitation = () => {
      const shown = laptop.portal.state.current().invitation
      return shown && 'secret' in shown ? shown : null
    }

    async function connectAndSend(): Promise<void> {
      laptop.portal.create({ verifiedOnly: false, linkOnly: false, relayOnly: true })
      while (!invitation()) await clock.wait(100)
      const shown = invitation()
      if (shown) phone.portal.join(isByLink ? { prefix: shown.prefix, secret: shown.secret } : { pin: shown.pin })
      while (!laptop.portal.state.current().isConnected) await clock.wait(100)
      await Promise.all([sendFile(fileOf(bytes, fileName)), acceptFile()])
    }
    async function sendFile(file: OutgoingFile): Promise<void> {
      await laptop.portal.send([file]).catch(() => undefined)
    }
    async function acceptFile(): Promise<void> {
      while (!phone.portal.state.current().exchange.offer) await clock.wait(100)
      phone.portal.answer(true)
    }
    const finished = connectAndSend()
    finished.catch(() => undefined)
    let code = ''
    let linkSecret: Uint8Array | null = null
    laptop.portal.state.subscribe(() => {
      code = invitation()?.pin ?? code
      linkSecret = invitation()?.secret ?? linkSecret
    })
    await runUntilSettled(clock, Promise.race([finished, clock.wait(maxMs)]))

    const violations: string[] = []
    const states = [laptop.portal.state.current(), phone.portal.state.current()] as const
    const [here, there] = states
    if (
      here.verifiedBy &&
      there.verifiedBy &&
      here.isConnected &&
      there.isConnected &&
      String(here.sasEmoji) !== String(there.sasEmoji)
    ) {
      violations.push('both devices show a verified portal with different SAS emoji')
    }
    if (here.isConnected && here.verifiedBy && here.peerName !== 'Phone')
      violations.push('a verified device has a wrong name')
    if (there.isConnected && there.verifiedBy && there.peerName !== 'Laptop')
      violations.push('a verified device has a wrong name')
    for (const [state, { questions }] of [
      [here, laptop],
      [there, phone],
    ] as const) {
      if (state.isConnected && !state.verifiedBy && questions.count === 0)
        violations.push('an unverified device was connected without confirmation')
    }
    const received = phone.received.find(({ isFinished }) => isFinished)
    if (received && !isEqual(received.bytes, bytes)) violations.push('the received file differs from the sent one')
    laptop.portal.close()
    phone.portal.close()
    const wasConfirmed = phone.questions.count > 0 && confirmsUnverified
    const secrets: Record<string, string | Uint8Array> = { 'the name of the file': fileName, 'the file': bytes }
    if (code !== '' && !wasConfirmed) secrets['the code'] = code
    if (linkSecret) secrets['the link secret'] = linkSecret
    return { server, secrets, violations, isComplete: received !== undefined }
  },
})

const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])
