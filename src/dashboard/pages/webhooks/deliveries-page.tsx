import { useMemo } from 'react';
import { useData, useLive } from '../../data/hooks.ts';
import type { GridColumn } from '../../kit/grid/grid.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import type { FilterField } from '../../kit/list/filters.ts';
import type { ListState } from '../../kit/list/list-address.ts';
import { Count, DateTime } from '../../kit/values.tsx';
import { choiceField } from '../../lists/fields.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { chosen, dateRange, filterBy } from '../../lists/range.ts';
import { kinds } from '../../parts/events/event-kinds.ts';
import {
  DeliveriesDocument,
  type DeliveriesQueryVariables,
  DeliveryChangedDocument,
  type DeliveryRowFragment,
} from './deliveries.graphql';
import { DeliveryAnswer, DeliveryEvent, DeliveryStatus, Took } from './delivery-status.tsx';
import { EndpointsDocument } from './page.graphql';
import { WebhookTabs } from './tabs.tsx';
import { useWebhookWords } from './webhook-words.ts';

const DeliverySheet = lazyPart(() => import('./delivery-sheet.tsx').then((module) => module.DeliverySheet));

const statuses = ['succeeded', 'failed', 'pending', 'canceled'] as const;
const kindValues = kinds.map(({ value }) => value);

type Filter = NonNullable<DeliveriesQueryVariables['filter']>;

const viewFilters: Readonly<Record<string, Filter>> = {
  failed: { statuses: ['failed'] },
  waiting: { statuses: ['pending'] },
};

function variablesOf(view: string, state: ListState, now: Date): Pick<DeliveriesQueryVariables, 'filter'> {
  const [status, event, endpoint, created] = ['status', 'event', 'endpoint', 'created'].map((field) =>
    filterBy(state, field),
  );
  return {
    filter: {
      ...viewFilters[view],
      ...(status && { statuses: chosen(status, statuses) }),
      ...(event && { events: chosen(event, kindValues) }),
      ...(endpoint && { webhookIds: [...endpoint.values] }),
      ...(created && { createdAt: dateRange(created, now) }),
    },
  };
}

/** Lists webhook deliveries. Updates live. */
export default function DeliveriesPage() {
  const words = useWebhookWords();
  useLive(DeliveryChangedDocument, { webhookId: null });
  const texts = {
    title: words.listTitle,
    empty: words.listEmpty,
    emptyFiltered: words.listFiltered,
    failed: words.listFailed,
  };
  return (
    <ListPage
      name="webhookDeliveries"
      words={texts}
      document={DeliveriesDocument}
      columns={useColumns()}
      fields={useFields()}
      variablesOf={variablesOf}
      views={words.views}
      rowKey={({ id }) => id}
      opensSheet
      sheet={({ opened, close }) => <DeliverySheet id={opened} onClose={close} />}
      tabs={<WebhookTabs selected="deliveries" />}
    />
  );
}

function useColumns(): readonly GridColumn<DeliveryRowFragment>[] {
  const words = useWebhookWords();
  return useMemo(
    () => [
      {
        id: 'event',
        title: words.event,
        width: 220,
        grow: 1,
        isRequired: true,
        phone: 'title',
        cell: ({ event }) => <DeliveryEvent event={event} />,
      },
      {
        id: 'status',
        title: words.status,
        width: 130,
        phone: 'line',
        cell: ({ status }) => <DeliveryStatus status={status} />,
      },
      { id: 'endpoint', title: words.endpoint, width: 220, grow: 1, cell: ({ webhook }) => webhook.url },
      {
        id: 'answer',
        title: words.answer,
        width: 130,
        phone: 'end',
        cell: ({ responseStatus, error, lastAttemptAt }) => (
          <DeliveryAnswer status={responseStatus} error={error} isTried={lastAttemptAt !== null} />
        ),
      },
      {
        id: 'attempts',
        title: words.attempts,
        width: 100,
        align: 'end',
        cell: ({ attempts }) => <Count value={attempts} />,
      },
      {
        id: 'took',
        title: words.duration,
        width: 100,
        align: 'end',
        cell: ({ durationMs }) => <Took durationMs={durationMs} />,
      },
      {
        id: 'created',
        title: words.created,
        width: 200,
        phone: 'line',
        cell: ({ createdAt }) => <DateTime at={createdAt} />,
      },
    ],
    [words],
  );
}

function useFields(): readonly FilterField[] {
  const words = useWebhookWords();
  const { data } = useData(EndpointsDocument, {});
  return useMemo(
    () => [
      choiceField('status', words.status, statuses, words.statuses),
      {
        id: 'event',
        label: words.event,
        kind: 'choice',
        options: kinds.map(({ value, name }) => ({ value, label: name })),
      },
      {
        id: 'endpoint',
        label: words.endpoint,
        kind: 'choice',
        isSingle: true,
        isLoaded: true,
        options: (data?.webhooks.nodes ?? []).map(({ id, url }) => ({ value: id, label: url })),
      },
      { id: 'created', label: words.created, kind: 'date' },
    ],
    [words, data],
  );
}
