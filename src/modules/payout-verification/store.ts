import type { Context } from '../../context.ts';
import type { PayoutAccountStatus } from '../../domain/payout.ts';
import { type VerificationStatus, verificationStatus } from '../../domain/verification.ts';
import type { Row } from '../../platform/db/rows.ts';
import { demandLive } from '../bank-accounts/store.ts';

/** Whether the organization may take money out, and where it is paid; null until that was submitted. */
export type PayoutAccountState = { readonly status: PayoutAccountStatus; readonly country: string | null };

/** The payout account of the environment, also where nothing was submitted. */
export async function readPayoutAccount(ctx: Context): Promise<PayoutAccountState> {
  const account = await ctx.db.payoutAccount.findFirst({ where: {} });
  return { status: account?.status ?? 'none', country: account?.country ?? null };
}

export type Submitted = Row<'PayoutVerification'>;

/** How far the verification of an environment is, and what was last submitted; null before anything was. */
export type VerificationState = {
  readonly status: VerificationStatus;
  readonly country: string | null;
  readonly last: Submitted | null;
};

/** The verification of a live environment. Throws `payouts_not_available_in_sandbox`. */
export async function readVerification(ctx: Context): Promise<VerificationState> {
  demandLive(ctx);
  const { status, country } = await readPayoutAccount(ctx);
  const last = await ctx.db.payoutVerification.findFirst({ where: {}, orderBy: { seq: 'desc' } });
  return { status: verificationStatus[status], country, last };
}
