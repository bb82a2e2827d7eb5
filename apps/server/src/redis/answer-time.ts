import type { Redis } from 'ioredis'

/** A timer this late tells that this process, or the whole machine, stood still in the meantime. */
const stalledMs = 100

/**
 * Refuses what a line has not answered in so many milliseconds. An answer that lies there when a process that stood still
 * goes on counts as given, and where the machine stood still Redis gets its time anew.
 */
export function limitAnswerTime(line: Redis, ms: number): void {
  const send = line.sendCommand.bind(line)
  line.sendCommand = (command, stream) => {
    let timer: NodeJS.Timeout
    const wait = (): void => {
      const due = performance.now() + ms
      timer = setTimeout(() => {
        const wasStalled = performance.now() - due > stalledMs
        // What has come is read before.
        setImmediate(() => {
          if (isOver) return
          if (wasStalled) wait()
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
    wait()
    return send(command, stream)
  }
}
