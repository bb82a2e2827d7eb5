import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { messageFor } from '#/strings/errors/message-for.ts'
import { fileStrings } from '#/strings/files.ts'
import { useDeleteLostFiles } from './files.queries.ts'

interface LostFilesBannerProps {
  readonly count: number
}

/** Offers to delete files that cannot be decrypted, after an account reset without the previous key. */
export function LostFilesBanner({ count }: LostFilesBannerProps) {
  const remove = useDeleteLostFiles()
  const toast = useToast()

  function removeAll() {
    remove.mutate(undefined, {
      onError: (error) => toast({ text: messageFor(error, fileStrings.deleteFailed), tone: 'rust', urgent: true }),
    })
  }

  return (
    <Banner
      tone="brass"
      actions={
        <Button size="compact" busy={remove.isPending} onClick={removeAll}>
          {fileStrings.deleteUndecryptable}
        </Button>
      }
    >
      {fileStrings.undecryptable(count)}
    </Banner>
  )
}
