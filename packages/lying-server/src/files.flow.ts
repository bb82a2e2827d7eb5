import type { OwnFileKeyInput } from '@sallyport/client/own-file-key'
import { createOrUpdateShare, type FileToShare, findShareLink } from '@sallyport/client/sharing/share-link'
import { getSharedFile, parseShareLink } from '@sallyport/client/sharing/shared-file'
import { patternBytes } from '@sallyport/client/testing/files'
import { files, type ListedFile } from '@sallyport/contract/files'
import { deriveShareKey, encodeShareFragment, openEnvelope, openName } from '@sallyport/crypto'
import { ownFileSource } from '@sallyport/transfers/engine/download/own-file-source'
import { sharedFileSource } from '@sallyport/transfers/engine/download/shared-file-source'
import { orNull } from './attempt.ts'
import { coveredCalls } from './covered-calls.ts'
import { createContentCheck, createFileClient } from './file-client.ts'
import { requestFlow } from './flow.ts'
import { serveFiles } from './honest-files.ts'
import type { KnownLie } from './lies.ts'

/** The parts of the client that a planted fault replaces. */
export interface FilesClient {
  readonly openShare: typeof createOrUpdateShare
}

const contents: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  'holiday.txt': patternBytes(3001),
  'taxes.txt': patternBytes(4007).reverse(),
}

interface ShareAnswer {
  readonly shareUrl?: string
}

const foreignAddress: KnownLie = {
  name: 'the URL of another server',
  call: 'POST /api/file/:id/share-zk',
  nth: 'every',
  change: (honest: ShareAnswer) => ({ ...honest, shareUrl: 'https://collector.example/s/AAAAAAAAAAAAAAAAAAAAAA' }),
}

interface KeyAnswer {
  readonly encryptedFileKey: string
}

const otherKey: KnownLie = {
  name: 'the key of another file',
  call: 'GET /api/file/:id/key',
  nth: 'every',
  change(honest: KeyAnswer, { objects }) {
    const keys = objects.flatMap(({ encryptedFileKey: key }) => (typeof key === 'string' ? [key] : []))
    return {
      ...honest,
      encryptedFileKey: keys.find((key) => key !== honest.encryptedFileKey) ?? honest.encryptedFileKey,
    }
  },
}

/** A user uploads two files, downloads each and shares one; an anonymous visitor opens the link. */
export const filesFlow = (client: FilesClient = { openShare: createOrUpdateShare }) =>
  requestFlow({
    name: 'upload, download, share',
    calls: coveredCalls['upload, download, share'],
    serve: serveFiles,
    knownLies: [foreignAddress, otherKey],
    async run(server) {
      const accountKey = crypto.getRandomValues(new Uint8Array(32))
      const violations: string[] = []
      const check = createContentCheck(contents)
      const user = createFileClient(server)
      for (const [name, bytes] of Object.entries(contents)) await user.upload({ name, bytes, root: accountKey })
      const listed = (await orNull(() => user.call(files.list, {})))?.files ?? []
      for (const file of listed) await checkDownload(file)
      const [first, second] = listed
      // The label of one share must not be returned for another.
      if (second) await orNull(() => share(second))
      const shared = first && (await orNull(() => share(first)))
      const isSharedByKey =
        first && (await orNull(() => share(first, { id: first.id, originalName: first.originalName })))
      const secrets: Record<string, Uint8Array> = { 'the account key': accountKey, ...contents }
      for (const { encryptedFileKey } of listed) Object.assign(secrets, await secretsOf(encryptedFileKey, accountKey))
      return {
        secrets,
        violations: [...violations, ...check.violations],
        isComplete: listed.length === 2 && shared === true && isSharedByKey === true,
      }

      async function checkDownload(file: ListedFile): Promise<void> {
        const name = await orNull(async () => (await readName(file, accountKey)).name)
        const source = ownFileSource({ id: file.id, accountKey, encryptedFileKey: file.encryptedFileKey })
        check.require(name, await user.download(source), 'a download')
        // Without the wrapped key from the list, the client requests it.
        const { id, originalName } = file
        check.require(
          name,
          await user.download(ownFileSource({ id, accountKey, originalName })),
          'a download with a requested key',
        )
      }

      function checkLink(link: string): void {
        const { origin, pathname } = new URL(link)
        if (origin !== server.origin) violations.push('a share link with its key points to another server')
        if (!/^\/s\/[^/]+$/.test(pathname)) violations.push('a share link points to another page')
      }

      async function share(file: ListedFile, ownKey: OwnFileKeyInput = file): Promise<boolean> {
        const { name } = await readName(file, accountKey)
        const request: FileToShare = { ...ownKey, accountKey, origin: server.origin }
        const { link, label } = await client.openShare(user.call, request, { label: `for ${name}` })
        checkLink(link)
        if (label !== '' && label !== `for ${name}`) violations.push(`the share of ${name} has the label "${label}"`)
        const { keys } = await openEnvelope({ envelope: file.encryptedFileKey, root: accountKey, wrapType: 'account' })
        const found = await orNull(() => findShareLink(user.call, request, keys))
        if (found !== null) checkLink(found)
        const { token, shareKey } = await parseShareLink(link)
        if (String(shareKey) !== String(await deriveShareKey(accountKey, keys.header.fileUid))) {
          violations.push(`the link to ${name} has the key of another file`)
        }
        const opened = await getSharedFile(user.call, { token, shareKey })
        if (opened.name !== name && opened.name !== 'Unreadable name')
          violations.push(`the link to ${name} shows ${opened.name}`)
        const bytes = await user.download(sharedFileSource(opened))
        check.require(name, bytes, 'the shared link')
        return bytes !== null
      }
    },
  })

async function readName({ encryptedFileKey, originalName }: ListedFile, root: Uint8Array) {
  const { keys } = await openEnvelope({ envelope: encryptedFileKey, root, wrapType: 'account' })
  return openName(originalName, keys)
}

/** The secrets of one file. */
async function secretsOf(envelope: string, root: Uint8Array): Promise<Record<string, Uint8Array | string>> {
  const opened = await orNull(() => openEnvelope({ envelope, root, wrapType: 'account' }))
  if (!opened) return {}
  const shareKey = await deriveShareKey(root, opened.keys.header.fileUid)
  const fragment = await encodeShareFragment(shareKey)
  return { 'a file key': opened.fileKey, 'a share key': shareKey, 'the fragment of a link': fragment }
}
