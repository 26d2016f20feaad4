// Fonts for PDFs: DejaVu Sans for most alphabets, and Noto for all others. Noto fonts are split into small subsets, and a document reads only
// the subsets and weights that its text needs.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { LRUCache } from 'lru-cache';

const require = createRequire(import.meta.url);

// The font package has no type declarations.
const subsetFont = require('subset-font') as (
  font: Buffer,
  text: undefined,
  options: { keepAllGlyphs: true; targetFormat: 'truetype'; variationAxes?: { wght: number } },
) => Promise<Buffer>;

/** Regional style of Han characters: Japan, Korea, mainland China, or Taiwan and Hong Kong. */
export type HanStyle = 'jp' | 'kr' | 'sc' | 'tc';

const hanOrders: { readonly [style in HanStyle]: readonly HanStyle[] } = {
  jp: ['jp', 'sc', 'tc', 'kr'],
  kr: ['kr', 'jp', 'tc', 'sc'],
  sc: ['sc', 'tc', 'jp', 'kr'],
  tc: ['tc', 'sc', 'jp', 'kr'],
};

/** Name of a font subset, such as `noto-sans-jp 118`. The base font is `base`. */
export type PartName = string;

/** Font that is embedded in every document. */
const basePart: PartName = 'base';

/** Font subsets by code point range, in ascending order. */
type Coverage = {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly parts: readonly PartName[];
};

/** Subsets to skip: the base font covers these alphabets, or the subset only repeats characters of other fonts. */
const basic = new Set([
  'latin',
  'latin-ext',
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'vietnamese',
  'math',
  'symbols',
]);

/** Font families that exist in only one weight. */
const fixedFamilies: ReadonlySet<string> = new Set(['noto-sans-mongolian', 'noto-sans-yi']);

const packageOf = (family: string): string =>
  `${fixedFamilies.has(family) ? '@fontsource' : '@fontsource-variable'}/${family}`;

/** Parses ranges such as `U+4e00-4e01,U+4e07`. */
const rangesOf = (text: string): readonly (readonly [number, number])[] =>
  text.split(',').map((range) => {
    const [first = '', last = first] = range.replace('U+', '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });

function readCoverage(family: string): Coverage {
  // Ranges by subset name, such as `[118]` or `thai`.
  const listed = JSON.parse(
    readFileSync(require.resolve(`${packageOf(family)}/unicode.json`), 'utf8'),
  ) as Record<string, string>;
  const ranges = Object.entries(listed)
    // Only large families need numbered subsets. In single-weight families, numbered subsets repeat characters of named subsets.
    .filter(([name]) => !basic.has(name) && !(fixedFamilies.has(family) && name.startsWith('[')))
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

/** Returns the subset of a font family that contains a code point. `null` if the family doesn't contain it. */
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

export type Weight = keyof typeof weights;

const baseFonts = new Map<Weight, Font>();

/** Returns the base font, which is loaded with the first document. */
function baseFont(weight: Weight): Font {
  const font =
    baseFonts.get(weight) ??
    (create(readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${baseFiles[weight]}.ttf`))) as Font);
  baseFonts.set(weight, font);
  return font;
}

/** Maximum number of cached subsets. The largest family has 120; a subset uses tens of kilobytes. */
const mostParts = 160;
const partFonts = new LRUCache<string, Promise<Font>>({ max: mostParts });

/** Families with glyph substitutions that fontkit can't read. Their letters are drawn in the isolated form. */
const unreadable: ReadonlySet<string> = new Set(['noto-sans-mongolian']);

/** Returns a TrueType file with its substitution table (GSUB) renamed, so that fontkit ignores the table. */
function withoutSubstitutions(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  for (let table = 0; table < changed.readUInt16BE(4); table++) {
    const start = 12 + 16 * table;
    if (changed.toString('latin1', start, start + 4) === 'GSUB') changed.write('xSUB', start, 'latin1');
  }
  return changed;
}

/** Disables mark positioning. fontkit throws for marks without an anchor, such as some in Gurmukhi. */
const placing = { mark: false, mkmk: false, abvm: false, blwm: false };

/** Makes a font draw marks at their default position if fontkit fails to position them. */
function withLayout(font: Font): Font {
  const layout = font.layout.bind(font);
  font.layout = (text, features, ...others) => {
    try {
      return layout(text, features, ...others);
    } catch {
      return layout(text, { ...placing }, ...others);
    }
  };
  return font;
}

async function readPart(part: PartName, weight: Weight): Promise<Font> {
  const [family = '', name = ''] = part.split(' ');
  const isFixed = fixedFamilies.has(family);
  const file = await readFile(
    require.resolve(`${packageOf(family)}/files/${family}-${name}-${isFixed ? '400' : 'wght'}-normal.woff2`),
  );
  const options = {
    keepAllGlyphs: true,
    targetFormat: 'truetype',
    ...(isFixed ? {} : { variationAxes: { wght: weights[weight] } }),
  } as const;
  const bytes = await subsetFont(file, undefined, options);
  // The file contains a single font, so `create` doesn't return a collection.
  return withLayout(create(unreadable.has(family) ? withoutSubstitutions(bytes) : bytes) as Font);
}

function partFont(part: PartName, weight: Weight): Promise<Font> {
  const key = `${part} ${weight}`;
  const font = partFonts.get(key) ?? readPart(part, weight);
  partFonts.set(key, font);
  return font;
}

const isEmoji = (sign: string): boolean => /\p{Emoji_Presentation}|\u{FE0F}/u.test(sign);

/** Font families for scripts other than Han, with the pattern of their scripts. */
const otherFamilies: readonly (readonly [family: string, script: RegExp])[] = [
  ['noto-sans-thai', /\p{scx=Thai}/u],
  ['noto-sans-devanagari', /\p{scx=Deva}/u],
  ['noto-sans-bengali', /\p{scx=Beng}/u],
  ['noto-sans-gurmukhi', /\p{scx=Guru}/u],
  ['noto-sans-gujarati', /\p{scx=Gujr}/u],
  ['noto-sans-oriya', /\p{scx=Orya}/u],
  ['noto-sans-tamil', /\p{scx=Taml}/u],
  ['noto-sans-telugu', /\p{scx=Telu}/u],
  ['noto-sans-kannada', /\p{scx=Knda}/u],
  ['noto-sans-malayalam', /\p{scx=Mlym}/u],
  ['noto-sans-sinhala', /\p{scx=Sinh}/u],
  ['noto-sans-thaana', /\p{sc=Thaa}/u],
  ['noto-sans-meetei-mayek', /\p{scx=Mtei}/u],
  ['noto-sans-ol-chiki', /\p{scx=Olck}/u],
  ['noto-serif-tibetan', /\p{scx=Tibt}/u],
  ['noto-sans-myanmar', /\p{scx=Mymr}/u],
  ['noto-sans-khmer', /\p{scx=Khmr}/u],
  ['noto-sans-lao', /\p{scx=Laoo}/u],
  ['noto-sans-ethiopic', /\p{scx=Ethi}/u],
  ['noto-sans-mongolian', /\p{scx=Mong}/u],
  ['noto-sans-yi', /\p{scx=Yiii}/u],
  ['noto-sans-cherokee', /\p{scx=Cher}/u],
  ['noto-sans-canadian-aboriginal', /\p{scx=Cans}/u],
  ['noto-emoji', /[\u{2000}-\u{10ffff}]/u],
];

/** Scripts to draw with the Han fonts. The subsets also list characters of other scripts, but don't contain glyphs for them. */
const hanScripts = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{sc=Zyyy}\p{sc=Zinh}]/u;

/** Returns the subsets that contain a code point, in order of preference. */
function partsWith(code: number, style: HanStyle, prefersEmoji: boolean): PartName[] {
  const character = String.fromCodePoint(code);
  const parts: PartName[] = [];
  const add = (part: PartName | null): void => {
    if (part !== null) parts.push(part);
  };
  if (prefersEmoji) add(partIn('noto-emoji', code));
  if (baseFont('regular').hasGlyphForCodePoint(code)) parts.push(basePart);
  for (const [family, script] of otherFamilies) if (script.test(character)) add(partIn(family, code));
  if (code >= 0x1100 && hanScripts.test(character))
    for (const han of hanOrders[style]) add(partIn(`noto-sans-${han}`, code));
  return parts;
}

/** True for joiners and variation selectors, which don't have glyphs. */
const isJoiner = (code: number): boolean =>
  code === 0x200c || code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f);

export type FontRun = { readonly text: string; readonly part: PartName };

/** Replacement character, drawn in place of characters that no font contains. */
const replacement: FontRun = { text: '\uFFFD', part: basePart };

/**
 * Splits a grapheme into font runs. Uses one run if a subset contains the whole grapheme, otherwise one run per code point, otherwise a replacement
 * character.
 */
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

/** Fast path: text with only these characters is drawn with the base font. */
const plain = /^[\u0020-\u007E\u00A0-\u024F\u2010-\u2027\u202F\u20AC]*$/;

/** Returns the Han style indicated by Japanese or Korean letters in the text. Defaults to the given style. */
function styleOf(text: string, style: HanStyle): HanStyle {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'jp';
  return /\p{Script=Hangul}/u.test(text) ? 'kr' : style;
}

/** Splits a string into runs that need one font subset each. Han characters get the given style unless the string contains Japanese or Korean letters. */
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

/** Fonts loaded for one document. */
export type Fonts = { readonly style: HanStyle; readonly fontOf: (part: PartName, weight: Weight) => Font };

/** Loads the font subsets that the strings need in each weight. If a subset is missing in a weight, `fontOf` returns the other weight. */
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
