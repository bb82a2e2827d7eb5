/** Two letters or digits that represent an account name: the initials of its first two words, or the start of the only one. */
export function initialsOf(name: string): string {
  const [first = '', second = ''] = name.replace(/@.*/, '').match(/[\p{L}\p{N}]+/gu) ?? []
  return (second === '' ? first.slice(0, 2) : first.slice(0, 1) + second.slice(0, 1)).toUpperCase()
}
