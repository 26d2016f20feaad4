import { isDeepStrictEqual } from 'node:util';
import { specificError } from '../../../domain/errors/errors.ts';
import type { EmailKind } from '../../../domain/messages/emails.ts';
import { type PageSettings, withPageSettings } from '../../../domain/pages/page-settings.ts';
import type {
  CreditOrder,
  Language,
  LastRetryAction,
  ProcessingAccess,
} from '../../../generated/prisma/client.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { isSlugTaken, lockOrganizationRow, type OrganizationRow, readOrganization } from './store.ts';

/** Changes to an organization. `undefined` keeps the current value, and `null` clears an optional value. */
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
  readonly oneTrialPerCustomer?: boolean | null | undefined;
  readonly checkoutExpiryHours?: number | null | undefined;
  readonly refundTakesBack?: boolean | null | undefined;
  readonly accessWhileProcessing?: ProcessingAccess | null | undefined;
  readonly collectByPayer?: boolean | null | undefined;
  readonly collectionDueDays?: number | null | undefined;
  readonly retryDays?: readonly number[] | null | undefined;
  readonly lastRetryAction?: LastRetryAction | null | undefined;
  readonly creditOrder?: CreditOrder | null | undefined;
  readonly reportingCurrency?: string | null | undefined;
  /** Fields that are `null` or `undefined` keep their current value. */
  readonly pages: PageSettings;
};

/**
 * Updates the settings of the caller's organization in both environments (PLT-4), and returns the organization as of that transaction.
 * Writes only the given columns, so that concurrent changes to different settings don't overwrite each other. Doesn't send an event.
 */
export const updateOrganization = (ctx: Context, changes: OrganizationChanges): Promise<OrganizationRow> =>
  // Organizations don't depend on the environment's time, so the test clock isn't locked.
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
        oneTrialPerCustomer,
        refundTakesBack,
        creditOrder,
        collectByPayer,
        collectionDueDays,
        retryDays,
        lastRetryAction,
        pages,
        ...optional
      } = changes;
      const provided = {
        ...optional,
        accentColor: accentColor?.toLowerCase() ?? accentColor,
        name: name ?? undefined,
        customerEmails: customerEmails ?? undefined,
        oneTrialPerCustomer: oneTrialPerCustomer ?? undefined,
        refundTakesBack: refundTakesBack ?? undefined,
        creditOrder: creditOrder ?? undefined,
        collectByPayer: collectByPayer ?? undefined,
        collectionDueDays: collectionDueDays ?? undefined,
        retryDays: retryDays ?? undefined,
        lastRetryAction: lastRetryAction ?? undefined,
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
          // The image size is known only for logos that Quittance stores.
          ...('logoUrl' in changed && { logoWidth: null, logoHeight: null }),
          updatedAt: wall.now(),
        },
      });
    },
    { clockLock: 'none' },
  );
