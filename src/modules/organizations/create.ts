import type { App } from '../../context.ts';
import type { Mode } from '../../generated/prisma/client.ts';
import type { Transaction } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';
import { tenantClient } from '../../platform/db/tenant.ts';
import { newId, newShortId } from '../../platform/ids.ts';

/** What is said of a new organization; what is left out is stored as null. */
export type OrganizationInput = {
  readonly name: string;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country?: string | null;
  readonly businessType?: string | null;
  /** The API version requests without a version header get; null follows the current one (PLT-63). */
  readonly pinnedVersion?: string | null;
  /** Whether it is made by `POST /provision`; not so unless said. */
  readonly isProvisioned?: boolean;
};

/** An environment as a key of it needs to know it. */
export type EnvironmentRef = { readonly id: string; readonly livemode: boolean };

/** A new organization with its two environments (PLT-2). */
export type NewOrganization = {
  readonly organization: Row<'Organization'>;
  readonly live: EnvironmentRef;
  readonly sandbox: EnvironmentRef;
};

/** Creates an organization with its live and its sandbox environment, in one transaction. Keys are made separately. */
export const createOrganization = (app: App, input: OrganizationInput): Promise<NewOrganization> =>
  app.database.transaction((transaction) => insertOrganization(transaction, input, app.wall.now()));

/** The same inside an open transaction; `now` is operational time. Each statement writes rows of one environment only. */
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

/** An environment and the rows every environment has: counters from zero, a lease nobody holds, and a sandbox's clock, not moved yet. */
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
  // These tables have no id of their own: their key is the environment, which the tenant's client adds.
  const tenant = tenantClient(prisma, id);
  await tenant.environmentCounter.create({
    data: { seq: 0n, invoiceNumber: 0n, eventPosition: 0n, activeSubscriptions: 0n, catalogVersion: '' },
  });
  await tenant.emailCursor.create({ data: { position: 0n, leaseOwner: null, leaseUntil: null } });
  await tenant.usageDayCursor.create({
    data: { until: new Date(0), seq: 0n, nextAt: now, leaseOwner: null, leaseUntil: null },
  });
  await tenant.ledgerDayCursor.create({ data: { seq: 0n, leaseOwner: null, leaseUntil: null } });
  await tenant.metricsCursor.create({
    data: {
      seq: 0n,
      day: null,
      closedMonth: null,
      closesAt: null,
      position: 0n,
      leaseOwner: null,
      leaseUntil: null,
    },
  });
  if (mode === 'sandbox') await tenant.testClock.create({ data: { simulatedTime: null } });
  return { id, livemode: mode === 'live' };
}
