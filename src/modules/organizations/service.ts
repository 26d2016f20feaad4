import type { Context } from '../../context.ts';
import type { Row } from '../../infra/rows.ts';

export type OrganizationRow = Row<'Organization'>;

/** The organization of the caller's environment, as the open transaction sees it where there is one. */
export function readOrganization({ app, environment, transaction }: Context): Promise<OrganizationRow> {
  const prisma = transaction?.prisma ?? app.database.prisma;
  return prisma.organization.findUniqueOrThrow({ where: { id: environment.organizationId } });
}
