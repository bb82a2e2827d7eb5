/** What child processes need from the environment of the tests. */
const inheritedNames = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'NODE_OPTIONS']

/** The environment for a server, without settings such as `PORT` and `DATABASE_URL` of the caller. */
export const inheritedEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(inheritedNames.map((name) => [name, process.env[name]]))
