import { type DestinationStream, type Logger, pino } from 'pino'

/** What JSON leaves as it is and a terminal may still take for a command or a new line. */
const unruly = /[\u007f-\u009f\u2028\u2029]/g

/** The log: one JSON line an event, without bodies, headers, addresses or anything that opens something. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ['*.authorization', '*.password', '*.token', '*.cookie', 'req', 'res'], remove: true },
    hooks: { streamWrite: (line: string) => line.replace(unruly, asEscape) },
  }
  return destination ? pino(options, destination) : pino(options)
}

const asEscape = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
