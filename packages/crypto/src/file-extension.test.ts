import { expect, test } from 'vitest'
import { replaceLookAlikes, splitExtension } from './file-extension.ts'

const mark = (extension: string) => replaceLookAlikes(extension, (character) => `${character}#`)

test.each([
  ['plan.pdf', 'plan', '.pdf'],
  ['plan.tar.gz', 'plan.tar', '.gz'],
  ['plan', 'plan', ''],
  ['.hidden', '.hidden', ''],
  ['plan.', 'plan', '.'],
  ['site.d/plan', 'site.d/plan', ''],
  ['site/plan.pdf', 'site/plan', '.pdf'],
  ['invoice.exe．pdf', 'invoice.exe', '．pdf'],
  ['invoice\u2024exe', 'invoice', '\u2024exe'],
  ['setup．\u0435\u0445\u0435', 'setup', '．\u0435\u0445\u0435'],
  ['第１．２版', '第１．２版', ''],
  ['第１．２版.pdf', '第１．２版', '.pdf'],
  ['議事録１．５', '議事録１．５', ''],
])('the extension of %j is separated from its stem', (name, stem, extension) => {
  expect(splitExtension(name)).toEqual({ stem, extension })
})

test.each([
  ['.pdf', '.pdf'],
  ['.ｅｘｅ', '.ｅ#ｘ#ｅ#'],
  ['.𝗲𝘅𝗲', '.𝗲#𝘅#𝗲#'],
  ['．pdf', '．#pdf'],
  ['.ᵉˣᵉ', '.ᵉ#ˣ#ᵉ#'],
  ['.ⓔⓧⓔ', '.ⓔ#ⓧ#ⓔ#'],
  ['.\u3000exe', '.\u3000#exe'],
  ['.e\u0445e', '.e\u0445#e'],
  ['.текст', '.текст'],
  ['.ﾃｷｽﾄ', '.ﾃｷｽﾄ'],
  ['.éxe', '.éxe'],
])('T040 the look-alikes in the extension %j are marked', (extension, marked) => {
  expect(mark(extension)).toBe(marked)
})
