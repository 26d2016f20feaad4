// Colors in the format `#rrggbb`, and their contrast ratio as defined by WCAG 2. Normal text needs a ratio of
// at least 4.5.

const channel = (value: number): number => {
  const share = value / 255;
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const hexColor = /^#[0-9a-f]{6}$/i;

/** Returns the red, green, and blue values of a color, from 0 to 255. */
export const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/**
 * Returns the color with the given red, green, and blue values. Rounds each value to a whole number from 0 to
 * 255.
 */
export const colorOf = (channels: readonly number[]): string =>
  `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;

/** Returns the relative luminance of a color, from 0 to 1. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map(channel);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio between two colors, from 1 to 21. */
export function contrastOf(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Minimum contrast ratio for text (WCAG 2, level AA). */
export const textContrast = 4.5;

/** Returns black or white, whichever has the higher contrast with the color. */
export const textOn = (color: string): '#ffffff' | '#000000' =>
  contrastOf(color, '#ffffff') >= contrastOf(color, '#000000') ? '#ffffff' : '#000000';

export const isColor = (text: string): boolean => hexColor.test(text);

/**
 * Returns the color if it's readable on white. Otherwise, returns the lightest darker shade that is readable
 * on white.
 */
export function readableOnWhite(color: string): string {
  for (let share = 100; share >= 0; share -= 2) {
    const shade = colorOf(channelsOf(color).map((value) => (value * share) / 100));
    if (contrastOf(shade, '#ffffff') >= textContrast) return shade;
  }
  return '#000000';
}
