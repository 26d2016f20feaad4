import { useAddressSearch } from '../../address.ts';
import { Select } from '../../kit/select.tsx';
import type { metrics } from '../../words/en/metrics.ts';
import { useWords } from '../../words/words.ts';

/** What the address groups a series by; the first of what it can be grouped by unless it says so. */
export function useGroup<Dimension extends string>(
  dimensions: readonly [Dimension, ...Dimension[]],
): Dimension {
  const [search] = useAddressSearch();
  return dimensions.find((one) => one === search['by']) ?? dimensions[0];
}

type GroupFieldProps<Dimension extends string> = {
  readonly dimensions: readonly Dimension[];
  readonly value: Dimension;
  readonly labels: Readonly<Record<Dimension, string>>;
};

/** Chooses what a series is grouped by. */
export function GroupField<Dimension extends string>({
  dimensions,
  value,
  labels,
}: GroupFieldProps<Dimension>) {
  const words = useWords<typeof metrics>('metrics');
  const [, change] = useAddressSearch();
  return (
    <Select
      label={words.groupBy}
      value={value}
      options={dimensions.map((one) => ({ value: one, label: labels[one] }))}
      onChange={(chosen) => change({ by: chosen })}
    />
  );
}
