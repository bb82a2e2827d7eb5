import { serverClock } from '@sallyport/browser/server-clock'
import { type Connectivity, runWhileOnline } from '@sallyport/client/connectivity'
import { ApiError } from '@sallyport/client/errors'
import { errorCatalogue } from '@sallyport/contract/errors'
import { chatLimits } from '@sallyport/contract/limits'
import type { OpenedMessage, SealedMessage } from '@sallyport/crypto'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { type Composer, createComposer } from './composer/composer.ts'
import { createErrorNotices, type ErrorNotice, type ErrorNotices } from './error-notices.ts'
import { createMessagePages, type LoadPage, type MessagePages } from './list/message-pages.ts'
import type { ListedMessage } from './listed-message.ts'
import { createMessageCache, type DecryptMessage, type MessageAuthor, type MessageCache } from './message-cache.ts'
import { createMessageSync, type MessageSync } from './message-sync.ts'

/** The messages of an account or of a session: loaded, decrypted, kept in sync and sent. */
export interface Conversation<Listed extends ListedMessage = ListedMessage> {
  readonly pages: MessagePages<Listed>
  readonly messageCache: MessageCache<Listed>
  readonly composer: Composer
  readonly errors: ErrorNotices
  readonly sync: MessageSync
  /** Returns a message that waits for the server to the draft. */
  readonly close: () => void
}

interface ConversationInput<Listed> {
  readonly queries: QueryClient
  /** The query that caches the loaded messages, oldest first. */
  readonly queryKey: QueryKey
  readonly load: LoadPage<Listed>
  readonly open: DecryptMessage<Listed>
  readonly seal: (message: OpenedMessage) => Promise<SealedMessage>
  readonly deliver: (sealed: SealedMessage) => Promise<Listed>
  /** While the server is away, a message waits. */
  readonly connectivity: Connectivity
  /** The current user; absent where all messages belong to one user. */
  readonly me?: () => MessageAuthor
  readonly describeSendError: (error: unknown) => ErrorNotice
}

/** Creates a conversation whose key is available. */
export function createConversation<Listed extends ListedMessage>(
  input: ConversationInput<Listed>,
): Conversation<Listed> {
  const { queries, queryKey, load, open, seal, deliver, connectivity, me, describeSendError } = input
  const closing = new AbortController()
  const pages = createMessagePages({ queries, queryKey, load })
  const messageCache = createMessageCache(open)
  const errors = createErrorNotices()
  const composer = createComposer({
    seal: async (message) => seal(requireAllowedLength(message)),
    deliver: (sealed) => runWhileOnline(connectivity, closing.signal, () => deliver(sealed)),
    onDelivered(message, opened) {
      messageCache.add(message, { ...opened, ...(me && { author: me() }) })
      pages.add([message])
    },
    onFailure: (error) => errors.show(describeSendError(error)),
    now: serverClock.now,
  })
  return {
    pages,
    messageCache,
    composer,
    errors,
    sync: createMessageSync({ queries, queryKey, pages }),
    close: () => closing.abort(),
  }
}

/** Rejects a message that is too long with the error that the server would return. */
function requireAllowedLength(message: OpenedMessage): OpenedMessage {
  if (new TextEncoder().encode(message.text).length <= chatLimits.textBytes) return message
  const { status, text } = errorCatalogue.MESSAGE_TOO_LONG
  throw new ApiError({ status, statusText: 'Payload Too Large', code: 'MESSAGE_TOO_LONG', serverMessage: text })
}
