import { useMemo, useState } from 'react';
import { useData } from '../../data/hooks.ts';
import { Callout } from '../../kit/callout.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Select } from '../../kit/select.tsx';
import { Loading } from '../../kit/states.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { Timeline, type TimelineEntry } from '../../parts/events/event-list.tsx';
import { PagesOf } from '../../parts/pages-of.tsx';
import { eventEntries, useConnection } from '../../parts/subscription/subscription-lists.tsx';
import {
  CustomerEmailsDocument,
  CustomerTimelineDocument,
  type CustomerTimelineQueryVariables,
} from './tabs.graphql';

type Kinds = NonNullable<CustomerTimelineQueryVariables['types']>;

/** Kinds of events by what people look for. */
const groups = ['subscription', 'payment', 'invoice', 'customer', 'usage'] as const;
type Group = (typeof groups)[number];

const kinds: Record<Group, Kinds> = {
  subscription: [
    'subscription_created',
    'subscription_activated',
    'subscription_reactivated',
    'subscription_canceled',
    'subscription_updated',
    'subscription_plan_changed',
    'subscription_cancellation_scheduled',
    'subscription_cancellation_revoked',
    'subscription_plan_change_scheduled',
    'subscription_plan_change_revoked',
    'subscription_past_due',
    'trial_started',
    'trial_converted',
    'trial_expired',
    'plan_grant_created',
    'plan_grant_updated',
    'plan_grant_expired',
    'plan_grant_revoked',
    'addon_activated',
    'addon_deactivated',
  ],
  payment: [
    'payment_received',
    'payment_failed',
    'payment_recovered',
    'payment_retry_failed',
    'payment_refunded',
    'payment_disputed',
    'payment_dispute_resolved',
    'payment_link_created',
    'payment_link_completed',
    'payment_link_failed',
    'payment_link_canceled',
    'payment_method_attached',
    'payment_method_updated',
    'payment_method_detached',
  ],
  invoice: ['invoice_created', 'invoice_voided', 'invoice_overdue', 'invoice_upcoming'],
  customer: ['customer_created', 'customer_updated', 'customer_state_changed'],
  usage: [
    'usage_recorded',
    'credits_granted',
    'credits_purchased',
    'credits_low',
    'credits_depleted',
    'credits_expired',
    'balance_topped_up',
    'balance_low',
    'balance_depleted',
    'quota_threshold_reached',
    'quota_exceeded',
    'seats_updated',
    'seats_limit_reached',
  ],
};

type PageProps = {
  readonly id: string;
  readonly after: string | null;
  readonly types: Kinds | null;
  readonly emails: readonly TimelineEntry[];
  readonly onConnection: Parameters<typeof useConnection>[1];
};

/** A page of events, with the emails that were written in its span of time. */
function EventPage({ id, after, types, emails, onConnection }: PageProps) {
  const { data, error } = useData(CustomerTimelineDocument, { id, first: 30, after, types });
  const events = data?.customer.events;
  useConnection(events, onConnection);
  const entries = useMemo(() => {
    const own = eventEntries(events?.nodes ?? []);
    const until = after === null ? '9999' : (own[0]?.at ?? '');
    const from = events?.pageInfo.hasNextPage === true ? (own.at(-1)?.at ?? '') : '';
    const between = emails.filter(({ at }) => at <= until && at > from);
    return [...own, ...between].sort((a, b) => b.at.localeCompare(a.at));
  }, [events, emails, after]);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  return events === undefined ? <Loading /> : <Timeline entries={entries} />;
}

/** The latest emails as entries of the timeline. */
function useEmails(id: string, isPaused: boolean): readonly TimelineEntry[] {
  const { data } = useData(CustomerEmailsDocument, { id, first: 100 }, { isPaused });
  return useMemo(
    () =>
      (data?.customer.emails.nodes ?? []).map((email) => ({
        kind: 'email',
        at: email.event?.timestamp ?? email.createdAt,
        email,
      })),
    [data],
  );
}

/** Everything that happened with a customer: events and emails, the latest first. */
export function TimelineTab({ id }: { readonly id: string }) {
  const { timeline: words } = useCustomerWords();
  const [shown, setShown] = useState<Group | 'everything' | 'emails'>('everything');
  const emails = useEmails(id, shown !== 'everything' && shown !== 'emails');
  return (
    <Stack gap={4}>
      <Row>
        <Select
          label={words.kinds}
          options={[
            { value: 'everything', label: words.everything },
            ...groups.map((group) => ({ value: group, label: words.group[group] })),
            { value: 'emails', label: words.emails },
          ]}
          value={shown}
          onChange={(value) => setShown(value as typeof shown)}
        />
      </Row>
      {shown === 'emails' ? (
        <Timeline entries={emails} />
      ) : (
        <PagesOf
          key={shown}
          page={(after, hand) => (
            <EventPage
              id={id}
              after={after}
              types={shown === 'everything' ? null : kinds[shown]}
              emails={shown === 'everything' ? emails : []}
              onConnection={hand}
            />
          )}
        />
      )}
    </Stack>
  );
}
