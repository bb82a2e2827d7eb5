import { createFileServer } from '@sallyport/client/testing/file-server'
import { patternBytes } from '@sallyport/client/testing/files'
import { files, type ListedFile } from '@sallyport/contract/files'
import { openEnvelope, openName } from '@sallyport/crypto'
import { ownFileSource } from '@sallyport/transfers/engine/download/own-file-source'
import { sendBySocket } from '@sallyport/transfers/engine/upload/send-by-socket'
import { createTransportSelector } from '@sallyport/transfers/engine/upload/transport'
import { sendByFetch } from '@sallyport/transfers/node/send-by-fetch'
import fc from 'fast-check'
import { orNull } from './attempt.ts'
import { coveredCalls } from './covered-calls.ts'
import { createSocketOpener } from './fake-socket.ts'
import { createContentCheck, createFileClient } from './file-client.ts'
import type { Flow } from './flow.ts'
import { serveFiles } from './honest-files.ts'
import { acceptUploads, type SocketLie, socketLies } from './honest-upload-socket.ts'
import { type KnownLie, type Lie, liesAbout } from './lies.ts'
import { createNonceCheck } from './nonce-check.ts'
import { createLyingServer, type ServerRequest } from './server.ts'
import { prepareSmallUpload } from './small-upload.ts'

interface UploadSocketCase {
  readonly lies: readonly (Lie | KnownLie)[]
  readonly socket: readonly SocketLie[]
}

const contents: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  'whole.txt': patternBytes(3001),
  'chunks.bin': patternBytes(2 * 65_536 + 11).reverse(),
}

const ticketCall = 'POST /api/live/tickets'

const foreignTicket: KnownLie = {
  name: 'a ticket that is the URL of another server',
  call: ticketCall,
  nth: 'every',
  change: (honest: object) => ({ ...honest, ticket: 'wss://collector.example/api/ws-upload' }),
}

const fileId = '00000000-0000-4000-8000-000000000009'
const fixedSocketLies: readonly SocketLie[] = [
  { index: 0, position: 'before', answer: { type: 'upload-complete', uploadId: 'A', fileId, message: '' } },
  { index: 3, position: 'before', answer: { type: 'upload-chunk-stored', uploadId: 'A', chunkIndex: 0 } },
  {
    index: 3,
    position: 'instead',
    answer: { type: 'upload-error', error: '', code: 'CHUNK_LENGTH_WRONG', status: 503 },
  },
]

type OpenSocket = (address: string) => WebSocket

/** A user uploads one file whole and one in chunks over the upload socket, and downloads both. */
export function uploadSocketFlow(plantFault = (open: OpenSocket): OpenSocket => open): Flow<UploadSocketCase> {
  const name = 'upload over the upload socket'
  const calls = coveredCalls[name]
  return {
    name,
    calls,
    honest: { lies: [], socket: [] },
    fixedCases: [{ lies: [foreignTicket], socket: [] }, ...fixedSocketLies.map((lie) => ({ lies: [], socket: [lie] }))],
    cases: fc.record({
      lies: fc.oneof(fc.constant([]), liesAbout(calls.filter((call) => !call.startsWith('upload ')))),
      socket: socketLies,
    }),
    async run({ lies, socket }) {
      const stored = createFileServer()
      const serve = serveFiles(stored)
      const honest = (request: ServerRequest) =>
        request.name === ticketCall ? { success: true, ticket: 'ticket' } : serve(request)
      const server = createLyingServer({ honest, lies })
      const nonces = createNonceCheck()
      const accept = acceptUploads({
        files: stored,
        server,
        lies: socket,
        onBytes: (envelope, bytes) => nonces.add({ envelope, bytes }),
      })
      const opener = createSocketOpener(server.transcript, accept)
      const openSocket = plantFault((address) => opener(address))
      const user = createFileClient(server, {
        transports: createTransportSelector('socket'),
        send(deps) {
          const [bySocket, byRequest] = [
            sendBySocket({ ...deps, origin: server.origin, openSocket }),
            sendByFetch(deps),
          ]
          return (work) => (work.transport === 'socket' ? bySocket : byRequest)(work)
        },
      })
      const root = crypto.getRandomValues(new Uint8Array(32))
      const secrets: Record<string, Uint8Array> = { 'the account key': root, ...contents }
      const check = createContentCheck(contents)

      for (const [file, bytes] of Object.entries(contents)) {
        const input = { name: file, bytes, root }
        await user.upload(file === 'chunks.bin' ? { ...input, pending: await prepareSmallUpload(input) } : input)
      }
      const listed = await orNull(() => user.call(files.list, {}))
      for (const file of listed?.files ?? []) await download(file)
      const violations = nonces.isReused() ? ['two records were sealed with the same nonce'] : []
      return {
        server,
        secrets,
        violations: [...check.violations, ...violations],
        isComplete: check.matches() === 2,
      }

      async function download({ id, encryptedFileKey, originalName }: ListedFile): Promise<void> {
        const opened = await orNull(() => openEnvelope({ envelope: encryptedFileKey, root, wrapType: 'account' }))
        const openedName = opened && (await orNull(() => openName(originalName, opened.keys)))
        if (opened) secrets['a file key'] = opened.fileKey
        const source = ownFileSource({ id, accountKey: root, encryptedFileKey })
        check.require(openedName?.name ?? null, await user.download(source), 'a download')
      }
    },
  }
}
