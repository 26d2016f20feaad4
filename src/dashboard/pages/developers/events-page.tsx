import { useMemo } from 'react';
import type { GridColumn } from '../../kit/grid/grid.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import type { FilterField } from '../../kit/list/filters.ts';
import type { ListState } from '../../kit/list/list-address.ts';
import { Text } from '../../kit/text.tsx';
import { Count, DateTime } from '../../kit/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { chosen, dateRange, filterBy, searchOf } from '../../lists/range.ts';
import { kinds } from '../../parts/events/event-kinds.ts';
import { eventName } from '../../parts/events/event-name.ts';
import { useWords } from '../../words/words.ts';
import { useDeveloperWords } from './developer-words.ts';
import { EventListDocument, type EventListQueryVariables, type EventListRowFragment } from './events.graphql';

const EventSheet = lazyPart(() => import('./event-sheet.tsx').then((module) => module.EventSheet));

const kindValues = kinds.map(({ value }) => value);

function variablesOf(
  _view: string,
  state: ListState,
  now: Date,
): Pick<EventListQueryVariables, 'filter' | 'search'> {
  const [event, time] = ['event', 'time'].map((field) => filterBy(state, field));
  const search = searchOf(state);
  return {
    filter: {
      ...(event && { types: chosen(event, kindValues) }),
      ...(time && { occurredAt: dateRange(time, now) }),
    },
    ...(search !== undefined && { search }),
  };
}

/** Lists the events of the environment, newest first. */
export default function EventsPage() {
  const title = useWords('titles').events;
  const words = useDeveloperWords();
  const texts = {
    title,
    search: words.eventsSearch,
    subtitle: words.eventsAbout,
    empty: words.eventsEmpty,
    emptyFiltered: words.eventsFiltered,
    failed: words.failed,
  };
  return (
    <ListPage
      name="events"
      words={texts}
      document={EventListDocument}
      columns={useColumns()}
      fields={useFields()}
      variablesOf={variablesOf}
      rowKey={({ id }) => id}
      opensSheet
      sheet={({ opened, close }) => <EventSheet id={opened} onClose={close} />}
    />
  );
}

function useColumns(): readonly GridColumn<EventListRowFragment>[] {
  const words = useDeveloperWords();
  const sources = useWords('terms').source;
  return useMemo(
    () => [
      {
        id: 'time',
        title: words.time,
        width: 200,
        isRequired: true,
        phone: 'line',
        cell: ({ timestamp }) => <DateTime at={timestamp} />,
      },
      {
        id: 'event',
        title: words.event,
        width: 250,
        phone: 'line',
        cell: ({ event }) => (
          <Text size="sm" code>
            {eventName(event)}
          </Text>
        ),
      },
      {
        id: 'summary',
        title: words.summary,
        width: 320,
        grow: 2,
        phone: 'title',
        cell: ({ summary }) => summary,
      },
      {
        id: 'source',
        title: words.source,
        width: 140,
        cell: ({ source, actorName }) => actorName ?? sources[source],
      },
      {
        id: 'position',
        title: words.position,
        width: 100,
        align: 'end',
        isShown: false,
        cell: ({ position }) => <Count value={position} />,
      },
    ],
    [words, sources],
  );
}

function useFields(): readonly FilterField[] {
  const words = useDeveloperWords();
  return useMemo(
    () => [
      {
        id: 'event',
        label: words.event,
        kind: 'choice',
        options: kinds.map(({ value, name }) => ({ value, label: name })),
      },
      { id: 'time', label: words.time, kind: 'date' },
    ],
    [words],
  );
}
