/** 64 pictures that nobody takes for one another, each six bits. */
const pictures = [
  ...'🐶🐱🦁🐎🦄🐷🐘🐰🐼🐓🐧🐢🐟🐙🦋🌷🌳🌵🍄🌏🌙☁🔥🍌🍎🍓🌽🍕🎂❤😀🤖🎩👓🔧🎅👍☂⌛⏰🎁💡📕✏📎✂🔒🔑🔨☎🏁🚂🚲✈🚀🏆⚽🎸🎺🔔⚓🎧📁📌',
]

/** Four pictures for 24 bits. */
export function emojiOf(bytes: Uint8Array): string[] {
  const [first = 0, second = 0, third = 0] = bytes
  const bits = (first << 16) | (second << 8) | third
  return [18, 12, 6, 0].map((shift) => pictures[(bits >> shift) & 63] ?? '')
}
