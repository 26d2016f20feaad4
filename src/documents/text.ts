// Text as a document can show it: on one line, in lines of a given width, each in the order its signs are drawn in.
import { createRequire } from 'node:module';

type LineBreaker = { readonly nextBreak: () => { readonly position: number } | null };

type Bidi = {
  readonly getEmbeddingLevels: (
    text: string,
    base: 'auto',
  ) => { readonly levels: Uint8Array; readonly paragraphs: readonly { readonly level: number }[] };
  readonly getMirroredCharacter: (sign: string) => string | null;
};

// One package has no types, the other has them for another module than it gives; these are those of what is used of them.
const require = createRequire(import.meta.url);
const LineBreak = require('linebreak') as new (text: string) => LineBreaker;
const bidi = (require('bidi-js') as () => Bidi)();

const signs = new Intl.Segmenter('und', { granularity: 'grapheme' });
const words = new Intl.Segmenter('th', { granularity: 'word' });

/** Words of writings without spaces between them, where dictionaries tell the ends. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/**
 * The text on one line: control and direction marks go, white space becomes one space. Thai AM after a tone is put in the order it is drawn in.
 */
export const readable = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu, '')
    .replaceAll(/([\u0E48-\u0E4B]?)\u0E33/g, '\u0E4D$1\u0E32')
    .trim();

/** Where a line may end: the positions behind which another can begin, the end of the text last. */
function breaksOf(text: string): number[] {
  const breaks = new Set<number>();
  const breaker = new LineBreak(text);
  for (let found = breaker.nextBreak(); found !== null; found = breaker.nextBreak())
    breaks.add(found.position);
  for (const { 0: run, index } of text.matchAll(unspaced)) {
    for (const { index: start } of words.segment(run)) if (start > 0) breaks.add(index + start);
  }
  return [...breaks].sort((a, b) => a - b);
}

/** The pieces of a text that stay together, each with the space behind it. */
function unitsOf(text: string): string[] {
  let start = 0;
  return breaksOf(text).map((end) => {
    const unit = text.slice(start, end);
    start = end;
    return unit;
  });
}

/** A unit in pieces none of which is wider than `width`; never splits what people see as one sign. */
function pieces(unit: string, width: number, measure: (text: string) => number): string[] {
  if (measure(unit.trimEnd()) <= width) return [unit];
  const made: string[] = [];
  let piece = '';
  for (const { segment } of signs.segment(unit)) {
    if (piece !== '' && segment !== ' ' && measure(piece + segment) > width) {
      made.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return [...made, piece];
}

const isRightToLeft = (text: string): boolean =>
  (bidi.getEmbeddingLevels(text, 'auto').paragraphs[0]?.level ?? 0) % 2 === 1;

const marks = { leftToRight: '\u200E', rightToLeft: '\u200F' } as const;

/** Whether all of a text runs from left to right, which needs no closer look. */
const isPlain = (text: string): boolean => !/[\p{Script=Hebrew}\p{Script=Arabic}\u200E\u200F]/u.test(text);

/** Lines of one paragraph; where the direction of a line alone would be another one, it begins with a mark of the paragraph's. */
function directed(lines: string[], text: string): string[] {
  if (isPlain(text)) return lines;
  const rightToLeft = isRightToLeft(text);
  const mark = rightToLeft ? marks.rightToLeft : marks.leftToRight;
  return lines.map((line) => (isRightToLeft(line) === rightToLeft ? line : `${mark}${line}`));
}

/** The lines a text takes in a column of this width, at least one; what is wider than the column is broken. */
export function wrapped(text: string, width: number, measure: (text: string) => number): string[] {
  if (measure(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const unit of unitsOf(text).flatMap((part) => pieces(part, width, measure))) {
    if (line !== '' && measure((line + unit).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = unit;
    } else line += unit;
  }
  return directed([...lines, line.trimEnd()], text);
}

/** A piece of a line as it is drawn: signs in the order they are read, and whether they run from right to left. */
export type Stretch = { readonly text: string; readonly rightToLeft: boolean };

/** A line in stretches of one direction, from left to right as they stand on the sheet (the Unicode bidirectional algorithm). */
export function stretches(line: string): Stretch[] {
  if (line === '') return [];
  if (isPlain(line)) return [{ text: line, rightToLeft: false }];
  const { levels } = bidi.getEmbeddingLevels(line, 'auto');
  const runs: { text: string; level: number }[] = [];
  for (let index = 0; index < line.length; index++) {
    const level = levels[index] ?? 0;
    const sign = line.charAt(index);
    if (sign === marks.leftToRight || sign === marks.rightToLeft) continue;
    const shown = level % 2 === 1 ? (bidi.getMirroredCharacter(sign) ?? sign) : sign;
    const last = runs.at(-1);
    if (last === undefined || last.level !== level) runs.push({ text: shown, level });
    else last.text += shown;
  }
  // From the deepest level to the first odd one, whatever lies at it or deeper is turned around.
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
    for (let start = 0; start < runs.length; start++) {
      let end = start;
      while ((runs[end]?.level ?? -1) >= level) end++;
      if (end > start + 1) runs.splice(start, end - start, ...runs.slice(start, end).reverse());
      start = Math.max(start, end);
    }
  }
  return runs.map(({ text, level }) => ({ text, rightToLeft: level % 2 === 1 }));
}

/** Whether shaping with a font reverses a text: one with letters that run from right to left. */
export const isTurnedByFont = (text: string): boolean => /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text);

/** The signs of a text in reverse order. */
export const turned = (text: string): string =>
  [...signs.segment(text)]
    .map(({ segment }) => segment)
    .reverse()
    .join('');
