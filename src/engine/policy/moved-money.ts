import type { PreviewMoney } from '../../domain/limits/approval.ts';
import { isCurrency, rateToMinor } from '../../domain/money/money.ts';
import type { ChangeSet } from '../../domain/subscription/state/aggregate.ts';

type Amount = { readonly currency: string; readonly amount: bigint };

const attemptsThatMoveNothing: ReadonlySet<string> = new Set(['failed', 'canceled']);

/**
 * Money that the decisions of an operation move: charges, refunds, payouts, amounts that are granted manually, and reductions of
 * outstanding invoices. A charge that is declined moves nothing.
 */
export class MovedMoney {
  readonly #amounts = new Map<string, Amount>();
  /** Objects that the operation created. */
  readonly #created = new Set<string>();

  /** Adds the money of a decision. Later decisions replace the amounts of the same objects. */
  add({ transactions, refunds, lots, creditNotes, events }: ChangeSet): void {
    for (const changes of [transactions, refunds])
      for (const [id, { flag, row }] of changes) {
        if (flag === 'new') this.#created.add(id);
        if (this.#created.has(id))
          this.put(id, row.currency, attemptsThatMoveNothing.has(row.status) ? 0n : row.amountMinor);
      }
    for (const [id, { flag, row }] of lots) {
      const isManual = row.sourceId === null && row.paidMinor === null && row.amount > 0n;
      if (flag === 'new' && isManual && isCurrency(row.asset))
        this.put(id, row.asset, rateToMinor(row.amount, row.asset));
    }
    for (const { id, refundId, currency, total } of creditNotes)
      if (refundId === null) this.put(id, currency, -total);
    for (const { kind, data } of events)
      if (kind === 'invoice.voided') {
        const { invoiceId, currency, total } = data as Readonly<Record<string, unknown>>;
        this.put(String(invoiceId), String(currency), BigInt(Number(total)));
      }
  }

  put(id: string, currency: string, amount: bigint): void {
    this.#amounts.set(id, { currency, amount });
  }

  /** Returns the amounts by currency, in order of the currency codes. Omits currencies without money. */
  totals(): PreviewMoney[] {
    const sums = new Map<string, bigint>();
    for (const { currency, amount } of this.#amounts.values())
      sums.set(currency, (sums.get(currency) ?? 0n) + amount);
    return [...sums]
      .filter(([, amount]) => amount !== 0n)
      .map(([currency, amount]) => ({ currency, amount: Number(amount) }))
      .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
  }
}
