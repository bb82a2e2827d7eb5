import { sessionFiles } from '@sallyport/contract/session-files'
import type { SessionFile } from '@sallyport/contract/session-shapes'
import { openEnvelope, openName } from '@sallyport/crypto'
import type { SealLane, SendBytes } from '../../upload/seal-lane.ts'
import { sendByFetch } from '../../upload/send-by-fetch.ts'
import { patternBytes } from '../files.ts'
import { orNull } from './attempt.ts'
import { coveredCalls } from './covered-calls.ts'
import { contentCheck, createFileClient } from './file-client.ts'
import { requestFlow } from './flow.ts'
import { serveSessionFiles } from './honest-session-files.ts'
import type { KnownLie } from './lies.ts'
import { createNonceCheck } from './nonce-check.ts'
import type { LyingServer } from './server.ts'
import { prepareSmallUpload } from './small-upload.ts'

const progressCall = 'GET /api/sessions/:id/uploads/:uploadId'

const received = (name: string, ranges: readonly (readonly [number, number])[]): KnownLie => ({
  name,
  call: progressCall,
  nth: 'every',
  change: (honest: object) => ({ ...honest, received: ranges }),
})

const knownLies = [
  received('no chunk has arrived', []),
  received('every chunk has arrived', [[0, 3]]),
  received('more chunks have arrived than there are', [[-5, Number.MAX_SAFE_INTEGER]]),
]

const name = 'film.bin'
const bytes = patternBytes(3 * 65_536 + 7)
/** Another file of the same name, length and time. */
const otherBytes = bytes.toReversed()
/** So many chunks arrive before the upload is interrupted. */
const arrived = 2

/** The parts of the client that a planted fault replaces. */
interface ResumedUploadFaults {
  readonly lane?: (lane: SealLane) => SealLane
  readonly send?: (send: SendBytes) => SendBytes
}

const sameLane = (lane: SealLane): SealLane => lane
const sameSend = (send: SendBytes): SendBytes => send

/**
 * A participant's upload is interrupted. It is resumed with another file of the same name, size and time, which has to
 * be noticed, and then with the right one; another participant downloads it.
 */
export const resumedUploadFlow = ({ lane: spoil = sameLane, send = sameSend }: ResumedUploadFaults = {}) =>
  requestFlow({
    name: 'resumed upload',
    calls: coveredCalls['resumed upload'],
    serve: serveSessionFiles,
    knownLies,
    async run(server) {
      const nonces = createNonceCheck()
      const { fetch, interrupt } = watchChunks(server, nonces)
      const person = createFileClient({ fetch, origin: server.origin }, { send: (means) => send(sendByFetch(means)) })
      const root = crypto.getRandomValues(new Uint8Array(32))
      const id = '11111111-1111-4111-8111-111111111111'
      const place = { kind: 'session', id, participantToken: 'A'.repeat(43) } as const
      const check = contentCheck({ [name]: bytes })
      const secrets: Record<string, Uint8Array> = { 'the key of the session': root, [name]: bytes }

      const begun = await prepareSmallUpload({ name, bytes, root, place })
      const first = person.beginUpload({ name, bytes, root, place, noted: begun, spoil })
      interrupt(first.suspend)
      await first.finished
      const resumption = first.resumption() ?? begun
      await person.upload({ name, bytes: otherBytes, root, place, resumption, spoil })
      await person.upload({ name, bytes, root, place, resumption, spoil })

      const headers = { 'x-participant-token': place.participantToken }
      const asked = await orNull(() => person.call(sessionFiles.list, { params: { id }, headers, query: {} }))
      for (const file of asked?.files ?? []) await download(file)
      const violations = nonces.isReused() ? ['two records were sealed with the same nonce'] : []
      return { secrets, violations: [...check.violations, ...violations], isComplete: check.matches() === 1 }

      async function download({ id: fileId, encrypted_file_key: envelope, original_name }: SessionFile): Promise<void> {
        const opened = await orNull(() => openEnvelope({ envelope, root, wrapType: 'session' }))
        const named = opened && (await orNull(() => openName(original_name, opened.keys)))
        if (opened) secrets['a file key'] = opened.fileKey
        const source = { ...place, id: fileId, root, encryptedFileKey: envelope }
        check.require(named?.name ?? null, await person.download(source), 'a download')
      }
    },
  })

/** Notes every chunk that is sent, and interrupts the upload once some of them were answered. */
function watchChunks({ fetch }: LyingServer, nonces: ReturnType<typeof createNonceCheck>) {
  let answered = 0
  let stop: () => void = () => undefined
  const watched: typeof fetch = async (input, init = {}) => {
    const answer = await fetch(input, init)
    if (!String(input).endsWith('/upload-chunk')) return answer
    const envelope = new Headers(init.headers).get('x-encrypted-file-key') ?? ''
    nonces.add({ envelope, bytes: new Uint8Array(await new Response(init.body ?? null).arrayBuffer()) })
    answered += 1
    if (answered === arrived) queueMicrotask(stop)
    return answer
  }
  return {
    fetch: watched,
    interrupt(how: () => void) {
      stop = how
    },
  }
}
