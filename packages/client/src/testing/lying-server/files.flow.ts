import { files, type ListedFile } from '@sallyport/contract/files'
import { deriveShareKey, encodeShareFragment, openEnvelope, openName } from '@sallyport/crypto'
import type { OwnFileKey } from '../../own-file-key.ts'
import { type FileToShare, findShareLink, openShare } from '../../sharing/share-link.ts'
import { lookAtShare, openShareLink } from '../../sharing/shared-file.ts'
import { patternBytes } from '../files.ts'
import { orNull } from './attempt.ts'
import { coveredCalls } from './covered-calls.ts'
import { contentCheck, createFileClient } from './file-client.ts'
import { requestFlow } from './flow.ts'
import { serveFiles } from './honest-files.ts'
import type { KnownLie } from './lies.ts'

/** The parts of the client that a planted fault replaces. */
export interface FilesClient {
  readonly openShare: typeof openShare
}

const contents: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  'holiday.txt': patternBytes(3001),
  'taxes.txt': patternBytes(4007).reverse(),
}

interface ShareAnswer {
  readonly shareUrl?: string
}

const foreignAddress: KnownLie = {
  name: 'the address of another server',
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

/** A person uploads two files, downloads each, shares one, and a stranger opens the link. */
export const filesFlow = (client: FilesClient = { openShare }) =>
  requestFlow({
    name: 'upload, download, share',
    calls: coveredCalls['upload, download, share'],
    serve: serveFiles,
    knownLies: [foreignAddress, otherKey],
    async run(server) {
      const accountKey = crypto.getRandomValues(new Uint8Array(32))
      const violations: string[] = []
      const check = contentCheck(contents)
      const person = createFileClient(server)
      for (const [name, bytes] of Object.entries(contents)) await person.upload({ name, bytes, root: accountKey })
      const listed = (await orNull(() => person.call(files.list, {})))?.files ?? []
      for (const file of listed) await checkDownload(file)
      const [first, second] = listed
      // The label of one share must not come back as that of another.
      if (second) await orNull(() => share(second))
      const shared = first && (await orNull(() => share(first)))
      const isSharedByKey =
        first && (await orNull(() => share(first, { id: first.id, originalName: first.originalName })))
      const secrets: Record<string, Uint8Array> = { 'the account key': accountKey, ...contents }
      for (const { encryptedFileKey } of listed) Object.assign(secrets, await keysIn(encryptedFileKey, accountKey))
      return {
        secrets,
        violations: [...violations, ...check.violations],
        isComplete: listed.length === 2 && shared === true && isSharedByKey === true,
      }

      async function checkDownload(file: ListedFile): Promise<void> {
        const name = await orNull(async () => (await readName(file, accountKey)).name)
        const source = { kind: 'file', id: file.id, accountKey, encryptedFileKey: file.encryptedFileKey } as const
        check.require(name, await person.download(source), 'a download')
        // Without the wrapped key of the list, the client asks for it.
        const { id, originalName } = file
        check.require(
          name,
          await person.download({ kind: 'file', id, accountKey, originalName }),
          'a download by a key',
        )
      }

      function checkLink(link: string): void {
        const { origin, pathname } = new URL(link)
        if (origin !== server.origin) violations.push('a share link, key and all, leads to another server')
        if (!/^\/s\/[^/]+$/.test(pathname)) violations.push('a share link leads to another page')
      }

      async function share(file: ListedFile, known: OwnFileKey = file): Promise<boolean> {
        const { name } = await readName(file, accountKey)
        const wish: FileToShare = { ...known, accountKey, origin: server.origin }
        const { link, label } = await client.openShare(person.call, wish, { label: `for ${name}` })
        checkLink(link)
        if (label !== '' && label !== `for ${name}`) violations.push(`the share of ${name} has the label "${label}"`)
        const { keys } = await openEnvelope({ envelope: file.encryptedFileKey, root: accountKey, wrapType: 'account' })
        const found = await orNull(() => findShareLink(person.call, wish, keys))
        if (found !== null) checkLink(found)
        const { token, shareKey } = await openShareLink(link)
        if (String(shareKey) !== String(await deriveShareKey(accountKey, keys.header.fileUid))) {
          violations.push(`the link to ${name} has the key of another file`)
        }
        const opened = await lookAtShare(person.call, { token, shareKey })
        if (opened.name !== name && opened.name !== 'Unreadable name')
          violations.push(`the link to ${name} shows ${opened.name}`)
        const bytes = await person.download({ kind: 'share', share: opened })
        check.require(name, bytes, 'the shared link')
        return bytes !== null
      }
    },
  })

async function readName({ encryptedFileKey, originalName }: ListedFile, root: Uint8Array) {
  const { keys } = await openEnvelope({ envelope: encryptedFileKey, root, wrapType: 'account' })
  return openName(originalName, keys)
}

/** What the server must never learn of one file. */
async function keysIn(envelope: string, root: Uint8Array): Promise<Record<string, Uint8Array | string>> {
  const opened = await orNull(() => openEnvelope({ envelope, root, wrapType: 'account' }))
  if (!opened) return {}
  const shareKey = await deriveShareKey(root, opened.keys.header.fileUid)
  const fragment = await encodeShareFragment(shareKey)
  return { 'a file key': opened.fileKey, 'a share key': shareKey, 'the fragment of a link': fragment }
}
