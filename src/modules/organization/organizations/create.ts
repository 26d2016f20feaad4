import { sumSources } from '../../../domain/metrics/sources.ts';
import { usualRetryTerms } from '../../../domain/payments/dunning.ts';
import type { Mode } from '../../../generated/prisma/client.ts';
import type { Transaction } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { tenantClient } from '../../../platform/db/tenant.ts';
import { newId, newShortId } from '../../../platform/ids.ts';
import type { App } from '../../../request/context.ts';

/** Parameters for creating an organization. Omitted values are stored as `null`. */
export type OrganizationInput = {
  readonly name: string;
  /** ISO 3166-1 alpha-2 country code in uppercase. */
  readonly country?: string | null;
  readonly businessType?: string | null;
  /** API version for requests without a version header. If `null`, the current version applies (PLT-63). */
  readonly pinnedVersion?: string | null;
  /**
   * True if anyone can create organizations in this way, such as with `POST /provision`. Defaults to `false`.
   */
  readonly isProvisioned?: boolean;
};

/** Days that customers have to pay a renewal without a chargeable payment method, unless the organization sets another number. */
const usualCollectionDays = 3;

/** Environment properties that are needed to create an API key. */
export type EnvironmentRef = { readonly id: string; readonly livemode: boolean };

/** New organization with its two environments (PLT-2). */
export type NewOrganization = {
  readonly organization: Row<'Organization'>;
  readonly live: EnvironmentRef;
  readonly sandbox: EnvironmentRef;
};

/** Creates an organization with its live and sandbox environments in one transaction. API keys are created separately. */
export const createOrganization = (app: App, input: OrganizationInput): Promise<NewOrganization> =>
  app.database.transaction((transaction) => insertOrganization(transaction, input, app.wall.now()));

/**
 * Creates an organization inside an open transaction. `now` is real time. Each SQL statement writes to a single
 * environment.
 */
export async function insertOrganization(
  transaction: Transaction,
  input: OrganizationInput,
  now: Date,
): Promise<NewOrganization> {
  const organization = await transaction.prisma.organization.create({
    data: {
      id: newId('org'),
      name: input.name,
      country: input.country ?? null,
      businessType: input.businessType ?? null,
      pinnedVersion: input.pinnedVersion ?? null,
      issuerName: null,
      issuerAddress: null,
      issuerTaxId: null,
      accentColor: null,
      customerEmails: true,
      mutedEmailKinds: [],
      logoUrl: null,
      logoWidth: null,
      logoHeight: null,
      replyTo: null,
      cardPromotions: false,
      isProvisioned: input.isProvisioned ?? false,
      notificationEmail: null,
      language: 'en',
      reportingCurrency: 'usd',
      oneTrialPerCustomer: false,
      refundTakesBack: false,
      creditOrder: 'oldest',
      checkoutExpiryHours: null,
      accessWhileProcessing: null,
      collectByPayer: false,
      collectionDueDays: usualCollectionDays,
      retryDays: [...usualRetryTerms.retryDays],
      lastRetryAction: usualRetryTerms.lastRetryAction,
      createdAt: now,
      updatedAt: now,
      archivedAt: null,
    },
  });
  return {
    organization,
    live: await insertEnvironment(transaction, organization.id, 'live', now),
    sandbox: await insertEnvironment(transaction, organization.id, 'sandbox', now),
  };
}

/**
 * Creates an environment with the rows that every environment has: counters at 0, a free lease, and (in a sandbox) a test clock that hasn't
 * been advanced.
 */
async function insertEnvironment(
  transaction: Transaction,
  organizationId: string,
  mode: Mode,
  now: Date,
): Promise<EnvironmentRef> {
  const { prisma } = transaction;
  const id = newShortId('env');
  await prisma.environment.create({ data: { id, organizationId, mode, createdAt: now } });
  await prisma.environmentLease.create({
    data: { environmentId: id, nextDueAt: null, leaseUntil: null, leaseOwner: null },
  });
  // The primary key of these tables is the environment ID, which the tenant client adds.
  const tenant = tenantClient(prisma, id);
  await tenant.environmentCounter.create({
    data: {
      seq: 0n,
      invoiceNumber: 0n,
      creditNoteNumber: 0n,
      eventPosition: 0n,
      activeSubscriptions: 0n,
      catalogVersion: '',
      limitVersion: '',
      limitsCallers: false,
    },
  });
  await tenant.emailCursor.create({ data: { position: 0n, leaseOwner: null, leaseUntil: null } });
  const epoch = new Date(0);
  await tenant.sumCursor.createMany({
    data: sumSources.map((source) => ({
      source,
      seq: 0n,
      until: epoch,
      nextAt: epoch,
      day: null,
      closedMonth: null,
      closesAt: null,
      leaseOwner: null,
      leaseUntil: null,
    })),
  });
  if (mode === 'sandbox') await tenant.testClock.create({ data: { simulatedTime: null } });
  return { id, livemode: mode === 'live' };
}
