import type { Context } from '../../context.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';

export type OrganizationRow = Row<'Organization'>;

/** The organization of the caller's environment, as the open transaction sees it where there is one. */
export function readOrganization({ app, environment, transaction }: Context): Promise<OrganizationRow> {
  const prisma = transaction?.prisma ?? app.database.prisma;
  return prisma.organization.findUniqueOrThrow({ where: { id: environment.organizationId } });
}

/** The organization with this id where it is the caller's own, else null. */
export const loadOwnOrganization = async (ctx: Context, id: string): Promise<OrganizationRow | null> =>
  id === ctx.environment.organizationId ? readOrganization(ctx) : null;

/** Locks the organization's row until the transaction ends: the root of its members. */
export async function lockOrganizationRow(query: Query, id: string): Promise<void> {
  await query('SELECT 1 FROM "Organization" WHERE id = $1 FOR UPDATE', [id]);
}
