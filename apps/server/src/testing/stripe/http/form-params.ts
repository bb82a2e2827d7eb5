/** A decoded parameter. */
export type FormValue = string | FormValue[] | { [key: string]: FormValue }

interface FormNode {
  [key: string]: string | FormNode
}

/** Decodes the bracket notation of forms and queries: `items[0][id]=si_1` and `expand[]=customer`. */
export function parseForm(form: string): FormValue {
  const root: FormNode = Object.create(null)
  for (const [name, value] of new URLSearchParams(form)) insert(root, segmentsOf(name), value)
  return toValue(root)
}

function segmentsOf(name: string): string[] {
  const [head = '', ...others] = name.split('[')
  return [head, ...others.map((segment) => segment.replace(/\]$/, ''))]
}

function insert(node: FormNode, [segment = '', ...others]: string[], value: string): void {
  const key = segment === '' ? String(Object.keys(node).length) : segment
  if (others.length === 0) {
    node[key] = value
    return
  }
  const existing = node[key]
  const child: FormNode = typeof existing === 'object' ? existing : Object.create(null)
  node[key] = child
  insert(child, others, value)
}

function toValue(node: string | FormNode): FormValue {
  if (typeof node === 'string') return node
  const entries = Object.entries(node)
  const isArray = entries.length > 0 && entries.every(([key], index) => key === String(index))
  return isArray
    ? entries.map(([, value]) => toValue(value))
    : Object.fromEntries(entries.map(([key, value]) => [key, toValue(value)]))
}
