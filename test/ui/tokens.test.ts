import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { channelsOf, contrastOf } from '../../src/domain/text/color.ts';

// Contrast of the colors in `tokens.css`, and their differences for people with color blindness.

const css = await readFile(new URL('../../src/ui/tokens.css', import.meta.url), 'utf8');

type Pair = readonly [string, string];

const colors: Readonly<Record<string, Pair>> = Object.fromEntries([
  ...[...css.matchAll(/--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, [light, dark]],
  ),
  ...[...css.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name = '', color = '']) => [
    name,
    [color, color],
  ]),
]);

const colorOf = (name: string, theme: 0 | 1): string => {
  const pair = colors[name];
  if (pair === undefined) throw new Error(`There is no color ${name}.`);
  return pair[theme];
};

const tones = ['neutral', 'info', 'positive', 'warning', 'negative', 'special'];
const numbers = [1, 2, 3, 4, 5, 6, 7, 8];

/** Colors that appear on a background, and their minimum contrast. */
const rules: readonly (readonly [readonly string[], readonly string[], number])[] = [
  [
    ['text', 'text-muted', 'text-faint', 'accent-text', ...tones.map((tone) => `${tone}-text`)],
    ['canvas', 'surface', 'surface-raised', 'surface-sunken', 'surface-hover'],
    4.5,
  ],
  [['text', 'text-muted', 'accent-text'], ['surface-pressed', 'surface-selected', 'accent-soft'], 4.5],
  ...tones.map((tone) => [['text', 'text-muted', `${tone}-text`], [`${tone}-soft`], 4.5] as const),
  [tones.map((tone) => `${tone}-mark`), ['canvas', 'surface-raised'], 3],
  [['on-accent'], ['accent', 'accent-hover'], 4.5],
  [['on-danger'], ['danger', 'danger-hover'], 4.5],
  [['sandbox-text'], ['sandbox-soft'], 4.5],
  [['accent', 'sandbox', 'chart-risk', 'chart-limit', 'gain-1', 'loss-1'], ['canvas'], 3],
  [['chart-before'], ['canvas'], 2.9],
  [['line-control', 'focus'], ['canvas', 'surface-raised', 'surface-sunken'], 3],
  [numbers.map((number) => `series-${number}`), ['canvas', 'surface-raised'], 3],
  [numbers.map((number) => `hue-${number}`), ['canvas'], 4.5],
];

/** Linear red, green and blue as people with a type of color blindness see them (Machado et al., 2009). */
const sights: Readonly<Record<string, readonly (readonly [number, number, number])[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const linear = (value: number): number =>
  value / 255 <= 0.040_45 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;

function labOf(color: string, sight: string): readonly [number, number, number] {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map(linear);
  const [r = 0, g = 0, b = 0] = (sights[sight] ?? []).map(([x, y, z]) =>
    Math.max(0, x * red + y * green + z * blue),
  );
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Returns the difference of two colors in OKLab, times 100. */
function difference(first: string, second: string, sight: string): number {
  const [a, b] = [labOf(first, sight), labOf(second, sight)];
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Returns the smallest difference of two colors for any type of sight. */
const leastDifference = (first: string, second: string): number =>
  Math.min(...Object.keys(sights).map((sight) => difference(first, second, sight)));

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('colors of the %s theme', (_name, theme) => {
  it('have the contrast that their use needs', () => {
    const tooLow = rules.flatMap(([names, grounds, least]) =>
      names.flatMap((name) =>
        grounds.flatMap((ground) => {
          const ratio = contrastOf(colorOf(name, theme), colorOf(ground, theme));
          return ratio < least ? [`${name} on ${ground}: ${ratio.toFixed(2)}, needs ${least}`] : [];
        }),
      ),
    );
    expect(tooLow).toEqual([]);
  });

  it('differ between chart series, also with color blindness', () => {
    const pairs = numbers.flatMap((first) =>
      numbers
        .filter((second) => second > first)
        .map((second) => [`series-${first}`, `series-${second}`] as const),
    );
    const others = [
      ['gain-1', 'loss-1'],
      ['gain-2', 'loss-2'],
      ['chart-expected', 'chart-risk'],
      ['series-1', 'chart-before'],
    ] as const;
    const tooClose = [
      ...pairs.map((pair) => [...pair, 9] as const),
      ...others.map((pair) => [...pair, 8] as const),
    ]
      .map(([first, second, least]) => ({
        pair: `${first} ${second}`,
        least,
        found: leastDifference(colorOf(first, theme), colorOf(second, theme)),
      }))
      .filter(({ found, least }) => found < least);
    expect(tooClose).toEqual([]);
  });
});
