interface DetailProps {
  readonly name: string
  readonly value: string
}

/** A name with its value, in a description list. */
export function Detail({ name, value }: DetailProps) {
  return (
    <div>
      <dt className="text-xs text-ink-3">{name}</dt>
      <dd className="font-semibold">{value}</dd>
    </div>
  )
}
