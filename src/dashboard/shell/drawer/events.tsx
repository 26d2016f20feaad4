import { useState } from 'react';
import type { LiveEvent } from '../../data/event-bus.ts';
import { useData } from '../../data/hooks.ts';
import { useEvents } from '../../data/use-events.ts';
import { EmptyState } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { useWords } from '../../words/words.ts';
import { DrawerEventsDocument } from './about.graphql';
import { EventData } from './event-data.tsx';
import { hasEvents, type PageObject } from './page-object.ts';

const maxEvents = 50;

type Shown = Pick<LiveEvent, 'id' | 'event' | 'timestamp' | 'summary'>;

/** Lists live events, newest first: the events of the page's object, or new events of the environment. */
export function Events({ object }: { readonly object: PageObject | null }) {
  const words = useWords('drawer');
  const [arrived, setArrived] = useState<readonly Shown[]>([]);
  useEvents(object === null ? {} : { objectId: object.id }, (event) =>
    setArrived((before) => [event, ...before].slice(0, maxEvents)),
  );
  const { data } = useData(
    DrawerEventsDocument,
    { id: object?.id ?? '' },
    { isPaused: object === null || !hasEvents(object) },
  );
  const node = data?.node;
  const past: readonly Shown[] = node && 'events' in node ? node.events.nodes : [];
  const known = new Set(past.map(({ id }) => id));
  const events = [...arrived.filter(({ id }) => !known.has(id)), ...past];
  return (
    <Table
      label={words.events}
      rows={events}
      rowKey={({ id }) => id}
      columns={[
        { id: 'at', title: words.at, cell: ({ timestamp }) => <DateTime at={timestamp} /> },
        { id: 'kind', title: words.kind, cell: ({ event }) => <Text code>{event}</Text> },
        { id: 'what', title: words.what, cell: ({ summary }) => summary },
        {
          id: 'data',
          title: words.payload,
          cell: ({ id }) => <EventData id={id} />,
        },
      ]}
      empty={<EmptyState title={words.noEvents}>{words.noEventsText}</EmptyState>}
    />
  );
}
