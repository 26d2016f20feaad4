import {
  addressChangeLimits,
  confirmationLimits,
  type MailLimit,
  resetLimits,
  resetSenderLimits,
  signUpLimits,
} from '../domain/messages/mail-limits.ts';
import type { Person } from '../identity/auth.ts';
import { awaitsProof } from '../identity/prove-address.ts';
import { takeUses } from '../platform/use-windows.ts';
import { RateLimitedError } from '../request/admission.ts';
import type { App } from '../request/context.ts';

// Rate limits for account emails (PLT-112).

/** Counts an email against all limits. If one of the limits is reached, throws RateLimitedError without counting the email. */
async function takeEmail({ database, wall }: App, limits: readonly MailLimit[]): Promise<void> {
  const now = wall.now();
  const usedUp = await takeUses(database, limits, now);
  if (usedUp === null) return;
  const resetSeconds = Math.max(1, Math.ceil((usedUp.endsAt.getTime() - now.getTime()) / 1_000));
  const limit = limits.find(({ name }) => name === usedUp.name)?.most ?? 0;
  throw new RateLimitedError({ limit, remaining: 0, resetSeconds, isExceeded: true }, 'account_window');
}

/**
 * Counts a request for a password reset link and returns whether to send the link. Unknown email addresses are counted too, so that the response
 * doesn't reveal whether an account exists. Throws RateLimitedError if the sender requests too many links for this address.
 */
export async function admitReset(app: App, email: string, sender: string): Promise<boolean> {
  await takeEmail(app, resetSenderLimits(email, sender));
  return (await takeUses(app.database, resetLimits(email), app.wall.now())) === null;
}

/** Counts the verification email for a new email address. Throws RateLimitedError. */
export const admitAddressChange = (app: App, { id }: Person, newEmail: string): Promise<void> =>
  takeEmail(app, [...confirmationLimits(newEmail), ...addressChangeLimits(id)]);

/** Sends a verification link to a signed-in user, unless the address is already verified. Throws RateLimitedError. */
export async function sendConfirmation(app: App, { email, isEmailVerified }: Person): Promise<void> {
  if (isEmailVerified) return;
  await takeEmail(app, confirmationLimits(email));
  app.auth.sendAddressLink(email);
}

/**
 * Sends a verification link after a sign-up. If a limit is reached, no email is sent, and the user can request the link
 * later.
 */
export async function sendFirstConfirmation(app: App, email: string, sender: string): Promise<void> {
  if (!(await awaitsProof(app.database.query, email))) return;
  const limits = [...confirmationLimits(email), ...signUpLimits(sender)];
  if ((await takeUses(app.database, limits, app.wall.now())) === null) app.auth.sendAddressLink(email);
}
