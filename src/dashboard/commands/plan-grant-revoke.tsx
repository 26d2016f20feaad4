import { defineCommand, type FieldsProps } from './command.ts';
import { CommandPlanGrantRevokeDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { TextField } from './lazy-fields.ts';

type Values = { readonly reason: string };

function Fields({ values, change }: FieldsProps<Values>) {
  const { planGrantRevoke: words } = useCommandWords();
  return (
    <TextField
      name="reason"
      label={words.reason}
      maxLength={1000}
      value={values.reason}
      onChange={(reason) => change({ reason })}
    />
  );
}

export const planGrantRevoke = defineCommand({
  name: 'planGrantRevoke',
  group: 'allowances',
  isDangerous: true,
  applies: ({ subscription }) => (subscription?.planGrant ?? null) !== null,
  initial: (): Values => ({ reason: '' }),
  Fields,
  input: ({ reason }, { customer, subscription, target }) => {
    const grantId = target ?? subscription?.planGrant?.planGrantId;
    return reason.trim() === '' || grantId === undefined
      ? null
      : { customerId: customer.id, grantId, reason: reason.trim() };
  },
  document: CommandPlanGrantRevokeDocument,
});
