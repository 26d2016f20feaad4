// The fonts of documents: DejaVu Sans for most alphabets, Noto for the others. Noto comes in small parts, of which only those are read that a
// text needs, each in the weight it is drawn in.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { LRUCache } from 'lru-cache';

const require = createRequire(import.meta.url);

// The package has no types; these are those of what is used of it.
const subsetFont = require('subset-font') as (
  font: Buffer,
  text: undefined,
  options: { keepAllGlyphs: true; targetFormat: 'truetype'; variationAxes: { wght: number } },
) => Promise<Buffer>;

/** How Han characters are written: in Japan, in Korea, in China, in Taiwan and Hong Kong. */
export type HanStyle = 'jp' | 'kr' | 'sc' | 'tc';

const hanOrders: { readonly [style in HanStyle]: readonly HanStyle[] } = {
  jp: ['jp', 'sc', 'tc', 'kr'],
  kr: ['kr', 'jp', 'tc', 'sc'],
  sc: ['sc', 'tc', 'jp', 'kr'],
  tc: ['tc', 'sc', 'jp', 'kr'],
};

/** The name of a part of a font, such as `noto-sans-jp 118`; the base font is `base`. */
export type PartName = string;

/** The font every document has. */
export const basePart: PartName = 'base';

/** Which part has a code point: ranges in ascending order. */
type Coverage = {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly parts: readonly PartName[];
};

/** Parts for alphabets the base font has, and that would only be looked at in vain. */
const basic = new Set(['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'vietnamese']);

/** The ranges of a text such as `U+4e00-4e01,U+4e07`. */
const rangesOf = (text: string): readonly (readonly [number, number])[] =>
  text.split(',').map((range) => {
    const [first = '', last = first] = range.replace('U+', '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });

function readCoverage(family: string): Coverage {
  // A file of the package: names of parts, `[118]` or `thai`, with their ranges.
  const listed = JSON.parse(
    readFileSync(require.resolve(`@fontsource-variable/${family}/unicode.json`), 'utf8'),
  ) as Record<string, string>;
  const ranges = Object.entries(listed)
    .filter(([name]) => !basic.has(name))
    .flatMap(([name, text]) =>
      rangesOf(text).map(([start, end]) => ({
        start,
        end,
        part: `${family} ${name.replaceAll(/[[\]]/g, '')}`,
      })),
    )
    .sort((a, b) => a.start - b.start);
  return {
    starts: ranges.map(({ start }) => start),
    ends: ranges.map(({ end }) => end),
    parts: ranges.map(({ part }) => part),
  };
}

const coverages = new Map<string, Coverage>();

/** The part of a family that has a code point; null when it has none. */
function partIn(family: string, code: number): PartName | null {
  const known = coverages.get(family) ?? readCoverage(family);
  coverages.set(family, known);
  let low = 0;
  let high = known.starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((known.starts[middle] ?? 0) <= code) low = middle + 1;
    else high = middle;
  }
  return (known.ends[low - 1] ?? -1) >= code ? (known.parts[low - 1] ?? null) : null;
}

const baseFiles = { regular: 'DejaVuSans', bold: 'DejaVuSans-Bold' } as const;
const weights = { regular: 400, bold: 700 } as const;

/** How thick emails are. */
export type Weight = keyof typeof weights;

const baseFonts = new Map<Weight, Font>();

/** The base font, read at the first document. */
function baseFont(weight: Weight): Font {
  const font =
    baseFonts.get(weight) ??
    (create(readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${baseFiles[weight]}.ttf`))) as Font);
  baseFonts.set(weight, font);
  return font;
}

/** Parts kept in memory, each some tens of kilobytes; the largest family has 120. */
const mostParts = 160;
const partFonts = new LRUCache<string, Promise<Font>>({ max: mostParts });

async function readPart(part: PartName, weight: Weight): Promise<Font> {
  const [family = '', name = ''] = part.split(' ');
  const file = await readFile(
    require.resolve(`@fontsource-variable/${family}/files/${family}-${name}-wght-normal.woff2`),
  );
  const options = {
    keepAllGlyphs: true,
    targetFormat: 'truetype',
    variationAxes: { wght: weights[weight] },
  } as const;
  // One font in the file, so never a collection.
  return create(await subsetFont(file, undefined, options)) as Font;
}

function partFont(part: PartName, weight: Weight): Promise<Font> {
  const key = `${part} ${weight}`;
  const font = partFonts.get(key) ?? readPart(part, weight);
  partFonts.set(key, font);
  return font;
}

const isEmoji = (sign: string): boolean => /\p{Emoji_Presentation}|\u{FE0F}/u.test(sign);

/** Families beside those of Han characters, with the code points they are asked for. */
const otherFamilies: readonly (readonly [family: string, isRequested: (code: number) => boolean])[] = [
  ['noto-sans-thai', (code) => code >= 0x0e00 && code <= 0x0e7f],
  [
    'noto-sans-devanagari',
    (code) => (code >= 0x0900 && code <= 0x097f) || (code >= 0xa8e0 && code <= 0xa8ff),
  ],
  ['noto-emoji', (code) => code >= 0x2000],
];

/** The parts that have a code point, the preferred one first. */
function partsWith(code: number, style: HanStyle, prefersEmoji: boolean): PartName[] {
  const parts: PartName[] = [];
  const add = (part: PartName | null): void => {
    if (part !== null) parts.push(part);
  };
  if (prefersEmoji) add(partIn('noto-emoji', code));
  if (baseFont('regular').hasGlyphForCodePoint(code)) parts.push(basePart);
  for (const [family, isRequested] of otherFamilies) if (isRequested(code)) add(partIn(family, code));
  if (code >= 0x1100) for (const han of hanOrders[style]) add(partIn(`noto-sans-${han}`, code));
  return parts;
}

/** Marks that steer other signs and have no picture of their own: joiners and variation selectors. */
const isJoiner = (code: number): boolean =>
  code === 0x200c || code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f);

/** A text with the part it is drawn from. */
export type FontRun = { readonly text: string; readonly part: PartName };

/** Stands where no font has a picture. */
const replacement: FontRun = { text: '\uFFFD', part: basePart };

/** What people see as one sign: drawn as one where a part has all of it, else piece by piece, else replaced by one visible mark. */
function signRuns(sign: string, style: HanStyle): readonly FontRun[] {
  const codes = [...sign].map((one) => one.codePointAt(0) ?? 0).filter((code) => !isJoiner(code));
  const candidates = codes.map((code) => partsWith(code, style, isEmoji(sign)));
  const common = candidates[0]?.find((part) => candidates.every((parts) => parts.includes(part)));
  if (common !== undefined) return [{ text: sign, part: common }];
  const pieces = codes.map((code, index) => ({
    text: String.fromCodePoint(code),
    part: candidates[index]?.[0],
  }));
  return pieces.length > 0 && pieces.every((piece): piece is FontRun => piece.part !== undefined)
    ? pieces
    : [replacement];
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Signs most texts are made of, all in the base font. */
const plain = /^[\u0020-\u007E\u00A0-\u024F\u2010-\u2027\u202F\u20AC]*$/;

/** The style a text shows by emails of its own; else the given one. */
function styleOf(text: string, style: HanStyle): HanStyle {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'jp';
  return /\p{Script=Hangul}/u.test(text) ? 'kr' : style;
}

/** A text in runs, each of which one part has. Han characters come in the style given, unless the text shows another. */
export function fontRuns(text: string, style: HanStyle): readonly FontRun[] {
  if (plain.test(text)) return text === '' ? [] : [{ text, part: basePart }];
  const own = styleOf(text, style);
  const runs: { text: string; part: PartName }[] = [];
  for (const { segment } of segmenter.segment(text)) {
    for (const run of signRuns(segment, own)) {
      const last = runs.at(-1);
      if (last?.part === run.part) last.text += run.text;
      else runs.push({ ...run });
    }
  }
  return runs;
}

/** Fonts made ready for the texts of one document. */
export type Fonts = { readonly style: HanStyle; readonly fontOf: (part: PartName, weight: Weight) => Font };

/** Reads what texts need in each weight. A part that was not asked for in a weight is given in the other. */
export async function loadFonts(
  texts: { readonly [weight in Weight]: readonly string[] },
  style: HanStyle,
): Promise<Fonts> {
  const loaded = new Map<string, Font>();
  for (const weight of ['regular', 'bold'] as const) {
    const parts = new Set(texts[weight].flatMap((text) => fontRuns(text, style).map(({ part }) => part)));
    for (const part of parts)
      if (part !== basePart) loaded.set(`${part} ${weight}`, await partFont(part, weight));
  }
  return {
    style,
    fontOf: (part, weight) => {
      if (part === basePart) return baseFont(weight);
      const font =
        loaded.get(`${part} ${weight}`) ?? loaded.get(`${part} ${weight === 'bold' ? 'regular' : 'bold'}`);
      if (font === undefined) throw new Error(`The font ${part} was not made ready.`);
      return font;
    },
  };
}
