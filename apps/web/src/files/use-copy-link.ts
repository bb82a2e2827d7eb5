import { useState } from 'react'
import { speak } from '#/api/failure.ts'
import { copyText } from '#/ui/copy-text.ts'
import { useToast } from '#/ui/toast.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { fileWords } from '#/words/files.ts'
import { useFileWork } from './files-context.ts'
import type { ChosenFile } from './stored-files.ts'

/** Puts the link to a file on the clipboard, and keeps it at hand where the browser will not have that. */
export function useCopyLink() {
  const { shareLinks } = useFileWork()
  const isPhone = useIsPhone()
  const toast = useToast()
  const [linkToCopy, setLinkToCopy] = useState<string | null>(null)

  /** A phone has no room for a button that tells how it went. */
  function tell(fileId: string, text: string, duration?: number): void {
    if (isPhone) toast({ text, key: `link ${fileId}`, ...(duration === undefined ? { tone: 'seal' } : { duration }) })
  }

  async function copyLink(file: ChosenFile): Promise<boolean> {
    const { id: fileId } = file
    const link = shareLinks.linkTo(file)
    tell(fileId, fileWords.generatingLink, 0)
    try {
      const isCopied = await copyText(link)
      if (!isCopied) setLinkToCopy(await link)
      tell(fileId, isCopied ? fileWords.linkCopied : fileWords.linkReady)
      return isCopied
    } catch (error) {
      toast({ text: speak(error, fileWords.copyFailed), tone: 'rust', urgent: true, key: `link ${fileId}` })
      return false
    }
  }

  return { copyLink, linkToCopy, forgetLink: () => setLinkToCopy(null) }
}
