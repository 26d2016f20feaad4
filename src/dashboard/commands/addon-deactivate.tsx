import { defineCommand, type FieldsProps, isIn, subscriptionId } from './command.ts';
import { CommandAddonDeactivateDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { Select } from './lazy-fields.ts';

type Values = { readonly addonId: string };

function Fields({ values, change, subject }: FieldsProps<Values>) {
  const { addonDeactivate: words } = useCommandWords();
  return (
    <Select
      name="addonId"
      label={words.addon}
      options={(subject.subscription?.addons.nodes ?? []).map(({ addonId, name, featureName }) => ({
        value: addonId,
        label: name,
        help: featureName,
      }))}
      value={values.addonId === '' ? null : values.addonId}
      onChange={(addonId) => change({ addonId })}
    />
  );
}

export const addonDeactivate = defineCommand({
  name: 'addonDeactivate',
  group: 'subscription',
  isDangerous: true,
  applies: (subject) =>
    isIn(subject, 'trialing', 'active', 'past_due') && (subject.subscription?.addons.nodes.length ?? 0) > 0,
  initial: ({ subscription, target }): Values => ({
    addonId: target ?? subscription?.addons.nodes[0]?.addonId ?? '',
  }),
  Fields,
  input: ({ addonId }, subject) =>
    addonId === '' ? null : { subscriptionId: subscriptionId(subject), addonId },
  preview: (input) => ({ addonDeactivate: input }),
  document: CommandAddonDeactivateDocument,
});
