import { expect, test } from 'vitest'
import { pageSources } from './page-sources.ts'
import { findRawNames } from './raw-names.ts'
import { parse } from './read-strings.ts'

const features = 'apps/web/src/features'

/** Names that are shown as they are, and why. */
const allowed: Readonly<Record<string, string>> = {
  'apps/web/src/app/layout/user-menu.tsx: name': 'the initials: one or two characters',
  'apps/web/src/components/brand/storage-meter.tsx: planName': 'a plan of the operator',
  [`${features}/account/billing/plan-choice.tsx: plan.name`]: 'a plan of the operator',
  [`${features}/account/billing/upgrade-page.tsx: plan.name`]: 'a plan of the operator',
  [`${features}/account/invitations/invitation-details.tsx: name`]: 'the heading of a value',
  [`${features}/account/security/device-row.tsx: name`]: 'a browser and a system of a fixed list',
  [`${features}/account/security/sign-in-history.tsx: deviceName(userAgent)`]: 'a browser and a system of a fixed list',
  [`${features}/account/sign-up/plan-card.tsx: plan.name`]: 'a plan of the operator',
  [`${features}/account/two-factor/factor-row.tsx: kindName`]: 'one of two words',
  [`${features}/admin/overview/licences-card.tsx: licenceNames`]: 'the name of a licence of a fixed list',
  [`${features}/files/file-row.tsx: name`]: 'an element that marks the name',
  [`${features}/portals/gateway.tsx: name`]: 'one of two words',
  [`${features}/portals/transfer/portal-transfer.tsx: path`]: 'direct or relayed',
  'apps/web/src/lib/load-translation.ts: name': 'the name of an area of strings',
}

const find = (code: string) => findRawNames([parse('page.tsx', code)]).map((found) => found.replace(/^page\.tsx: /, ''))

test('T040 the page shows no name without marks for hidden characters', () => {
  const found = findRawNames(pageSources())

  expect(found.filter((name) => !Object.hasOwn(allowed, name))).toEqual([])
  expect(Object.keys(allowed).filter((name) => !found.includes(name))).toEqual([])
})

test.each([
  ['a child', '<p>{file.name}</p>', ['file.name']],
  ['a child in a fragment', '<>{peerName}</>', ['peerName']],
  ['a branch', '<p>{isOpen ? fileName : null}</p>', ['fileName']],
  ['a part of a name', '<p>{name.slice(0, 60)}</p>', ['name']],
  ['a template in a label', `const a = <p aria-label={\`Remove: \${factor.name}\`} />`, ['factor.name']],
  ['a tooltip', '<p title={path} />', ['path']],
  ['a sentence', '<Name>{strings.you(me.name)}</Name>', ['me.name']],
  ['a toast', 'toast({ text: fileStrings.saved(file.name) })', ['file.name']],
  ['a document title', `useTitle(\`\${file.name} · Sallyport\`)`, ['file.name']],
  ['a participant', '<p>{nameOf(participant)}</p>', ['nameOf(participant)']],
])('findRawNames: finds %s', (_, code, names) => {
  expect(find(code)).toEqual(names)
})

test.each([
  '<Name>{file.name}</Name>',
  '<FileName title={file.name}>{file.name}</FileName>',
  '<p title={visibleFileName(file.name)}>{visibleName(peerName)}</p>',
  'const name = visibleFileName(file.name); const row = <p>{name}</p>',
  '<p>{fileStrings.saved(nameInSentence(peerName))}</p>',
  '<p>{formatList(names.map(visibleFileName))}</p>',
  '<p aria-label={sessionStrings.ownName} className={className}>{productName}</p>',
  '<ul>{files.map((file) => <Row key={file.name} file={file} />)}</ul>',
  '<Row name={file.name} onSave={() => save(file.name)} />',
])('findRawNames: accepts %s', (code) => {
  expect(find(code)).toEqual([])
})
