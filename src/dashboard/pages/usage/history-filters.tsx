import type { Search } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { Row } from '../../kit/layout.tsx';
import { Select } from '../../kit/select.tsx';
import { CustomerField } from '../../parts/customer-field.tsx';
import { limitTitle, useLimitWords } from '../../parts/limits/limit-words.ts';
import { UsageCustomerLimitsDocument, UsageTemplatesDocument } from './limits.graphql';

/** Filters of the history. `null` stands for all values. */
export type Filters = {
  readonly customerId: string | null;
  readonly limitId: string | null;
  readonly cause: 'amount' | 'rejected' | null;
};

/** Value of the option that removes a filter. */
const all = 'all';

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

type HistoryFiltersProps = { readonly filters: Filters; readonly onChange: (change: Search) => void };

/** Fields that filter the history by customer, limit, and cause. */
export function HistoryFilters({ filters, onChange }: HistoryFiltersProps) {
  const words = useLimitWords();
  return (
    <Row gap={3} align="end">
      <CustomerField
        label={words.customerFilter}
        placeholder={words.allCustomers}
        initialId={filters.customerId}
        onChange={(customer) => onChange({ customer: customer?.id })}
      />
      <LimitFilter id={filters.limitId} onChange={(limit) => onChange({ limit: limit ?? undefined })} />
      <Select
        label={words.causeFilter}
        options={[
          { value: all, label: words.allCauses },
          ...(['rejected', 'amount'] as const).map((value) => ({ value, label: words.causes[value] })),
        ]}
        value={filters.cause ?? all}
        onChange={(value) => onChange({ cause: value === all ? undefined : value })}
      />
    </Row>
  );
}
