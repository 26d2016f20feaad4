import { specificError } from '../../../domain/errors/errors.ts';
import { environmentLimits, type MailLimit } from '../../../domain/messages/mail-limits.ts';
import { type Withheld, withheld } from '../../../domain/messages/mail-permission.ts';
import { foldEmail } from '../../../domain/text/folding.ts';
import { takeUses } from '../../../platform/use-windows.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { readMailEligibility } from './store.ts';

type MailContext = Pick<Context, 'app' | 'environment' | 'livemode' | 'wall'>;

/** Rules for the emails that an environment can send. */
export type Permission = {
  readonly isVerified: boolean;
  /** Returns the reason for withholding an email to an address. `null` if the email can be sent. */
  readonly withheldFrom: (recipient: string) => Withheld | null;
  /** Daily email limits for the environment. */
  readonly limits: readonly MailLimit[];
};

/** Returns whether an environment can email the given recipients (PLT-114). Runs one SQL statement. */
export async function readPermission(
  { app, environment, livemode }: MailContext,
  recipients: readonly string[],
): Promise<Permission> {
  const { config, database, mail } = app;
  const folded = [...new Set(recipients.map(foldEmail))];
  const eligibility = await readMailEligibility(database.query, environment.organizationId, folded);
  const { isVerified, isProvisioned } = eligibility;
  const members = new Set(eligibility.members);
  const most = isProvisioned ? config.provisionedEmailsPerDay : config.emailsPerDay;
  return {
    isVerified,
    withheldFrom: (recipient) =>
      // Emails that are written to files reach no recipient, so they're never withheld.
      mail.leaves
        ? withheld({
            livemode,
            isOrganizationVerified: isVerified,
            isMember: members.has(foldEmail(recipient)),
            sandboxesWrite: config.sandboxEmails === 'all',
          })
        : null,
    limits: mail.leaves
      ? environmentLimits(environment.id, livemode ? most : config.sandboxEmailsPerDay)
      : [],
  };
}

/** Counts an email that a caller requested. If a limit is reached, throws `rate_limited` without counting the email. */
export async function takeRequestedEmail(
  { app, wall }: Pick<MailContext, 'app' | 'wall'>,
  limits: readonly MailLimit[],
): Promise<void> {
  const now = wall.now();
  const usedUp = await takeUses(app.database, limits, now);
  if (usedUp === null) return;
  const seconds = Math.max(1, Math.ceil((usedUp.endsAt.getTime() - now.getTime()) / 1_000));
  const minutes = Math.ceil(seconds / 60);
  throw specificError('rate_limited', 'emails', { values: { minutes }, retryAfter: seconds });
}

/** Returns a function that returns true for verified addresses of members of the organization. Runs one SQL statement. */
export async function readReachable(
  { transaction, environment }: Pick<TransactionContext, 'transaction' | 'environment'>,
  addresses: readonly string[],
): Promise<(address: string) => boolean> {
  const folded = [...new Set(addresses.map(foldEmail))];
  if (folded.length === 0) return () => false;
  const { members } = await readMailEligibility(transaction.query, environment.organizationId, folded);
  const known = new Set(members);
  return (address) => known.has(foldEmail(address));
}
