import { useCommandAddress } from '../../commands/actions.tsx';
import { useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { Count, DateTime } from '../../kit/values.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { CustomerCountsDocument, type CustomerCountsQuery } from './tabs.graphql';

type Seats = CustomerCountsQuery['customer']['seats'][number];
type Quota = CustomerCountsQuery['customer']['quotas'][number];
type Change = Seats['events']['nodes'][number];

/** Lists the latest changes to a number of seats or a quota count. */
function History({ changes }: { readonly changes: readonly Change[] }) {
  const { counts: words } = useCustomerWords();
  return (
    <Table
      label={words.history}
      rows={changes}
      rowKey={({ id }) => id}
      empty={words.noHistory}
      columns={[
        { id: 'time', title: words.time, cell: ({ ts }) => <DateTime at={ts} /> },
        {
          id: 'before',
          title: words.before,
          align: 'end',
          cell: ({ previousBalance }) => <Count value={previousBalance} />,
        },
        {
          id: 'after',
          title: words.after,
          align: 'end',
          cell: ({ newBalance }) => <Count value={newBalance} />,
        },
      ]}
    />
  );
}

function SeatsCard({ seats }: { readonly seats: Seats }) {
  const { counts: words } = useCustomerWords();
  const { open } = useCommandAddress();
  return (
    <Card
      title={`${words.seats}: ${seats.feature.name}`}
      actions={
        <Button size="sm" onPress={() => open('seatsSet', seats.featureCode)}>
          {words.change}
        </Button>
      }
    >
      <Stack gap={4}>
        <FactList items={[{ label: words.current, value: <Count value={seats.current} /> }]} />
        {seats.pendingRemovals > 0 && (
          <Callout tone="info">{words.pending({ count: seats.pendingRemovals })}</Callout>
        )}
        <History changes={seats.events.nodes} />
      </Stack>
    </Card>
  );
}

function QuotaCard({ quota }: { readonly quota: Quota }) {
  const { counts: words } = useCustomerWords();
  const { open } = useCommandAddress();
  return (
    <Card
      title={`${words.quotas}: ${quota.feature.name}`}
      actions={
        <Button size="sm" onPress={() => open('quotaSet', quota.featureCode)}>
          {words.change}
        </Button>
      }
    >
      <Stack gap={4}>
        <FactList
          look="grid"
          items={[
            { label: words.current, value: <Count value={quota.current} /> },
            {
              label: words.included,
              value: quota.unlimited ? words.unlimited : <Count value={quota.included} />,
            },
          ]}
        />
        <History changes={quota.events.nodes} />
      </Stack>
    </Card>
  );
}

/** Shows a customer's seats and quotas with their changes. */
export function CountsTab({ id }: { readonly id: string }) {
  const { counts: words } = useCustomerWords();
  const { data, error } = useData(CustomerCountsDocument, { id });
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading />;
  const { seats, quotas } = data.customer;
  if (seats.length + quotas.length === 0) return <Text color="muted">{words.none}</Text>;
  return (
    <Stack gap={5}>
      {seats.map((each) => (
        <SeatsCard key={each.featureCode} seats={each} />
      ))}
      {quotas.map((each) => (
        <QuotaCard key={each.featureCode} quota={each} />
      ))}
    </Stack>
  );
}
