import { hasRole } from '../../../../domain/limits/member-roles.ts';
import type { EventRow } from '../../../../outbox/read.ts';
import { readBy } from '../../../../platform/db/rows.ts';
import type { TransactionContext } from '../../../../request/context.ts';
import type { OrganizationRow } from '../../../organization/organizations/store.ts';
import { storeEmails } from '../send-to-organization.ts';
import { approvalRequestedEmail } from '../templates/approval-requested.ts';

/** Event that is emailed to the members who can decide about the approval. */
export const approvalEvent = 'approval.requested';

/** Returns the members of the organization with their email addresses. */
const findMembers = ({ transaction, environment }: TransactionContext) =>
  transaction.prisma.member.findMany({
    where: { organizationId: environment.organizationId },
    select: { role: true, user: { select: { email: true } } },
  });

/**
 * Stores emails about requested approvals to the members who can decide. A member gets at most one email in 10 minutes, about the latest
 * approval. Decided approvals send no email.
 */
export async function emailDeciders(
  tx: TransactionContext,
  organization: OrganizationRow,
  events: readonly EventRow[],
): Promise<void> {
  const requested = events.filter(({ kind }) => kind === approvalEvent);
  if (requested.length === 0) return;
  const ids = requested.map(({ data }) => String(data['approvalId']));
  const approvals = new Map((await readBy(tx.sql, 'Approval', 'id', ids)).map((row) => [row.id, row]));
  const members = await findMembers(tx);
  const mode = tx.livemode ? 'live' : 'sandbox';
  const emails = requested.flatMap(({ data }) => {
    const approval = approvals.get(String(data['approvalId']));
    if (approval?.status !== 'pending') return [];
    return members
      .filter(({ role }) => hasRole(role, approval.role))
      .map(({ user: { email: to } }) => {
        const url = `${tx.app.config.publicUrl}/dashboard/${mode}/approvals/${approval.id}`;
        const about = { data, money: approval.preview.money };
        const { subject, text, html } = approvalRequestedEmail(to, organization, about, url);
        return {
          audience: 'organization' as const,
          customerId: null,
          recipient: to,
          subject,
          content: { text, ...(html === undefined ? {} : { html }) },
          combineKey: `approvals ${to}`,
        };
      });
  });
  await storeEmails(tx, emails);
}
