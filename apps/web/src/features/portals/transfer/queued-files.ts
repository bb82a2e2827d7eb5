import { createSubject, type Observable } from '@sallyport/client/observable'
import type { Portal } from '@sallyport/client/portal/portal-state'
import { ignore } from '@sallyport/contract/ignore'
import type { AddedFile } from '#/components/file-input/added-file.ts'
import { createOutgoingFile } from './outgoing-file.ts'

/** Files that were chosen before the other device is connected. Nothing about them leaves this device until then. */
export interface QueuedFiles extends Observable<readonly AddedFile[]> {
  readonly add: (files: readonly AddedFile[]) => void
  readonly clear: () => void
  /** Removes the files from the queue, to be sent. */
  readonly take: () => readonly AddedFile[]
}

/**
 * Offers queued files as soon as a verified device is connected. An unverified one gets them only when the user sends
 * them, who may want to compare the pictures first.
 */
export function createQueuedFiles({ state, send }: Pick<Portal, 'state' | 'send'>): QueuedFiles {
  const queue = createSubject<readonly AddedFile[]>([])
  let wasConnected = false

  function take(): readonly AddedFile[] {
    const files = queue.current()
    queue.set([])
    return files
  }

  async function offer(): Promise<void> {
    const files = take()
    try {
      await send(files.map(createOutgoingFile))
    } catch (error) {
      // A transfer that has started shows its own error. Otherwise the user can send the files again.
      if (state.current().exchange.sending === null) queue.set(files)
      ignore(error, 'the transfer shows it')
    }
  }

  state.subscribe(() => {
    const { isConnected, verifiedBy, mode, error } = state.current()
    if (isConnected && !wasConnected && verifiedBy !== null && queue.current().length > 0) void offer()
    wasConnected = isConnected
    // After an error the user may open another portal for the same files.
    if (mode === 'menu' && error === null && queue.current().length > 0) queue.set([])
  })

  return {
    current: queue.current,
    subscribe: queue.subscribe,
    add: (files) => queue.set([...queue.current(), ...files]),
    clear: () => queue.set([]),
    take,
  }
}
