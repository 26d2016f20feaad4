import { useEffect, useEffectEvent } from 'react';
import { useUnits } from '../parts/units.ts';
import type { Subject } from './command.ts';
import { NumberField, Select } from './lazy-fields.ts';
import { usePools } from './lots.tsx';
import { PoolAmountField } from './pool-amount.tsx';

type AssetFieldProps = {
  readonly subject: Subject;
  readonly labels: { readonly unit: string; readonly credits: string; readonly balance: string };
  /** `null` if the pools are still loading, or if the plan has no pool. */
  readonly value: string | null;
  /** Called with the first asset after the pools are loaded. */
  readonly fill: (values: { readonly asset: string }) => void;
  readonly onChange: (asset: string) => void;
};

/** Field that selects an asset of the subscription's pools. The first pool's asset is selected initially. Not shown if the subscription has only one pool. */
export function AssetField({ subject, labels, value, fill, onChange }: AssetFieldProps) {
  const assets = (usePools(subject) ?? []).map(({ asset }) => asset);
  const [first] = assets;
  const take = useEffectEvent((asset: string) => fill({ asset }));
  useEffect(() => {
    if (value === null && first !== undefined) take(first);
  }, [value, first]);
  const units = useUnits(assets);
  const names = { credits: labels.credits, [subject.subscription?.currency ?? 'usd']: labels.balance };
  if (assets.length < 2) return null;
  return (
    <Select
      name="asset"
      label={labels.unit}
      options={assets.map((asset) => ({
        value: asset,
        label: units.find(({ code }) => code === asset)?.name ?? names[asset] ?? asset,
      }))}
      value={value}
      onChange={onChange}
    />
  );
}

type AssetAmountProps = {
  readonly subject: Subject;
  readonly asset: string | null;
  readonly labels: { readonly amount: string; readonly credits: string };
  /** Name of the API field. Defaults to `amount`. */
  readonly name?: string;
  readonly error?: string | undefined;
  /** Amount in pool units. `null` if the field is empty. */
  readonly value: number | null;
  readonly onChange: (amount: number | null) => void;
};

/** Field for an amount of an asset: money, credits, or a custom unit with its decimals. */
export function AssetAmountField({
  subject,
  asset,
  labels,
  name = 'amount',
  error,
  value,
  onChange,
}: AssetAmountProps) {
  const unit = useUnits(asset === null ? [] : [asset]).find(({ code }) => code === asset);
  if (unit === undefined || asset === 'credits')
    return (
      <PoolAmountField
        subject={subject}
        name={name}
        error={error}
        labels={labels}
        minValue={1}
        isMoney={asset === subject.subscription?.currency}
        value={value}
        onChange={onChange}
      />
    );
  const scale = 10 ** unit.decimals;
  return (
    <NumberField
      name={name}
      error={error}
      label={labels.amount}
      after={unit.symbol ?? unit.name}
      minValue={0}
      formatOptions={{ maximumFractionDigits: unit.decimals }}
      value={value === null ? Number.NaN : value / scale}
      onChange={(amount) => onChange(Number.isNaN(amount) ? null : Math.round(amount * scale))}
    />
  );
}
