import { type FormEvent, useState } from 'react'
import { Button } from '#/ui/button.tsx'
import { PinField } from '#/ui/pin-field.tsx'
import { portalWords } from '#/words/portal.ts'

/** One box for the code, and a button that wakes up with its last digit. */
export function PortalJoinForm({ onJoin }: { readonly onJoin: (pin: string) => void }) {
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
