import { NumberField } from '../../kit/number-field.tsx';
import { wholeOrNull } from '../../kit/whole-number.ts';
import { LimitAmountField } from './amount-field.tsx';
import { type LimitValues, shownUnit } from './limit-draft.ts';
import { useLimitWords } from './limit-words.ts';

type AnomalyFieldsProps = {
  readonly values: LimitValues;
  readonly change: (values: Partial<LimitValues>) => void;
};

/** Fields for the days whose usage a limit reports as unusual. */
export function AnomalyFields({ values, change }: AnomalyFieldsProps) {
  const words = useLimitWords();
  const { measure, factor, minimum } = values;
  const unit = shownUnit(values);
  return (
    <>
      <NumberField
        name="anomaly.factor"
        label={words.factor}
        help={words.factorHelp}
        after={words.factorAfter}
        isOptional
        minValue={2}
        maxValue={20}
        formatOptions={{ maximumFractionDigits: 0 }}
        value={factor ?? Number.NaN}
        onChange={(value) => change({ factor: wholeOrNull(value) })}
      />
      {factor !== null && (
        <LimitAmountField
          key={unit}
          name="anomaly.minimum"
          of={{ measure, unit }}
          label={words.minimum}
          help={words.minimumHelp}
          least={0}
          value={minimum}
          onChange={(value) => change({ minimum: value })}
        />
      )}
    </>
  );
}
