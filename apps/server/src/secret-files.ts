import { readFileSync } from 'node:fs'

type Environment = Readonly<Record<string, string | undefined>>

/** Variables that contain a secret: NAME_FILE can name a file that has it, so that it is not in the environment. */
export const secretNames = [
  'DATABASE_URL',
  'REDIS_URL',
  'SMTP_URL',
  'SMS_URL',
  'AUTH_SERVICE_KEY',
  'AUTH_JWT_SECRET',
  'TURN_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'OPERATOR_TOKEN',
] as const

/** Returns the environment with the secrets of the named files, and a message for each variable that is wrong. */
export function readSecretFiles(environment: Environment) {
  const errors: string[] = []
  const secrets: Record<string, string> = {}
  for (const name of secretNames) {
    const path = environment[`${name}_FILE`]
    if (path === undefined || path === '') continue
    if (environment[name]) {
      errors.push(`${name} and ${name}_FILE are both set: remove one of them`)
      continue
    }
    const content = readSecret(path)
    if (content instanceof Error) errors.push(`${name}_FILE: ${content.message}`)
    else secrets[name] = content
  }
  return { environment: { ...environment, ...secrets }, errors }
}

/** Returns the content of the file without the line break at its end. */
function readSecret(path: string): string | Error {
  try {
    const content = readFileSync(path, 'utf8').trim()
    return content === '' ? new Error(`${path} is empty`) : content
  } catch (error) {
    return new Error(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`)
  }
}
