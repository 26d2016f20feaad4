import { moneyText } from '../../ui/format/money.ts';
import { useData } from '../data/hooks.ts';
import { useKit } from '../kit/provider.tsx';
import { ChoiceCreditPacksDocument } from './choices.graphql';
import { defineCommand, type FieldsProps, isIn, subscriptionId } from './command.ts';
import { CommandCreditsPurchaseDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { Select } from './lazy-fields.ts';

type Values = { readonly creditPackId: string };

function Fields({ values, change }: FieldsProps<Values>) {
  const { creditsPurchase: words } = useCommandWords();
  const { locale } = useKit();
  const packs = useData(ChoiceCreditPacksDocument, {}).data?.creditPacks.nodes ?? [];
  return (
    <Select
      name="creditPackId"
      label={words.pack}
      options={packs.map(({ id, name, credits, price, currency }) => ({
        value: id,
        label: name,
        help: `${words.credits({ count: credits })} · ${moneyText(price, currency, locale)}`,
      }))}
      value={values.creditPackId === '' ? null : values.creditPackId}
      onChange={(creditPackId) => change({ creditPackId })}
    />
  );
}

export const creditsPurchase = defineCommand({
  name: 'creditsPurchase',
  group: 'allowances',
  applies: (subject) =>
    isIn(subject, 'trialing', 'active', 'past_due') && subject.subscription?.consumptionModel === 'credits',
  initial: (): Values => ({ creditPackId: '' }),
  Fields,
  input: ({ creditPackId }, subject) =>
    creditPackId === '' ? null : { subscriptionId: subscriptionId(subject), creditPackId },
  preview: (input) => ({ creditsPurchase: input }),
  document: CommandCreditsPurchaseDocument,
});
