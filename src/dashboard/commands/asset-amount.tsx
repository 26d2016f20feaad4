import { useEffect, useEffectEvent } from 'react';
import { useKit } from '../kit/provider.tsx';
import { Text } from '../kit/text.tsx';
import { unitAmountText, useUnits } from '../parts/units.ts';
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
  /** Whether negative amounts are allowed. */
  readonly isSigned?: boolean;
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
  isSigned = false,
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
        {...(!isSigned && { minValue: 1 })}
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
      {...(!isSigned && { minValue: 0 })}
      formatOptions={{ maximumFractionDigits: unit.decimals }}
      value={value === null ? Number.NaN : value / scale}
      onChange={(amount) => onChange(Number.isNaN(amount) ? null : Math.round(amount * scale))}
    />
  );
}

type AssetResultProps = {
  readonly subject: Subject;
  readonly asset: string | null;
  /** Added amount. `null` if the field is empty. */
  readonly amount: number | null;
  readonly text: (values: { readonly before: string; readonly after: string }) => string;
};

/** Shows the amount of a pool before and after an amount is added. Shows nothing until the pools are loaded. */
export function AssetResult({ subject, asset, amount, text }: AssetResultProps) {
  const { locale } = useKit();
  const pool = usePools(subject)?.find((one) => one.asset === asset);
  const units = useUnits(pool === undefined ? [] : [pool.asset]);
  if (pool === undefined) return null;
  const before = pool.lots.reduce((sum, { remaining }) => sum + remaining, 0);
  const textOf = (value: number) => unitAmountText(pool.asset, value, units, locale);
  return <Text as="p">{text({ before: textOf(before), after: textOf(before + (amount ?? 0)) })}</Text>;
}
