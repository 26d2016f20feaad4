import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import type { EmailKind } from '../../domain/emails.ts';
import type { Language } from '../../generated/prisma/client.ts';
import { inTransaction } from '../../transaction.ts';
import { type OrganizationRow, readOrganization } from './store.ts';

/** Changes to an organization; what is undefined stays, null takes away where there can be nothing. */
export type OrganizationChanges = {
  readonly name?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly businessType?: string | null | undefined;
  readonly issuerName?: string | null | undefined;
  readonly issuerAddress?: string | null | undefined;
  readonly issuerTaxId?: string | null | undefined;
  readonly accentColor?: string | null | undefined;
  readonly customerEmails?: boolean | null | undefined;
  readonly mutedEmailKinds?: readonly EmailKind[] | null | undefined;
  readonly logoUrl?: string | null | undefined;
  readonly replyTo?: string | null | undefined;
  readonly notificationEmail?: string | null | undefined;
  readonly language?: Language | null | undefined;
  readonly pinnedVersion?: string | null | undefined;
};

/**
 * Changes the settings of the caller's organization, which both its environments share (PLT-4), and answers it as it is at that time. Only the given
 * columns are written, so that two changes of different settings do not undo each other. Sends no event.
 */
export const updateOrganization = (ctx: Context, changes: OrganizationChanges): Promise<OrganizationRow> =>
  // An organization has no business time, so the test clock is not held up.
  inTransaction(
    ctx,
    async (tx) => {
      const { transaction, environment, wall } = tx;
      const before = await readOrganization(tx);
      const { name, customerEmails, mutedEmailKinds, language, accentColor, ...optional } = changes;
      const provided = {
        ...optional,
        accentColor: accentColor?.toLowerCase() ?? accentColor,
        name: name ?? undefined,
        customerEmails: customerEmails ?? undefined,
        mutedEmailKinds: mutedEmailKinds == null ? undefined : [...new Set(mutedEmailKinds)].sort(),
        language: language ?? undefined,
      };
      const differing = Object.entries(provided).filter(
        ([field, value]) =>
          value !== undefined && !isDeepStrictEqual(value, before[field as keyof OrganizationRow]),
      );
      if (differing.length === 0) return before;
      return transaction.prisma.organization.update({
        where: { id: environment.organizationId },
        data: { ...Object.fromEntries(differing), updatedAt: wall.now() },
      });
    },
    { clockLock: 'none' },
  );
