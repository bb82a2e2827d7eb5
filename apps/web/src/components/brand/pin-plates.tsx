interface PinPlatesProps {
  /** 6 or 8 digits. */
  readonly pin: string
  /** `small` is for headings with other content. */
  readonly size?: 'small' | 'regular'
}

/** A PIN as two groups of 3 or 4 plates. Each digit is a separate element, so screen readers read it digit by digit. */
export function PinPlates({ pin, size = 'regular' }: PinPlatesProps) {
  return (
    <span dir="ltr" data-size={size} data-digits={pin.length} className="pin-plates">
      {[...pin].map((digit, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: digits repeat, and their positions are fixed.
        <span key={index} className="pin-plate">
          {digit}
        </span>
      ))}
    </span>
  )
}
