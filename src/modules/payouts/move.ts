import type { Context, TransactionContext } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import type { LedgerFact } from '../../domain/ledger/post.ts';
import {
  businessDay,
  canMove,
  isAccountFault,
  type PayoutStatus,
  sandboxSteps,
} from '../../domain/payout.ts';
import { lockPayoutAccount, moveFunds, wakeForFunds } from '../../engine/merchant.ts';
import { lockPayout, markErrored } from '../../engine/payout-store.ts';
import { loadRow } from '../../graphql/loaders.ts';
import { updateRows } from '../../platform/db/bulk.ts';
import { hintChange, inTransaction, recordEvents } from '../../transaction.ts';
import { type PayoutRow, payoutEvent, payoutNotFound } from './store.ts';

/** Where a payout goes next, and why where it failed. */
export type PayoutMove = {
  readonly id: string;
  readonly status: Exclude<PayoutStatus, 'pending'>;
  readonly failureCode?: string | null | undefined;
  readonly failureMessage?: string | null | undefined;
};

/** What a status does to the amount; nothing when it is only on its way. */
const details: { readonly [status in PayoutMove['status']]: LedgerFact | null } = {
  in_transit: null,
  paid: 'payout.paid',
  failed: 'payout.returned',
  canceled: 'payout.returned',
};

const events = { in_transit: null, paid: 'payout.paid', failed: 'payout.failed', canceled: null } as const;

/** The payout, locked together with its account, which may go to a status. Throws `not_found`, and `validation_error` on `id` where it may not. */
export async function lockMovable(tx: Context, id: string, status: PayoutMove['status']): Promise<PayoutRow> {
  await lockPayoutAccount(tx);
  const payout = await lockPayout(tx.sql, id);
  if (payout === null) throw payoutNotFound();
  if (!canMove(payout.status, status)) {
    throw validationError([
      { field: 'id', message: `A payout that is ${payout.status} cannot become ${status}.` },
    ]);
  }
  return payout;
}

/** Moves a payout of a sandbox on, as its bank would (PAY-37). Throws as `lockMovable` does. */
export const movePayout = (ctx: Context, move: PayoutMove): Promise<PayoutRow> =>
  inTransaction(ctx, async (tx) =>
    moveLocked(tx, await lockMovable(tx, move.id, move.status), move, tx.clock.now()),
  );

/**
 * Moves a locked payout on (PAY-37): paid, the bank has it; failed or canceled, the amount is available again. Each sends its event once. An account
 * that is at fault is not paid to any more (PAY-39).
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
    failureMessage: failureMessage ?? 'The bank has rejected the payout.',
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

/** Moves a payout of a sandbox on that is due by the test clock: out of the house first, then to the bank. */
export async function stepPayout(tx: TransactionContext, id: string, now: Date): Promise<void> {
  await lockPayoutAccount(tx);
  const payout = await lockPayout(tx.sql, id);
  if (payout?.nextStepAt == null || payout.nextStepAt > now) return;
  await moveLocked(tx, payout, { id, status: payout.status === 'pending' ? 'in_transit' : 'paid' }, now);
}
