import type { EventKind } from '../../../../domain/events/events.ts';
import type { EventRow } from '../../../../outbox/read.ts';
import type { TransactionContext } from '../../../../request/context.ts';
import type { OrganizationRow } from '../../../organization/organizations/store.ts';
import { emailOrganization } from '../send-to-organization.ts';
import { appConnectedEmail } from '../templates/app-connected.ts';

/** Event that is emailed to the organization's notification recipient. */
export const connectionEvent = 'app.connected' satisfies EventKind;

/** Returns the names of members of the organization by ID. */
async function readNames(
  { transaction, environment: { organizationId } }: TransactionContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const members = await transaction.prisma.member.findMany({
    where: { organizationId, id: { in: [...ids] } },
    select: { id: true, user: { select: { name: true } } },
  });
  return new Map(members.map(({ id, user }) => [id, user.name]));
}

/** Stores an email to the notification recipient for each connected app. */
export async function emailConnections(
  tx: TransactionContext,
  organization: OrganizationRow,
  events: readonly EventRow[],
): Promise<void> {
  const { notificationEmail: to } = organization;
  const connected = events.filter(({ kind }) => kind === connectionEvent);
  if (to === null || connected.length === 0) return;
  const names = await readNames(
    tx,
    connected.map(({ data }) => String(data['connectedBy'])),
  );
  const url = `${tx.app.config.publicUrl}/dashboard/${tx.livemode ? 'live' : 'sandbox'}/api-keys`;
  await emailOrganization(
    tx,
    connected.map(({ data, occurredAt }) => {
      const connectedBy = names.get(String(data['connectedBy'])) ?? null;
      return appConnectedEmail(to, organization, { data, occurredAt, connectedBy, isLive: tx.livemode }, url);
    }),
  );
}
