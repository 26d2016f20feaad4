import { Text } from '../kit/text.tsx';
import { defineCommand, type FieldsProps, isIn, subscriptionId } from './command.ts';
import { CommandPlanGrantCreateDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { Select } from './lazy-fields.ts';
import { type GrantSpan, initialSpan, SpanFields, spanInput } from './plan-grant-fields.tsx';
import { usePlans } from './plans.ts';

type Values = GrantSpan & { readonly planId: string };

function Fields({ values, change, subject: { subscription } }: FieldsProps<Values>) {
  const { planGrantCreate: words } = useCommandWords();
  const own = subscription?.catalogPlan;
  const plans = usePlans().filter(
    ({ id, planGroup }) => id !== own?.id && planGroup?.id === own?.planGroup?.id,
  );
  return (
    <>
      <Select
        name="planId"
        label={words.plan}
        options={plans.map(({ id, name }) => ({ value: id, label: name }))}
        value={values.planId === '' ? null : values.planId}
        onChange={(planId) => change({ planId })}
      />
      <SpanFields values={values} change={change} />
    </>
  );
}

function Consequence({ values }: FieldsProps<Values>) {
  const { planGrantCreate: words } = useCommandWords();
  const plan = usePlans().find(({ id }) => id === values.planId);
  return plan === undefined ? null : <Text as="p">{words.free({ plan: plan.name })}</Text>;
}

export const planGrantCreate = defineCommand({
  name: 'planGrantCreate',
  group: 'allowances',
  applies: (subject) =>
    isIn(subject, 'active') &&
    subject.subscription?.planGrant === null &&
    subject.subscription.catalogPlan.planGroup !== null,
  initial: (): Values => ({ ...initialSpan, planId: '' }),
  Fields,
  Consequence,
  input: (values, subject) => {
    const span = spanInput(values);
    return span === null || values.planId === ''
      ? null
      : {
          ...span,
          customerId: subject.customer.id,
          subscriptionId: subscriptionId(subject),
          planId: values.planId,
        };
  },
  document: CommandPlanGrantCreateDocument,
});
