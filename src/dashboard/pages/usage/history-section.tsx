import { useState } from 'react';
import { addressOf, useAddressSearch } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Section } from '../../kit/page.tsx';
import { ComboBox, Select } from '../../kit/select.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { unitOf, useLimitAmount } from '../../parts/limits/amounts.ts';
import { limitTitle, useLimitWords } from '../../parts/limits/limit-words.ts';
import { PagesOf } from '../../parts/load-more.tsx';
import { useConnection } from '../../parts/subscription/subscription-lists.tsx';
import { LimitDecimal } from './limit-amount.tsx';
import {
  UsageCustomerLimitsDocument,
  UsageLimitCustomerDocument,
  UsageLimitCustomersDocument,
  UsageLimitHistoryDocument,
  type UsageLimitHistoryQuery,
  UsageTemplatesDocument,
} from './limits.graphql';

/** Event types that add rows to the history. */
const liveKinds = ['limit_'] as const;

/** Value of the option that removes a filter. */
const all = 'all';

type Crossing = UsageLimitHistoryQuery['limitCrossings']['nodes'][number];

/** What happened: a threshold or the amount was reached, or usage was rejected. */
function What({ crossing: { kind, cause, threshold, limit } }: { readonly crossing: Crossing }) {
  const { crossings: words } = useLimitWords();
  const amount = useLimitAmount({ measure: limit.measure, unit: unitOf(limit) })(threshold);
  if (kind === 'threshold') return <Badge>{words.threshold({ amount })}</Badge>;
  return cause === 'rejected' ? (
    <Badge tone="negative">{words.rejected({ amount })}</Badge>
  ) : (
    <Badge tone="warning">{words.amount({ amount })}</Badge>
  );
}

type Filters = {
  readonly customerId: string | null;
  readonly limitId: string | null;
  readonly cause: 'amount' | 'rejected' | null;
};

type PageProps = Filters & {
  readonly after: string | null;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

function HistoryPage({ onConnection, ...variables }: PageProps) {
  const words = useLimitWords();
  const { data, error, refetch } = useData(UsageLimitHistoryDocument, { first: 50, ...variables });
  useConnection(data?.limitCrossings, onConnection);
  useRefetchOnEvents({ kinds: liveKinds }, refetch);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading />;
  return (
    <Table
      label={words.history}
      rows={data.limitCrossings.nodes}
      rowKey={({ id }) => id}
      empty={words.noHistory}
      columns={[
        {
          id: 'customer',
          title: words.customer,
          cell: ({ customer, budget }) => (
            <Stack gap={0}>
              <Link
                href={addressOf(
                  'customer',
                  { id: customer.id },
                  { tab: 'limits', budget: budget ?? undefined },
                )}
              >
                {customer.fullName || customer.email}
              </Link>
              {budget !== null && (
                <Text size="sm" code>
                  {budget}
                </Text>
              )}
            </Stack>
          ),
        },
        { id: 'what', title: words.crossing, cell: (crossing) => <What crossing={crossing} /> },
        { id: 'limit', title: words.limit, cell: ({ limit }) => limitTitle(words, limit) },
        {
          id: 'value',
          title: words.valueThen,
          align: 'end',
          cell: ({ limit, value }) => <LimitDecimal limit={limit} decimal={value} />,
        },
        { id: 'time', title: words.time, cell: ({ createdAt }) => <DateTime at={createdAt} /> },
        {
          id: 'window',
          title: words.windowEnds,
          priority: 'secondary',
          cell: ({ windowEnd }) => (windowEnd === null ? '–' : <DateTime at={windowEnd} />),
        },
      ]}
    />
  );
}

/** Filter for a customer, found by typing. */
function CustomerFilter({
  id,
  onChange,
}: {
  readonly id: string | null;
  readonly onChange: (id: string | null) => void;
}) {
  const words = useLimitWords();
  const [text, setText] = useState('');
  const search = text.trim().length >= 2 ? text.trim() : null;
  const { data, isLoading } = useData(UsageLimitCustomersDocument, { search }, { isPaused: id !== null });
  const { data: chosen } = useData(UsageLimitCustomerDocument, { id: id ?? '' }, { isPaused: id === null });
  if (id !== null)
    return (
      <Button onPress={() => onChange(null)}>
        {`${chosen?.customer.fullName || chosen?.customer.email || id} · ${words.clearCustomer}`}
      </Button>
    );
  return (
    <ComboBox
      label={words.customerFilter}
      placeholder={words.allCustomers}
      isLoading={isLoading}
      inputValue={text}
      onInputChange={setText}
      defaultFilter={() => true}
      options={(data?.customers.nodes ?? []).map(({ id: value, fullName, email }) => ({
        value,
        label: fullName || email,
        help: email,
      }))}
      onChange={onChange}
    />
  );
}

/** Filter for a template or a limit of a customer. */
function LimitFilter({
  id,
  onChange,
}: {
  readonly id: string | null;
  readonly onChange: (id: string | null) => void;
}) {
  const words = useLimitWords();
  const templates = useData(UsageTemplatesDocument, { first: 50 }).data?.limits.nodes ?? [];
  const own = useData(UsageCustomerLimitsDocument, { first: 50 }).data?.limits.nodes ?? [];
  return (
    <Select
      label={words.limitFilter}
      options={[
        { value: all, label: words.allLimits },
        ...templates.map((limit) => ({ value: limit.id, label: limitTitle(words, limit) })),
        ...own.map(({ customer, ...limit }) => ({
          value: limit.id,
          label: limitTitle(words, limit),
          help: customer === null ? undefined : customer.fullName || customer.email,
        })),
      ]}
      value={id ?? all}
      onChange={(value) => onChange(value === all ? null : value)}
    />
  );
}

/** History of crossings and rejections, with filters in the URL. */
export function HistorySection() {
  const words = useLimitWords();
  const [search, change] = useAddressSearch();
  const cause = search['cause'] === 'rejected' || search['cause'] === 'amount' ? search['cause'] : null;
  const filters: Filters = {
    customerId: search['customer'] ?? null,
    limitId: search['limit'] ?? null,
    cause,
  };
  return (
    <Section title={words.history} description={words.historyText}>
      <Stack gap={4}>
        <Row gap={3} align="end">
          <CustomerFilter
            id={filters.customerId}
            onChange={(customer) => change({ customer: customer ?? undefined })}
          />
          <LimitFilter id={filters.limitId} onChange={(limit) => change({ limit: limit ?? undefined })} />
          <Select
            label={words.causeFilter}
            options={[
              { value: all, label: words.allCauses },
              ...(['rejected', 'amount'] as const).map((value) => ({ value, label: words.causes[value] })),
            ]}
            value={cause ?? all}
            onChange={(value) => change({ cause: value === all ? undefined : value })}
          />
        </Row>
        <PagesOf
          key={JSON.stringify(filters)}
          page={(after, hand) => <HistoryPage {...filters} after={after} onConnection={hand} />}
        />
      </Stack>
    </Section>
  );
}
