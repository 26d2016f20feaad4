import { moneyText } from '../../ui/format/money.ts';
import { useData } from '../data/hooks.ts';
import { useKit } from '../kit/provider.tsx';
import { unitAmountText, useUnits } from '../parts/units.ts';
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
  const units = useUnits(packs.map(({ asset }) => asset ?? 'credits'));
  return (
    <Select
      name="creditPackId"
      label={words.pack}
      options={packs.map(({ id, name, asset, credits, price, currency }) => ({
        value: id,
        label: name,
        help: [
          asset === null ? words.credits({ count: credits }) : unitAmountText(asset, credits, units, locale),
          moneyText(price, currency, locale),
        ].join(' · '),
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
