import { type ChangeEvent, type FormEvent, useState } from 'react'
import type { FormMessages } from '#/components/ui/inputs/form.tsx'
import { messageFor } from '#/strings/errors/message-for.ts'

interface FormOptions<Values> {
  readonly initial: Values
  /** Returns the messages of invalid fields, or null if the values may be submitted. */
  readonly validate?: (values: Values) => FormMessages<Values> | null
  readonly onSubmit: (values: Values) => unknown
  /** Shown for an error of `onSubmit` that has no sentence of its own; needed unless `describeError` has one for each. */
  readonly failed?: string
  /** Returns what this form shows for an error of `onSubmit`; the messages of fields if it concerns them. */
  readonly describeError?: (error: unknown) => string | FormMessages<Values> | undefined
  /** Called after the user has edited any field. The message of that field is cleared already. */
  readonly onEdit?: () => void
}

type FieldsOf<Values, Type> = { [Field in keyof Values]: Values[Field] extends Type ? Field : never }[keyof Values]

export type FormState<Values extends object> = ReturnType<typeof useForm<Values>>

/** Holds the values and messages of a form, and submits one set of values at a time. */
export function useForm<Values extends object>(options: FormOptions<Values>) {
  const { initial, validate, onSubmit, failed = '', describeError, onEdit } = options
  const [values, setValues] = useState(initial)
  const [messages, setMessages] = useState<FormMessages<Values>>({})
  /** The error of the last submission, for forms that offer more than its message. */
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)

  function setValue<Field extends keyof Values>(field: Field, value: Values[Field]) {
    setValues((current) => ({ ...current, [field]: value }))
    setMessages((current) => ({ ...current, [field]: null }))
    onEdit?.()
  }

  /** Runs an action like a submission: only one at a time, with its error shown. */
  async function run(action: () => unknown): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setMessages({})
    setError(null)
    try {
      await action()
    } catch (reason) {
      const described = describeError?.(reason) ?? messageFor(reason, failed)
      setMessages(typeof described === 'string' ? ({ form: described } as FormMessages<Values>) : described)
      setError(reason)
    } finally {
      setBusy(false)
    }
  }

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    // The form below a dialog is an ancestor of the dialog's form in React's tree.
    event.stopPropagation()
    const invalid = isBusy ? null : validate?.(values)
    if (invalid) setMessages(invalid)
    else void run(() => onSubmit(values))
  }

  /** Props of the text input or select of a field. */
  const text = <Field extends FieldsOf<Values, string>>(field: Field) => ({
    value: values[field] as string,
    error: messages[field],
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      setValue(field, target.value as Values[Field]),
  })

  /** Props of the checkbox of a field. */
  const checkbox = <Field extends FieldsOf<Values, boolean>>(field: Field) => ({
    checked: values[field] as boolean,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setValue(field, target.checked as Values[Field]),
  })

  return { values, setValue, setValues, messages, setMessages, error, isBusy, run, handleSubmit, text, checkbox }
}
