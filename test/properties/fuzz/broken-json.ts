import { gzipSync } from 'node:zlib';
import type { Random } from '../../support/random.ts';
import { jsonPieces } from './hostile.ts';

/**
 * Replaces a random string, number, or literal in a JSON text with the snippet. If the text contains no such value, returns the snippet.
 */
function replaceValue(random: Random, text: string, piece: string): string {
  const places = [...text.matchAll(/(?<=[:[,])("(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*|true|false|null)/g)];
  if (places.length === 0) return piece;
  const { index, 0: value } = random.pick(places);
  return text.slice(0, index) + piece + text.slice(index + value.length);
}

const deep = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;

/** Corrupts JSON by truncating it, changing its encoding, nesting values too deeply, or inserting invalid tokens. */
export function brokenJson(random: Random, text: string): Buffer {
  return random.pick<() => Buffer>([
    () => Buffer.from(replaceValue(random, text, random.pick(jsonPieces))),
    () => Buffer.from(replaceValue(random, text, random.pick(jsonPieces))),
    () => Buffer.from(text.slice(0, random.below(text.length + 1))),
    () => Buffer.from(text + random.pick(['}', ',', '\u0000', text, '   '])),
    () => Buffer.from(`\uFEFF${text}`),
    () => Buffer.from(text, 'utf16le'),
    () =>
      Buffer.concat([
        Buffer.from(text.slice(0, 5)),
        Buffer.from([0xff, 0xfe, 0xc0, 0x80]),
        Buffer.from(text.slice(5)),
      ]),
    () => Buffer.from(deep(random.pick([63, 65, 500, 5_000, 100_000]))),
    () => Buffer.from(`{"a":1,${text.slice(1)}`),
    () => Buffer.from(text.replace('{', '{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},')),
    () => gzipSync(text),
    () => Buffer.alloc(random.pick([1, 100, 1_100_000]), random.pick([' ', '[', '{"a":', '\u0000'])),
    () => Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256))),
  ])();
}
