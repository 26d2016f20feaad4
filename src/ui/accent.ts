import { channelsOf, colorOf, contrastOf, isColor, textContrast } from '../domain/text/color.ts';

// Adjusts an organization's brand color to be readable on light and dark surfaces.

/** Brand color for one theme. */
export type Accent = {
  /** Background of buttons, and color of focus rings. */
  readonly fill: string;
  /** Color of text on `fill`. */
  readonly onFill: string;
  /** Color of links and other text on the page. */
  readonly text: string;
};

/** Surfaces behind buttons and links, as in `tokens.css`. To increase the contrast of text, the brand color is mixed with the color `toward`. */
const grounds = {
  light: { surfaces: ['#ffffff', '#f5f7f5'], toward: 0 },
  dark: { surfaces: ['#111615', '#0b0f0e', '#1a2120'], toward: 255 },
} as const;

type Ground = (typeof grounds)[keyof typeof grounds];

/** Minimum contrast ratio between a button and the page (WCAG 2, level AA). */
const shapeContrast = 3;

/** Colors of text on a button. White is preferred. */
const labels = ['#ffffff', '#04211c'] as const;

const shares = Array.from({ length: 21 }, (_, index) => index / 20);

const mixed = (color: string, toward: number, share: number): string =>
  colorOf(channelsOf(color).map((value) => value + (toward - value) * share));

const contrasts = (color: string, others: readonly string[], least: number): boolean =>
  others.every((other) => contrastOf(color, other) >= least);

/** Changes the color as little as possible, so that it is readable as text on every surface of the theme. */
const textOf = (color: string, { surfaces, toward }: Ground): string =>
  shares
    .map((share) => mixed(color, toward, share))
    .find((each) => contrasts(each, surfaces, textContrast)) ?? mixed(color, toward, 1);

/** Changes the color as little as possible, so that it stands out from every surface of the theme and its label is readable. */
function fillOf(color: string, { surfaces }: Ground): Pick<Accent, 'fill' | 'onFill'> {
  const candidates = shares.flatMap((share) =>
    [0, 255].flatMap((toward) =>
      labels.map((onFill) => ({ fill: mixed(color, toward, share), onFill, share })),
    ),
  );
  const found = candidates.filter(
    ({ fill, onFill }) => contrasts(fill, surfaces, shapeContrast) && contrasts(fill, [onFill], textContrast),
  );
  const least = found.filter(({ share }) => share === found[0]?.share);
  const { fill, onFill } = least.find((each) => each.onFill === labels[0]) ?? found[0] ?? labelsOnly;
  return { fill, onFill };
}

/** Black button with a white label. Only needed if no mixture is readable. */
const labelsOnly = { fill: '#000000', onFill: '#ffffff' } as const;

/** Returns the brand color for both themes. `null` if the color is invalid. */
export function accentOf(color: string | null): { readonly light: Accent; readonly dark: Accent } | null {
  if (color === null || !isColor(color)) return null;
  const accentIn = (ground: Ground): Accent => ({ ...fillOf(color, ground), text: textOf(color, ground) });
  return { light: accentIn(grounds.light), dark: accentIn(grounds.dark) };
}
