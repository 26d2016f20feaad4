import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import type { LetterKind } from '../../domain/letters.ts';
import type { Language } from '../../generated/prisma/client.ts';
import { inTransaction } from '../../transaction.ts';
import { type OrganizationRow, readOrganization } from './service.ts';

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
  readonly mutedLetters?: readonly LetterKind[] | null | undefined;
  readonly logoUrl?: string | null | undefined;
  readonly replyTo?: string | null | undefined;
  readonly notificationEmail?: string | null | undefined;
  readonly language?: Language | null | undefined;
  readonly pinnedVersion?: string | null | undefined;
};

/**
 * Changes the settings of the caller's organization, which both its environments share (PLT-4), and answers it as it then is. Only the given
 * columns are written, so that two changes of different settings do not undo each other. Sends no event.
 */
export const updateOrganization = (context: Context, changes: OrganizationChanges): Promise<OrganizationRow> =>
  // An organization has no business time, so the test clock is not held up.
  inTransaction(
    context,
    async (inner) => {
      const { transaction, environment, wall } = inner;
      if (transaction === null) throw new Error('An organization is changed in a transaction.');
      const before = await readOrganization(inner);
      const { name, customerEmails, mutedLetters, language, accentColor, ...optional } = changes;
      const given = {
        ...optional,
        accentColor: accentColor?.toLowerCase() ?? accentColor,
        name: name ?? undefined,
        customerEmails: customerEmails ?? undefined,
        mutedLetters: mutedLetters == null ? undefined : [...new Set(mutedLetters)].sort(),
        language: language ?? undefined,
      };
      const differing = Object.entries(given).filter(
        ([field, value]) => value !== undefined && !isDeepStrictEqual(value, before[field as keyof OrganizationRow]),
      );
      if (differing.length === 0) return before;
      return transaction.prisma.organization.update({
        where: { id: environment.organizationId },
        data: { ...Object.fromEntries(differing), updatedAt: wall.now() },
      });
    },
    { clockLock: 'none' },
  );
