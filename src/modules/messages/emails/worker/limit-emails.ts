import { eventSummary } from '../../../../documents/event-summary.ts';
import { isShared, limitedCaller } from '../../../../domain/limits/limit.ts';
import { nameInEmail } from '../../../../domain/messages/mail-permission.ts';
import type { EventRow } from '../../../../outbox/read.ts';
import { readBy } from '../../../../platform/db/rows.ts';
import type { TransactionContext } from '../../../../request/context.ts';
import { loadActorName } from '../../../customers/actors/store.ts';
import { readReachable } from '../../../organization/organizations/check-mail.ts';
import type { OrganizationRow } from '../../../organization/organizations/store.ts';
import { storeEmails } from '../send-to-organization.ts';
import { limitAlertEmail } from '../templates/limit-alert.ts';
import { callerOf, channelsOf, limitAbout, nodeKeyOf } from './limit-about.ts';

/** Events of limits that are emailed to the organization. */
export const limitEvents = [
  'limit.threshold_reached',
  'limit.reached',
  'limit.overrun',
  'usage.anomaly',
] as const;

const kinds: ReadonlySet<string> = new Set(limitEvents);

export const isLimitEvent = ({ kind }: Pick<EventRow, 'kind'>): boolean => kinds.has(kind);

/** Returns the names of the API keys and members whose operations crossed limits, by the ID of the event. */
async function readCallerNames(
  tx: TransactionContext,
  events: readonly EventRow[],
): Promise<ReadonlyMap<string, string>> {
  const names = await Promise.all(
    events.map(async ({ id, data }) => {
      const actorId = callerOf(data);
      const name = actorId && (await loadActorName(tx, { source: 'api', actorId, customerId: null }));
      return name === null ? [] : [[id, name] as const];
    }),
  );
  return new Map(names.flat());
}

/**
 * Stores emails to the organization about crossings of limits with the channel `merchant_email`. Addresses of people who left the
 * organization get no emails.
 */
export async function emailMerchants(
  tx: TransactionContext,
  { language, notificationEmail, name }: Pick<OrganizationRow, 'language' | 'notificationEmail' | 'name'>,
  events: readonly EventRow[],
): Promise<void> {
  const wanted = events.filter(
    (event) => isLimitEvent(event) && channelsOf(event.data).includes('merchant_email'),
  );
  if (wanted.length === 0) return;
  const limitIds = [...new Set(wanted.map(({ data }) => String(data['limitId'])))];
  const customerIds = [...new Set(wanted.flatMap(({ customerId }) => customerId ?? []))];
  const limits = new Map((await readBy(tx.sql, 'Limit', 'id', limitIds)).map((row) => [row.id, row]));
  const customers = new Map(
    (await readBy(tx.sql, 'Customer', 'id', customerIds)).map((row) => [row.id, row]),
  );
  const planIds = [...new Set([...limits.values()].flatMap(({ planId }) => planId ?? []))];
  const plans = new Map((await readBy(tx.sql, 'Plan', 'id', planIds)).map((row) => [row.id, row.name]));
  const isMember = await readReachable(
    tx,
    [...limits.values()].flatMap(({ recipients }) => recipients),
  );
  const mode = tx.livemode ? 'live' : 'sandbox';
  const callerNames = await readCallerNames(tx, wanted);
  const emails = wanted.flatMap(({ id, kind, data, customerId }) => {
    const limit = limits.get(String(data['limitId']));
    const customer = customers.get(customerId ?? '');
    const caller = limit === undefined ? null : limitedCaller(limit);
    if (limit === undefined || (customer === undefined && !isShared(limit) && caller === null)) return [];
    const about =
      customer === undefined
        ? (callerNames.get(id) ?? plans.get(limit.planId ?? '') ?? name)
        : customer.fullName || customer.email;
    const { recipients } = limit;
    const addresses =
      recipients.length > 0 ? recipients : notificationEmail === null ? [] : [notificationEmail];
    const summary = eventSummary(kind, data, language);
    return addresses
      .filter((address) => address === notificationEmail || isMember(address))
      .map((to) => {
        const content = {
          summary,
          node: caller ?? ('customer' as const),
          name: nameInEmail(about),
          limit: limitAbout(kind, data, { language, timeZone: 'UTC' }),
          hasPage: customer !== undefined,
        };
        const page = customer === undefined ? 'usage/limits' : `customers/${customer.id}`;
        const url = `${tx.app.config.publicUrl}/dashboard/${mode}/${page}`;
        const { subject, text, html } = limitAlertEmail(to, language, content, url);
        return {
          audience: 'organization' as const,
          customerId: null,
          recipient: to,
          subject,
          content: { text, ...(html === undefined ? {} : { html }) },
          combineKey: `organization ${to} ${nodeKeyOf(customer?.id ?? '', data)}`,
        };
      });
  });
  await storeEmails(tx, emails);
}
