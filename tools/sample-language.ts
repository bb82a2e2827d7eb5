import { collectTexts, type FoundText } from './language.ts'

const sampleSize = 100
const [seed = '1'] = process.argv.slice(2)

const texts = collectTexts()
printSample('comment')
printSample('title')

/** Prints texts of one kind, drawn by the seed: the same seed draws the same texts from the same tree. */
function printSample(kind: FoundText['kind']): void {
  const random = createRandom(Number(seed))
  const candidates = texts.filter((found) => found.kind === kind && found.text.length > 20)
  console.log(`\n${sampleSize} of ${candidates.length} texts of the kind “${kind}”, seed ${seed}\n`)
  for (let drawn = 0; drawn < sampleSize && candidates.length > 0; drawn += 1) {
    const [found] = candidates.splice(Math.floor(random() * candidates.length), 1)
    if (found) console.log(`${found.path}:${found.line}\n  ${found.text}`)
  }
}

/** Numbers from 0 to 1 by mulberry32. */
function createRandom(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
