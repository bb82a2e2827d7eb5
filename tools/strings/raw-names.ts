import ts from 'typescript'

/** Functions that return a name as it may be shown. */
const markers = /^(visibleName|visibleFileName|nameInSentence|visibleText|visibleAddress|describeOffer)$/
/** Components that mark the name that they are given. */
const markingComponents = /^(Name|FileName|DeviceName)$/
const textAttributes = /^(aria-(label|description|valuetext)|title|alt|label|text|subject|description|valueText)$/
const textProperties = /^(text|label|title|description)$/
const nameIdentifier = /^(name|path)$|[a-z](Name|Path|Names)$/
/** Names of the product and of styles. */
const ownNames = /^(product|class)Name$/
const textFunctions = /^(useTitle|useTitleOverride|notify|alertIfHidden)$|[sS]trings\b/

/**
 * Returns the expressions that show a name without marks for hidden characters: in JSX, in its text attributes, and in
 * arguments of `strings`, titles and notifications.
 */
export function findRawNames(sources: readonly ts.SourceFile[]): string[] {
  return sources.flatMap((source) => {
    const found = new Set<string>()
    const markedConstants = findMarkedConstants(source)
    const search = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isPassedToMarker(node)) return
      if (ts.isPropertyAccessExpression(node) && isOwnText(node)) return
      if (ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isFunctionLike(node)) return
      if (isName(node) && !markedConstants.has(node.getText())) found.add(`${source.fileName}: ${node.getText()}`)
      else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(search)
      else if (ts.isPropertyAccessExpression(node)) search(node.expression)
      else if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) node.arguments.forEach(search)
      else ts.forEachChild(node, search)
    }
    const visit = (node: ts.Node): void => {
      if (isShown(node)) ts.forEachChild(node, search)
      if (ts.isCallExpression(node) && textFunctions.test(node.expression.getText())) node.arguments.forEach(search)
      ts.forEachChild(node, visit)
    }
    visit(source)
    return [...found]
  })
}

/** A child of an element, or the value of an attribute or a property that is shown. */
function isShown(node: ts.Node): boolean {
  if (ts.isJsxExpression(node)) {
    if (ts.isJsxElement(node.parent)) return !markingComponents.test(node.parent.openingElement.tagName.getText())
    if (ts.isJsxFragment(node.parent)) return true
    if (!ts.isJsxAttribute(node.parent) || !textAttributes.test(node.parent.name.getText())) return false
    return !isMarkedTitle(node.parent)
  }
  return ts.isPropertyAssignment(node) && textProperties.test(node.name.getText())
}

/** `FileName` marks its title too. */
const isMarkedTitle = (attribute: ts.JsxAttribute): boolean =>
  attribute.name.getText() === 'title' && attribute.parent.parent.tagName.getText() === 'FileName'

const isPassedToMarker = ({ expression, arguments: passed }: ts.CallExpression): boolean =>
  markers.test(expression.getText()) ||
  // `names.map(visibleFileName)`
  passed.some((argument) => markers.test(argument.getText()))

/** A string of an area, such as `sessionStrings.ownName`. */
const isOwnText = (node: ts.PropertyAccessExpression): boolean => /[sS]trings$/.test(node.expression.getText())

function isName(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return isNameText(node.name.text)
  if (ts.isCallExpression(node)) return /(^|\.)(nameOf|accountName|deviceName)$/.test(node.expression.getText())
  return ts.isIdentifier(node) && isNameText(node.text) && !ts.isPropertyAssignment(node.parent)
}

const isNameText = (text: string): boolean => nameIdentifier.test(text) && !ownNames.test(text) && !/^shown/.test(text)

/** Constants such as `const name = visibleFileName(file.name)`, in this file. */
function findMarkedConstants(source: ts.SourceFile): ReadonlySet<string> {
  const marked = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isCallExpression(node.initializer)) {
      if (markers.test(node.initializer.expression.getText())) marked.add(node.name.getText())
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return marked
}
