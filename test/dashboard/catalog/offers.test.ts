import { describe, expect, test } from 'vitest';
import { cellsOf } from '../../../src/dashboard/kit/copied-range.ts';
import {
  binsOf,
  cleanPrefix,
  codeBatch,
  codeCharacters,
  codeOfName,
  randomBelow,
} from '../../../src/dashboard/parts/catalog/model/code-batch.ts';
import { exampleInvoice } from '../../../src/dashboard/parts/catalog/model/first-invoice.ts';
import {
  isForCards,
  isForPromoCode,
  isIntroductory,
  lengthOf,
  type PhaseDraft,
  phaseInputs,
  phaseProblems,
  phaseRows,
} from '../../../src/dashboard/parts/catalog/model/phases.ts';
import { templateDraft, templateKinds } from '../../../src/dashboard/parts/catalog/model/templates.ts';

const phase = (type: PhaseDraft['type'], more: Partial<PhaseDraft> = {}): PhaseDraft => ({
  key: type,
  type,
  days: 14,
  cycles: 1,
  interval: null,
  share: 2_000,
  amounts: [],
  ...more,
});

describe('the offer editor', () => {
  test("derives each billing period's price from the phases", () => {
    const phases = [
      phase('free_trial', { days: 5 }),
      phase('percentage', { share: 4_000, cycles: 2 }),
      phase('amount_off', { cycles: 1, amounts: [{ currency: 'usd', amount: 5_000 }] }),
    ];
    expect(phaseRows(phases, 2_650, 'usd').map(lengthOf)).toEqual([0.5, 2, 1, 2]);
    expect(phaseRows(phases, 2_650, 'usd')).toEqual([
      { index: 0, from: null, to: null, days: 5, amount: 0, saved: null },
      { index: 1, from: 1, to: 2, days: null, amount: 1_590, saved: 1_060 },
      { index: 2, from: 3, to: 3, days: null, amount: 0, saved: 2_650 },
      { index: null, from: 4, to: null, days: null, amount: 2_650, saved: 0 },
    ]);
  });

  test('allows the last phase to be unlimited, and shows no price in a currency without an amount', () => {
    const phases = [phase('percentage', { share: 3_333, cycles: null })];
    expect(phaseRows(phases, 1_999, 'usd')).toEqual([
      { index: 0, from: 1, to: null, days: null, amount: 1_333, saved: 666 },
    ]);
    const fixed = phase('fixed_price', { amounts: [{ currency: 'usd', amount: 900 }] });
    expect(phaseRows([fixed], 1_999, 'eur')[0]).toMatchObject({ amount: null, saved: null });
    expect(phaseRows([fixed], 1_999, 'usd')[0]).toMatchObject({ amount: 900, saved: 1_099 });
  });

  test('sends phases with the fields of their type', () => {
    const amounts = [{ currency: 'usd', amount: 900 }];
    expect(
      phaseInputs([
        phase('free_trial'),
        phase('percentage', { cycles: null }),
        phase('amount_off', { amounts }),
        phase('fixed_price', { amounts, interval: 'monthly' }),
      ]),
    ).toEqual([
      { type: 'free_trial', durationDays: 14 },
      { type: 'percentage', durationCycles: null, percentage: 2_000 },
      { type: 'amount_off', durationCycles: 1, amounts },
      { type: 'fixed_price', durationCycles: 1, prices: amounts, durationInterval: 'monthly' },
    ]);
  });

  test('reports problems by phase', () => {
    const usd = { currency: 'usd', amount: 1 };
    expect(
      phaseProblems([
        phase('percentage', { cycles: null, share: 0 }),
        phase('free_trial'),
        phase('amount_off', { amounts: [usd, usd] }),
        phase('fixed_price'),
      ]),
    ).toEqual([
      { index: 0, kind: 'open_not_last' },
      { index: 0, kind: 'no_share' },
      { index: 1, kind: 'trial_not_first' },
      { index: 2, kind: 'repeated_currency' },
      { index: 3, kind: 'no_amounts' },
    ]);
  });

  test('derives where an offer can be used from its phases', () => {
    const fits = (...phases: PhaseDraft[]) => [
      isIntroductory(phases),
      isForPromoCode(phases),
      isForCards(phases),
    ];
    expect(fits(phase('percentage'))).toEqual([true, true, true]);
    expect(fits(phase('free_trial'), phase('amount_off'))).toEqual([true, false, false]);
    expect(fits(phase('fixed_price'))).toEqual([false, false, true]);
    expect(fits(phase('percentage', { cycles: null }))).toEqual([false, true, true]);
    expect(fits(phase('percentage'), phase('percentage'))).toEqual([false, false, true]);
  });
});

describe('an example invoice', () => {
  const terms = (currency = 'usd', amount = 2_400) => ({
    amount,
    currency,
    unitPriceOf: ({ unitPrice }: { unitPrice: number | null }) => unitPrice,
  });

  test.each(templateKinds)('adds up the first period and the usage in the template %s', (kind) => {
    const names = { plan: 'Pro', description: '', feature: 'Thing', unit: 'unit' };
    const { plan, use } = templateDraft(kind, names);
    const [price] = plan.prices;
    const invoice = exampleInvoice(
      plan,
      price ?? { trialDays: 0 },
      terms('usd', price?.price ?? 0),
      Object.fromEntries(plan.features.map(({ code }) => [code, use])),
    );
    const totals = { flat: [1_900, 0], seats: [6_000, 0], usage: [2_900, 3_000], ai: [2_000, 0] };
    expect([invoice.total, invoice.later.reduce((sum, { amount }) => sum + amount, 0)]).toEqual(totals[kind]);
  });

  test("starts after an introductory offer's trial, and subtracts the offer's discount", () => {
    const { plan } = templateDraft('flat', { plan: 'P', description: '', feature: 'F', unit: '' });
    const phases = [phase('free_trial', { days: 7 }), phase('percentage', { share: 2_000 })];
    expect(exampleInvoice(plan, { trialDays: 30 }, { ...terms(), phases }, {})).toEqual({
      currency: 'usd',
      afterDays: 7,
      lines: [
        { kind: 'base', amount: 2_400 },
        { kind: 'discount', amount: -480 },
      ],
      total: 1_920,
      later: [],
    });
    expect(
      exampleInvoice(plan, { trialDays: 30 }, { ...terms(), phases: phases.slice(1) }, {}).afterDays,
    ).toBe(0);
  });

  test('excludes unlimited, disabled, and included usage', () => {
    const { plan } = templateDraft('seats', { plan: 'P', description: '', feature: 'S', unit: '' });
    const features = plan.features.map((feature) => ({ ...feature, unlimited: true }));
    expect(exampleInvoice({ ...plan, features }, { trialDays: 3 }, terms(), { seats: 90 })).toEqual({
      currency: 'usd',
      afterDays: 3,
      lines: [{ kind: 'base', amount: 2_400 }],
      total: 2_400,
      later: [],
    });
    expect(exampleInvoice(plan, { trialDays: 0 }, terms(), { seats: 2 }).total).toBe(2_400);
  });
});

test('cells copied from a spreadsheet are split into rows and columns', () => {
  expect(cellsOf('1\t2\r\n\t 3 \r\n')).toEqual([
    ['1', '2'],
    ['', '3'],
  ]);
  expect(cellsOf('7')).toEqual([['7']]);
});

describe('the promo code editor', () => {
  test('generates codes that are unique within a batch and start with the prefix', () => {
    const codes = codeBatch('spring sale', 300, randomBelow);
    expect(new Set(codes).size).toBe(300);
    const shape = new RegExp(`^SPRING-SALE-[${codeCharacters}]{8}$`);
    expect(codes.filter((code) => !shape.test(code))).toEqual([]);
    expect(codeBatch('', 1, () => 0)).toEqual(['AAAAAAAA']);
    expect(cleanPrefix(' -Été 26!')).toBe('T-26-');
  });

  test('derives a code from a name', () => {
    expect(codeOfName('Çrème brûlée – Pro+')).toBe('creme_brulee_pro');
    expect(codeOfName('日本')).toBe('');
    expect(codeOfName('API calls', '-')).toBe('api-calls');
  });

  test('accepts card BINs with 6 or 8 digits', () => {
    expect(binsOf('42424242, 411111\n411111 12345')).toEqual({
      bins: ['411111', '42424242'],
      wrong: ['12345'],
    });
  });
});
