import { pageOrigins } from '../../../domain/pages/page-origin.ts';
import type { Query, Transaction } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { App, Context } from '../../../request/context.ts';

export type OrganizationRow = Row<'Organization'>;

/** Reads the organization that the caller's environment belongs to. Uses the open transaction, if any. */
export function readOrganization({ app, environment, transaction }: Context): Promise<OrganizationRow> {
  const prisma = transaction?.prisma ?? app.database.prisma;
  return prisma.organization.findUniqueOrThrow({ where: { id: environment.organizationId } });
}

/** Reads the organization. Cached for the request. */
export const loadOrganization = (ctx: Context): Promise<OrganizationRow> =>
  ctx.once('organization', () => readOrganization(ctx));

/** Returns the caller's organization if the ID matches, otherwise `null`. */
export const loadOwnOrganization = async (ctx: Context, id: string): Promise<OrganizationRow | null> =>
  id === ctx.environment.organizationId ? readOrganization(ctx) : null;

/** Returns the origins that can embed the page that a token opens. Empty if this installation didn't issue the token. */
export async function findEmbedOrigins(
  { database, secrets }: Pick<App, 'database' | 'secrets'>,
  token: string,
): Promise<readonly string[]> {
  const details = await secrets.readPage(token);
  if (details === null) return [];
  const environment = await database.prisma.environment.findUnique({
    where: { id: details.environmentId },
    select: { organization: { select: { pageSettings: true } } },
  });
  return pageOrigins(environment?.organization.pageSettings?.embedOrigins);
}

/** Properties that determine whether an organization can send emails to people who aren't members. */
export type MailEligibility = {
  readonly isProvisioned: boolean;
  /** True if the operator created the organization or its owner verified an email address. */
  readonly isVerified: boolean;
  /** Addresses from the request that are verified email addresses of members. */
  readonly members: readonly string[];
};

/** Reads an organization's email permissions for the given lowercase addresses. Runs one SQL statement. */
export async function readMailEligibility(
  query: Query,
  organizationId: string,
  addresses: readonly string[],
): Promise<MailEligibility> {
  const [eligibility] = await query<MailEligibility>(
    `SELECT o."isProvisioned",
       NOT o."isProvisioned" OR EXISTS (SELECT 1 FROM "Member" m JOIN "Person" p ON p.id = m."userId"
         WHERE m."organizationId" = o.id AND m.role = 'owner' AND p."emailVerified") AS "isVerified",
       ARRAY (SELECT p.email FROM "Member" m JOIN "Person" p ON p.id = m."userId"
         WHERE m."organizationId" = o.id AND p."emailVerified" AND p.email = ANY($2)) AS members
     FROM "Organization" o WHERE o.id = $1`,
    [organizationId, addresses],
  );
  return eligibility ?? { isProvisioned: true, isVerified: false, members: [] };
}

/** Returns an organization by slug, together with its live or sandbox environment. `null` if no organization has the slug. */
export async function findOrganizationBySlug(
  { database }: Pick<App, 'database'>,
  slug: string,
  livemode: boolean,
): Promise<{ readonly organization: OrganizationRow; readonly environmentId: string } | null> {
  const mode = livemode ? 'live' : 'sandbox';
  const found = await database.prisma.organization.findUnique({
    where: { slug },
    include: { environments: { where: { mode } } },
  });
  const [environment] = found?.environments ?? [];
  return found === null || environment === undefined
    ? null
    : { organization: found, environmentId: environment.id };
}

/** Returns the logo with this ID. `null` if it doesn't exist. */
export const loadLogo = (
  { database }: Pick<App, 'database'>,
  id: string,
): Promise<Row<'OrganizationLogo'> | null> => database.prisma.organizationLogo.findUnique({ where: { id } });

/** True if another organization has the slug. */
export const isSlugTaken = async (
  { prisma }: Transaction,
  slug: string,
  organizationId: string,
): Promise<boolean> =>
  (await prisma.organization.count({ where: { slug, id: { not: organizationId } } })) > 0;

/** Locks the organization's row until the transaction ends. Changes to its members take this lock first. */
export async function lockOrganizationRow(query: Query, id: string): Promise<void> {
  await query('SELECT 1 FROM "Organization" WHERE id = $1 FOR UPDATE', [id]);
}

/**
 * Statements that stop background work in an environment and revoke its API keys. $1 is the environment, and $2 is the current time. None
 * of the statements moves money.
 */
const closings = [
  'DELETE FROM "EnvironmentLease" WHERE "environmentId" = $1',
  'DELETE FROM "EmailCursor" WHERE "environmentId" = $1',
  'DELETE FROM "SumCursor" WHERE "environmentId" = $1',
  'DELETE FROM "ApiKeyHash" WHERE "environmentId" = $1',
  'DELETE FROM "ApiKey" WHERE "environmentId" = $1',
  'UPDATE "ExportSchedule" SET "isActive" = false WHERE "environmentId" = $1 AND "isActive"',
  'UPDATE "PricingTablePurchase" SET "expiresAt" = NULL WHERE "environmentId" = $1 AND "expiresAt" IS NOT NULL',
] as const;

const timedClosings = [
  `UPDATE "Webhook" SET "isActive" = false, "deletedAt" = $2, "updatedAt" = $2 WHERE "environmentId" = $1 AND "deletedAt" IS NULL`,
  `UPDATE "Export" SET status = 'canceled', "finishedAt" = $2, "nextAttemptAt" = NULL WHERE "environmentId" = $1 AND status IN ('queued', 'running', 'delivering')`,
] as const;

/** Removes an environment from background work and deletes its API keys. Records are kept. */
export async function closeEnvironment(query: Query, environmentId: string, now: Date): Promise<void> {
  for (const text of closings) await query(text, [environmentId]);
  for (const text of timedClosings) await query(text, [environmentId, now]);
}

/** Returns the IDs of an organization's live and sandbox environments. */
export const findEnvironmentIds = async (
  { prisma }: Transaction,
  organizationId: string,
): Promise<string[]> =>
  (await prisma.environment.findMany({ where: { organizationId }, orderBy: { mode: 'asc' } })).map(
    ({ id }) => id,
  );

/** Returns the ID of the sandbox of the caller's organization. */
export const findSandboxId = async ({ app, environment }: Context): Promise<string> =>
  (
    await app.database.prisma.environment.findFirstOrThrow({
      where: { organizationId: environment.organizationId, mode: 'sandbox' },
      select: { id: true },
    })
  ).id;

export const findKeyIds = async (query: Query, environmentId: string): Promise<string[]> =>
  (await query<{ id: string }>('SELECT id FROM "ApiKey" WHERE "environmentId" = $1', [environmentId])).map(
    ({ id }) => id,
  );

/** Returns the current role of a member. `null` if the member was removed. */
export const findRole = async ({ prisma }: Transaction, memberId: string): Promise<string | null> =>
  (await prisma.member.findFirst({ where: { id: memberId }, select: { role: true } }))?.role ?? null;
