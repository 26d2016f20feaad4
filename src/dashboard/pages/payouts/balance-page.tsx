import { useAddressSearch } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { Page } from '../../kit/page.tsx';
import { Select } from '../../kit/select.tsx';
import { Loading } from '../../kit/states.tsx';
import { PagesOf } from '../../parts/load-more.tsx';
import { useConnection } from '../../parts/subscription/subscription-lists.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { BalanceEntriesDocument } from './balance.graphql';
import { Balance } from './balance.tsx';
import { EntryTable } from './entry-table.tsx';
import { PayoutOverviewDocument } from './page.graphql';
import { PayoutTabs } from './tabs.tsx';

const kinds = [
  'released',
  'refunded',
  'payment_returned',
  'disputed',
  'dispute_won',
  'paid_out',
  'payout_returned',
] as const;

type Kind = (typeof kinds)[number];

type PartProps = {
  readonly kind: Kind | null;
  readonly after: string | null;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

function Entries({ kind, after, onConnection }: PartProps) {
  const { tabs } = useWords('payouts');
  const filter = kind === null ? null : { kinds: [kind] };
  const { data, error, refetch } = useData(BalanceEntriesDocument, { filter, after });
  useConnection(data?.balanceEntries, onConnection);
  useRefetchOnEvents({}, refetch);
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading />;
  return (
    <Card padding="none">
      <EntryTable label={tabs.balance} rows={data.balanceEntries.nodes} />
    </Card>
  );
}

/** Lists the transactions of the payout balance, newest first. */
export default function BalancePage() {
  const title = useWords('titles').balance;
  const { entries: words } = useWords('payouts');
  const { data } = useData(PayoutOverviewDocument, {});
  const [search, change] = useAddressSearch();
  const kind = kinds.find((name) => name === search['kind']) ?? null;
  return (
    <Page title={title}>
      <Stack gap={4}>
        <PayoutTabs selected="balance" />
        {data !== null && <Balance balance={data.payoutBalance} />}
        <Row>
          <Select
            label={words.filter}
            value={kind ?? ''}
            onChange={(value) => change({ kind: value === '' ? undefined : value })}
            options={[
              { value: '', label: words.everything },
              ...kinds.map((value) => ({ value, label: words.kinds[value] })),
            ]}
          />
        </Row>
        <PagesOf
          key={kind ?? ''}
          page={(after, hand) => <Entries kind={kind} after={after} onConnection={hand} />}
        />
      </Stack>
    </Page>
  );
}
