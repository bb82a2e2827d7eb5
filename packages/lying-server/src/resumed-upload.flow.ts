import { patternBytes } from '@sallyport/client/testing/files'
import { sessionFiles } from '@sallyport/contract/session-files'
import type { SessionFile } from '@sallyport/contract/session-shapes'
import { openEnvelope, openName } from '@sallyport/crypto'
import { sessionSource } from '@sallyport/transfers/engine/download/session-source'
import type { EncryptWorker, SendBytes } from '@sallyport/transfers/engine/upload/encrypt-worker'
import { sendByFetch } from '@sallyport/transfers/node/send-by-fetch'
import { orNull } from './attempt.ts'
import { coveredCalls } from './covered-calls.ts'
import { createContentCheck, createFileClient } from './file-client.ts'
import { requestFlow } from './flow.ts'
import { serveSessionFiles } from './honest-session-files.ts'
import type { KnownLie } from './lies.ts'
import { createNonceCheck } from './nonce-check.ts'
import type { LyingServer } from './server.ts'
import { prepareSmallUpload } from './small-upload.ts'

const progressCall = 'GET /api/sessions/:id/uploads/:uploadId'

const falseProgress = (name: string, ranges: readonly (readonly [number, number])[]): KnownLie => ({
  name,
  call: progressCall,
  nth: 'every',
  change: (honest: object) => ({ ...honest, received: ranges }),
})

const knownLies = [
  falseProgress('no chunk has arrived', []),
  falseProgress('every chunk has arrived', [[0, 3]]),
  falseProgress('more chunks have arrived than there are', [[-5, Number.MAX_SAFE_INTEGER]]),
]

const name = 'film.bin'
const bytes = patternBytes(3 * 65_536 + 7)
/** Another file with the same name, length and time. */
const otherBytes = bytes.toReversed()
/** The number of chunks that arrive before the upload is interrupted. */
const interruptAfterChunks = 2

/** The parts of the client that a planted fault replaces. */
interface ResumedUploadFaults {
  readonly worker?: (worker: EncryptWorker) => EncryptWorker
  readonly send?: (send: SendBytes) => SendBytes
}

const sameWorker = (worker: EncryptWorker): EncryptWorker => worker
const sameSend = (send: SendBytes): SendBytes => send

/**
 * A participant's upload is interrupted. It is resumed with another file of the same name, size and time, which must be
 * detected, and then with the right one. Another participant downloads it.
 */
export const resumedUploadFlow = ({ worker: plantFault = sameWorker, send = sameSend }: ResumedUploadFaults = {}) =>
  requestFlow({
    name: 'resumed upload',
    calls: coveredCalls['resumed upload'],
    serve: serveSessionFiles,
    knownLies,
    async run(server) {
      const nonces = createNonceCheck()
      const { fetch, interrupt } = interceptChunks(server, nonces)
      const user = createFileClient({ fetch, origin: server.origin }, { send: (deps) => send(sendByFetch(deps)) })
      const root = crypto.getRandomValues(new Uint8Array(32))
      const id = '11111111-1111-4111-8111-111111111111'
      const destination = { kind: 'session', id, participantToken: 'A'.repeat(43) } as const
      const check = createContentCheck({ [name]: bytes })
      const secrets: Record<string, Uint8Array> = { 'the key of the session': root, [name]: bytes }

      const prepared = await prepareSmallUpload({ name, bytes, root, destination })
      const first = user.beginUpload({ name, bytes, root, destination, pending: prepared, plantFault })
      interrupt(first.suspend)
      await first.finished
      const resumption = first.resumption() ?? prepared
      await user.upload({ name, bytes: otherBytes, root, destination, resumption, plantFault })
      await user.upload({ name, bytes, root, destination, resumption, plantFault })

      const headers = { 'x-participant-token': destination.participantToken }
      const listed = await orNull(() => user.call(sessionFiles.list, { params: { id }, headers, query: {} }))
      for (const file of listed?.files ?? []) await download(file)
      const violations = nonces.isReused() ? ['two records were sealed with the same nonce'] : []
      return { secrets, violations: [...check.violations, ...violations], isComplete: check.matches() === 1 }

      async function download({ id: fileId, encrypted_file_key: envelope, original_name }: SessionFile): Promise<void> {
        const opened = await orNull(() => openEnvelope({ envelope, root, wrapType: 'session' }))
        const openedName = opened && (await orNull(() => openName(original_name, opened.keys)))
        if (opened) secrets['a file key'] = opened.fileKey
        const source = sessionSource({ ...destination, id: fileId, root, encryptedFileKey: envelope })
        check.require(openedName?.name ?? null, await user.download(source), 'a download')
      }
    },
  })

/** Records every sent chunk and interrupts the upload after the given number of answers. */
function interceptChunks({ fetch }: LyingServer, nonces: ReturnType<typeof createNonceCheck>) {
  let answered = 0
  let interruptUpload: () => void = () => undefined
  const intercepted: typeof fetch = async (input, init = {}) => {
    const answer = await fetch(input, init)
    if (!String(input).endsWith('/upload-chunk')) return answer
    const envelope = new Headers(init.headers).get('x-encrypted-file-key') ?? ''
    nonces.add({ envelope, bytes: new Uint8Array(await new Response(init.body ?? null).arrayBuffer()) })
    answered += 1
    if (answered === interruptAfterChunks) queueMicrotask(interruptUpload)
    return answer
  }
  return {
    fetch: intercepted,
    interrupt(action: () => void) {
      interruptUpload = action
    },
  }
}
