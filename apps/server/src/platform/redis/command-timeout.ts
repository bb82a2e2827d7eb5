import type { Redis } from 'ioredis'

/** A timer that fires this late shows that the process, or the whole machine, was suspended in the meantime. */
const stalledMs = 100

/**
 * Rejects a command that is not answered within `ms`. After a suspension of the process the replies already received
 * are processed first; after a suspension of the machine Redis gets the full time again.
 */
export function setCommandTimeout(connection: Redis, ms: number): void {
  const send = connection.sendCommand.bind(connection)
  connection.sendCommand = (command, stream) => {
    let timer: NodeJS.Timeout
    const startTimer = (): void => {
      const due = performance.now() + ms
      timer = setTimeout(() => {
        const wasStalled = performance.now() - due > stalledMs
        // Processes the replies already received first.
        setImmediate(() => {
          if (isOver) return
          if (wasStalled) startTimer()
          else command.reject(new Error('Command timed out'))
        })
      }, ms)
    }
    let isOver = false
    const stop = (): void => {
      isOver = true
      clearTimeout(timer)
    }
    command.promise.then(stop, stop)
    startTimer()
    return send(command, stream)
  }
}
