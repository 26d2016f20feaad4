import { useEffect, useMemo, useRef, useState } from 'react';
import { useData } from '../../data/hooks.ts';
import { useStore } from '../../data/store.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Callout } from '../../kit/callout.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Select } from '../../kit/select.tsx';
import { Loading } from '../../kit/states.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { entriesOf, Timeline } from '../../parts/events/event-list.tsx';
import { PagesOf } from '../../parts/load-more.tsx';
import { useConnection } from '../../parts/subscription/subscription-lists.tsx';
import { noteChanges } from './note-changes.ts';
import { CustomerTimelineDocument, type CustomerTimelineQueryVariables } from './tabs.graphql';

type Types = NonNullable<CustomerTimelineQueryVariables['types']>;
type Filter = Pick<CustomerTimelineQueryVariables, 'kinds' | 'types'>;

/** Groups of event types that the timeline can be filtered by. */
const groups = ['subscription', 'payment', 'invoice', 'customer', 'usage'] as const;
type Group = (typeof groups)[number];

const kinds: Record<Group, Types> = {
  subscription: [
    'subscription_created',
    'subscription_activated',
    'subscription_reactivated',
    'subscription_canceled',
    'subscription_updated',
    'subscription_plan_changed',
    'subscription_cancellation_scheduled',
    'subscription_cancellation_revoked',
    'subscription_retained',
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
  invoice: [
    'invoice_created',
    'invoice_updated',
    'invoice_voided',
    'invoice_overdue',
    'invoice_upcoming',
    'credit_note_created',
  ],
  customer: ['customer_created', 'customer_updated', 'customer_deleted', 'customer_state_changed'],
  usage: [
    'usage_recorded',
    'credits_granted',
    'credits_purchased',
    'credits_low',
    'credits_depleted',
    'credits_expired',
    'lot_granted',
    'lot_expiring',
    'lot_expired',
    'balance_topped_up',
    'balance_low',
    'balance_depleted',
    'quota_threshold_reached',
    'quota_exceeded',
    'seats_updated',
    'seats_limit_reached',
  ],
};

/** Other entry types that the timeline can be filtered by. */
const parts = ['changes', 'emails', 'notes'] as const;
type Shown = 'everything' | Group | (typeof parts)[number];

const filters: Readonly<Record<Exclude<Shown, Group>, Filter>> = {
  everything: {},
  changes: { kinds: ['change'] },
  emails: { kinds: ['email'] },
  notes: { kinds: ['note'] },
};

const isGroup = (shown: Shown): shown is Group => (groups as readonly string[]).includes(shown);

const filterOf = (shown: Shown): Filter =>
  isGroup(shown) ? { kinds: ['event', 'change'], types: kinds[shown] } : filters[shown];

type PageProps = {
  readonly id: string;
  readonly after: string | null;
  readonly filter: Filter;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

/** One page of the timeline. Reloads after new events for the customer and after changes to notes. */
function TimelinePage({ id, after, filter, onConnection }: PageProps) {
  const { data, error, refetch } = useData(CustomerTimelineDocument, { id, first: 30, after, ...filter });
  const timeline = data?.customer.timeline;
  useConnection(timeline, onConnection);
  useRefetchOnEvents({ customerId: id }, refetch);
  const changes = useStore(noteChanges);
  const seen = useRef(changes);
  useEffect(() => {
    if (seen.current !== changes) refetch();
    seen.current = changes;
  }, [changes, refetch]);
  const entries = useMemo(() => entriesOf(timeline?.nodes ?? []), [timeline]);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  return timeline === undefined ? <Loading /> : <Timeline entries={entries} />;
}

/** Customer timeline, newest first: events, changes by members, emails, and notes. */
export function TimelineTab({ id }: { readonly id: string }) {
  const { timeline: words } = useCustomerWords();
  const [shown, setShown] = useState<Shown>('everything');
  const filter = filterOf(shown);
  return (
    <Stack gap={4}>
      <Row>
        <Select
          label={words.kinds}
          options={[
            { value: 'everything', label: words.everything },
            ...groups.map((group) => ({ value: group, label: words.group[group] })),
            ...parts.map((part) => ({ value: part, label: words[part] })),
          ]}
          value={shown}
          onChange={(value) => setShown(value as Shown)}
        />
      </Row>
      <PagesOf
        key={shown}
        page={(after, hand) => <TimelinePage id={id} after={after} filter={filter} onConnection={hand} />}
      />
    </Stack>
  );
}
