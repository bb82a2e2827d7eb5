import type { Bytes } from './bytes.ts'

export const randomBytes = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))
