import { type QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import type { EventKind } from '../../../domain/events/events.ts';
import { wireAmount } from '../../../domain/money/money.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import type { OutboxEvent } from '../../../outbox/write.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { type BankAccountRow, payoutCurrency } from '../bank-accounts/store.ts';

export type PayoutRow = Row<'Payout'>;

/** Returns the payout with this ID. Throws `not_found`. */
export async function requirePayout(ctx: Context, id: string): Promise<PayoutRow> {
  const payout = await loadRow(ctx, 'Payout', id);
  if (payout === null) throw payoutNotFound();
  return payout;
}

export const payoutNotFound = (): QuittanceError => specificError('not_found', 'payout', { param: 'id' });

type PayoutEventKind = Extract<
  EventKind,
  'payout.created' | 'payout.paid' | 'payout.failed' | 'payout.canceled'
>;

const moment = (kind: PayoutEventKind, payout: PayoutRow): object => {
  const at = payout.updatedAt.toISOString();
  if (kind === 'payout.created') return { createdAt: payout.createdAt.toISOString() };
  if (kind === 'payout.canceled') return { canceledAt: at };
  return kind === 'payout.paid'
    ? { paidAt: at }
    : { failedAt: at, failureCode: payout.failureCode, failureMessage: payout.failureMessage };
};

/** Returns an event with the current state of a payout (PAY-37). */
export const payoutEvent = (
  kind: PayoutEventKind,
  payout: PayoutRow,
  bank: BankAccountRow | null,
): OutboxEvent => ({
  kind,
  occurredAt: payout.updatedAt,
  customerId: null,
  subscriptionId: null,
  data: {
    payoutId: payout.id,
    amount: wireAmount(payout.amountMinor),
    fee: wireAmount(payout.feeMinor),
    netAmount: wireAmount(payout.amountMinor - payout.feeMinor),
    currency: payoutCurrency,
    status: payout.status,
    destinationBank: bank === null ? null : { bankName: bank.bankName, last4: bank.last4 },
    ...moment(kind, payout),
  },
});

/**
 * True if a cancellation of the payout was requested from the payout provider and the provider hasn't responded.
 * Lookups are batched.
 */
export const isBeingWithdrawn = async (ctx: Context, id: string): Promise<boolean> =>
  (await loadRow(ctx, 'ProviderRequest', id, new Set(['isWithdrawn'])))?.isWithdrawn ?? false;
