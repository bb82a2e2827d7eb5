import { patternBytes } from '@sallyport/client/testing/files'
import { sessionFiles } from '@sallyport/contract/session-files'
import type { SessionFile } from '@sallyport/contract/session-shapes'
import { openEnvelope, openName } from '@sallyport/crypto'
import { sessionSource } from '@sallyport/transfers/engine/download/session-source'
import { orNull } from './attempt.ts'
import { coveredCalls } from './covered-calls.ts'
import { createContentCheck, createFileClient } from './file-client.ts'
import { requestFlow } from './flow.ts'
import { serveSessionFiles } from './honest-session-files.ts'

const contents: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  'map.txt': patternBytes(2003),
  'list.txt': patternBytes(5009).reverse(),
}

/** A participant uploads two files to a session, and another one downloads them. */
export const sessionFilesFlow = () =>
  requestFlow({
    name: 'files of a session',
    calls: coveredCalls['files of a session'],
    serve: serveSessionFiles,
    async run(server) {
      const root = crypto.getRandomValues(new Uint8Array(32))
      const id = '11111111-1111-4111-8111-111111111111'
      const destination = { kind: 'session', id, participantToken: 'A'.repeat(43) } as const
      const check = createContentCheck(contents)
      const user = createFileClient(server)

      for (const [name, bytes] of Object.entries(contents)) await user.upload({ name, bytes, root, destination })
      const headers = { 'x-participant-token': destination.participantToken }
      const listed = await orNull(() => user.call(sessionFiles.list, { params: { id }, headers, query: {} }))
      const secrets: Record<string, Uint8Array> = { 'the key of the session': root, ...contents }
      for (const file of listed?.files ?? []) await download(file)
      return { secrets, violations: check.violations, isComplete: check.matches() === 2 }

      async function download({ id: fileId, encrypted_file_key: envelope, original_name }: SessionFile): Promise<void> {
        const opened = await orNull(() => openEnvelope({ envelope, root, wrapType: 'session' }))
        const openedName = opened && (await orNull(() => openName(original_name, opened.keys)))
        if (opened) secrets['a file key'] = opened.fileKey
        const source = sessionSource({ ...destination, id: fileId, root, encryptedFileKey: envelope })
        check.require(openedName?.name ?? null, await user.download(source), 'a download')
      }
    },
  })
