// Colors `#rrggbb` and how well they are read on each other, as WCAG 2 measures it. Text of normal size needs a contrast of 4.5.

const channel = (value: number): number => {
  const share = value / 255;
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const hexColor = /^#[0-9a-f]{6}$/i;

/** Red, green and blue of a color, each 0 to 255. */
export const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** The color of red, green and blue, each rounded to a whole number of 0 to 255. */
export const colorOf = (channels: readonly number[]): string =>
  `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;

/** How bright a color is, 0 to 1, as contrast is measured. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map(channel);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast between two colors `#rrggbb`, 1 to 21. */
export function contrastOf(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** The least contrast of text. */
export const textContrast = 4.5;

/** Black or white, whichever is read better on a color. */
export const textOn = (color: string): '#ffffff' | '#000000' =>
  contrastOf(color, '#ffffff') >= contrastOf(color, '#000000') ? '#ffffff' : '#000000';

export const isColor = (text: string): boolean => hexColor.test(text);

/** The color itself where it can be read on white, else the next darker shade of it that can. */
export function readableOnWhite(color: string): string {
  for (let share = 100; share >= 0; share -= 2) {
    const shade = colorOf(channelsOf(color).map((value) => (value * share) / 100));
    if (contrastOf(shade, '#ffffff') >= textContrast) return shade;
  }
  return '#000000';
}
