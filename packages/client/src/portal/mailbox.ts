/** Received messages, which stay until they are taken. */
export function createMailbox<Message extends { readonly type: string }>() {
  const messages: Message[] = []
  const waiters = new Set<() => void>()
  return {
    put(message: Message): void {
      messages.push(message)
      for (const check of [...waiters]) check()
    },
    clear(): void {
      messages.length = 0
    },
    /** Resolves with the next message of one of these types; rejects with the signal's reason. */
    take<Type extends Message['type']>(
      types: readonly Type[],
      signal: AbortSignal,
    ): Promise<Extract<Message, { type: Type }>> {
      return new Promise((resolve, reject) => {
        const check = () => {
          const index = messages.findIndex(({ type }) => (types as readonly string[]).includes(type))
          if (index < 0 && !signal.aborted) return
          waiters.delete(check)
          if (index < 0) return reject(signal.reason)
          resolve(messages.splice(index, 1)[0] as Extract<Message, { type: Type }>)
        }
        waiters.add(check)
        signal.addEventListener('abort', check, { once: true })
        check()
      })
    },
  }
}
