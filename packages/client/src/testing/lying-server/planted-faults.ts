import { files } from '@sallyport/contract/files'
import type { ArchiveLane } from '../../archive/archive-lane.ts'
import type { Call } from '../../call.ts'
import { openShare } from '../../sharing/share-link.ts'
import type { SendBytes } from '../../upload/seal-lane.ts'
import type { FilesClient } from './files.flow.ts'

/** A client that takes the address of a share from the server and puts the key behind it. */
export const believesAddress: FilesClient = {
  async openShare(call, file, change) {
    let answered = ''
    const listening: Call = async (...asked) => {
      const reply = await call(...asked)
      const { shareUrl } = (reply ?? {}) as { shareUrl?: string }
      if (shareUrl === undefined) return reply
      answered = shareUrl
      return Object.assign({}, reply, { shareUrl: `/s/${'A'.repeat(22)}` })
    }
    const own = await openShare(listening, file, change)
    const link = new URL(answered, file.origin)
    link.hash = new URL(own.link).hash
    return { ...own, link: link.href }
  },
}

/** A client that shares whatever file the key is for that the server answers. */
export const believesKey: FilesClient = {
  async openShare(call, file, change) {
    const { encryptedFileKey } = await call(files.key, { params: { id: file.id } })
    return openShare(call, { ...file, encryptedFileKey }, change)
  },
}

/** A client that names the entries of an archive in the order of an earlier list. */
export function namesByPosition(names: readonly string[]) {
  return (lane: ArchiveLane<Uint8Array>): ArchiveLane<Uint8Array> => {
    const left = [...names]
    return {
      ...lane,
      begin: (file) => lane.begin({ ...file, entry: { ...file.entry, name: left.shift() ?? file.entry.name } }),
    }
  }
}

/** A client that opens its socket where the ticket leads. */
export const followsTicket =
  (open: (address: string) => WebSocket) =>
  (address: string): WebSocket =>
    open(new URL(new URL(address).searchParams.get('session') ?? '', address).href)

/** A client that seals the first record of every chunk with the same nonce. */
export const repeatsNonces =
  (send: SendBytes): SendBytes =>
  (work) => {
    const body = new Uint8Array(work.body as Uint8Array<ArrayBuffer>)
    return send({ ...work, body: body.fill(0, 0, 12) })
  }
