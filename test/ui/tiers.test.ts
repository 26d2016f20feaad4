import { describe, expect, it } from 'vitest';
import { tierTexts } from '../../src/ui/format/tiers.ts';

const formats = { count: String, amount: (decimal: string) => `$${decimal}` };

const unitsOf = (...bounds: (string | null)[]) =>
  tierTexts(
    { model: 'graduated', per: 1, tiers: bounds.map((upTo) => ({ upTo, amount: '1', flat: '0' })) },
    formats,
  ).map(({ units }) => units);

describe('the units of a tier', () => {
  it('start one unit above the previous tier if all bounds are whole numbers', () => {
    expect(unitsOf('10', '11', '100', null)).toEqual(['1–10', '11', '12–100', '101+']);
  });

  it('start at the end of the previous tier if a bound has decimals', () => {
    expect(unitsOf('0.75', '10', null)).toEqual(['0–0.75', '0.75–10', '10+']);
  });

  it('are all units if the rate has one tier', () => {
    expect(unitsOf(null)).toEqual(['1+']);
  });
});
