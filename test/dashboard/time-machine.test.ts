import { describe, expect, it } from 'vitest';
import {
  actualSums,
  compare,
  failuresFirst,
  itemsOf,
} from '../../src/dashboard/pages/time-machine/comparison.ts';
import { messageOf, signatureBy, signedText } from '../../src/dashboard/pages/webhooks/signature.ts';
import { stepLater } from '../../src/dashboard/shell/clock-steps.ts';

describe("a test clock's next target", () => {
  it.each([
    ['2026-01-31T10:00:00.000Z', 'day', '2026-02-01T10:00:00.000Z'],
    ['2026-01-31T10:00:00.000Z', 'week', '2026-02-07T10:00:00.000Z'],
    ['2026-01-31T10:00:00.000Z', 'month', '2026-02-28T10:00:00.000Z'],
    ['2028-02-29T10:00:00.000Z', 'year', '2029-02-28T10:00:00.000Z'],
    ['2026-12-15T10:00:00.000Z', 'month', '2027-01-15T10:00:00.000Z'],
  ] as const)('is calculated from %s by adding one %s: %s', (from, step, target) => {
    expect(stepLater(from, step)).toBe(target);
  });
});

describe('the comparison of a clock run with its simulation', () => {
  const actual = actualSums(
    [
      { currency: 'usd', status: 'paid', total: 3_400 },
      { currency: 'usd', status: 'void', total: 900 },
      { currency: 'eur', status: 'outstanding', total: 200 },
    ],
    [
      { currency: 'usd', status: 'succeeded', amount: 3_000 },
      { currency: 'usd', status: 'refunded', amount: 400 },
      { currency: 'eur', status: 'failed', amount: 200 },
    ],
  );

  it("includes collected payments, and invoices that aren't void", () => {
    expect(actual).toEqual([
      { currency: 'eur', invoiced: 200, collected: 0 },
      { currency: 'usd', invoiced: 3_400, collected: 3_400 },
    ]);
  });

  it('reports a match only if every amount in every currency is equal', () => {
    expect(compare(actual.toReversed(), actual).isEqual).toBe(true);
    expect(compare([{ currency: 'usd', invoiced: 3_400, collected: 3_400 }], actual)).toEqual({
      rows: [
        {
          currency: 'eur',
          simulated: { currency: 'eur', invoiced: 0, collected: 0 },
          actual: { currency: 'eur', invoiced: 200, collected: 0 },
        },
        {
          currency: 'usd',
          simulated: { currency: 'usd', invoiced: 3_400, collected: 3_400 },
          actual: { currency: 'usd', invoiced: 3_400, collected: 3_400 },
        },
      ],
      isEqual: false,
    });
  });

  it('shows failures first, then declined payments, and can be filtered', () => {
    const items = [
      { id: 1, status: 'completed', outcome: 'renewed' },
      { id: 2, status: 'completed', outcome: 'declined' },
      { id: 3, status: 'failed', outcome: null },
      { id: 4, status: 'completed', outcome: 'reset' },
    ];
    const ids = (found: typeof items) => found.map(({ id }) => id);
    expect(ids(failuresFirst(items))).toEqual([3, 2, 1, 4]);
    expect(ids(itemsOf(items, 'all'))).toEqual([1, 2, 3, 4]);
    expect(ids(itemsOf(items, 'renewals'))).toEqual([1]);
    expect(ids(itemsOf(items, 'declined'))).toEqual([2]);
    expect(ids(itemsOf(items, 'failed'))).toEqual([3]);
  });
});

describe("a webhook message's signature", () => {
  const message = messageOf({
    body: '{"name":"Zoë"}',
    headers: [
      { name: 'Webhook-Id', value: 'whev_1' },
      { name: 'webhook-timestamp', value: '1795417133' },
      { name: 'webhook-signature', value: 'v1,abc' },
    ],
  });

  it('signs the ID, timestamp, and body', () => {
    expect(signedText(message)).toBe('whev_1.1795417133.{"name":"Zoë"}');
  });

  it.each(['+/8AESIzRFVmd4iZqrvM3e7/', '-_8AESIzRFVmd4iZqrvM3e7_'])(
    'is created with the secret %s',
    async (key) => {
      expect(await signatureBy(`whsec_${key}`, signedText(message))).toBe(
        'bniY2l3zmFPyVjTJpY2tHw1CILJWHVeOEXCVSCTyY94=',
      );
    },
  );

  it('returns no signature for a malformed secret', async () => {
    expect(await signatureBy('sk_1', 'text')).toBeNull();
  });
});
