import { validationError } from '../../../domain/errors/errors.ts';
import type { LedgerFact } from '../../../domain/ledger/post.ts';
import {
  businessDay,
  canMove,
  isAccountFault,
  type PayoutStatus,
  sandboxSteps,
} from '../../../domain/payments/payout.ts';
import { lockPayout, markErrored } from '../../../engine/effects/payout-store.ts';
import { lockPayoutAccount, moveFunds, wakeForFunds } from '../../../engine/merchant.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import { updateRows } from '../../../platform/db/bulk.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { hintChange, inTransaction, recordEvents } from '../../../request/transaction.ts';
import { type PayoutRow, payoutEvent, payoutNotFound } from './store.ts';

/** New status of a payout, with the failure reason if the payout failed. */
export type PayoutMove = {
  readonly id: string;
  readonly status: Exclude<PayoutStatus, 'pending'>;
  readonly failureCode?: string | null | undefined;
  readonly failureMessage?: string | null | undefined;
};

/** Type of ledger entry to record for each payout status. `null` if no money moves. */
const details: { readonly [status in PayoutMove['status']]: LedgerFact | null } = {
  in_transit: null,
  paid: 'payout.paid',
  failed: 'payout.returned',
  canceled: 'payout.returned',
};

const events = {
  in_transit: null,
  paid: 'payout.paid',
  failed: 'payout.failed',
  canceled: 'payout.canceled',
} as const;

/**
 * Locks a payout and its account, and checks that the payout can change to a status. Throws `not_found`, and `validation_error` on `id` if
 * the status change isn't allowed.
 */
export async function lockMovable(tx: Context, id: string, status: PayoutMove['status']): Promise<PayoutRow> {
  await lockPayoutAccount(tx);
  const payout = await lockPayout(tx.sql, id);
  if (payout === null) throw payoutNotFound();
  if (!canMove(payout.status, status)) {
    throw validationError([
      { field: 'id', message: `The status of a payout can't change from ${payout.status} to ${status}.` },
    ]);
  }
  return payout;
}

/** Changes the status of a sandbox payout, which simulates the bank (PAY-37). Throws the errors thrown by `lockMovable`. */
export const movePayout = (ctx: Context, move: PayoutMove): Promise<PayoutRow> =>
  inTransaction(ctx, async (tx) =>
    moveLocked(tx, await lockMovable(tx, move.id, move.status), move, tx.clock.now()),
  );

/**
 * Changes the status of a locked payout (PAY-37). If the payout failed or was canceled, its amount becomes available again. The event for a
 * final status is sent once. A bank account that caused a failure is no longer used for payouts (PAY-39).
 */
export async function moveLocked(
  tx: TransactionContext,
  payout: PayoutRow,
  { status, failureCode, failureMessage }: PayoutMove,
  now: Date,
): Promise<PayoutRow> {
  const fact = details[status];
  if (fact !== null) await moveFunds(tx, fact, payout.amountMinor, now);
  const goesOn = status === 'in_transit' && payout.nextStepAt !== null;
  const failure = {
    failureCode: failureCode ?? 'bank_rejected',
    failureMessage: failureMessage ?? 'The bank rejected the payout.',
  };
  const changed = {
    status,
    nextStepAt: goesOn ? businessDay(payout.createdAt, sandboxSteps.paid) : null,
    updatedAt: now,
    ...(status === 'failed' ? failure : {}),
  };
  const moved: PayoutRow = { ...payout, ...changed };
  await updateRows(tx.sql, 'Payout', [moved]);
  const bank =
    payout.bankAccountId === null ? null : await loadRow(tx, 'PayoutBankAccount', payout.bankAccountId);
  if (bank !== null && status === 'failed' && isAccountFault(failure.failureCode)) {
    await markErrored(tx.sql, bank.id);
  }
  await wakeForFunds(tx, moved.nextStepAt);
  const kind = events[status];
  if (kind === null) hintChange(tx);
  else await recordEvents(tx, [payoutEvent(kind, moved, bank)]);
  return moved;
}

/** Advances a sandbox payout that is due at the test clock's time: first to `in_transit`, then to `paid`. */
export async function stepPayout(tx: TransactionContext, id: string, now: Date): Promise<void> {
  await lockPayoutAccount(tx);
  const payout = await lockPayout(tx.sql, id);
  if (payout?.nextStepAt == null || payout.nextStepAt > now) return;
  await moveLocked(tx, payout, { id, status: payout.status === 'pending' ? 'in_transit' : 'paid' }, now);
}
