import { addressOf } from '../../address.ts';
import { type Data, useData } from '../../data/hooks.ts';
import { base } from '../../data/place.ts';
import { useHasRole } from '../../data/viewer.ts';
import { Badge } from '../../kit/badge.tsx';
import { LinkButton } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Card, Columns, Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Page } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { Timeline } from '../../kit/timeline.tsx';
import { Count, DateTime } from '../../kit/values.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import {
  DeveloperAdminOverviewDocument,
  DeveloperOverviewDocument,
  type DeveloperOverviewQuery,
} from './overview.graphql';

const useOverviewWords = () => useWords('overview');

/** Overview for developers: API URLs, API keys, webhook endpoints, and events. */
export default function DevelopersPage() {
  const title = useWords('titles').developers;
  const words = useOverviewWords();
  const isAdmin = useHasRole('admin');
  const overviewData = useData(DeveloperOverviewDocument, {});
  return (
    <Page
      title={title}
      subtitle={words.about}
      actions={
        <LinkButton kind="primary" href={addressOf('explorer')}>
          {words.openExplorer}
        </LinkButton>
      }
    >
      <Columns count={2}>
        <Stack gap={5}>
          <Addresses version={overviewData.data?.organization.pinnedVersion ?? null} />
          {isAdmin && <AdminCards />}
        </Stack>
        <Stack gap={5}>
          <LatestEvents overview={overviewData} />
        </Stack>
      </Columns>
    </Page>
  );
}

function Addresses({ version }: { readonly version: string | null }) {
  const words = useOverviewWords();
  const origin = `${location.origin}${base}`;
  return (
    <Card title={words.addresses}>
      <Stack gap={4}>
        <FactList
          look="stacked"
          items={[
            { label: 'GraphQL', value: <Copy value={`${origin}/graphql`} /> },
            { label: words.live, value: <Copy value={`${origin.replace('http', 'ws')}/graphql`} /> },
            { label: 'REST', value: <Copy value={`${origin}/api/v1`} /> },
            { label: words.version, value: version ?? words.currentVersion },
          ]}
        />
        <Row gap={4}>
          <Link href={`${origin}/docs/reference`} target="_blank">
            {words.graphqlDocs}
          </Link>
          <Link href={`${origin}/docs`} target="_blank">
            {words.restDocs}
          </Link>
          <Link href={`${origin}/graphql/schema.graphql`} target="_blank">
            {words.schema}
          </Link>
        </Row>
      </Stack>
    </Card>
  );
}

/** Cards for API keys and webhook endpoints, which only admins can see. */
function AdminCards() {
  const words = useOverviewWords();
  const { data, error, refetch } = useData(DeveloperAdminOverviewDocument, {});
  if (error !== null && data === null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading lines={6} />;
  return (
    <>
      <Card title={<Link href={addressOf('webhooks')}>{words.endpoints}</Link>} padding="none">
        <Table
          label={words.endpoints}
          rows={data.webhooks.nodes}
          rowKey={({ id }) => id}
          columns={[
            {
              id: 'url',
              title: words.address,
              cell: ({ id, url }) => <Link href={addressOf('webhook', { id })}>{url}</Link>,
            },
            {
              id: 'delivered',
              title: words.delivered,
              align: 'end',
              cell: ({ health }) => <Count value={health.delivered} />,
            },
            {
              id: 'failed',
              title: words.failed,
              align: 'end',
              cell: ({ health }) =>
                health.failed === 0 ? (
                  <Count value={0} />
                ) : (
                  <Badge tone="negative">
                    <Count value={health.failed} />
                  </Badge>
                ),
            },
            {
              id: 'queued',
              title: words.queued,
              align: 'end',
              cell: ({ health }) => <Count value={health.queued} />,
            },
          ]}
          empty={<Text color="muted">{words.noEndpoints}</Text>}
        />
      </Card>
      <Card title={<Link href={addressOf('apiKeys')}>{words.keys}</Link>} padding="none">
        <Table
          label={words.keys}
          rows={data.apiKeys.nodes}
          rowKey={({ id }) => id}
          columns={[
            { id: 'name', title: words.name, cell: ({ name }) => name },
            {
              id: 'used',
              title: words.lastUsed,
              cell: ({ lastUsedAt }) =>
                lastUsedAt === null ? words.neverUsed : <DateTime at={lastUsedAt} />,
            },
          ]}
          empty={<Text color="muted">{words.noKeys}</Text>}
        />
      </Card>
    </>
  );
}

function LatestEvents({
  overview: { data, error, refetch },
}: {
  readonly overview: Data<DeveloperOverviewQuery>;
}) {
  const words = useOverviewWords();
  return (
    <Card title={<Link href={addressOf('events')}>{words.events}</Link>}>
      {error !== null && data === null && <DataError error={error} onRetry={refetch} />}
      {data === null && error === null && <Loading lines={4} />}
      {data?.events.nodes.length === 0 && <Text color="muted">{words.noEvents}</Text>}
      <Timeline
        items={(data?.events.nodes ?? []).map(({ id, event, summary, timestamp }) => ({
          id,
          at: timestamp,
          title: (
            <Link kind="text" href={addressOf('events', null, { open: id })}>
              {summary}
            </Link>
          ),
          actor: event,
        }))}
      />
    </Card>
  );
}
