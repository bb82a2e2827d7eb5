/** Runs steps one at a time, in order. A step that fails does not stop the next one. */
export function createSerialQueue(onError: (error: unknown) => void | Promise<void>) {
  let last: Promise<void> = Promise.resolve()
  return (step: () => Promise<void> | void): void => {
    last = last.then(step).catch(onError)
  }
}
