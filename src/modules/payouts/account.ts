import { type Context, inTransaction } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import type { PayoutAccountStatus } from '../../domain/payout.ts';
import { lockPayoutAccount } from '../../engine/merchant.ts';
import { submitAccount } from '../../infra/payout-rows.ts';

/** Whether the organization may take money out, and where it is paid; null until that was submitted. */
export type PayoutAccountState = { readonly status: PayoutAccountStatus; readonly country: string | null };

/** The payout account of the environment, also where nothing was submitted. */
export async function readPayoutAccount(context: Context): Promise<PayoutAccountState> {
  const account = await context.db.payoutAccount.findFirst({ where: {} });
  return { status: account?.status ?? 'none', country: account?.country ?? null };
}

/**
 * Submits where the organization is to be paid, to be looked at by whoever runs the service (PAY-38). The country is locked from then on,
 * unless the account is rejected. Throws `validation_error` on `country` once it was submitted.
 */
export const submitPayoutAccount = (context: Context, country: string): Promise<PayoutAccountState> =>
  inTransaction(context, async (tx) => {
    const { id, status } = await lockPayoutAccount(tx);
    if (status === 'pending' || status === 'verified') {
      throw validationError([{ field: 'country', message: 'The payout account has been submitted; its country is locked.' }]);
    }
    await submitAccount(tx.sql, id, country, tx.clock.now());
    return { status: 'pending', country };
  });
