import { speak } from '#/api/failure.ts'
import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { useToast } from '#/ui/toast.tsx'
import { fileWords } from '#/words/files.ts'
import { useDeleteLostFiles } from './files.queries.ts'

interface LostFilesLineProps {
  readonly count: number
}

/** For somebody who started again without the key that sealed their files. */
export function LostFilesLine({ count }: LostFilesLineProps) {
  const remove = useDeleteLostFiles()
  const toast = useToast()

  function removeAll() {
    remove.mutate(undefined, {
      onError: (error) => toast({ text: speak(error, fileWords.deleteFailed), tone: 'rust', urgent: true }),
    })
  }

  return (
    <Banner
      tone="brass"
      actions={
        <Button size="compact" busy={remove.isPending} onClick={removeAll}>
          {fileWords.deleteLost}
        </Button>
      }
    >
      {fileWords.lost(count)}
    </Banner>
  )
}
