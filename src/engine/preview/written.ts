import type { TransactionContext } from '../../request/context.ts';

/** Event that a transaction has stored. */
type WrittenEvent = { readonly kind: string; readonly data: unknown };

/** Charge or refund that a transaction has stored. `amount` is in the smallest unit of `currency`. */
type WrittenPayment = {
  readonly type: 'charge' | 'refund';
  readonly status: string;
  readonly currency: string;
  readonly amount: number;
};

/** Events and payments that a transaction has stored, in order. */
export type WrittenEffects = {
  readonly events: readonly WrittenEvent[];
  readonly money: readonly WrittenPayment[];
};

/**
 * Reads the events and payments that the open transaction has stored, starting at a sequence number and an event
 * position. The transaction must have locked the environment's counter row when it read these numbers.
 */
export async function readWritten(
  { sql }: TransactionContext,
  seq: bigint,
  position: bigint,
): Promise<WrittenEffects> {
  const [events, money] = await Promise.all([
    sql<WrittenEvent>(
      `SELECT kind, data FROM "Event" WHERE "environmentId" = $1 AND position >= $2 ORDER BY position`,
      [position],
    ),
    sql<Omit<WrittenPayment, 'amount'> & { readonly amount: bigint }>(
      `SELECT 'charge' AS type, status::text AS status, currency, "amountMinor" AS amount, seq FROM "Transaction"
       WHERE "environmentId" = $1 AND seq >= $2
       UNION ALL
       SELECT 'refund', status::text, currency, "amountMinor", seq FROM "Refund" WHERE "environmentId" = $1 AND seq >= $2
       ORDER BY seq`,
      [seq],
    ),
  ]);
  return {
    events: events.map(({ kind, data }) => ({ kind, data })),
    money: money.map(({ type, status, currency, amount }) => ({
      type,
      status,
      currency,
      amount: Number(amount),
    })),
  };
}
