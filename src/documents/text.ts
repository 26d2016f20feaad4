// Prepares text for a PDF: removes control characters, wraps lines, and orders right-to-left text for drawing.
import { createRequire } from 'node:module';

type LineBreaker = { readonly nextBreak: () => { readonly position: number } | null };

type Bidi = {
  readonly getEmbeddingLevels: (
    text: string,
    base: 'auto',
  ) => { readonly levels: Uint8Array; readonly paragraphs: readonly { readonly level: number }[] };
  readonly getMirroredCharacter: (sign: string) => string | null;
};

// `require` loads the packages without types, because `bidi-js` and `linebreak` have no usable type declarations.
const require = createRequire(import.meta.url);
const LineBreak = require('linebreak') as new (text: string) => LineBreaker;
const bidi = (require('bidi-js') as () => Bidi)();

const signs = new Intl.Segmenter('und', { granularity: 'grapheme' });
const words = new Intl.Segmenter('th', { granularity: 'word' });

/** Scripts that don't separate words with spaces. Splitting their words requires a dictionary. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/**
 * Returns the text on a single line. Removes control and direction marks and collapses white space. Reorders Thai Sara Am after a tone mark, which
 * the font would otherwise misplace.
 */
export const readable = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu, '')
    .replaceAll(/([\u0E48-\u0E4B]?)\u0E33/g, '\u0E4D$1\u0E32')
    .trim();

/** Returns the positions where a line can break, including the end of the text. */
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

/** Splits a string into units that can't be broken, including the space that follows each unit. */
function unitsOf(text: string): string[] {
  let start = 0;
  return breaksOf(text).map((end) => {
    const unit = text.slice(start, end);
    start = end;
    return unit;
  });
}

/** Splits a unit into pieces of at most `width`, without splitting graphemes. */
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

/** True if the text contains no right-to-left letters or direction marks. */
const isPlain = (text: string): boolean => !/[\p{Script=Hebrew}\p{Script=Arabic}\u200E\u200F]/u.test(text);

/** Adds a direction mark to each line that would otherwise have a different direction than its paragraph. */
function directed(lines: string[], text: string): string[] {
  if (isPlain(text)) return lines;
  const rightToLeft = isRightToLeft(text);
  const mark = rightToLeft ? marks.rightToLeft : marks.leftToRight;
  return lines.map((line) => (isRightToLeft(line) === rightToLeft ? line : `${mark}${line}`));
}

/** Wraps a string to a width. Breaks words that don't fit on a line. Returns at least one line. */
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

/** Part of a line with a single direction. The text is in reading order. */
export type Stretch = { readonly text: string; readonly rightToLeft: boolean };

/**
 * Splits a line into parts with a single direction each, in visual order from left to right (Unicode bidirectional
 * algorithm).
 */
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
  // Rule L2 of the bidirectional algorithm: from the highest level down to 1, reverse each sequence of runs at that
  // level or higher.
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

/** True if the text contains right-to-left letters, which the font's shaping reverses. */
export const isReversedByFont = (text: string): boolean => /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text);

/** Reverses the graphemes of a string. */
export const reversed = (text: string): string =>
  [...signs.segment(text)]
    .map(({ segment }) => segment)
    .reverse()
    .join('');
