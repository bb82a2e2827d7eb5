import ts from 'typescript'
import { type Message, placeOf } from './read-strings.ts'

const letters = /\p{L}/u
const textAttributes =
  /^(aria-(label|description|roledescription|valuetext|placeholder)|placeholder|title|alt|label|hint|description|heading|reserve|(confirm|cancel|busy)Label)$/
const textProperties = /^(text|label|title|description|hint|placeholder)$/

/** Returns the texts that components show without `strings`: text and attributes in JSX, and capitalized labels in objects. */
export function findInlineTexts(sources: readonly ts.SourceFile[]): string[] {
  return sources.flatMap((source) => {
    const found: string[] = []
    const report = (node: ts.Node) => found.push(`${placeOf(source, node)}: ${node.getText().trim().slice(0, 80)}`)
    const reportLiterals = (node: ts.Node | undefined): void => {
      if (node === undefined) return
      if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) reportLiterals(node.expression)
      else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(reportLiterals)
      else if (ts.isBinaryExpression(node)) [node.left, node.right].forEach(reportLiterals)
      else if (ts.isStringLiteralLike(node) ? letters.test(node.text) : hasLetters(node)) report(node)
    }
    const visit = (node: ts.Node): void => {
      if (ts.isJsxText(node) && letters.test(node.text)) report(node)
      if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) reportLiterals(node)
      if (ts.isJsxAttribute(node) && textAttributes.test(node.name.getText())) reportLiterals(node.initializer)
      if (ts.isPropertyAssignment(node) && textProperties.test(node.name.getText()) && isSentence(node.initializer))
        report(node.initializer)
      ts.forEachChild(node, visit)
    }
    visit(source)
    return found
  })
}

const hasLetters = (node: ts.Node): boolean =>
  ts.isTemplateExpression(node) &&
  [node.head, ...node.templateSpans.map(({ literal }) => literal)].some(({ text }) => letters.test(text))

const isSentence = (node: ts.Expression): boolean =>
  (ts.isStringLiteralLike(node) && /^\p{Lu}\p{Ll}/u.test(node.text)) || hasLetters(node)

/** A read of an area's strings in the sources. */
interface StringRead {
  /** The area and the keys as far as they are literal. */
  readonly key: string
  readonly place: string
  readonly isAtModuleLevel: boolean
}

/** Returns the reads that happen before a translation is loaded, and so would stay English. */
export const findEarlyReads = (sources: readonly ts.SourceFile[]): string[] =>
  findReads(sources).flatMap(({ place, key, isAtModuleLevel }) => (isAtModuleLevel ? [`${place}: ${key}`] : []))

/** Returns the strings that no source reads. */
export function findUnusedStrings(messages: readonly Message[], sources: readonly ts.SourceFile[]): string[] {
  const known = new Set(messages.flatMap(({ key }) => prefixesOf(key)))
  const longestKnown = (key: string): string => prefixesOf(key).findLast((prefix) => known.has(prefix)) ?? key
  const reads = new Set(findReads(sources).map(({ key }) => longestKnown(key)))
  return messages
    .filter(({ key }) => !prefixesOf(key).some((prefix) => reads.has(prefix)))
    .map(({ key, place }) => `${place}: ${key}`)
}

/** `a`, `a.b` and `a.b.c` for `a.b.c`. */
const prefixesOf = (key: string): string[] => {
  const parts = key.split('.')
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'))
}

function findReads(sources: readonly ts.SourceFile[]): StringRead[] {
  const areas = new Map(sources.flatMap(declaredAreas))
  return sources.flatMap((source) => readsOf(source, areas))
}

/** The constants that are initialized with `area(…)`, each with the name of its area. */
function declaredAreas(source: ts.SourceFile): [constant: string, area: string][] {
  return source.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) =>
    declarationList.declarations.flatMap(({ name, initializer }): [string, string][] => {
      if (!initializer || !ts.isCallExpression(initializer) || initializer.expression.getText() !== 'area') return []
      const [area] = initializer.arguments
      return area && ts.isStringLiteral(area) ? [[name.getText(), area.text]] : []
    }),
  )
}

function readsOf(source: ts.SourceFile, areas: ReadonlyMap<string, string>): StringRead[] {
  const reads: StringRead[] = []
  // Names in this file: of imported areas, and of constants that hold an area or a part of one.
  const names = new Map(areas)
  const visit = (node: ts.Node, isAtModuleLevel: boolean): void => {
    if (ts.isImportSpecifier(node) && node.propertyName) {
      const area = areas.get(node.propertyName.text)
      if (area !== undefined) names.set(node.name.text, area)
    }
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) {
      ts.forEachChild(node, (child) => visit(child, false))
      return
    }
    if (ts.isIdentifier(node) && isRead(node)) {
      const area = names.get(node.text)
      if (area !== undefined) reads.push(...followRead(source, node, area, isAtModuleLevel, names))
    }
    ts.forEachChild(node, (child) => visit(child, isAtModuleLevel && !ts.isFunctionLike(node)))
  }
  visit(source, true)
  return reads
}

const isRead = ({ parent }: ts.Identifier): boolean =>
  !ts.isImportSpecifier(parent) && !ts.isTypeQueryNode(parent) && !ts.isTypeNode(parent)

function followRead(
  source: ts.SourceFile,
  identifier: ts.Identifier,
  area: string,
  isAtModuleLevel: boolean,
  names: Map<string, string>,
): StringRead[] {
  const { parent } = identifier
  const isOwnName =
    (ts.isPropertyAccessExpression(parent) && parent.name === identifier) ||
    (ts.isPropertyAssignment(parent) && parent.name === identifier) ||
    (ts.isVariableDeclaration(parent) && parent.name === identifier) ||
    ts.isJsxAttribute(parent) ||
    ts.isBindingElement(parent) ||
    ts.isPropertySignature(parent) ||
    (ts.isParameter(parent) && parent.name === identifier)
  if (isOwnName) return []
  let node: ts.Node = identifier
  let key = area
  while (ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node) {
    key += `.${node.parent.name.text}`
    node = node.parent
  }
  const read = (path: string): StringRead => ({ key: path, place: placeOf(source, identifier), isAtModuleLevel })
  const { parent: user } = node
  if (!ts.isVariableDeclaration(user) || user.initializer !== node) return [read(key)]
  if (ts.isObjectBindingPattern(user.name)) {
    return user.name.elements.map((element) => {
      const path = `${key}.${(element.propertyName ?? element.name).getText()}`
      names.set(element.name.getText(), path)
      return read(path)
    })
  }
  names.set(user.name.getText(), key)
  return isAtModuleLevel ? [read(key)] : []
}
