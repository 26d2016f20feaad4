import { describe, expect, it } from 'vitest';
import { emptyLine, type LineDetails, type LineDraft } from '../../src/domain/invoicing/line.ts';
import {
  correctionCharges,
  correctionCredits,
  remainingCorrections,
} from '../../src/domain/invoicing/usage-corrections.ts';
import type { RateDocument } from '../../src/domain/rates/rate.ts';
import type { PendingCorrection } from '../../src/domain/rows/rows.ts';
import { endedTerms } from '../../src/domain/usage/ended-terms.ts';
import { overageMinor } from '../../src/domain/usage/window.ts';
import { histories, randomOf } from '../support/random.ts';

// The price of a window plus the lines of its corrections equals the price without the mistakes (law 7).

const { below, pick } = randomOf(35);
const decimal = (units: number): string => (units / 10_000).toFixed(4);

/** Returns a random rate with up to three tiers. */
function rateOf(): RateDocument {
  const bounds = [50 + below(100), 200 + below(200)].slice(0, below(3)).map(String);
  const model = pick(['graduated', 'volume', 'package'] as const);
  const per = model === 'package' ? 10 : 1;
  return {
    model,
    per,
    tiers: [...bounds.map((bound) => (model === 'package' ? `${bound}0` : bound)), null].map((upTo) => ({
      upTo,
      amount: decimal(below(5_000)),
      flat: decimal(below(20_000)),
    })),
  };
}

const charge = (amount: bigint): LineDraft => ({
  ...emptyLine,
  lineType: 'plan_base',
  chargeType: 'advance',
  description: 'Pro',
  quantity: 1n,
  unitAmountRate: amount * 100n,
  amount,
  explanation: { rule: 'BIL-13', formula: 'price', inputs: { price: String(amount) } },
});

describe('the corrections of an ended window', () => {
  it('add up to the difference to the window without the mistakes, over any number of invoices', () => {
    for (let history = 0; history < histories(200); history++) {
      const terms = endedTerms(
        {
          id: 'euw_1',
          seq: 1n,
          subscriptionId: 'sub_1',
          featureId: 'ftr_1',
          windowStart: new Date('2027-01-01T00:00:00Z'),
          windowEnd: new Date('2027-02-01T00:00:00Z'),
          consumptionModel: 'metered',
          asset: null,
          decimals: null,
          cells: null,
          total: 0n,
          covered: 0n,
          includedAmount: BigInt(below(50)),
          meter: null,
          rates: Array.from({ length: 1 + below(2) }, rateOf),
          cost: null,
          exchangeRateE8: null,
          deficitRate: 0n,
          deficitPrice: null,
          waived: 0n,
        },
        'usd',
      );
      const priceOf = (total: bigint): bigint => overageMinor(terms, { total, covered: 0n });
      let total = BigInt(below(600));
      const billed = priceOf(total);
      let pending: readonly PendingCorrection[] = [];
      let invoiced = 0n;
      for (let step = 0; step < 8; step++) {
        const next = BigInt(below(600));
        const [before, after] = [priceOf(total), priceOf(next)];
        total = next;
        if (before !== after)
          pending = [
            ...pending,
            {
              correctionId: `ucr_${step}`,
              featureName: 'Calls',
              billed: String(before),
              price: String(after),
              amount: String(after - before),
              windowStart: '2027-01-01T00:00:00.000Z',
              windowEnd: '2027-02-01T00:00:00.000Z',
            },
          ];
        const details = { currency: 'usd', corrections: pending } as unknown as LineDetails;
        const base = charge(BigInt(below(3_000)));
        const charges = correctionCharges(details);
        const credits = correctionCredits(details, [base, ...charges]);
        const lines = [...charges, ...credits];
        const net = lines.reduce((sum, { amount }) => sum + amount, 0n);
        expect(base.amount + net).toBeGreaterThanOrEqual(0n);
        invoiced += net;
        pending = remainingCorrections(pending, lines);
      }
      const open = pending.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
      expect(open).toBeLessThanOrEqual(0n);
      expect(billed + invoiced + open).toBe(priceOf(total));
    }
  });
});
