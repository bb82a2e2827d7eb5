import ts from 'typescript'

/** A sentence that `area()` declares, as a translation would write it: `{{used}} of {{limit}}`. */
export interface Message {
  /** The area and the keys in it, joined by dots. */
  readonly key: string
  readonly place: string
  /** The parameters of the function in order; null for a plain string. */
  readonly parameters: readonly string[] | null
  /** The parameter that selects the plural form; null where `other` is the only form. */
  readonly count: string | null
  readonly forms: Readonly<Record<string, string>>
}

export interface ReadStrings {
  readonly messages: readonly Message[]
  readonly problems: readonly string[]
}

/**
 * Reads the English strings from the sources. A string is a literal, or an arrow function that returns a template of its
 * parameters, or `plural()` of one of them with such templates. Everything else is a problem, since nobody could translate it.
 */
export function readStrings(sources: readonly ts.SourceFile[]): ReadStrings {
  const messages: Message[] = []
  const problems: string[] = []
  const areas = new Set<string>()
  for (const source of sources) {
    const visit = (node: ts.Node): void => {
      const [name, strings] = isCallOf(node, 'area') ? node.arguments : []
      if (name && strings && ts.isStringLiteral(name)) {
        if (areas.has(name.text)) problems.push(`${placeOf(source, node)}: a second area is called ${name.text}`)
        areas.add(name.text)
        readValue(name.text, strings)
      } else ts.forEachChild(node, visit)
    }
    const readValue = (key: string, node: ts.Expression): void => {
      const place = placeOf(source, node)
      if (ts.isArrayLiteralExpression(node)) {
        for (const [index, element] of node.elements.entries()) readValue(`${key}.${index}`, element)
      } else if (ts.isObjectLiteralExpression(node)) {
        for (const property of node.properties) {
          if (ts.isPropertyAssignment(property)) readValue(`${key}.${nameOf(property)}`, property.initializer)
          else problems.push(`${placeOf(source, property)}: ${key} holds something else than strings`)
        }
      } else {
        const message = readMessage(key, place, node)
        if (message) messages.push(message)
        else problems.push(`${place}: ${key} cannot be translated; write a template of the parameters, or plural()`)
      }
    }
    visit(source)
  }
  return { messages, problems }
}

export const parse = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )

export const placeOf = (source: ts.SourceFile, node: ts.Node): string =>
  `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`

function readMessage(key: string, place: string, node: ts.Expression): Message | null {
  if (!ts.isArrowFunction(node)) {
    const other = readText(node, [])
    return other === null ? null : { key, place, parameters: null, count: null, forms: { other } }
  }
  const parameters = node.parameters.map(({ name }) => name.getText())
  const body = ts.isParenthesizedExpression(node.body) ? node.body.expression : node.body
  if (ts.isBlock(body)) return null
  if (!isCallOf(body, 'plural')) {
    const other = readText(body, parameters)
    return other === null ? null : { key, place, parameters, count: null, forms: { other } }
  }
  const [count, forms] = body.arguments
  if (!count || !parameters.includes(count.getText()) || !forms || !ts.isObjectLiteralExpression(forms)) return null
  const read: Record<string, string> = {}
  for (const property of forms.properties) {
    const text = ts.isPropertyAssignment(property) ? readText(property.initializer, parameters) : null
    if (text === null || !ts.isPropertyAssignment(property)) return null
    read[nameOf(property)] = text
  }
  return { key, place, parameters, count: count.getText(), forms: read }
}

function readText(node: ts.Expression, parameters: readonly string[]): string | null {
  if (ts.isStringLiteralLike(node)) return node.text.includes('{{') ? null : node.text
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [readText(node.left, parameters), readText(node.right, parameters)]
    return left === null || right === null ? null : left + right
  }
  if (!ts.isTemplateExpression(node)) return null
  let text = node.head.text
  for (const { expression, literal } of node.templateSpans) {
    const [argument] = isCallOf(expression, 'formatNumber') ? expression.arguments : [expression]
    if (!argument || !parameters.includes(argument.getText())) return null
    text += `{{${argument.getText()}${argument === expression ? '' : ', number'}}}${literal.text}`
  }
  return text
}

const isCallOf = (node: ts.Node, name: string): node is ts.CallExpression =>
  ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name

const nameOf = ({ name }: ts.PropertyAssignment): string =>
  ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : name.getText()
