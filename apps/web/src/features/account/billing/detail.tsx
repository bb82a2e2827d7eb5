interface DetailProps {
  readonly label: string
  readonly value: string
}

/** A label with its value, in a description list. */
export function Detail({ label, value }: DetailProps) {
  return (
    <div>
      <dt className="text-xs text-ink-3">{label}</dt>
      <dd className="font-semibold">{value}</dd>
    </div>
  )
}
