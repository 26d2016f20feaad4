import { type Context, inTransaction, recordEvents } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import type { LedgerFact } from '../../domain/ledger.ts';
import { businessDay, canMove, type PayoutStatus, sandboxSteps } from '../../domain/payout.ts';
import { lockPayoutAccount, moveFunds, wakeForFunds } from '../../engine/merchant.ts';
import { loadRow } from '../../graphql/loaders.ts';
import { updateRows } from '../../infra/bulk.ts';
import { lockPayout } from '../../infra/payout-rows.ts';
import { type PayoutRow, payoutEvent, payoutNotFound } from './service.ts';

/** Where a payout goes next, and why where it failed. */
export type PayoutMove = {
  readonly id: string;
  readonly status: Exclude<PayoutStatus, 'pending'>;
  readonly failureCode?: string | null | undefined;
  readonly failureMessage?: string | null | undefined;
};

/** What a status does to the amount; nothing when it is only on its way. */
const facts: { readonly [status in PayoutMove['status']]: LedgerFact | null } = {
  in_transit: null,
  paid: 'payout.paid',
  failed: 'payout.returned',
  canceled: 'payout.returned',
};

const events = { in_transit: null, paid: 'payout.paid', failed: 'payout.failed', canceled: null } as const;

/**
 * Moves a payout on (PAY-37): paid, the bank has it; failed or canceled, the amount is available again. Each is told of once. Throws
 * `not_found`, and `validation_error` on `id` where its status does not lead there.
 */
export const movePayout = (context: Context, move: PayoutMove): Promise<PayoutRow> =>
  inTransaction(context, async (tx) => {
    await lockPayoutAccount(tx);
    const payout = await lockPayout(tx.sql, move.id);
    if (payout === null) throw payoutNotFound();
    if (!canMove(payout.status, move.status)) {
      throw validationError([{ field: 'id', message: `A payout that is ${payout.status} cannot become ${move.status}.` }]);
    }
    return moveLocked(tx, payout, move, tx.clock.now());
  });

async function moveLocked(
  tx: Context,
  payout: PayoutRow,
  { status, failureCode, failureMessage }: PayoutMove,
  now: Date,
): Promise<PayoutRow> {
  const fact = facts[status];
  if (fact !== null) await moveFunds(tx, fact, payout.amountMinor, now);
  const goesOn = status === 'in_transit' && payout.nextStepAt !== null;
  const failure = { failureCode: failureCode ?? 'bank_rejected', failureMessage: failureMessage ?? 'The bank has refused the payout.' };
  const changed = {
    status,
    nextStepAt: goesOn ? businessDay(payout.createdAt, sandboxSteps.paid) : null,
    updatedAt: now,
    ...(status === 'failed' ? failure : {}),
  };
  const moved: PayoutRow = { ...payout, ...changed };
  await updateRows(tx.sql, 'Payout', [moved]);
  await wakeForFunds(tx, moved.nextStepAt);
  const kind = events[status];
  const bank = payout.bankAccountId === null ? null : await loadRow(tx, 'PayoutBankAccount', payout.bankAccountId);
  if (kind !== null) await recordEvents(tx, [payoutEvent(kind, moved, bank)]);
  return moved;
}

/** Moves a payout of a sandbox on that is due by the test clock: out of the house first, then to the bank. */
export async function stepPayout(tx: Context, id: string, now: Date): Promise<void> {
  await lockPayoutAccount(tx);
  const payout = await lockPayout(tx.sql, id);
  if (payout?.nextStepAt == null || payout.nextStepAt > now) return;
  await moveLocked(tx, payout, { id, status: payout.status === 'pending' ? 'in_transit' : 'paid' }, now);
}
