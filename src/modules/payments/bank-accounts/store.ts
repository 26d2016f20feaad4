import { QuittanceError } from '../../../domain/errors/errors.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

export type BankAccountRow = Row<'PayoutBankAccount'>;

/** Currency of all payouts (PAY-35). */
export const payoutCurrency = 'usd';

/** Returns the default bank account for payouts. `null` if no account is registered. */
export const defaultBankAccount = (ctx: Context): Promise<BankAccountRow | null> =>
  ctx.db.payoutBankAccount.findFirst({ where: { isDefault: true } });

/** Throws `payouts_not_available_in_sandbox` unless the environment is live (PAY-36). */
export function demandLive(ctx: Context): void {
  if (!ctx.livemode) {
    throw new QuittanceError('payouts_not_available_in_sandbox');
  }
}

/** Returns the active bank accounts whose account numbers end with the given digits. */
export const findAccountsEndingIn = (ctx: Context, last4: string): Promise<BankAccountRow[]> =>
  ctx.db.payoutBankAccount.findMany({ where: { last4, status: 'active' } });
