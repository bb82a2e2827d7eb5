import { Bell } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#/ui/button.tsx'
import { portalWords } from '#/words/portal.ts'
import { askForNotices, canAskForNotices } from './notices.ts'

/** Offers to be told by the system; once that is answered either way, nobody is asked again. */
export function TellWhenHere() {
  const [canAsk, setCanAsk] = useState(canAskForNotices)
  if (!canAsk) return null
  return (
    <Button
      variant="quiet"
      fullWidth
      className="mt-2.5"
      icon={<Bell aria-hidden size={16} />}
      onClick={() => void askForNotices().finally(() => setCanAsk(canAskForNotices()))}
    >
      {portalWords.tellWhenHere}
    </Button>
  )
}
