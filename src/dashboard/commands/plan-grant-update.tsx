import { defineCommand, type FieldsProps } from './command.ts';
import { CommandPlanGrantUpdateDocument } from './commands.graphql';
import { type GrantSpan, initialSpan, SpanFields, spanInput } from './plan-grant-fields.tsx';

const Fields = ({ values, change }: FieldsProps<GrantSpan>) => <SpanFields values={values} change={change} />;

export const planGrantUpdate = defineCommand({
  name: 'planGrantUpdate',
  group: 'allowances',
  applies: ({ subscription }) => (subscription?.planGrant ?? null) !== null,
  initial: (): GrantSpan => initialSpan,
  Fields,
  input: (values, { customer, subscription, target }) => {
    const span = spanInput(values);
    const grantId = target ?? subscription?.planGrant?.planGrantId;
    return span === null || grantId === undefined ? null : { ...span, customerId: customer.id, grantId };
  },
  document: CommandPlanGrantUpdateDocument,
});
