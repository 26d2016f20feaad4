import type { Document } from '../../ui/documents.ts';
import { countText } from '../../ui/format/numbers.ts';
import { useData } from '../data/hooks.ts';
import { useKit } from '../kit/provider.tsx';
import { Text } from '../kit/text.tsx';
import { ChoiceCountsDocument, type ChoiceCountsQuery } from './choices.graphql';
import { defineCommand, type FieldsProps, isIn, type Subject } from './command.ts';
import { FeatureField, useCommandWords } from './fields.tsx';
import { NumberField } from './lazy-fields.ts';

type Values = { readonly featureCode: string; readonly count: number | null };

type Input = { readonly customerId: string; readonly featureCode: string; readonly count: number };

type Kind<Answer> = {
  readonly name: 'seatsSet' | 'quotaSet';
  readonly type: 'seats' | 'quota';
  /** Returns the current number of seats or counted objects of each feature. */
  readonly countsOf: (
    customer: ChoiceCountsQuery['customer'],
  ) => readonly { readonly featureCode: string; readonly current: number }[];
  readonly document: Document<Answer, { readonly input: Input }>;
};

/**
 * Creates a command that sets a feature's number of seats, or the number of objects that count toward its
 * quota.
 */
export function countSet<Answer>({ name, type, countsOf, document }: Kind<Answer>) {
  const codesOf = ({ subscription }: Subject): string[] =>
    subscription?.features.flatMap((each) => (each.type === type && each.enabled ? [each.code] : [])) ?? [];

  function useCurrent({ values, subject }: FieldsProps<Values>): number {
    const { data } = useData(ChoiceCountsDocument, { id: subject.customer.id });
    const counts = data === null ? [] : countsOf(data.customer);
    return counts.find(({ featureCode }) => featureCode === values.featureCode)?.current ?? 0;
  }

  function Fields(props: FieldsProps<Values>) {
    const { values, change, subject } = props;
    const words = useCommandWords()[name];
    const current = useCurrent(props);
    return (
      <>
        <FeatureField
          label={words.feature}
          type={type}
          codes={codesOf(subject)}
          value={values.featureCode}
          onChange={(featureCode) => change({ featureCode, count: null })}
        />
        <NumberField
          name="count"
          label={words.count}
          minValue={0}
          value={values.count ?? current}
          onChange={(count) => change({ count })}
        />
      </>
    );
  }

  function Consequence(props: FieldsProps<Values>) {
    const words = useCommandWords()[name];
    const { locale } = useKit();
    const current = useCurrent(props);
    const after = props.values.count ?? current;
    return (
      <Text as="p">
        {words.change({ before: countText(current, locale), after: countText(after, locale) })}
      </Text>
    );
  }

  return defineCommand({
    name,
    group: 'allowances',
    applies: (subject) => isIn(subject, 'trialing', 'active', 'past_due') && codesOf(subject).length > 0,
    initial: (subject): Values => ({ featureCode: subject.target ?? codesOf(subject)[0] ?? '', count: null }),
    Fields,
    Consequence,
    input: ({ featureCode, count }, { customer }) =>
      featureCode === '' || count === null || Number.isNaN(count)
        ? null
        : { customerId: customer.id, featureCode, count },
    document,
  });
}
