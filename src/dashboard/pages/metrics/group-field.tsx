import { useAddressSearch } from '../../address.ts';
import { Select } from '../../kit/select.tsx';
import { useWords } from '../../words/words.ts';

/** Returns the grouping dimension in the URL. Defaults to the first dimension. */
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

/** Field that selects a dimension for grouping a metric's series. */
export function GroupField<Dimension extends string>({
  dimensions,
  value,
  labels,
}: GroupFieldProps<Dimension>) {
  const words = useWords('metrics');
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
