import { Fragment } from 'react';
import { dateText } from '../../../ui/format/dates.ts';
import { addressOf } from '../../address.ts';
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
import type { TimelineNodeFragment } from './timeline-node.graphql';

type Node<Type extends TimelineNodeFragment['__typename']> = Extract<
  TimelineNodeFragment,
  { readonly __typename: Type }
>;

/** Entry of a timeline: an event, an email, or a note. */
export type TimelineEntry =
  | { readonly kind: 'event'; readonly at: string; readonly event: EventRowFragment }
  | { readonly kind: 'email'; readonly at: string; readonly email: Node<'EmailNotification'> }
  | { readonly kind: 'note'; readonly at: string; readonly note: Node<'CustomerNote'> };

/** Converts timeline query nodes to entries. */
export const entriesOf = (nodes: readonly TimelineNodeFragment[]): TimelineEntry[] =>
  nodes.map((node): TimelineEntry => {
    if (node.__typename === 'Event') return { kind: 'event', at: node.timestamp, event: node };
    if (node.__typename === 'EmailNotification') return { kind: 'email', at: node.createdAt, email: node };
    return { kind: 'note', at: node.createdAt, note: node };
  });

/** Converts events to timeline entries. */
export const eventEntries = (events: readonly EventRowFragment[]): TimelineEntry[] =>
  events.map((event) => ({ kind: 'event', at: event.timestamp, event }));

/** Event with its summary, source, object and payload. */
function EventEntry({ event }: { readonly event: EventRowFragment }) {
  const { timeline: words } = useCustomerWords();
  const terms = useTerms();
  const { subject } = event;
  const href = subject === null ? null : objectAddress(subject.__typename, subject.id);
  const source = [terms.source[event.source], event.actorName && words.by({ name: event.actorName })].filter(
    Boolean,
  );
  return (
    <Row justify="between" align="start" wrap={false} gap={4}>
      <Stack gap={1}>
        {href === null ? (
          <Text>{event.summary}</Text>
        ) : (
          <Link kind="text" href={href}>
            {event.summary}
          </Link>
        )}
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
        <Link kind="text" href={addressOf('emails', null, { open: email.id })}>
          {email.title ?? terms.emailKind[email.emailKind]}
        </Link>
        <Badge tone={email.emailStatus === 'failed' ? 'negative' : 'neutral'}>
          {terms.emailStatus[email.emailStatus]}
        </Badge>
      </Row>
      <Text size="sm" color="muted">
        <DateTime at={at} /> · {words.emailTo({ recipient: email.recipient })}
      </Text>
    </Stack>
  );
}

function NoteEntry({ entry: { note, at } }: { readonly entry: Extract<TimelineEntry, { kind: 'note' }> }) {
  const { timeline: words } = useCustomerWords();
  return (
    <Stack gap={1}>
      <Text as="p">{note.text}</Text>
      <Text size="sm" color="muted">
        <DateTime at={at} /> ·{' '}
        {[words.note, note.authorName && words.by({ name: note.authorName })].filter(Boolean).join(' ')}
      </Text>
    </Stack>
  );
}

function Entry({ entry }: { readonly entry: TimelineEntry }) {
  if (entry.kind === 'event') return <EventEntry event={entry.event} />;
  return entry.kind === 'email' ? <EmailEntry entry={entry} /> : <NoteEntry entry={entry} />;
}

const idOf = (entry: TimelineEntry): string => {
  if (entry.kind === 'event') return entry.event.id;
  return entry.kind === 'email' ? entry.email.id : entry.note.id;
};

type TimelineProps = {
  readonly entries: readonly TimelineEntry[];
  /** Heading level of the days. One below the level of the surrounding heading. */
  readonly level?: 2 | 3;
};

/** Timeline entries grouped by day, newest first. */
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
          <Fragment key={idOf(entry)}>
            {isFirst && (
              <Heading level={level} size="sm">
                {own}
              </Heading>
            )}
            <Entry entry={entry} />
          </Fragment>
        );
      })}
    </Stack>
  );
}
