import { channelsOf, colorOf, contrastOf, isColor, textContrast } from '../domain/text/color.ts';

// Adjusts an organization's brand color to be readable on light and dark surfaces.

/** Color for one theme, and the color of text on it. */
export type Accent = { readonly accent: string; readonly onAccent: string };

/** Surfaces behind buttons and links, as in `tokens.css`. To increase its contrast, a brand color is mixed with the color `toward`. */
const grounds = {
  light: { surfaces: ['#ffffff', '#fbfbfc'], toward: 0, onAccent: '#ffffff' },
  dark: { surfaces: ['#14161a', '#0d0e11'], toward: 255, onAccent: '#0d0e11' },
} as const;

const mixed = (color: string, toward: number, share: number): string =>
  colorOf(channelsOf(color).map((value) => value + (toward - value) * share));

/** Changes the color as little as possible, so that it is readable on every surface of the theme and as a background for text. */
function readable(color: string, { surfaces, toward, onAccent }: (typeof grounds)['light' | 'dark']): Accent {
  const steps = Array.from({ length: 21 }, (_, index) => mixed(color, toward, index / 20));
  const accent = steps.find((step) =>
    [...surfaces, onAccent].every((other) => contrastOf(step, other) >= textContrast),
  );
  return { accent: accent ?? mixed(color, toward, 1), onAccent };
}

/** Returns the brand color for both themes. `null` if the color is invalid. */
export function accentOf(color: string | null): { readonly light: Accent; readonly dark: Accent } | null {
  if (color === null || !isColor(color)) return null;
  return { light: readable(color, grounds.light), dark: readable(color, grounds.dark) };
}
