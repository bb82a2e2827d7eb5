import * as z from 'zod'

const flag = (fallback: 'on' | 'off') => z.enum(['on', 'off']).default(fallback)
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )

/** Everything that can be set from outside, each with what it means; `docs/configuration.md` is printed from it. */
export const Config = z.object({
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8080)
    .describe('Port the server listens on; 0 picks a free one'),
  HOST: z.string().default('0.0.0.0').describe('Address the server listens on'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address people open in the browser; without it, http://localhost and the port'),
  DATA_DIR: z.string().default('./data').describe('Folder for the database, the secrets and, by default, the bytes'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
    .optional()
    .describe('PostgreSQL to use in place of the embedded database'),
  VOLUMES: list.describe(
    'Folders for sealed bytes, separated by commas; without it, `volumes/main` in the data folder',
  ),
  STRICT: flag('on').describe(
    'Refuse passwords, names and keys that are not in their sealed form. Off is for foreign clients only',
  ),
  TRUSTED_PROXIES: list.describe('Addresses or networks of reverse proxies whose forwarding headers are believed'),
  OPERATOR_TOKEN: z.string().min(16).optional().describe('Token that opens /metrics from other machines'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('How much is written to the log'),
})

export type Config = z.output<typeof Config>

/** Reads the environment once, or stops the start with one readable list of all that is wrong. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Config.safeParse(set)
  if (!parsed.success) throw new Error(`Invalid configuration\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}
