import { type DestinationStream, type Logger, pino } from 'pino'

/** The log: one JSON line an event, without bodies, headers, addresses or anything that opens something. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ['*.authorization', '*.password', '*.token', '*.cookie', 'req', 'res'], remove: true },
  }
  return destination ? pino(options, destination) : pino(options)
}
