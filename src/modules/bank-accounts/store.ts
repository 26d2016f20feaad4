import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { Row } from '../../platform/db/rows.ts';

export type BankAccountRow = Row<'PayoutBankAccount'>;

/** Payouts are in US dollars (PAY-35). */
export const payoutCurrency = 'usd';

/** The account payouts go to; null without one. */
export const defaultBankAccount = (ctx: Context): Promise<BankAccountRow | null> =>
  ctx.db.payoutBankAccount.findFirst({ where: { isDefault: true } });

/** Rejects what exists in the live environment only (PAY-36). */
export function demandLive(ctx: Context): void {
  if (!ctx.livemode) {
    throw new QuittanceError('payouts_not_available_in_sandbox');
  }
}

/** The active accounts whose number ends in these digits. */
export const findAccountsEndingIn = (ctx: Context, last4: string): Promise<BankAccountRow[]> =>
  ctx.db.payoutBankAccount.findMany({ where: { last4, status: 'active' } });
