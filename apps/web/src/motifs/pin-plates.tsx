import { classNames } from '#/ui/class-names.ts'

interface PinPlatesProps {
  /** Six digits, or eight. */
  readonly pin: string
  /** `small` stands in a heading beside other things. */
  readonly size?: 'small' | 'regular'
  readonly className?: string
}

/** A PIN as two groups of three or four stamped plates. Each digit stands alone, so it is read out digit by digit. */
export function PinPlates({ pin, size = 'regular', className }: PinPlatesProps) {
  return (
    <span dir="ltr" data-size={size} data-digits={pin.length} className={classNames('pin-plates', className)}>
      {[...pin].map((digit, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: digits repeat, and each keeps its place.
        <span key={index} className="pin-plate">
          {digit}
        </span>
      ))}
    </span>
  )
}
