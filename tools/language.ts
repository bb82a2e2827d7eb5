import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from './bootstrap.mjs'

type TextKind = 'name' | 'type' | 'comment' | 'title' | 'screen' | 'document'

/** A name or a sentence of the project, with where it is. */
export interface FoundText {
  readonly kind: TextKind
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  readonly text: string
}

const titleCallers = new Set(['test', 'it', 'describe'])
const screenFolder = 'apps/web/src/strings/'

/** Every declared name, comment, test title and sentence of the tracked sources, and every line of the documents. */
export function collectTexts(): FoundText[] {
  const { stdout } = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((path) => !path.startsWith('tools/language'))
    .flatMap((path) => {
      if (/\.(ts|tsx|mjs)$/.test(path)) return textsOfSource(path, readFileSync(join(root, path), 'utf8'))
      if (path.endsWith('.md')) return textsOfDocument(path, readFileSync(join(root, path), 'utf8'))
      return []
    })
}

/** The names, comments, titles and screen strings of one source file. */
export function textsOfSource(path: string, text: string): FoundText[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: FoundText[] = []
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1
  const add = (kind: TextKind, position: number, content: string) =>
    found.push({ kind, path, line: lineOf(position), text: content })

  function visit(node: ts.Node): void {
    if (ts.isIdentifier(node) && isDeclaredBy(node) && !isType(node.parent)) add('name', node.getStart(), node.text)
    if (isType(node)) add('type', node.getStart(), node.name.text)
    if (ts.isCallExpression(node) && isTitled(node)) {
      const [title] = node.arguments
      if (title && ts.isStringLiteralLike(title)) add('title', title.getStart(), title.text)
      else if (title && ts.isTemplateExpression(title)) add('title', title.getStart(), title.getText())
    }
    if (path.startsWith(screenFolder) && isSentence(node)) add('screen', node.getStart(), node.getText())
    if (node.getChildCount(source) === 0) {
      for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [])
        add('comment', pos, plainComment(text.slice(pos, end)))
    }
    for (const child of node.getChildren(source)) if (!ts.isJSDoc(child)) visit(child)
  }
  visit(source)
  return found
}

const isSentence = (node: ts.Node): boolean =>
  (ts.isStringLiteralLike(node) && !ts.isImportDeclaration(node.parent)) || ts.isTemplateExpression(node)

const isType = (node: ts.Node): node is ts.InterfaceDeclaration | ts.TypeAliasDeclaration =>
  ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)

/** Imports and accesses only repeat a name that is declared elsewhere. */
const isDeclaredBy = (node: ts.Identifier): boolean =>
  'name' in node.parent &&
  node.parent.name === node &&
  !ts.isPropertyAccessExpression(node.parent) &&
  !(ts.isImportSpecifier(node.parent) && node.parent.propertyName === undefined)

function isTitled({ expression }: ts.CallExpression): boolean {
  const [first] = expression.getText().split(/[.(]/)
  return first !== undefined && titleCallers.has(first)
}

const plainComment = (comment: string): string =>
  comment
    .replace(/^\/\*\*?|\*\/$|^\/\//g, '')
    .replace(/^\s*\*/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

function textsOfDocument(path: string, text: string): FoundText[] {
  let isCode = false
  return text.split('\n').flatMap((line, index) => {
    if (line.startsWith('```')) isCode = !isCode
    return isCode || line.trim() === '' ? [] : [{ kind: 'document' as const, path, line: index + 1, text: line }]
  })
}

/** `createSealLane2` as `create seal lane 2`. */
export const wordsOfName = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()

/** The phrases that occur in a text as whole words, without regard to case. */
export function phrasesIn(text: string, phrases: readonly string[]): string[] {
  const plain = text.toLowerCase().replace(/[’]/g, "'").replace(/\s+/g, ' ')
  return phrases.filter((phrase) => new RegExp(`(?<![\\w-])${phrase}(?![\\w-])`).test(plain))
}
