type Field = readonly [bytes: 2 | 4 | 8, value: number] | Uint8Array

/** Packs little-endian numbers and byte arrays one after another. */
export function packFields(fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const target = new Uint8Array(fields.reduce((sum, field) => sum + sizeOf(field), 0))
  const view = new DataView(target.buffer)
  let position = 0
  for (const field of fields) {
    if (field instanceof Uint8Array) target.set(field, position)
    else if (field[0] === 2) view.setUint16(position, field[1], true)
    else if (field[0] === 4) view.setUint32(position, field[1], true)
    else view.setBigUint64(position, BigInt(field[1]), true)
    position += sizeOf(field)
  }
  return target
}

const sizeOf = (field: Field): number => (field instanceof Uint8Array ? field.length : field[0])
