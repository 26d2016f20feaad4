import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { Copy } from '../../kit/copy.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Json } from '../../kit/json.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Section } from '../../kit/page.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { Count, DateTime } from '../../kit/values.tsx';
import { eventName } from '../../parts/events/event-name.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { useDeveloperWords } from './developer-words.ts';
import { EventDetailsDocument, type EventDetailsQuery } from './events.graphql';

type Details = Extract<NonNullable<EventDetailsQuery['node']>, { readonly summary: string }>;

const eventOf = (node: EventDetailsQuery['node']): Details | null =>
  node !== null && 'summary' in node ? (node as Details) : null;

/** Sheet with an event and the payload that webhook endpoints receive. */
export function EventSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const words = useDeveloperWords();
  const { data, error, refetch } = useData(EventDetailsDocument, { id });
  const event = data === null ? null : eventOf(data.node);
  return (
    <Sheet isOpen onClose={onClose} size="lg" title={event === null ? words.event : eventName(event.event)}>
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {event === null && error === null && <Loading lines={8} />}
      {event !== null && <Shown event={event} />}
    </Sheet>
  );
}

function Shown({ event }: { readonly event: Details }) {
  const words = useDeveloperWords();
  const sources = useWords('terms').source;
  const { customer, subscription, requestId } = event;
  return (
    <Stack gap={5}>
      <Text>{event.summary}</Text>
      <FactList
        items={[
          { label: words.time, value: <DateTime at={event.timestamp} /> },
          customer !== null && {
            label: words.customer,
            value: (
              <Link href={addressOf('customer', { id: customer.id })}>
                {customer.fullName || customer.email}
              </Link>
            ),
          },
          subscription !== null && {
            label: words.subscription,
            value: <Link href={addressOf('subscription', { id: subscription.id })}>{subscription.name}</Link>,
          },
          { label: words.source, value: sources[event.source] },
          event.actorName !== null && { label: words.by, value: event.actorName },
          requestId !== null && { label: words.request, value: <Copy value={requestId} /> },
          { label: words.position, value: <Count value={event.position} /> },
          { label: words.version, value: event.apiVersion },
          { label: 'ID', value: <Copy value={event.id} /> },
        ]}
      />
      <Section title={words.payload}>
        <Json label={words.payload} value={event.data} />
      </Section>
    </Stack>
  );
}
