import { expect, it } from 'vitest';
import { contrastOf, readableOnWhite, textContrast, textOn } from '../../src/domain/text/color.ts';

it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#3a55d9', '#ffffff', 6.02],
])('the contrast of %s and %s is %d', (first, second, contrast) => {
  expect(contrastOf(first, second)).toBeCloseTo(contrast, 1);
  expect(contrastOf(second, first)).toBeCloseTo(contrast, 1);
});

it('colors that are readable on white are kept, and other colors are darkened', () => {
  expect(readableOnWhite('#3a55d9')).toBe('#3a55d9');
  const darker = readableOnWhite('#ffd400');
  expect(contrastOf(darker, '#ffffff')).toBeGreaterThanOrEqual(4.5);
  expect(contrastOf(darker, '#ffffff')).toBeLessThan(5);
});

it('text is black on bright colors and white on dark colors', () => {
  expect([textOn('#ffd400'), textOn('#1f3a5f')]).toEqual(['#000000', '#ffffff']);
});

it('the text color has a contrast ratio of at least 4.5 with each color', () => {
  const steps = [0, 51, 102, 118, 119, 153, 204, 255].map((value) => value.toString(16).padStart(2, '0'));
  const colors = steps.flatMap((red) =>
    steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)),
  );
  expect(colors.filter((color) => contrastOf(color, textOn(color)) < textContrast)).toEqual([]);
});
