import { useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { accountDeletionStrings } from '#/strings/account/account-deletion.ts'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

export function DeleteAccountPane() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card aria-labelledby="delete-account-heading">
      <CardHeading id="delete-account-heading" title={accountDeletionStrings.heading} />
      <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-3">
        <p className="flex-1 basis-64 text-sm text-ink-2">{accountDeletionStrings.intro}</p>
        <Button variant="danger-outline" onClick={() => setOpen(true)}>
          {accountDeletionStrings.button}
        </Button>
      </div>
      {isOpen ? <DeleteAccountDialog onClose={() => setOpen(false)} /> : null}
    </Card>
  )
}
