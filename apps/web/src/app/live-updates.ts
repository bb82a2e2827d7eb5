import type { LiveEvent } from '@sallyport/contract/live'
import type { MessageSync } from '#/components/messages/message-sync.ts'
import {
  addToList,
  type FileList,
  filesQuery,
  refreshFiles,
  removeFromList,
  updateInList,
} from '#/features/files/files.queries.ts'
import { userInfoQuery } from '#/lib/api/account.queries.ts'
import type { Services } from './services.ts'

interface LiveUpdateDeps extends Pick<Services, 'api' | 'queries' | 'accounts'> {
  readonly chat: { readonly sync: MessageSync }
}

/** Applies a live event of the server to the query cache. */
export function applyLiveEvent(event: LiveEvent, deps: LiveUpdateDeps): void {
  switch (event.type) {
    case 'ready':
      // Events before the connection was established were missed.
      void refetchFiles(deps)
      void deps.chat.sync.refresh()
      break
    case 'alive':
      break
    case 'file.inserted':
      updateFileList(deps, (listed) => addToList(listed, event.file))
      break
    case 'file.deleted':
      updateFileList(deps, (listed) => removeFromList(listed, event.id))
      break
    case 'file.changed':
      updateFileList(deps, (listed) => updateInList(listed, event.id, event))
      break
    case 'message.inserted':
      deps.chat.sync.onInserted(event.id, event.createdAt)
      break
    case 'message.deleted':
      deps.chat.sync.onDeleted(event.id)
      break
    case 'account.revoked':
      void deps.accounts.authController.expire()
      break
  }
}

function updateFileList(
  { api, queries }: LiveUpdateDeps,
  update: (listed: FileList | undefined) => FileList | undefined,
): void {
  const { queryKey } = filesQuery(api.call)
  queries.setQueryData(queryKey, update)
  const isFetching = queries.isFetching({ queryKey }) > 0
  if (isFetching) void refetchFiles({ api, queries })
  else void queries.invalidateQueries({ queryKey: userInfoQuery(api.call).queryKey })
}

/** Cancels fetches in flight, whose response may be older than the event and would undo it, and refetches. */
async function refetchFiles({ api, queries }: Pick<LiveUpdateDeps, 'api' | 'queries'>): Promise<void> {
  await queries.cancelQueries({ queryKey: filesQuery(api.call).queryKey })
  await refreshFiles(queries, api.call)
}
