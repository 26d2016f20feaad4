import { durationText } from '../../../ui/format/durations.ts';
import { addressOf, useAddressSearch } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { Status } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Link } from '../../kit/link.tsx';
import { Page } from '../../kit/page.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Count } from '../../kit/values.tsx';
import { EmptyList } from '../../lists/empty-list.tsx';
import { kinds } from '../../parts/events/event-kinds.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { HealthBar } from './health.tsx';
import { EndpointsDocument, type EndpointsQuery } from './page.graphql';
import { WebhookTabs } from './tabs.tsx';
import { useWebhookWords } from './webhook-words.ts';

const EndpointSheet = lazyPart(() => import('./endpoint-sheet.tsx').then((module) => module.EndpointSheet));

/** Lists webhook endpoints with their health. */
export default function WebhooksPage() {
  const title = useWords('titles').webhooks;
  const words = useWebhookWords();
  const [search, change] = useAddressSearch();
  const { data, error, refetch } = useData(EndpointsDocument, {});
  const open = () => change({ new: 'yes' }, { isNew: true });
  const endpoints = data?.webhooks.nodes ?? [];
  return (
    <Page
      title={title}
      subtitle={words.about}
      tabs={<WebhookTabs selected="endpoints" />}
      actions={
        <Button kind="primary" onPress={open}>
          {words.create}
        </Button>
      }
    >
      {error !== null && data === null && <DataError error={error} onRetry={refetch} />}
      {data === null && error === null && <Loading lines={6} />}
      {data !== null && endpoints.length === 0 && (
        <EmptyList
          name="webhooks"
          title={words.empty}
          action={<Button onPress={open}>{words.create}</Button>}
        >
          {words.emptyAbout}
        </EmptyList>
      )}
      {endpoints.length > 0 && <EndpointTable endpoints={endpoints} />}
      {search['new'] !== undefined && (
        <EndpointSheet onClose={() => change({ new: undefined })} onDone={refetch} />
      )}
    </Page>
  );
}

type Endpoints = EndpointsQuery['webhooks']['nodes'];

function EndpointTable({ endpoints }: { readonly endpoints: Endpoints }) {
  const words = useWebhookWords();
  const { locale } = useKit();
  return (
    <Card padding="none">
      <Table
        label={words.endpoints}
        rows={endpoints}
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'url',
            title: words.url,
            cell: ({ id, url }) => <Link href={addressOf('webhook', { id })}>{url}</Link>,
          },
          {
            id: 'status',
            title: words.status,
            cell: ({ isActive }) => (
              <Status tone={isActive ? 'positive' : 'neutral'}>
                {isActive ? words.active : words.paused}
              </Status>
            ),
          },
          {
            id: 'kinds',
            title: words.kinds,
            priority: 'secondary',
            cell: ({ events }) =>
              events.length === kinds.length ? words.kindsAll : words.kindCount({ count: events.length }),
          },
          {
            id: 'health',
            title: words.health,
            priority: 'secondary',
            cell: ({ health }) => <HealthBar health={health} />,
          },
          {
            id: 'median',
            title: words.median,
            align: 'end',
            priority: 'secondary',
            cell: ({ health: { medianMs } }) => (medianMs === null ? '–' : durationText(medianMs, locale)),
          },
          {
            id: 'queued',
            title: words.queued,
            align: 'end',
            cell: ({ health }) => <Count value={health.queued} />,
          },
        ]}
      />
    </Card>
  );
}
