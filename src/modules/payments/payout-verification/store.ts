import type { PayoutAccountStatus } from '../../../domain/payments/payout.ts';
import { type VerificationStatus, verificationStatus } from '../../../domain/payments/verification.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { demandLive } from '../bank-accounts/store.ts';

/** Verification status and country of a payout account. The country is `null` if no details have been submitted. */
export type PayoutAccountState = { readonly status: PayoutAccountStatus; readonly country: string | null };

/** Returns the payout account of the environment. If nothing was submitted, returns its initial state. */
export async function readPayoutAccount(ctx: Context): Promise<PayoutAccountState> {
  const account = await ctx.db.payoutAccount.findFirst({ where: {} });
  return { status: account?.status ?? 'none', country: account?.country ?? null };
}

export type Submitted = Row<'PayoutVerification'>;

/**
 * Verification status of an environment, with the latest submission. The fields are `null` until details
 * are submitted.
 */
export type VerificationState = {
  readonly status: VerificationStatus;
  readonly country: string | null;
  readonly last: Submitted | null;
};

/** Returns the verification of a live environment. Throws `payouts_not_available_in_sandbox`. */
export async function readVerification(ctx: Context): Promise<VerificationState> {
  demandLive(ctx);
  const { status, country } = await readPayoutAccount(ctx);
  const last = await ctx.db.payoutVerification.findFirst({ where: {}, orderBy: { seq: 'desc' } });
  return { status: verificationStatus[status], country, last };
}
