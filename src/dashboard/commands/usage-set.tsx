import { countText } from '../../ui/format/numbers.ts';
import { useKit } from '../kit/provider.tsx';
import { Text } from '../kit/text.tsx';
import { defineCommand, type FieldsProps, isIn, type Subject } from './command.ts';
import { CommandUsageSetDocument } from './commands.graphql';
import { FeatureField, useCommandWords } from './fields.tsx';
import { NumberField, TextField } from './lazy-fields.ts';

type Values = { readonly featureCode: string; readonly value: number | null; readonly reason: string };

const usageOf = ({ subscription }: Subject, code: string): number =>
  subscription?.usage.find(({ featureCode }) => featureCode === code)?.value ?? 0;

function Fields({ values, change, subject }: FieldsProps<Values>) {
  const { usageSet: words } = useCommandWords();
  return (
    <>
      <FeatureField
        label={words.feature}
        type="usage"
        codes={subject.subscription?.usage.map(({ featureCode }) => featureCode) ?? []}
        value={values.featureCode}
        onChange={(featureCode) => change({ featureCode, value: null })}
      />
      <NumberField
        name="value"
        label={words.value}
        minValue={0}
        value={values.value ?? usageOf(subject, values.featureCode)}
        onChange={(value) => change({ value })}
      />
      <TextField
        name="reason"
        label={words.reason}
        isOptional
        maxLength={1000}
        value={values.reason}
        onChange={(reason) => change({ reason })}
      />
    </>
  );
}

function Consequence({ values, subject }: FieldsProps<Values>) {
  const { usageSet: words } = useCommandWords();
  const { locale } = useKit();
  const before = usageOf(subject, values.featureCode);
  return (
    <Text as="p">
      {words.change({ before: countText(before, locale), after: countText(values.value ?? before, locale) })}
    </Text>
  );
}

export const usageSet = defineCommand({
  name: 'usageSet',
  group: 'allowances',
  applies: (subject) =>
    isIn(subject, 'trialing', 'active', 'past_due') && (subject.subscription?.usage.length ?? 0) > 0,
  initial: ({ subscription, target }): Values => ({
    featureCode: target ?? subscription?.usage[0]?.featureCode ?? '',
    value: null,
    reason: '',
  }),
  Fields,
  Consequence,
  input: ({ featureCode, value, reason }, { customer }) =>
    featureCode === '' || value === null || Number.isNaN(value)
      ? null
      : {
          customerId: customer.id,
          featureCode,
          value,
          ...(reason.trim() !== '' && { reason: reason.trim() }),
        },
  document: CommandUsageSetDocument,
});
