import { Fragment } from 'react';
import { dateText } from '../../../ui/format/dates.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Json } from '../../kit/json.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Popover } from '../../kit/popover.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Heading, Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { useCustomerWords } from '../customer-words.ts';
import { useTerms } from '../terms.ts';
import { eventName } from './event-name.ts';
import type { EventRowFragment } from './event-row.graphql';
import { objectAddress } from './object-address.ts';

/** What can stand on a timeline: an event, or an email. */
export type TimelineEntry =
  | { readonly kind: 'event'; readonly at: string; readonly event: EventRowFragment }
  | {
      readonly kind: 'email';
      readonly at: string;
      readonly email: {
        readonly id: string;
        readonly kind:
          | 'checkout'
          | 'invoice'
          | 'payment_failed'
          | 'receipt'
          | 'refund'
          | 'subscription_canceled'
          | 'trial_ending';
        readonly status: 'canceled' | 'failed' | 'pending' | 'sending' | 'sent' | 'unconfirmed';
        readonly recipient: string;
        readonly subject: string | null;
      };
    };

/** One event: its sentence, where it comes from, its object and its payload. */
function EventEntry({ event }: { readonly event: EventRowFragment }) {
  const { timeline: words } = useCustomerWords();
  const terms = useTerms();
  const { subject } = event;
  const href = subject === null ? null : objectAddress(subject.__typename, subject.id);
  const source = [terms.source[event.source], event.actorName && words.by(event.actorName)].filter(Boolean);
  return (
    <Row justify="between" align="start" wrap={false} gap={4}>
      <Stack gap={1}>
        {href === null ? <Text>{event.summary}</Text> : <Link href={href}>{event.summary}</Link>}
        <Text size="sm" color="muted">
          <DateTime at={event.timestamp} /> · {source.join(' ')} ·{' '}
          <Text size="sm" code>
            {eventName(event.event)}
          </Text>
        </Text>
      </Stack>
      <Popover
        label={words.payload}
        trigger={
          <Button size="sm" kind="quiet">
            {words.payload}
          </Button>
        }
      >
        <Json label={words.payload} value={event.data} hasSearch={false} />
      </Popover>
    </Row>
  );
}

function EmailEntry({ entry: { email, at } }: { readonly entry: Extract<TimelineEntry, { kind: 'email' }> }) {
  const { timeline: words } = useCustomerWords();
  const terms = useTerms();
  return (
    <Stack gap={1}>
      <Row gap={2}>
        <Text>{email.subject ?? terms.emailKind[email.kind]}</Text>
        <Badge tone={email.status === 'failed' ? 'negative' : 'neutral'}>
          {terms.emailStatus[email.status]}
        </Badge>
      </Row>
      <Text size="sm" color="muted">
        <DateTime at={at} /> · {words.emailTo(email.recipient)}
      </Text>
    </Stack>
  );
}

type TimelineProps = {
  readonly entries: readonly TimelineEntry[];
  /** The level of the headings of days: below that of the part they stand in. */
  readonly level?: 2 | 3;
};

/** Entries grouped by day, the latest first. */
export function Timeline({ entries, level = 2 }: TimelineProps) {
  const { timeline: words } = useCustomerWords();
  const settings = useKit();
  if (entries.length === 0) return <Text color="muted">{words.empty}</Text>;
  let day = '';
  return (
    <Stack gap={4}>
      {entries.map((entry) => {
        const own = dateText(entry.at, settings);
        const isFirst = own !== day;
        day = own;
        return (
          <Fragment key={entry.kind === 'event' ? entry.event.id : entry.email.id}>
            {isFirst && (
              <Heading level={level} size="sm">
                {own}
              </Heading>
            )}
            {entry.kind === 'event' ? <EventEntry event={entry.event} /> : <EmailEntry entry={entry} />}
          </Fragment>
        );
      })}
    </Stack>
  );
}
