import { type FormEvent, useState } from 'react'
import { Button } from '#/ui/button.tsx'
import { Card, CardHeading } from '#/ui/card.tsx'
import { PinField } from '#/ui/pin-field.tsx'
import { portalWords } from '#/words/portal.ts'
import { Gateway } from './gateway.tsx'
import { ScanButton } from './scan-button.tsx'

interface PortalMenuProps {
  readonly onCreate: () => void
  readonly onJoin: (pin: string, secret?: Uint8Array<ArrayBuffer>) => void
}

/** The two ways into a portal. */
export function PortalMenu({ onCreate, onJoin }: PortalMenuProps) {
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <Card className="flex flex-col gap-4" aria-labelledby="portal-create">
        <CardHeading title={portalWords.createTitle} id="portal-create" />
        <p className="text-sm text-ink-2">{portalWords.createHint}</p>
        <Gateway here="shut" there="shut" />
        <Button variant="primary" size="large" fullWidth className="mt-auto" onClick={onCreate}>
          {portalWords.createTitle}
        </Button>
      </Card>
      <Card className="flex flex-col gap-4" aria-labelledby="portal-join">
        <CardHeading title={portalWords.joinTitle} id="portal-join" />
        <p className="text-sm text-ink-2">{portalWords.joinHint}</p>
        <PortalJoinForm onJoin={onJoin} />
        <ScanButton onJoin={onJoin} />
      </Card>
    </div>
  )
}

/** One box for the code, and a button that wakes up with its last digit. */
export function PortalJoinForm({ onJoin }: Pick<PortalMenuProps, 'onJoin'>) {
  const [pin, setPin] = useState('')
  const [error, setError] = useState<string | null>(null)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (pin === '') setError(portalWords.pinMissing)
    else if (pin.length < 6) setError(portalWords.pinLength)
    else onJoin(pin)
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <PinField
        label={portalWords.pin}
        value={pin}
        error={error}
        onChange={(digits) => {
          setPin(digits)
          setError(null)
        }}
      />
      <Button type="submit" variant="primary" size="large" fullWidth disabled={pin.length < 6}>
        {portalWords.join}
      </Button>
    </form>
  )
}
