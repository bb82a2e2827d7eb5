import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { controlClass, Field } from './field.tsx'

interface SelectOption {
  readonly value: string
  readonly label: string
}

interface SelectProps extends Omit<ComponentProps<'select'>, 'size' | 'id' | 'children'> {
  readonly label: ReactNode
  readonly options: readonly SelectOption[]
  readonly hint?: ReactNode
  readonly error?: ReactNode
  readonly hideLabel?: boolean
  readonly fieldClassName?: string
}

/** The browser's own list of choices, which phones show best. */
export function Select({ label, options, hint, error, hideLabel, fieldClassName, className, ...rest }: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel ?? false} className={fieldClassName}>
      {(control) => (
        <span className="relative block">
          <select {...rest} {...control} className={classNames(controlClass, 'appearance-none pe-10', className)}>
            {options.map((option) => (
              <option key={option.value} value={option.value} className="bg-raised text-ink">
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            size={18}
            strokeWidth={1.75}
            className="pointer-events-none absolute inset-y-0 end-3 my-auto text-ink-2"
          />
        </span>
      )}
    </Field>
  )
}
