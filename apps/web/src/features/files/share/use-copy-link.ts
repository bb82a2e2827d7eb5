import { useState } from 'react'
import { copyText } from '#/components/ui/copy-text.ts'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { messageFor } from '#/strings/errors/message-for.ts'
import { describeShare } from '#/strings/errors/share-errors.ts'
import { fileStrings } from '#/strings/files.ts'
import { useFilesContext } from '../files-context.ts'
import type { FileRef } from '../stored-files.ts'

/** Copies the link to a file, and returns it for manual copying where the browser denies clipboard access. */
export function useCopyLink() {
  const { shareLinks } = useFilesContext()
  const isPhone = useIsPhone()
  const toast = useToast()
  const [linkToCopy, setLinkToCopy] = useState<string | null>(null)

  /** Shows the result in a toast on phones, where the button has no space for it. */
  function showPhoneToast(fileId: string, text: string, duration?: number): void {
    if (isPhone) toast({ text, key: `link ${fileId}`, ...(duration === undefined ? { tone: 'seal' } : { duration }) })
  }

  async function copyLink(file: FileRef): Promise<boolean> {
    const { id: fileId } = file
    const link = shareLinks.linkTo(file)
    showPhoneToast(fileId, fileStrings.generatingLink, 0)
    try {
      const isCopied = await copyText(link)
      if (!isCopied) setLinkToCopy(await link)
      showPhoneToast(fileId, isCopied ? fileStrings.linkCopied : fileStrings.linkReady)
      return isCopied
    } catch (error) {
      toast({
        text: messageFor(error, fileStrings.copyFailed, describeShare),
        tone: 'rust',
        urgent: true,
        key: `link ${fileId}`,
      })
      return false
    }
  }

  return { copyLink, linkToCopy, clearLink: () => setLinkToCopy(null) }
}
