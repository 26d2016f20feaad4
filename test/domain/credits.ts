import { isCredit } from '../../src/domain/lots/credits.ts';
import { rateToMinor } from '../../src/domain/money/money.ts';
import type { ConsumptionEntryRow, LotRow } from '../../src/domain/rows/usage-rows.ts';

/** Returns a customer credit with the given remaining amount in minor units. */
export const credit = (id: string, remainingMinor: bigint, changes: Partial<LotRow> = {}): LotRow => {
  const asset = changes.asset ?? 'usd';
  const amount = remainingMinor * (asset === 'jpy' ? 10_000n : 100n);
  return {
    id,
    seq: 1n,
    customerId: 'cus_1',
    subscriptionId: null,
    asset,
    source: 'customer_credit',
    creditSource: 'api',
    sourceId: null,
    description: 'Sorry.',
    priority: 50,
    features: [],
    amount,
    remaining: amount,
    paidMinor: null,
    commitment: null,
    isOpen: amount > 0n,
    endsWithWindow: false,
    effectiveAt: new Date('2027-01-01T00:00:00.000Z'),
    expiresAt: null,
    drawnWindow: null,
    drawnInWindow: 0n,
    ...changes,
  };
};

/** Returns the customer credits among lots, with the sums of their entries, in minor units. */
export const creditParts = (lots: readonly LotRow[], entries: readonly ConsumptionEntryRow[]) =>
  lots.filter(isCredit).map((lot) => {
    const own = entries.filter(({ lotId }) => lotId === lot.id);
    const sumOf = (type: ConsumptionEntryRow['type']): bigint =>
      own.reduce((sum, entry) => (entry.type === type ? sum + entry.amount : sum), 0n);
    const minor = (rate: bigint): bigint => rateToMinor(rate, lot.asset);
    return {
      id: lot.id,
      customerId: lot.customerId,
      currency: lot.asset,
      source: lot.creditSource,
      expiresAt: lot.expiresAt,
      amountMinor: minor(lot.amount),
      appliedMinor: minor(-sumOf('applied')),
      reversedMinor: minor(sumOf('reversed')),
      revokedMinor: minor(-sumOf('revoke')),
      expiredMinor: minor(-sumOf('expiry')),
      remainingMinor: minor(lot.remaining),
    };
  });
