import { type SettingsEventKind, settingsEventKinds } from '../../../../domain/events/settings-events.ts';
import type { EventRow } from '../../../../outbox/read.ts';
import type { Context, TransactionContext } from '../../../../request/context.ts';
import { loadActorName } from '../../../customers/actors/store.ts';
import type { OrganizationRow } from '../../../organization/organizations/store.ts';
import { emailOrganization } from '../send-to-organization.ts';
import { settingsChangedEmail } from '../templates/settings-changed.ts';

/** Dashboard page where an owner can review a change. */
const pages: { readonly [kind in SettingsEventKind]: string } = {
  'payment_connection.created': 'settings/payment-providers',
  'payment_connection.updated': 'settings/payment-providers',
  'payment_route.updated': 'settings/payment-providers',
  'tax_registration.created': 'settings/taxes',
  'tax_registration.deleted': 'settings/taxes',
  'payout_bank_account.created': 'payouts',
  'payout.created': 'payouts',
  'payout.canceled': 'payouts',
};

const kinds: ReadonlyMap<string, string> = new Map(Object.entries(pages));

/** Event types that owners are notified about: changes to payment, payout, and tax settings, only in the live environment (PLT-53). */
export const eventsForOwners = ({ livemode }: Pick<Context, 'livemode'>): readonly string[] =>
  livemode ? settingsEventKinds : [];

/** Returns the email addresses of the organization's owners. */
const findOwners = async ({ transaction, environment }: TransactionContext): Promise<string[]> =>
  (
    await transaction.prisma.member.findMany({
      where: { organizationId: environment.organizationId, role: 'owner' },
      select: { user: { select: { email: true } } },
    })
  ).map(({ user }) => user.email);

/** Stores an email to each owner for each settings event. */
export async function notifyOwners(
  tx: TransactionContext,
  organization: OrganizationRow,
  events: readonly EventRow[],
): Promise<void> {
  const changes = events.flatMap((event) => {
    const page = kinds.get(event.kind);
    return page === undefined ? [] : [{ event, page }];
  });
  if (changes.length === 0) return;
  const owners = await findOwners(tx);
  if (owners.length === 0) return;
  const names = await Promise.all(changes.map(({ event }) => loadActorName(tx, event)));
  const emails = changes.flatMap(({ event, page }, index) =>
    owners.map((to) =>
      settingsChangedEmail(
        to,
        organization,
        { ...event, madeBy: names[index] ?? null },
        `${tx.app.config.publicUrl}/dashboard/live/${page}`,
      ),
    ),
  );
  await emailOrganization(tx, emails);
}
