import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'
import { controlClass, Field, type FieldProps, splitFieldProps } from './field.tsx'

interface SelectOption {
  readonly value: string
  readonly label: string
}

/** `className` applies to the select. */
interface SelectProps extends Omit<FieldProps, 'aside'>, Omit<ComponentProps<'select'>, 'size' | 'id' | 'children'> {
  readonly options: readonly SelectOption[]
}

/** A styled native select, which works best on phones. */
export function Select({ options, ...props }: SelectProps) {
  const { field, control: select } = splitFieldProps(props)
  return (
    <Field {...field}>
      {(control) => (
        <span className="relative block">
          <select
            {...select}
            {...control}
            className={classNames(controlClass, 'appearance-none pe-10', select.className)}
          >
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
