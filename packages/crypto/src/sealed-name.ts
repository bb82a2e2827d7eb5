const sealedNamePattern = /^ef1\.[A-Za-z0-9_-]{123,1700}$/

/** Whether a text has the form of a sealed name. Only a key can tell whether it is one. */
export const isSealedName = (text: string): boolean => sealedNamePattern.test(text)
