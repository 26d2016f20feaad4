import { useEffect, useEffectEvent } from 'react';
import { moneyText } from '../../ui/format/money.ts';
import { useData } from '../data/hooks.ts';
import { Callout } from '../kit/callout.tsx';
import { useKit } from '../kit/provider.tsx';
import { ChoiceCreditsDocument } from './choices.graphql';
import { defineCommand, type FieldsProps } from './command.ts';
import { CommandCreditRevokeDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { Select } from './lazy-fields.ts';
import type { Amount } from './outcome.ts';

type Values = { readonly creditId: string; readonly left: Amount | null };

function Fields({ values, change, fill, subject }: FieldsProps<Values>) {
  const { creditRevoke: words } = useCommandWords();
  const { locale } = useKit();
  const { data } = useData(ChoiceCreditsDocument, { id: subject.customer.id });
  const credits = data?.customer.credits.nodes.filter(({ remainingAmount }) => remainingAmount > 0) ?? [];
  const chosen = (creditId: string): Values => {
    const credit = credits.find(({ id }) => id === creditId);
    return { creditId, left: credit ? { amount: credit.remainingAmount, currency: credit.currency } : null };
  };
  const take = useEffectEvent((creditId: string) => fill(chosen(creditId)));
  const isNamed = values.creditId !== '' && values.left === null && data !== null;
  useEffect(() => {
    if (isNamed) take(values.creditId);
  }, [isNamed, values.creditId]);
  if (data !== null && credits.length === 0) return <Callout tone="neutral">{words.none}</Callout>;
  return (
    <Select
      name="creditId"
      label={words.credit}
      options={credits.map(({ id, reason, remainingAmount, currency }) => ({
        value: id,
        label: `${moneyText(remainingAmount, currency, locale)} · ${reason}`,
      }))}
      value={values.creditId === '' ? null : values.creditId}
      onChange={(creditId) => change(chosen(creditId))}
    />
  );
}

export const creditRevoke = defineCommand({
  name: 'creditRevoke',
  group: 'money',
  isDangerous: true,
  applies: ({ customer: { creditBalance } }) =>
    creditBalance === undefined || creditBalance.some(({ amount }) => amount > 0),
  initial: ({ target }): Values => ({ creditId: target ?? '', left: null }),
  Fields,
  verb: ({ left }, words, money) =>
    left === null ? null : words.creditRevoke.verbAmount({ amount: money(left) }),
  input: ({ creditId, left }, { customer }) =>
    creditId === '' || left === null ? null : { customerId: customer.id, creditId },
  document: CommandCreditRevokeDocument,
});
