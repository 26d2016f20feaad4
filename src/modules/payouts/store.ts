import type { Context } from '../../context.ts';
import { type QuittanceError, specificError } from '../../domain/errors.ts';
import type { EventKind } from '../../domain/events.ts';
import { wireAmount } from '../../domain/money.ts';
import { loadRow } from '../../graphql/loaders.ts';
import type { OutboxEvent } from '../../outbox/write.ts';
import type { Row } from '../../platform/db/rows.ts';
import { type BankAccountRow, payoutCurrency } from '../bank-accounts/store.ts';

export type PayoutRow = Row<'Payout'>;

/** The payout with this id. Throws `not_found`. */
export async function requirePayout(ctx: Context, id: string): Promise<PayoutRow> {
  const payout = await loadRow(ctx, 'Payout', id);
  if (payout === null) throw payoutNotFound();
  return payout;
}

/** The rejection for a payout that does not exist. */
export const payoutNotFound = (): QuittanceError => specificError('not_found', 'payout', { param: 'id' });

type PayoutEventKind = Extract<EventKind, 'payout.created' | 'payout.paid' | 'payout.failed'>;

const moment = (kind: PayoutEventKind, payout: PayoutRow): object => {
  const at = payout.updatedAt.toISOString();
  if (kind === 'payout.created') return { createdAt: payout.createdAt.toISOString() };
  return kind === 'payout.paid'
    ? { paidAt: at }
    : { failedAt: at, failureCode: payout.failureCode, failureMessage: payout.failureMessage };
};

/** An event about a payout as it now is (PAY-37). */
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

/** Whether the payout provider is being asked to take a payout back. Batched. */
export const isBeingWithdrawn = async (ctx: Context, id: string): Promise<boolean> =>
  (await loadRow(ctx, 'ProviderRequest', id, new Set(['isWithdrawn'])))?.isWithdrawn ?? false;
