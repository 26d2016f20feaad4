import type { Context } from '../../context.ts';
import type { PayoutAccountStatus } from '../../domain/payout.ts';

/** Whether the organization may take money out, and where it is paid; null until that was submitted. */
export type PayoutAccountState = { readonly status: PayoutAccountStatus; readonly country: string | null };

/** The payout account of the environment, also where nothing was submitted. */
export async function readPayoutAccount(context: Context): Promise<PayoutAccountState> {
  const account = await context.db.payoutAccount.findFirst({ where: {} });
  return { status: account?.status ?? 'none', country: account?.country ?? null };
}
