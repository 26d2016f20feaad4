import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrastOf } from '../../src/domain/text/color.ts';
import { accentOf } from '../../src/ui/accent.ts';

describe("a merchant's accent color", () => {
  it("is unchanged if it's readable, and otherwise is darkened or lightened as little as necessary", () => {
    expect(accentOf('#ffd400')).toEqual({
      // Yellow on white: after nine steps of 5% toward black, the contrast ratio with the canvas is 4.4. After ten steps, it's 5.2.
      light: { accent: '#806a00', onAccent: '#ffffff' },
      dark: { accent: '#ffd400', onAccent: '#0d0e11' },
    });
    expect(accentOf('#1f5bd8')?.light.accent).toBe('#1f5bd8');
    expect(accentOf('#000000')).toMatchObject({
      light: { accent: '#000000' },
      dark: { accent: expect.stringMatching(/^#([89a]\w)\1\1$/) },
    });
  });

  it("returns null if the color isn't set or isn't valid", () => {
    expect([accentOf(null), accentOf('red'), accentOf('#12345')]).toEqual([null, null, null]);
  });

  it('has a contrast ratio of at least 4.5 with the surfaces and its own text, for any color', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
        const found = accentOf(`#${value.toString(16).padStart(6, '0')}`);
        for (const [{ accent, onAccent }, surface] of [
          [found?.light ?? { accent: '', onAccent: '' }, '#fbfbfc'],
          [found?.dark ?? { accent: '', onAccent: '' }, '#14161a'],
        ] as const) {
          expect(contrastOf(accent, surface)).toBeGreaterThanOrEqual(4.5);
          expect(contrastOf(accent, onAccent)).toBeGreaterThanOrEqual(4.5);
        }
      }),
    );
  });
});
