import type { Call } from '../../call.ts'
import { openShare } from '../../sharing/share-link.ts'
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
