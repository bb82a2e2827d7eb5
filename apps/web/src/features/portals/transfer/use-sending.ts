import { PortalError } from '@sallyport/client/portal/errors'
import { legacyPortalLimits } from '@sallyport/contract/limits'
import { useEffect, useState } from 'react'
import type { AddedFile } from '#/components/file-input/added-file.ts'
import { describeSkippedFiles } from '#/components/file-input/describe-skipped-files.ts'
import { gatherFiles } from '#/components/file-input/gather-files.ts'
import { acceptPickedFolder } from '#/components/file-input/picked-folder.ts'
import { intakeStrings } from '#/strings/intake.ts'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { describePortalError } from '#/strings/portals/portal-errors.ts'
import { usePortal, usePortalContext } from '../portal-context.ts'
import { createOutgoingFile } from './outgoing-file.ts'

interface UseSendingOptions {
  /** Creates a portal unless one is open. */
  readonly createPortal: () => void
}

/**
 * Sends files and folders through the portal. Until it is connected they are queued. `error` says why sending did not start, `skippedMessage` which files of
 * folders were skipped.
 */
export function useSending({ createPortal }: UseSendingOptions) {
  const portal = usePortal()
  const { transfers, queuedFiles } = usePortalContext()
  const [errorMessage, setError] = useState<string | null>(null)
  const [skippedMessage, setSkippedMessage] = useState('')

  useEffect(() => {
    if (errorMessage === null) return
    const timer = setTimeout(() => setError(null), legacyPortalLimits.errorShownMs)
    return () => clearTimeout(timer)
  }, [errorMessage])

  async function send(files: readonly AddedFile[]): Promise<void> {
    if (files.length === 0) return
    if (!portal.state.current().isConnected) {
      createPortal()
      return queuedFiles.add(files)
    }
    try {
      await portal.send(files.map(createOutgoingFile))
    } catch (error) {
      // A transfer that has started reports its own failure.
      if (transfers.current().some(({ kind }) => kind === 'sending')) return
      setError(error instanceof PortalError ? describePortalError(error) : portalScreenStrings.transferFailed)
    }
  }

  async function sendFolders(entries: readonly FileSystemEntry[]): Promise<void> {
    const files: AddedFile[] = []
    setSkippedMessage(describeSkippedFiles(await gatherFiles(entries, { onFiles: (some) => void files.push(...some) })))
    await send(files)
  }

  function sendPicked(picked: readonly File[]): void {
    const isFolder = picked.some(({ webkitRelativePath }) => webkitRelativePath !== '')
    if (!isFolder) return void send(picked)
    const { files, ...rest } = acceptPickedFolder(picked)
    setSkippedMessage(describeSkippedFiles(rest))
    void send(files)
  }

  return {
    error: errorMessage,
    skippedMessage,
    sendPicked,
    sendQueued: () => void send(queuedFiles.take()),
    sendFolders: (entries: readonly FileSystemEntry[]) => void sendFolders(entries),
    reportNothing: () => setSkippedMessage(intakeStrings.notHandedOver),
    dismissSkipped: () => setSkippedMessage(''),
  }
}
