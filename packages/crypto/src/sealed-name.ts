const sealedNamePattern = /^ef1\.[A-Za-z0-9_-]{123,1700}$/

/** Whether a text has the form of a sealed name. Only the key can verify it. */
export const isSealedName = (text: string): boolean => sealedNamePattern.test(text)
