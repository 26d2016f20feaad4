// Text as a document can show it: every sign readable or visibly replaced, lines of a given width, right-to-left words in their places.

/** Stands where a sign has no picture in the font. */
const replacement = '\uFFFD';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Marks that steer other signs and have no picture of their own: joiners and variation selectors. */
const isJoiner = (code: number): boolean => code === 0x200c || code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f);

/**
 * The text on one line and in signs the font has: control and direction marks go, white space becomes one space, and what people see as one
 * sign that the font lacks is replaced by one visible mark.
 */
export function readable(text: string, hasSign: (code: number) => boolean): string {
  const plain = text
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu, '');
  const shown = [...segmenter.segment(plain)].map(({ segment }) => {
    const codes = [...segment].map((sign) => sign.codePointAt(0) ?? 0);
    return codes.every((code) => isJoiner(code) || hasSign(code)) ? segment : replacement;
  });
  return shown.join('').trim();
}

const isRightToLeft = (word: string): boolean => /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(word);

/**
 * What is drawn of a line, from left to right: the whole line where all of it runs that way, else its words. Where the first word runs from
 * right to left, so does the line; elsewhere each run of such words is turned around in its place. The signs within a word are the font's
 * business.
 */
export function drawnWords(line: string): string[] {
  if (!line.split(' ').some(isRightToLeft)) return [line];
  const runs: { words: string[]; rightToLeft: boolean }[] = [];
  for (const word of line.split(' ')) {
    const rightToLeft = isRightToLeft(word);
    const last = runs.at(-1);
    if (last?.rightToLeft === rightToLeft) last.words.push(word);
    else runs.push({ words: [word], rightToLeft });
  }
  const drawn = runs.map(({ words, rightToLeft }) => (rightToLeft ? words.toReversed() : words));
  return (runs[0]?.rightToLeft === true ? drawn.reverse() : drawn).flat();
}

/** A word in pieces none of which is wider than `width`; never splits what people see as one sign. */
function pieces(word: string, width: number, measure: (text: string) => number): string[] {
  if (measure(word) <= width) return [word];
  const made: string[] = [];
  let piece = '';
  for (const { segment } of segmenter.segment(word)) {
    if (piece !== '' && measure(piece + segment) > width) {
      made.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return [...made, piece];
}

/** The lines a text takes in a column of this width, at least one; a word wider than the column is broken. */
export function wrapped(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((part) => pieces(part, width, measure))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && measure(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
