import { expect, test } from 'vitest';
import { type TermChange, termChanges } from '../../src/domain/pricing/term-changes.ts';
import type { FeatureTerms } from '../../src/domain/pricing/terms.ts';
import { creditRates, unitRates } from '../support/rates.ts';

const stored: FeatureTerms = {
  enabled: true,
  includedAmount: 1_000n,
  unlimited: false,
  overageEnabled: true,
  rates: unitRates(25n),
  derived: null,
  cost: null,
  settle: null,
};

const change = (term: TermChange['term'], when: TermChange['when'], isBetter: boolean): TermChange => ({
  term,
  when,
  isBetter,
});

type Terms = Partial<FeatureTerms>;

test.each<[string, Terms, Terms, readonly TermChange[]]>([
  ['nothing', {}, {}, []],
  ['switched off', {}, { enabled: false }, [change('enabled', 'at_renewal', false)]],
  ['switched on', { enabled: false }, { enabled: true }, [change('enabled', 'immediately', true)]],
  ['more included', {}, { includedAmount: 1_001n }, [change('included_amount', 'immediately', true)]],
  ['less included', {}, { includedAmount: 999n }, [change('included_amount', 'at_renewal', false)]],
  ['unlimited', {}, { unlimited: true }, [change('unlimited', 'immediately', true)]],
  ['limited', { unlimited: true }, { unlimited: false }, [change('unlimited', 'at_renewal', false)]],
  ['overage off', {}, { overageEnabled: false }, [change('overage_enabled', 'at_renewal', false)]],
  [
    'overage on',
    { overageEnabled: false },
    { overageEnabled: true },
    [change('overage_enabled', 'at_renewal', true)],
  ],
  ['a lower unit price', {}, { rates: unitRates(24n) }, [change('unit_price', 'immediately', true)]],
  ['a higher unit price', {}, { rates: unitRates(26n) }, [change('unit_price', 'at_next_period', false)]],
  [
    'a first unit price',
    { rates: null },
    { rates: unitRates(26n) },
    [change('unit_price', 'at_renewal', false)],
  ],
  // Changes to the included units or the unit price have no effect on an unlimited feature.
  ['terms of an unlimited feature', { unlimited: true }, { includedAmount: 5n, rates: unitRates(1n) }, []],
  [
    'unlimited with fewer included units',
    {},
    { unlimited: true, includedAmount: 0n },
    [change('unlimited', 'immediately', true)],
  ],
  [
    'limited with fewer included units',
    { unlimited: true },
    { unlimited: false, includedAmount: 10n },
    [change('included_amount', 'at_renewal', false), change('unlimited', 'at_renewal', false)],
  ],
  [
    'more included units for a higher price',
    {},
    { includedAmount: 2_000n, rates: unitRates(50n) },
    [change('included_amount', 'immediately', true), change('unit_price', 'at_next_period', false)],
  ],
])("an edit to a feature's terms is classified: %s", (_what, before, after, expected) => {
  const own = { ...stored, ...before };
  expect(termChanges(own, { ...own, ...after }, null)).toEqual(expected);
});

test('a first unit price on a balance plan takes effect immediately, even if overage is disabled', () => {
  const before = { ...stored, rates: null };
  expect(termChanges(before, { ...before, rates: unitRates(10n), overageEnabled: false }, 'balance')).toEqual(
    [change('unit_price', 'immediately', false)],
  );
});

test.each([
  ['fewer', 3n, change('credits_per_unit', 'immediately', true)],
  ['more', 5n, change('credits_per_unit', 'at_renewal', false)],
])('a rate in credits is classified: %s credits', (_what, credits, expected) => {
  const before = { ...stored, rates: creditRates(4n) };
  expect(termChanges(before, { ...before, rates: creditRates(credits) }, 'credits')).toEqual([expected]);
});
