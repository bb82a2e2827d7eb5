import type { LiveEvent } from '@sallyport/contract/live'
import { userInfoQuery } from '#/api/account.queries.ts'
import {
  addToList,
  changeInList,
  type FileList,
  filesQuery,
  refreshFiles,
  takeFromList,
} from '#/files/files.queries.ts'
import type { MessageNews } from '#/messages/message-news.ts'
import type { Services } from './services.ts'

interface Parts extends Pick<Services, 'api' | 'queries' | 'accounts'> {
  readonly chat: { readonly news: MessageNews }
}

/** Changes what is shown as the server says that things have changed. */
export function applyLiveEvent(event: LiveEvent, parts: Parts): void {
  switch (event.type) {
    case 'ready':
      // What happened before the connection stood was missed.
      void askAnew(parts)
      void parts.chat.news.refresh()
      break
    case 'alive':
      break
    case 'file.inserted':
      changeList(parts, (listed) => addToList(listed, event.file))
      break
    case 'file.deleted':
      changeList(parts, (listed) => takeFromList(listed, event.id))
      break
    case 'file.changed':
      changeList(parts, (listed) => changeInList(listed, event.id, event))
      break
    case 'message.inserted':
      parts.chat.news.hearOfNew(event.id, event.createdAt)
      break
    case 'message.deleted':
      parts.chat.news.hearOfDeleted(event.id)
      break
    case 'account.revoked':
      void parts.accounts.gate.expire()
      break
  }
}

function changeList({ api, queries }: Parts, change: (listed: FileList | undefined) => FileList | undefined): void {
  const { queryKey } = filesQuery(api.call)
  queries.setQueryData(queryKey, change)
  const isAsking = queries.isFetching({ queryKey }) > 0
  if (isAsking) void askAnew({ api, queries })
  else void queries.invalidateQueries({ queryKey: userInfoQuery(api.call).queryKey })
}

/** An answer that is on its way may be older than what was just heard, and would undo it. */
async function askAnew({ api, queries }: Pick<Parts, 'api' | 'queries'>): Promise<void> {
  await queries.cancelQueries({ queryKey: filesQuery(api.call).queryKey })
  await refreshFiles(queries, api.call)
}
