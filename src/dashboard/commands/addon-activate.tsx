import { moneyText } from '../../ui/format/money.ts';
import { useData } from '../data/hooks.ts';
import { Callout } from '../kit/callout.tsx';
import { useKit } from '../kit/provider.tsx';
import { ChoiceAddonsDocument } from './choices.graphql';
import { defineCommand, type FieldsProps, isIn, subscriptionId } from './command.ts';
import { CommandAddonActivateDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { Select } from './lazy-fields.ts';

type Values = { readonly addonId: string };

function Fields({ values, change, subject }: FieldsProps<Values>) {
  const { addonActivate: words } = useCommandWords();
  const { locale } = useKit();
  const { data } = useData(ChoiceAddonsDocument, {});
  const active = subject.subscription?.addons.nodes.map(({ addonId }) => addonId) ?? [];
  const addons = data?.addons.nodes.filter(({ id }) => !active.includes(id)) ?? [];
  if (data !== null && addons.length === 0) return <Callout tone="neutral">{words.none}</Callout>;
  return (
    <Select
      name="addonId"
      label={words.addon}
      options={addons.map(({ id, name, basePrice, featureName }) => ({
        value: id,
        label: name,
        help: `${featureName} · ${moneyText(basePrice, 'usd', locale)}`,
      }))}
      value={values.addonId === '' ? null : values.addonId}
      onChange={(addonId) => change({ addonId })}
    />
  );
}

export const addonActivate = defineCommand({
  name: 'addonActivate',
  group: 'subscription',
  applies: (subject) => isIn(subject, 'trialing', 'active', 'past_due'),
  initial: ({ target }): Values => ({ addonId: target ?? '' }),
  Fields,
  input: ({ addonId }, subject) =>
    addonId === '' ? null : { subscriptionId: subscriptionId(subject), addonId },
  preview: (input) => ({ addonActivate: input }),
  document: CommandAddonActivateDocument,
});
