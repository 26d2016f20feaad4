import { useData } from '../../../data/hooks.ts';
import { NumberField } from '../../../kit/number-field.tsx';
import { Select } from '../../../kit/select.tsx';
import { CustomUnitsDocument } from '../../../parts/units.graphql';
import { useWords } from '../../../words/words.ts';

type Amount = {
  /** Code of the unit that the pack sells. */
  readonly asset: string;
  /** Amount in the smallest amount of the unit. */
  readonly credits: number;
};

type PackAmountProps = {
  readonly values: Amount;
  /** True if the pack is new. The unit of an existing pack can't be changed. */
  readonly isNew: boolean;
  readonly change: (part: Partial<Amount>) => void;
};

/** Fields for the unit of a pack, and for its amount with the unit's decimals. */
export function PackAmount({ values: { asset, credits }, isNew, change }: PackAmountProps) {
  const words = useWords('packs');
  const units = useData(CustomUnitsDocument, {}).data?.assets ?? [];
  const offered = units.filter(({ code, archivedAt }) => archivedAt === null || code === asset);
  const unit = units.find(({ code }) => code === asset);
  const scaleOf = (code: string) => 10 ** (units.find((one) => one.code === code)?.decimals ?? 0);
  const scale = scaleOf(asset);
  return (
    <>
      {isNew && offered.length > 1 && (
        <Select
          name="asset"
          label={words.unit}
          help={words.unitHelp}
          options={offered.map(({ code, name }) => ({ value: code, label: name }))}
          value={asset}
          onChange={(next) => change({ asset: next, credits: Math.round((credits / scale) * scaleOf(next)) })}
        />
      )}
      <NumberField
        label={asset === 'credits' ? words.credits : words.amount}
        name="credits"
        value={credits / scale}
        minValue={1 / scale}
        formatOptions={{ maximumFractionDigits: unit?.decimals ?? 0 }}
        {...(unit !== undefined && asset !== 'credits' && { after: unit.symbol ?? unit.name })}
        onChange={(value) => change({ credits: Number.isNaN(value) ? 1 : Math.round(value * scale) })}
      />
    </>
  );
}
