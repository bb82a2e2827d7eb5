import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { chatWords } from '#/words/chat.ts'

/** In place of a list that could not be fetched. */
export function FetchTrouble({ onRetry }: { readonly onRetry: () => void }) {
  const isPhone = useIsPhone()
  return (
    <Banner
      tone="rust"
      urgent
      actions={
        <Button size="compact" onClick={onRetry}>
          {chatWords.retry}
        </Button>
      }
    >
      {isPhone ? chatWords.onPhone(chatWords.fetchFailed) : chatWords.fetchFailed}
    </Banner>
  )
}
