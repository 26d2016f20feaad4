import { describe, expect, test } from 'vitest';
import { counterIn } from '../../../src/domain/usage/counter.ts';
import { repetitionProblem, timeProblem } from '../../../src/domain/usage/event-checks.ts';
import { counter } from './facts.ts';

const at = (text: string): Date => new Date(`${text}Z`);

describe('a usage counter (CON-2)', () => {
  const of = { customerId: 'cus_1', subscriptionId: 'sub_1', featureId: 'ftr_1' };
  const stored = counter({ seq: 7n, total: 12n, consumed: 3n, crossed: 2, covered: 5n });

  test('continues within its window', () => {
    expect(counterIn(stored, of, at('2027-04-05T00:00:00'))).toBe(stored);
  });

  test('starts at 0 in a new window, in the same row', () => {
    const windowStart = at('2027-05-05T00:00:00');
    expect(counterIn(stored, of, windowStart)).toEqual(counter({ seq: 7n, windowStart }));
    expect(counterIn(null, of, windowStart)).toEqual({ ...counter({ windowStart }), seq: null });
  });
});

describe('a repeated event ID (CON-8)', () => {
  const cost = (tokens: bigint) => ({ class: 'input', tokens, price: '0.1', amount: '0.0001' }) as const;
  const ai = {
    model: 'maker/one',
    version: 'amp_1',
    classes: [cost(1_000n)],
    cost: '0.0001',
    margin: '0',
    total: '0.0001',
  };
  const stored = {
    id: 'evt_1',
    seq: 1n,
    eventId: 'request-1',
    customerId: 'cus_1',
    subscriptionId: 'sub_1',
    featureId: 'ftr_1',
    budgetId: null,
    hold: null,
    sourceEventId: null,
    levelKind: null,
    levelChange: null,
    levelSeq: null,
    level: null,
    value: 1_000n,
    quantity: null,
    properties: [],
    model: ai.model,
    tokenCost: ai,
  };
  const subject = { customerId: 'cus_1', featureId: 'ftr_1', budgetId: null, meter: null };
  const measured = { value: 1_000n, quantity: null, units: 1_000n, key: null, isCounted: true };
  const quantity = { units: 1_000n, cost: 1n, required: 1n, price: null, ai, measured, cell: null };

  test('is accepted for the same event, even if its price changed', () => {
    expect(
      repetitionProblem(stored, subject, { ...quantity, cost: 9n, ai: { ...ai, cost: '0.0009' } }),
    ).toBeNull();
  });

  test.each([
    ['customer', { ...subject, customerId: 'cus_2' }, quantity],
    ['feature', { ...subject, featureId: 'ftr_2' }, quantity],
    ['budget', { ...subject, budgetId: 'bud_1' }, quantity],
    ['unknown budget', { ...subject, budgetId: undefined }, quantity],
    ['quantity', subject, { ...quantity, measured: { ...measured, value: 1_001n } }],
    ['model', subject, { ...quantity, ai: { ...ai, model: 'maker/two' } }],
    ['number of tokens', subject, { ...quantity, ai: { ...ai, classes: [cost(999n)] } }],
    ['price type', subject, { ...quantity, ai: null }],
  ])('is rejected for another %s', (_title, requested, sent) => {
    expect(repetitionProblem(stored, requested, sent)).toMatchObject({ code: 'duplicate', param: 'eventId' });
  });
});

test.each([
  ['2027-04-10T12:05:00.000', null],
  ['2027-04-10T12:05:00.001', 'timestamp'],
  ['2027-04-05T09:30:00.000', null],
  ['2027-04-05T09:29:59.999', 'timestamp'],
])('an event time of %s, checked at noon on April 10, has the invalid field %s (CON-9)', (ts, param) => {
  const problem = timeProblem(at(ts), at('2027-04-10T12:00:00'), at('2027-04-05T09:30:00'));
  expect(problem?.param ?? null).toBe(param);
});
