import { type DestinationStream, type Logger, pino } from 'pino'

/** Control characters and line separators that JSON does not escape but a terminal may interpret. */
const controlCharacters = /[\u007f-\u009f\u2028\u2029]/g

/** Creates the log: one JSON line per event, without bodies, headers, addresses or secrets. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ['*.authorization', '*.password', '*.token', '*.cookie', 'req', 'res'], remove: true },
    hooks: { streamWrite: (line: string) => line.replace(controlCharacters, toEscape) },
  }
  return destination ? pino(options, destination) : pino(options)
}

const toEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
