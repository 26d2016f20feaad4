import { addressOf, useAddressSearch, useParameter } from '../../address.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction, useData, useLive } from '../../data/hooks.ts';
import { Status } from '../../kit/badge.tsx';
import { Breadcrumbs } from '../../kit/breadcrumbs.tsx';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Copy } from '../../kit/copy.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Link } from '../../kit/link.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Page } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { DateTime } from '../../kit/values.tsx';
import { kinds } from '../../parts/events/event-kinds.ts';
import { eventName } from '../../parts/events/event-name.ts';
import { DataError } from '../../shell/data-error.tsx';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { DeliveriesDocument, DeliveryChangedDocument } from './deliveries.graphql';
import { DeliveryAnswer, DeliveryEvent, DeliveryStatus } from './delivery-status.tsx';
import { DeleteEndpoint, PauseEndpoint } from './endpoint-dialogs.tsx';
import { HealthCard } from './health.tsx';
import { EndpointPageDocument, type EndpointPageQuery, EndpointUpdateDocument } from './page.graphql';
import { useWebhookWords } from './webhook-words.ts';

const ResendMany = lazyPart(() => import('./resend-many.tsx').then((module) => module.ResendMany));
const RotateSecret = lazyPart(() => import('./rotate-secret.tsx').then((module) => module.RotateSecret));
const SendTest = lazyPart(() => import('./send-test.tsx').then((module) => module.SendTest));
const EndpointSheet = lazyPart(() => import('./endpoint-sheet.tsx').then((module) => module.EndpointSheet));
const DeliverySheet = lazyPart(() => import('./delivery-sheet.tsx').then((module) => module.DeliverySheet));

type Endpoint = EndpointPageQuery['webhook'];

/** Webhook endpoint page: health, event types, latest deliveries, and actions. */
export default function EndpointPage() {
  const id = useParameter('id');
  const title = useWords('titles').webhook;
  const words = useWebhookWords();
  const [search, change] = useAddressSearch();
  const { data, error, refetch } = useData(EndpointPageDocument, { id });
  const [update, { isRunning, error: rejection }] = useAction(EndpointUpdateDocument);
  const endpoint = data?.webhook ?? null;
  const open = (what: string) => change({ do: what }, { isNew: true });
  async function resume(): Promise<void> {
    const result = await update({ input: { id, isActive: true } });
    if (!(result instanceof ApiError)) notify(words.resumed);
  }
  return (
    <Page
      title={endpoint?.url ?? title}
      {...(endpoint !== null && {
        status: (
          <Status tone={endpoint.isActive ? 'positive' : 'neutral'}>
            {endpoint.isActive ? words.active : words.paused}
          </Status>
        ),
      })}
      breadcrumbs={<Breadcrumbs items={[{ label: words.endpoints, href: addressOf('webhooks') }]} />}
      actions={
        endpoint !== null && (
          <>
            <Menu
              items={[
                { id: 'edit', label: words.edit, onAction: () => open('edit') },
                { id: 'rotate', label: words.rotate, onAction: () => open('rotate') },
                ...(endpoint.isActive
                  ? [{ id: 'pause', label: words.pause, onAction: () => open('pause') }]
                  : []),
                {
                  id: 'delete',
                  label: words.remove,
                  tone: 'danger' as const,
                  onAction: () => open('delete'),
                },
              ]}
            />
            <Button onPress={() => open('resend')}>{words.resendMany}</Button>
            <Button kind="primary" onPress={() => open('test')}>
              {words.sendTest}
            </Button>
          </>
        )
      }
    >
      {error !== null && endpoint === null && <DataError error={error} onRetry={refetch} />}
      {endpoint === null && error === null && <Loading lines={8} />}
      {endpoint !== null && (
        <Stack gap={5}>
          {!endpoint.isActive && (
            <Callout
              tone="warning"
              actions={
                <Button size="sm" isPending={isRunning} onPress={() => void resume()}>
                  {words.resume}
                </Button>
              }
            >
              {words.pausedNotice}
            </Callout>
          )}
          <Rejection error={rejection} />
          <HealthCard health={endpoint.health} />
          <LatestDeliveries id={id} onChanged={refetch} />
          <About endpoint={endpoint} />
        </Stack>
      )}
      {endpoint !== null && (
        <Dialogs
          endpoint={endpoint}
          what={search['do']}
          onClose={() => change({ do: undefined })}
          onDone={refetch}
        />
      )}
    </Page>
  );
}

type DialogsProps = {
  readonly endpoint: Endpoint;
  readonly what: string | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

function Dialogs({ endpoint, what, onClose, onDone }: DialogsProps) {
  const { id } = endpoint;
  if (what === 'edit') return <EndpointSheet endpoint={endpoint} onClose={onClose} onDone={onDone} />;
  if (what === 'rotate') return <RotateSecret id={id} onClose={onClose} />;
  if (what === 'test') return <SendTest id={id} events={endpoint.events} onClose={onClose} />;
  if (what === 'resend') return <ResendMany id={id} onClose={onClose} onDone={onDone} />;
  if (what === 'pause') return <PauseEndpoint id={id} onClose={onClose} />;
  if (what === 'delete') return <DeleteEndpoint id={id} url={endpoint.url} onClose={onClose} />;
  return null;
}

function About({ endpoint }: { readonly endpoint: Endpoint }) {
  const words = useWebhookWords();
  const { id, description, events, apiVersion, createdAt } = endpoint;
  return (
    <Card title={words.endpoint}>
      <FactList
        items={[
          description !== null && { label: words.description, value: description },
          {
            label: words.kinds,
            value: events.length === kinds.length ? words.kindsAll : events.map(eventName).join(', '),
          },
          { label: words.version, value: apiVersion },
          { label: words.added, value: <DateTime at={createdAt} /> },
          { label: 'ID', value: <Copy value={id} /> },
        ]}
      />
    </Card>
  );
}

/** Number of deliveries that the page lists. */
const latestCount = 10;

function LatestDeliveries({ id, onChanged }: { readonly id: string; readonly onChanged: () => void }) {
  const words = useWebhookWords();
  const [search, change] = useAddressSearch();
  const { data, error, refetch } = useData(DeliveriesDocument, {
    first: latestCount,
    filter: { webhookIds: [id] },
  });
  useLive(DeliveryChangedDocument, { webhookId: id }, () => {
    refetch();
    onChanged();
  });
  const opened = search['open'];
  return (
    <Card
      title={words.latest}
      padding="none"
      actions={<Link href={addressOf('webhookDeliveries', null, { endpoint: id })}>{words.all}</Link>}
    >
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {data === null && error === null && <Loading lines={4} />}
      {data !== null && (
        <Table
          label={words.latest}
          rows={data.webhookDeliveries.nodes ?? []}
          rowKey={(row) => row.id}
          empty={words.listEmpty}
          columns={[
            {
              id: 'event',
              title: words.event,
              cell: (row) => (
                <Button size="sm" kind="quiet" onPress={() => change({ open: row.id }, { isNew: true })}>
                  <DeliveryEvent event={row.event} />
                </Button>
              ),
            },
            { id: 'status', title: words.status, cell: ({ status }) => <DeliveryStatus status={status} /> },
            {
              id: 'answer',
              title: words.answer,
              priority: 'secondary',
              cell: ({ responseStatus, error: reason, lastAttemptAt }) => (
                <DeliveryAnswer status={responseStatus} error={reason} isTried={lastAttemptAt !== null} />
              ),
            },
            {
              id: 'created',
              title: words.created,
              priority: 'secondary',
              cell: ({ createdAt }) => <DateTime at={createdAt} />,
            },
          ]}
        />
      )}
      {opened !== undefined && <DeliverySheet id={opened} onClose={() => change({ open: undefined })} />}
    </Card>
  );
}
