import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { EventKind } from '../../domain/events.ts';
import { wireAmount } from '../../domain/money.ts';
import { loadRow } from '../../graphql/loaders.ts';
import type { OutboxEvent } from '../../infra/outbox.ts';
import type { Row } from '../../infra/rows.ts';

export type PayoutRow = Row<'Payout'>;
export type BankAccountRow = Row<'PayoutBankAccount'>;

/** Payouts are in US dollars (PAY-35). */
export const payoutCurrency = 'usd';

/** The payout with this id. Throws `not_found`. */
export async function requirePayout(context: Context, id: string): Promise<PayoutRow> {
  const payout = await loadRow(context, 'Payout', id);
  if (payout === null) throw payoutNotFound();
  return payout;
}

/** The refusal for a payout that does not exist. */
export const payoutNotFound = (): QuittanceError => new QuittanceError('not_found', 'No such payout.', { param: 'id' });

/** The account payouts go to; null without one. */
export const defaultBankAccount = (context: Context): Promise<BankAccountRow | null> =>
  context.db.payoutBankAccount.findFirst({ where: { isDefault: true } });

/** Refuses what exists in the live environment only (PAY-36). */
export function demandLive(context: Context): void {
  if (!context.livemode) {
    throw new QuittanceError('payouts_not_available_in_sandbox', 'Payouts exist in the live environment only.');
  }
}

type PayoutEventKind = Extract<EventKind, 'payout.created' | 'payout.paid' | 'payout.failed'>;

const moment = (kind: PayoutEventKind, payout: PayoutRow): object => {
  const at = payout.updatedAt.toISOString();
  if (kind === 'payout.created') return { createdAt: payout.createdAt.toISOString() };
  return kind === 'payout.paid' ? { paidAt: at } : { failedAt: at, failureCode: payout.failureCode, failureMessage: payout.failureMessage };
};

/** An event about a payout as it now is (PAY-37). */
export const payoutEvent = (kind: PayoutEventKind, payout: PayoutRow, bank: BankAccountRow | null): OutboxEvent => ({
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
