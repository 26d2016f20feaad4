import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import type { EmailKind } from '../../domain/emails.ts';
import { specificError } from '../../domain/errors.ts';
import { type PageSettings, withPageSettings } from '../../domain/page-settings.ts';
import type { Language } from '../../generated/prisma/client.ts';
import { inTransaction } from '../../transaction.ts';
import { isSlugTaken, lockOrganizationRow, type OrganizationRow, readOrganization } from './store.ts';

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
  readonly slug?: string | null | undefined;
  readonly reportingCurrency?: string | null | undefined;
  /** Members of null and undefined stay. */
  readonly pages: PageSettings;
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
      await lockOrganizationRow(transaction.query, environment.organizationId);
      const before = await readOrganization(tx);
      if (changes.slug != null && (await isSlugTaken(transaction, changes.slug, before.id)))
        throw specificError('duplicate', 'slug', { param: 'slug' });
      const {
        name,
        customerEmails,
        mutedEmailKinds,
        language,
        reportingCurrency,
        accentColor,
        pages,
        ...optional
      } = changes;
      const provided = {
        ...optional,
        accentColor: accentColor?.toLowerCase() ?? accentColor,
        name: name ?? undefined,
        customerEmails: customerEmails ?? undefined,
        mutedEmailKinds: mutedEmailKinds == null ? undefined : [...new Set(mutedEmailKinds)].sort(),
        language: language ?? undefined,
        reportingCurrency: reportingCurrency ?? undefined,
        pageSettings:
          Object.keys(pages).length === 0 ? undefined : withPageSettings(before.pageSettings, pages),
      };
      const differing = Object.entries(provided).filter(
        ([field, value]) =>
          value !== undefined && !isDeepStrictEqual(value, before[field as keyof OrganizationRow]),
      );
      if (differing.length === 0) return before;
      const changed = Object.fromEntries(differing);
      return transaction.prisma.organization.update({
        where: { id: environment.organizationId },
        data: {
          ...changed,
          // The size is that of the picture that is stored here.
          ...('logoUrl' in changed && { logoWidth: null, logoHeight: null }),
          updatedAt: wall.now(),
        },
      });
    },
    { clockLock: 'none' },
  );
