import type { Call } from '@sallyport/client/call'
import { createOrUpdateShare } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import type { ArchiveFile, ArchiveWorker } from '@sallyport/transfers/engine/archive/archive-worker'
import type { SendBytes } from '@sallyport/transfers/engine/upload/encrypt-worker'
import type { FilesClient } from './files.flow.ts'

/** A client that appends the share key to the URL from the server. */
export const trustsShareUrl: FilesClient = {
  async openShare(call, file, change) {
    let answeredUrl = ''
    const intercepted: Call = async (...args) => {
      const reply = await call(...args)
      const { shareUrl } = (reply ?? {}) as { shareUrl?: string }
      if (shareUrl === undefined) return reply
      answeredUrl = shareUrl
      return Object.assign({}, reply, { shareUrl: `/s/${'A'.repeat(22)}` })
    }
    const own = await createOrUpdateShare(intercepted, file, change)
    const link = new URL(answeredUrl, file.origin)
    link.hash = new URL(own.link).hash
    return { ...own, link: link.href }
  },
}

/** A client that shares the file whose key the server returns, whichever it is. */
export const trustsFileKey: FilesClient = {
  async openShare(call, file, change) {
    const { encryptedFileKey } = await call(files.key, { params: { id: file.id } })
    return createOrUpdateShare(call, { ...file, encryptedFileKey }, change)
  },
}

/** A client that names the entries of an archive in the order of an earlier list. */
export function namesByPosition(names: readonly string[]) {
  return (worker: ArchiveWorker<Uint8Array>): ArchiveWorker<Uint8Array> => {
    const remaining = [...names]
    const rename = (file: ArchiveFile): ArchiveFile => ({
      ...file,
      entry: { ...file.entry, name: remaining.shift() ?? file.entry.name },
    })
    return {
      ...worker,
      begin: (file) => worker.begin(rename(file)),
      receiveMany: (files, ...rest) => worker.receiveMany(files.map(rename), ...rest),
    }
  }
}

/** A client that opens its socket at the URL in the ticket. */
export const trustsTicketUrl =
  (open: (address: string) => WebSocket) =>
  (address: string): WebSocket =>
    open(new URL(new URL(address).searchParams.get('session') ?? '', address).href)

/** A client that seals the first record of every chunk with the same nonce. */
export const reusesNonces =
  (send: SendBytes): SendBytes =>
  (work) => {
    const body = new Uint8Array(work.body as Uint8Array<ArrayBuffer>)
    return send({ ...work, body: body.fill(0, 0, 12) })
  }
