/** Control characters, and those that reorder, hide or break the text around them. Joiners, which emoji need, are not. */
export const invisibleCharacters =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\u3164\ufeff\uffa0\ufff9-\ufffb]/gu
