import { useState } from 'react';
import { numberText, percentText } from '../../../ui/format/numbers.ts';
import { useData } from '../../data/hooks.ts';
import { Callout } from '../../kit/callout.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Section } from '../../kit/page.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { CustomerMeterDocument, CustomerUsageTotalsDocument } from './tabs.graphql';

const mostDecimals = 9;
const all = '';

type ByDimensionProps = { readonly id: string; readonly featureCode: string; readonly name: string };

/** Table of a customer's usage in the current usage window by the values of dimensions. Shows nothing if the meter has no dimensions. */
export function UsageByDimension({ featureCode, ...props }: ByDimensionProps) {
  const { data } = useData(CustomerMeterDocument, { code: featureCode });
  const properties = data?.feature.meter?.dimensions?.map(({ property }) => property) ?? [];
  if (properties.length === 0) return null;
  return <Totals key={featureCode} {...props} featureCode={featureCode} properties={properties} />;
}

function Totals({
  id,
  featureCode,
  name,
  properties,
}: ByDimensionProps & { readonly properties: readonly string[] }) {
  const { usage: words } = useCustomerWords();
  const { locale } = useKit();
  const [chosen, choose] = useState(all);
  const groupBy = chosen === all ? properties : [chosen];
  const { data, error } = useData(CustomerUsageTotalsDocument, { customerId: id, featureCode, groupBy });
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading lines={4} />;
  const rows = data.usageTotals.map(({ values, total, quantity }) => ({
    values: values as Readonly<Record<string, string>>,
    quantity: Number(quantity ?? total),
  }));
  const sum = rows.reduce((whole, { quantity }) => whole + quantity, 0);
  const title = words.byDimension({ feature: name });
  return (
    <Section title={title}>
      <Stack gap={3}>
        {properties.length > 1 && (
          <Select
            label={words.dimension}
            value={chosen}
            onChange={choose}
            options={[
              { value: all, label: words.allDimensions },
              ...properties.map((property) => ({ value: property, label: property })),
            ]}
          />
        )}
        <Table
          label={title}
          rows={rows}
          rowKey={({ values }) => groupBy.map((property) => values[property]).join('\n')}
          empty={words.noneInWindow}
          columns={[
            ...groupBy.map((property) => ({
              id: property,
              title: property,
              cell: ({ values }: (typeof rows)[number]) => values[property] || words.noValue,
            })),
            {
              id: 'quantity',
              title: words.quantity,
              align: 'end',
              cell: ({ quantity }) => numberText(quantity, locale, mostDecimals),
            },
            {
              id: 'share',
              title: words.share,
              align: 'end',
              priority: 'secondary',
              cell: ({ quantity }) => (sum === 0 ? '–' : percentText(quantity / sum, locale)),
            },
          ]}
        />
      </Stack>
    </Section>
  );
}
