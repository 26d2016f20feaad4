import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrastOf } from '../../src/domain/text/color.ts';
import { accentOf } from '../../src/ui/accent.ts';

describe('the color of a seller', () => {
  it('stays as it is where it can be read, and is darkened or lightened as little as needed', () => {
    expect(accentOf('#ffd400')).toEqual({
      // Yellow on white: nine steps of 5 % toward black leave a contrast of 4.4 with the canvas, ten give 5.2.
      light: { accent: '#806a00', onAccent: '#ffffff' },
      dark: { accent: '#ffd400', onAccent: '#0d0e11' },
    });
    expect(accentOf('#1f5bd8')?.light.accent).toBe('#1f5bd8');
    expect(accentOf('#000000')).toMatchObject({
      light: { accent: '#000000' },
      dark: { accent: expect.stringMatching(/^#([89a]\w)\1\1$/) },
    });
  });

  it('is none where there is none, and for a text that is no color', () => {
    expect([accentOf(null), accentOf('red'), accentOf('#12345')]).toEqual([null, null, null]);
  });

  it('has a contrast of 4.5 with surfaces and with the text on it, whatever it is', () => {
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
