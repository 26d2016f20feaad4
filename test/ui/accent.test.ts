import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrastOf } from '../../src/domain/text/color.ts';
import { type Accent, accentOf } from '../../src/ui/accent.ts';

const surfaces = { light: ['#ffffff', '#f5f7f5'], dark: ['#111615', '#0b0f0e', '#1a2120'] } as const;

describe("a merchant's accent color", () => {
  it("is unchanged if it's readable, and otherwise is darkened or lightened as little as necessary", () => {
    expect(accentOf('#ffd400')).toEqual({
      // Yellow on white: buttons need a contrast ratio of 3, and links need a ratio of 4.5.
      light: { fill: '#a68a00', onFill: '#04211c', text: '#806a00' },
      dark: { fill: '#ffd400', onFill: '#04211c', text: '#ffd400' },
    });
    expect(accentOf('#1f5bd8')?.light).toEqual({ fill: '#1f5bd8', onFill: '#ffffff', text: '#1f5bd8' });
    expect(accentOf('#000000')).toMatchObject({
      light: { fill: '#000000', text: '#000000' },
      dark: { onFill: '#ffffff', text: expect.stringMatching(/^#([89a]\w)\1\1$/) },
    });
  });

  it('keeps an indigo button indigo on dark pages, and lightens only its links', () => {
    expect(accentOf('#4338ca')?.dark).toEqual({ fill: '#6960d5', onFill: '#ffffff', text: '#857edd' });
  });

  it("returns null if the color isn't set or isn't valid", () => {
    expect([accentOf(null), accentOf('red'), accentOf('#12345')]).toEqual([null, null, null]);
  });

  it('is readable as text and as a label, and stands out as a button, for any color', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
        const found = accentOf(`#${value.toString(16).padStart(6, '0')}`) as Record<'light' | 'dark', Accent>;
        for (const theme of ['light', 'dark'] as const) {
          const { fill, onFill, text } = found[theme];
          expect(contrastOf(fill, onFill)).toBeGreaterThanOrEqual(4.5);
          for (const surface of surfaces[theme]) {
            expect(contrastOf(fill, surface)).toBeGreaterThanOrEqual(3);
            expect(contrastOf(text, surface)).toBeGreaterThanOrEqual(4.5);
          }
        }
      }),
    );
  });
});
