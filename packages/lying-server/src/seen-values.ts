type Fields = Readonly<Record<string, unknown>>

/** Values of earlier requests and answers, which a server may return elsewhere. */
export interface SeenValues {
  add(value: unknown): void
  readonly strings: readonly string[]
  /** Objects with at least two strings that can be moved together. */
  readonly objects: readonly Fields[]
}

/** Different field names of the contract with the same meaning. */
const fieldMeanings: Readonly<Record<string, string>> = {
  encrypted_key: 'key',
  encryptedKey: 'key',
  encrypted_file_key: 'fileKey',
  encryptedFileKey: 'fileKey',
  'x-encrypted-file-key': 'fileKey',
  shareEncryptedFileKey: 'fileKey',
  content: 'content',
  encryptedContent: 'content',
  encryptedMessage: 'content',
  message_text: 'content',
  originalName: 'name',
  original_name: 'name',
  filename: 'name',
  fileName: 'name',
  'x-file-name': 'name',
}

export const meaningOf = (field: string): string => fieldMeanings[field] ?? field

export function createSeenValues(): SeenValues {
  const strings: string[] = []
  const objects: Fields[] = []

  function add(value: unknown): void {
    if (typeof value === 'string') addText(value)
    if (typeof value !== 'object' || value === null) return
    const fields = value as Fields
    Object.values(fields).forEach(add)
    if (!Array.isArray(value) && Object.values(fields).filter((field) => typeof field === 'string').length >= 2)
      objects.push(fields)
  }

  /** A sealed name or label consists of a wrapped key and content, separated by a dot. */
  function addText(text: string): void {
    strings.push(text)
    const [key, content, ...more] = text.split('.')
    if (key && content && more.length === 0 && key.length > 40) objects.push({ key, content })
  }

  return { add, strings, objects }
}
