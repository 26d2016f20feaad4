import { defineCommand, type FieldsProps, isIn } from './command.ts';
import { CommandUsageTrackDocument } from './commands.graphql';
import { FeatureField, useCommandWords } from './fields.tsx';
import { NumberField } from './lazy-fields.ts';

type Values = { readonly featureCode: string; readonly value: number };

const codesOf = ({ subscription }: FieldsProps<Values>['subject']): string[] =>
  subscription?.features.flatMap(({ type, code, enabled }) => (type === 'usage' && enabled ? [code] : [])) ??
  [];

function Fields({ values, change, subject }: FieldsProps<Values>) {
  const { usageTrack: words } = useCommandWords();
  return (
    <>
      <FeatureField
        label={words.feature}
        type="usage"
        codes={codesOf(subject)}
        value={values.featureCode}
        onChange={(featureCode) => change({ featureCode })}
      />
      <NumberField
        name="value"
        label={words.value}
        minValue={0}
        value={values.value}
        onChange={(value) => change({ value })}
      />
    </>
  );
}

export const usageTrack = defineCommand({
  name: 'usageTrack',
  group: 'allowances',
  environment: 'sandbox',
  applies: (subject) => isIn(subject, 'trialing', 'active', 'past_due') && codesOf(subject).length > 0,
  initial: (subject): Values => ({ featureCode: subject.target ?? codesOf(subject)[0] ?? '', value: 1 }),
  Fields,
  input: ({ featureCode, value }, { customer }) =>
    featureCode === '' || Number.isNaN(value) ? null : { customerId: customer.id, featureCode, value },
  document: CommandUsageTrackDocument,
});
