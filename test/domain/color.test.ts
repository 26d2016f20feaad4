import { expect, it } from 'vitest';
import { contrastOf, readableOnWhite, textContrast, textOn } from '../../src/domain/color.ts';

it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#3a55d9', '#ffffff', 6.02],
])('measures the contrast of %s and %s as %d', (first, second, contrast) => {
  expect(contrastOf(first, second)).toBeCloseTo(contrast, 1);
  expect(contrastOf(second, first)).toBeCloseTo(contrast, 1);
});

it('keeps colors that can be read on white, and darkens others until they can', () => {
  expect(readableOnWhite('#3a55d9')).toBe('#3a55d9');
  const darker = readableOnWhite('#ffd400');
  expect(contrastOf(darker, '#ffffff')).toBeGreaterThanOrEqual(4.5);
  expect(contrastOf(darker, '#ffffff')).toBeLessThan(5);
});

it('writes black on bright colors and white on dark ones', () => {
  expect([textOn('#ffd400'), textOn('#1f3a5f')]).toEqual(['#000000', '#ffffff']);
});

it('writes on every color with a contrast of 4.5 at least', () => {
  const steps = [0, 51, 102, 118, 119, 153, 204, 255].map((value) => value.toString(16).padStart(2, '0'));
  const colors = steps.flatMap((red) =>
    steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)),
  );
  expect(colors.filter((color) => contrastOf(color, textOn(color)) < textContrast)).toEqual([]);
});
