import type { App, Context } from '../../context.ts';
import type { Query, Transaction } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';

export type OrganizationRow = Row<'Organization'>;

/** The organization of the caller's environment, as the open transaction sees it where there is one. */
export function readOrganization({ app, environment, transaction }: Context): Promise<OrganizationRow> {
  const prisma = transaction?.prisma ?? app.database.prisma;
  return prisma.organization.findUniqueOrThrow({ where: { id: environment.organizationId } });
}

/** The same, read once per request. */
export const loadOrganization = (ctx: Context): Promise<OrganizationRow> =>
  ctx.once('organization', () => readOrganization(ctx));

/** The organization with this id where it is the caller's own, else null. */
export const loadOwnOrganization = async (ctx: Context, id: string): Promise<OrganizationRow | null> =>
  id === ctx.environment.organizationId ? readOrganization(ctx) : null;

/** The origins whose pages may show the page of a token in a frame; none for a token that was not issued here. */
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
  return environment?.organization.pageSettings?.embedOrigins ?? [];
}

/** The organization a slug names, with its live or its sandbox environment; null without one. */
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

/** The picture with this id; null where there is none. */
export const loadLogo = (
  { database }: Pick<App, 'database'>,
  id: string,
): Promise<Row<'OrganizationLogo'> | null> => database.prisma.organizationLogo.findUnique({ where: { id } });

/** Whether another organization has the slug. */
export const isSlugTaken = async (
  { prisma }: Transaction,
  slug: string,
  organizationId: string,
): Promise<boolean> =>
  (await prisma.organization.count({ where: { slug, id: { not: organizationId } } })) > 0;

/** Locks the organization's row until the transaction ends: the root of its members. */
export async function lockOrganizationRow(query: Query, id: string): Promise<void> {
  await query('SELECT 1 FROM "Organization" WHERE id = $1 FOR UPDATE', [id]);
}

/** What the worker would do in an environment, and who comes in by a key: $1 is the environment, $2 now. None of it is about money. */
const closings = [
  'DELETE FROM "EnvironmentLease" WHERE "environmentId" = $1',
  'DELETE FROM "EmailCursor" WHERE "environmentId" = $1',
  'DELETE FROM "UsageDayCursor" WHERE "environmentId" = $1',
  'DELETE FROM "LedgerDayCursor" WHERE "environmentId" = $1',
  'DELETE FROM "MetricsCursor" WHERE "environmentId" = $1',
  'DELETE FROM "ApiKeyHash" WHERE "environmentId" = $1',
  'DELETE FROM "ApiKey" WHERE "environmentId" = $1',
  'UPDATE "ExportSchedule" SET "isActive" = false WHERE "environmentId" = $1 AND "isActive"',
  'UPDATE "PricingTablePurchase" SET "expiresAt" = NULL WHERE "environmentId" = $1 AND "expiresAt" IS NOT NULL',
] as const;

const timedClosings = [
  `UPDATE "Webhook" SET "isActive" = false, "deletedAt" = $2, "updatedAt" = $2 WHERE "environmentId" = $1 AND "deletedAt" IS NULL`,
  `UPDATE "Export" SET status = 'canceled', "finishedAt" = $2, "nextAttemptAt" = NULL WHERE "environmentId" = $1 AND status IN ('queued', 'running', 'delivering')`,
] as const;

/** Takes an environment out of everything the worker looks for, and takes its keys away. Its records stay. */
export async function closeEnvironment(query: Query, environmentId: string, now: Date): Promise<void> {
  for (const text of closings) await query(text, [environmentId]);
  for (const text of timedClosings) await query(text, [environmentId, now]);
}

/** The two environments of an organization. */
export const findEnvironmentIds = async (
  { prisma }: Transaction,
  organizationId: string,
): Promise<string[]> =>
  (await prisma.environment.findMany({ where: { organizationId }, orderBy: { mode: 'asc' } })).map(
    ({ id }) => id,
  );

/** The ids of the keys of an environment. */
export const findKeyIds = async (query: Query, environmentId: string): Promise<string[]> =>
  (await query<{ id: string }>('SELECT id FROM "ApiKey" WHERE "environmentId" = $1', [environmentId])).map(
    ({ id }) => id,
  );

/** The role a member has at this moment; null once it is removed. */
export const findRole = async ({ prisma }: Transaction, memberId: string): Promise<string | null> =>
  (await prisma.member.findFirst({ where: { id: memberId }, select: { role: true } }))?.role ?? null;
