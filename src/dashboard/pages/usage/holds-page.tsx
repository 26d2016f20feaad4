import { useAddressSearch } from '../../address.ts';
import { Row, Stack } from '../../kit/layout.tsx';
import { Page, Section } from '../../kit/page.tsx';
import { Select } from '../../kit/select.tsx';
import { CustomerField } from '../../parts/customer-field.tsx';
import { HoldList, holdStatuses } from '../../parts/limits/hold-list.tsx';
import { useLimitWords } from '../../parts/limits/limit-words.ts';
import { useWords } from '../../words/words.ts';
import { UsageTabs } from './tabs.tsx';

/** Value of the option that removes a filter. */
const all = 'all';

/** Holds of all customers, with filters in the URL. Shows open holds by default. */
export default function UsageHoldsPage() {
  const title = useWords('titles').usageHolds;
  const { holds: words, customerFilter, allCustomers } = useLimitWords();
  const [search, change] = useAddressSearch();
  const customerId = search['customer'] ?? null;
  const status =
    search['status'] === all ? null : (holdStatuses.find((one) => one === search['status']) ?? 'open');
  return (
    <Page title={title} tabs={<UsageTabs selected="holds" />}>
      <Section title={words.title} description={words.text}>
        <Stack gap={4}>
          <Row gap={3} align="end">
            <CustomerField
              label={customerFilter}
              placeholder={allCustomers}
              initialId={customerId}
              onChange={(customer) => change({ customer: customer?.id })}
            />
            <Select
              label={words.status}
              options={[
                { value: all, label: words.all },
                ...holdStatuses.map((value) => ({ value, label: words.statuses[value] })),
              ]}
              value={status ?? all}
              onChange={(value) => change({ status: value === 'open' ? undefined : value })}
            />
          </Row>
          <HoldList key={customerId ?? all} customerId={customerId} status={status} />
        </Stack>
      </Section>
    </Page>
  );
}
