import { Checkbox } from '../../../kit/choice.tsx';
import { DateTimeField } from '../../../kit/date-field.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { NumberField } from '../../../kit/number-field.tsx';
import { Select } from '../../../kit/select.tsx';
import { Text } from '../../../kit/text.tsx';
import { type Interval, intervals } from '../../../parts/catalog/model/plan-draft.ts';
import { useWords } from '../../../words/words.ts';

export type Limits = {
  readonly maxRedemptions: number | null;
  readonly expiresAt: string | null;
  readonly billingInterval: Interval | null;
  readonly planIds: readonly string[];
};

export const noLimits: Limits = { maxRedemptions: null, expiresAt: null, billingInterval: null, planIds: [] };

const everyInterval = 'every';

type LimitsFormProps = {
  readonly value: Limits;
  readonly plans: readonly { readonly id: string; readonly name: string }[];
  readonly onChange: (value: Limits) => void;
};

/** Form for promo code limits: maximum redemptions, expiration, plans and interval. */
export function LimitsForm({ value, plans, onChange }: LimitsFormProps) {
  const words = useWords('promocodes');
  const common = useWords('catalog');
  const toggle = (id: string, isChosen: boolean) =>
    onChange({
      ...value,
      planIds: isChosen ? [...value.planIds, id] : value.planIds.filter((one) => one !== id),
    });
  return (
    <Stack gap={4}>
      <NumberField
        label={words.most}
        name="maxRedemptions"
        help={words.mostHelp}
        isOptional
        value={value.maxRedemptions ?? Number.NaN}
        minValue={1}
        onChange={(most) => onChange({ ...value, maxRedemptions: Number.isNaN(most) ? null : most })}
      />
      <DateTimeField
        label={words.expires}
        name="expiresAt"
        isOptional
        value={value.expiresAt}
        onChange={(expiresAt) => onChange({ ...value, expiresAt })}
      />
      <Select
        label={words.interval}
        value={value.billingInterval ?? everyInterval}
        onChange={(interval) =>
          onChange({ ...value, billingInterval: interval === everyInterval ? null : (interval as Interval) })
        }
        options={[
          { value: everyInterval, label: words.everyInterval },
          ...intervals.map((interval) => ({ value: interval, label: common.intervals[interval] })),
        ]}
      />
      {plans.length > 0 && (
        <Stack gap={2}>
          <Text weight="medium">{words.plans}</Text>
          <Text size="sm" color="muted">
            {value.planIds.length === 0 ? words.allPlans : words.somePlans({ count: value.planIds.length })}
          </Text>
          {plans.map(({ id, name }) => (
            <Checkbox
              key={id}
              isSelected={value.planIds.includes(id)}
              onChange={(isChosen) => toggle(id, isChosen)}
            >
              {name}
            </Checkbox>
          ))}
        </Stack>
      )}
    </Stack>
  );
}
