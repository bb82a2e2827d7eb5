import { useId } from 'react'

interface RadioGroupProps {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string) => void
  readonly disabled?: boolean
  readonly hint?: string | undefined
}

/** A group of styled native radio buttons. */
export function RadioGroup({ label, value, options, onChange, disabled = false, hint }: RadioGroupProps) {
  const id = useId()
  return (
    <fieldset disabled={disabled} aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend className="mb-1.5 text-xs font-semibold text-ink">{label}</legend>
      <div className="flex flex-wrap gap-1.5">
        {options.map((option) => (
          <label key={option.value} className={choiceClass}>
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="peer sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
      {hint ? (
        <p id={`${id}-hint`} className="mt-1.5 text-xs text-ink-3">
          {hint}
        </p>
      ) : null}
    </fieldset>
  )
}

const choiceClass =
  'inline-flex min-h-9 cursor-pointer items-center rounded-control border border-line bg-surface px-2.5 text-sm font-semibold text-ink-2 ' +
  'shadow-rest hover:border-line-strong pointer-coarse:min-h-11 ' +
  'has-checked:border-primary has-checked:bg-primary has-checked:text-on-primary ' +
  'has-disabled:cursor-default has-disabled:border-line has-disabled:bg-sunken has-disabled:text-ink-3 has-disabled:shadow-none ' +
  'has-[:disabled:checked]:border-line-strong has-[:disabled:checked]:text-ink ' +
  'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-seal ' +
  'forced-colors:has-checked:bg-[Highlight] forced-colors:has-checked:text-[HighlightText] forced-colors:forced-color-adjust-none'
