import fc from 'fast-check'
import { type FuzzContext, type RequestDraft, type Route, validDrafts } from './requests.ts'

type Mutation = (draft: RequestDraft) => RequestDraft

/** Generates requests with 1 to 3 mutations. */
export function mutatedDrafts(route: Route, context: FuzzContext): fc.Arbitrary<RequestDraft> {
  const hasJson = route.spec.body && !('kind' in route.spec.body)
  const mutations = [headers, route.path.includes(':') ? pathSegments : paths, paths, methods, queries]
  const bodyMutations = hasJson ? [jsonValues, jsonValues, jsonValues, jsonTexts, contentTypes] : [bodies, contentTypes]
  const chosenMutations = fc.array(fc.oneof(...mutations, ...bodyMutations), { minLength: 1, maxLength: 3 })
  return fc
    .tuple(validDrafts(route, context), chosenMutations)
    .map(([draft, chosen]) => chosen.reduce((mutated, mutate) => mutate(mutated), draft))
}

const hostileStrings = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  'line\r\nX-Injected: yes',
  'line\nbreak',
  '\u202egnp.exe',
  '\ud800',
  'ﬀ💥é',
  "' or 1=1 --",
  '"; drop table users; --',
  '#{7*7}{{7*7}}',
  '<img src=x onerror=alert(1)>',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '%2e%2e%2f%00',
  '\u001b[31mred',
  '__proto__',
  'constructor',
  'NaN',
  '-1',
  '1e309',
  '0x10',
  '9007199254740993',
  'null',
  'undefined',
  'true',
  'x'.repeat(5000),
  'é'.repeat(70_000),
] as const

const hostileText = fc.oneof(fc.constantFrom(...hostileStrings), fc.string({ unit: 'binary', maxLength: 60 }))

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, [], {}, [[]], ['a']),
  fc.constant(JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}')),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Removes, adds or replaces a field of a JSON body. */
const jsonValues: fc.Arbitrary<Mutation> = fc
  .record({ index: fc.nat(), value: hostileValue, operation: fc.constantFrom('replace', 'remove', 'add', 'whole') })
  .map(({ index, value, operation }) => (draft) => {
    const isObject = typeof draft.json === 'object' && draft.json !== null && !Array.isArray(draft.json)
    if (operation === 'whole' || !isObject) return withJson(draft, value)
    const fields = Object.entries(draft.json as object)
    const chosen = fields[index % Math.max(1, fields.length)]?.[0] ?? 'field'
    if (operation === 'remove') return withJson(draft, Object.fromEntries(fields.filter(([name]) => name !== chosen)))
    const name =
      operation === 'add' ? (['__proto__', 'constructor', 'toString', 'id', 'role'][index % 5] ?? '') : chosen
    // Uses Object.fromEntries, because the name can be `__proto__`.
    return withJson(draft, Object.fromEntries([...fields.filter(([other]) => other !== name), [name, value]]))
  })

const withJson = (draft: RequestDraft, json: unknown): RequestDraft => ({
  ...draft,
  json,
  body: Buffer.from(JSON.stringify(json) ?? ''),
})

/** Bodies with malformed or too large JSON. */
const jsonTexts: fc.Arbitrary<Mutation> = fc
  .oneof(
    fc.constantFrom(
      '',
      ' ',
      '{',
      '{"a":',
      '{"a":1}}',
      "{'a':1}",
      '{"a":NaN}',
      'undefined',
      '\ufeff{}',
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      `{"email":"${'a'.repeat(1_100_000)}"}`,
    ),
    fc.string({ unit: 'binary', maxLength: 100 }),
  )
  .map((text) => (draft) => ({ ...withoutJson(draft), body: Buffer.from(text) }))

const withoutJson = ({ json: _, ...draft }: RequestDraft): RequestDraft => draft

const bodies: fc.Arbitrary<Mutation> = fc
  .oneof(
    fc.constantFrom(Buffer.alloc(0), Buffer.alloc(27), Buffer.alloc(28), Buffer.alloc(300_000, 'x'), Buffer.from('{}')),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  )
  .map((body) => (draft) => ({ ...withoutJson(draft), body }))

const contentTypes: fc.Arbitrary<Mutation> = fc
  .constantFrom(
    null,
    '',
    'text/plain',
    'text/html',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/octet-stream',
    'application/json',
    'application/json\u0000',
    'application/jsonx',
    'application/vnd.api+json',
    'APPLICATION/JSON',
    '*/*',
    ';',
    'x'.repeat(300),
  )
  .map((contentType) => (draft) => ({ ...draft, contentType }))

const methods: fc.Arbitrary<Mutation> = fc
  .constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'get', 'NOSUCH')
  .map((method) => (draft) => ({
    ...draft,
    method,
    headers: [...draft.headers, ['X-HTTP-Method-Override', draft.method]],
  }))

const hostileSegments = [
  '..',
  '.',
  '%2e%2e',
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e%5c',
  '%00',
  '%',
  '%ff%fe',
  '%zz',
  '-1',
  'null',
  '__proto__',
  'constructor',
  '%F0%9F%92%A5',
  "'%20or%201=1",
  'a;b=c',
  'a%0d%0aX-Injected:%20yes',
  '00000000-0000-7000-8000-000000000000',
  '00000000-0000-7000-8000-00000000000G',
  'x'.repeat(300),
  'x'.repeat(9000),
] as const

/** Replaces an id in the path. */
const pathSegments: fc.Arbitrary<Mutation> = fc
  .record({
    hostile: fc.oneof(fc.constantFrom(...hostileSegments), fc.string({ maxLength: 30 }).map(encodeURIComponent)),
    variant: fc.constantFrom('all', 'upper', 'odd', 'odd', 'odd'),
  })
  .map(({ hostile, variant }) => (draft) => {
    const path = draft.path.replace(/[^/]{16,}/, (id) =>
      variant === 'upper' ? id.toUpperCase() : variant === 'all' ? id : hostile,
    )
    return { ...draft, path }
  })

/** Paths that only resemble the path of the contract. */
const paths: fc.Arbitrary<Mutation> = fc
  .constantFrom<(path: string) => string>(
    (path) => `${path}/`,
    (path) => `/${path}`,
    (path) => path.replace(/\/([^/]*)$/, '//$1'),
    (path) => path.replace(/\/([^/]*)$/, '/./$1'),
    (path) => path.replace(/\/([^/]*)$/, '/x/../$1'),
    (path) => path.replace(/\/([^/]*)$/, '%2f$1'),
    (path) => path.replace(/\/([^/]*)$/, '\\$1'),
    (path) => `${path}.`,
    (path) => `${path}%00`,
    (path) => `${path};x=1`,
    (path) => `${path}%20`,
    (path) => path.toUpperCase(),
    (path) => `http://elsewhere.test${path}`,
    () => '*',
    () => '/api',
    () => '/api/',
    () => '/api/nowhere',
    () => '/auth/v1/admin/users',
    () => '/.env',
    () => '/../package.json',
    () => '/assets/../../server/src/main.ts',
    () => '/assets/..%2f..%2fserver%2fsrc%2fmain.ts',
  )
  .map((mutate) => (draft) => ({ ...draft, path: mutate(draft.path) }))

const queries: fc.Arbitrary<Mutation> = fc
  .oneof(
    fc.constantFrom(
      '__proto__[polluted]=1',
      'constructor[prototype][polluted]=1',
      'scope=global&scope=local',
      'grant_type=password&grant_type=refresh_token',
      'grant_type=nothing',
      'scope[]=x',
      'sw_decrypt=1&auth=x&filename=y&master_key=z',
      'master_key=AAAA',
      '%00=%00',
      '%',
      '&&&===',
      `a=${'x'.repeat(9000)}`,
    ),
    hostileText.map((text) => `q=${encodeURIComponent(text.toWellFormed())}`),
  )
  .map((query) => (draft) => ({ ...draft, query }))

/** Invalid headers of the framework, of proxies and of the product. */
const headers: fc.Arbitrary<Mutation> = fc
  .oneof(
    fc.constantFrom<readonly [string, string]>(
      ['Authorization', ''],
      ['Authorization', 'Bearer'],
      ['Authorization', 'Bearer  '],
      ['Authorization', 'Basic YTpi'],
      ['Authorization', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
      ['Authorization', `Bearer ${'a'.repeat(4000)}`],
      ['Authorization', 'Bearer ../../x'],
      ['Content-Encoding', 'gzip'],
      ['Content-Encoding', 'br, identity'],
      ['Content-Length', '-1'],
      ['Content-Length', '1e3'],
      ['Content-Length', '99999999999999999999'],
      ['Content-Length', '5'],
      ['Transfer-Encoding', 'chunked'],
      ['Transfer-Encoding', 'gzip, chunked'],
      ['Expect', '100-continue'],
      ['Expect', 'the unexpected'],
      ['Host', ''],
      ['Host', 'evil.test\u0000'],
      ['Host', 'a'.repeat(3000)],
      ['Origin', 'https://evil.test'],
      ['Origin', 'null'],
      ['Range', 'bytes=0-'],
      ['Range', 'bytes=-0'],
      ['Range', `bytes=${Array.from({ length: 500 }, (_, n) => `${n}-${n}`).join(',')}`],
      ['Range', 'lines=1-2'],
      ['Cookie', 'session=stolen; __proto__=1'],
      ['Upgrade', 'websocket'],
      ['Accept', '../../x'],
      ['Accept-Version', '99.0.0'],
      ['X-Forwarded-For', 'not an address'],
      ['X-Forwarded-For', '1.2.3.4, ::1, %00'],
      ['X-Forwarded-Proto', 'javascript'],
      ['X-Forwarded-Host', 'evil.test'],
      ['X-Master-Key', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
      ['X-Encryption-Key', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
      ['X-Encryption-Key', 'kid.AAAAAAAAAAAAAAAAAAAAAA'],
      ['X-Share-Proof', 'short'],
      ['X-Session-Policy', 'forever'],
      ['X-Supabase-Api-Version', '2024-01-01'],
      ['X-Request-Id', 'mine'],
      ['X-Upload-Id', '../../x'],
      ['X-Chunk-Index', '1.5'],
      ['X-Chunk-Index', '-1'],
      ['X-Chunk-Index', '9007199254740993'],
      ['X-Chunk-Size', '0'],
      ['X-Chunk-Size', '1'],
      ['X-File-Expiration-Minutes', '1e9'],
      ['X-File-Name', 'plain name.pdf'],
      ['X-File-Name', 'x\r\nX-Injected: yes'],
      ['X-File-Name', 'a\r\n folded'],
      ['X-File-Name', 'x'.repeat(10_240)],
      ['X-File-Name', 'x'.repeat(102_400)],
      ['X-Encrypted-File-Key', 'x'.repeat(9000)],
      ['X-Encrypted-File-Key', 'AAAA'],
      ['X-Injected', 'a\rb'],
      ['Bad Name', 'x'],
      ['', 'x'],
    ),
    fc.tuple(
      fc.constantFrom('X-File-Name', 'User-Agent', 'Authorization', 'X-Upload-Id', 'If-None-Match'),
      hostileText,
    ),
  )
  .map((header) => (draft) => ({
    ...draft,
    headers: [...draft.headers.filter(([name]) => name.toLowerCase() !== header[0].toLowerCase()), header],
  }))
