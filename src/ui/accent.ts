import { channelsOf, colorOf, contrastOf, isColor, textContrast } from '../domain/color.ts';

// The color of a seller on surfaces of ours, light and dark, as dark or light as makes it readable.

/** A color for one theme, and that of text on it. */
export type Accent = { readonly accent: string; readonly onAccent: string };

/** The surfaces buttons and links stand on, as `tokens.css` has them, and what a color is mixed with to stand out. */
const grounds = {
  light: { surfaces: ['#ffffff', '#fbfbfc'], toward: 0, onAccent: '#ffffff' },
  dark: { surfaces: ['#14161a', '#0d0e11'], toward: 255, onAccent: '#0d0e11' },
} as const;

const mixed = (color: string, toward: number, share: number): string =>
  colorOf(channelsOf(color).map((value) => value + (toward - value) * share));

/** The color itself, or as little darker or lighter as gives it the contrast of text on every surface of the theme and with the text on it. */
function readable(color: string, { surfaces, toward, onAccent }: (typeof grounds)['light' | 'dark']): Accent {
  const steps = Array.from({ length: 21 }, (_, index) => mixed(color, toward, index / 20));
  const accent = steps.find((step) =>
    [...surfaces, onAccent].every((other) => contrastOf(step, other) >= textContrast),
  );
  return { accent: accent ?? mixed(color, toward, 1), onAccent };
}

/** A color of a seller for both themes; null where there is none, and for a text that is no color. */
export function accentOf(color: string | null): { readonly light: Accent; readonly dark: Accent } | null {
  if (color === null || !isColor(color)) return null;
  return { light: readable(color, grounds.light), dark: readable(color, grounds.dark) };
}
