/** A page shows progress four times a second; telling it of every record would cost as much as sealing them does. */
const everyMs = 100

interface SeldomTold<Value> {
  tell(value: Value): void
  /** Passes on at once what still waits. */
  flush(): void
}

/** Passes on what it is told ten times a second; what comes in between is put together with what waits. */
export function tellSeldom<Value>(
  pass: (value: Value) => void,
  putTogether: (waiting: Value, next: Value) => Value,
): SeldomTold<Value> {
  let waiting: { readonly value: Value } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (waiting) pass(waiting.value)
    waiting = null
  }

  return {
    tell(value) {
      waiting = { value: waiting ? putTogether(waiting.value, value) : value }
      timer ??= setTimeout(flush, everyMs)
    },
    flush,
  }
}
