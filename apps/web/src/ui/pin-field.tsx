import { classNames } from './class-names.ts'
import { controlClass, Field } from './field.tsx'

interface PinFieldProps {
  readonly label: string
  readonly value: string
  /** Given digits only, six at most, whatever was typed or pasted. */
  readonly onChange: (digits: string) => void
  readonly error?: string | null
  readonly hint?: string
  readonly hideLabel?: boolean
  readonly disabled?: boolean
  readonly className?: string
}

const longestPin = 6

/** One box for a PIN of six digits, so that it can be pasted, filled in and read out as a whole. */
export function PinField({
  label,
  value,
  onChange,
  error,
  hint,
  hideLabel = false,
  disabled = false,
  className,
}: PinFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel} className={className}>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="123456"
          dir="ltr"
          disabled={disabled}
          value={value}
          onChange={(event) => onChange(event.target.value.replace(/\D/g, '').slice(0, longestPin))}
          className={classNames(controlClass, 'pin-field')}
        />
      )}
    </Field>
  )
}
