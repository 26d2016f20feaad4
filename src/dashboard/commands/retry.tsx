import { useEffect, useEffectEvent } from 'react';
import { moneyText } from '../../ui/format/money.ts';
import { useData } from '../data/hooks.ts';
import { Callout } from '../kit/callout.tsx';
import { useKit } from '../kit/provider.tsx';
import { Text } from '../kit/text.tsx';
import { ChoiceFailedTransactionsDocument } from './choices.graphql';
import { defineCommand, type FieldsProps, isIn, type Subject } from './command.ts';
import { CommandRetryDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import type { Amount } from './outcome.ts';

type Values = { readonly transactionId: string; readonly owed: Amount | null };

/** Returns the failed payment to retry: the selected transaction, or the latest failed payment of an unpaid invoice. */
function useFailed({ customer, target }: Subject) {
  const { data } = useData(ChoiceFailedTransactionsDocument, { id: customer.id });
  const open =
    data?.customer.transactions.nodes.filter(({ invoice }) => invoice?.status === 'outstanding') ?? [];
  return { isLoaded: data !== null, attempt: open.find(({ id }) => id === target) ?? open[0] };
}

function Fields({ fill, subject }: FieldsProps<Values>) {
  const { retry: words } = useCommandWords();
  const { locale } = useKit();
  const { attempt, isLoaded } = useFailed(subject);
  const take = useEffectEvent(fill);
  useEffect(() => {
    if (!attempt?.invoice) return;
    const owed = { amount: attempt.invoice.amountDue, currency: attempt.currency };
    take({ transactionId: attempt.id, owed });
  }, [attempt]);
  if (isLoaded && attempt === undefined) return <Callout tone="neutral">{words.none}</Callout>;
  if (!attempt?.invoice) return null;
  const amount = moneyText(attempt.invoice.amountDue, attempt.currency, locale);
  return <Text as="p">{words.invoice({ number: attempt.invoice.invoiceNumber, amount })}</Text>;
}

export const retry = defineCommand({
  name: 'retry',
  group: 'money',
  applies: (subject) => isIn(subject, 'past_due') || subject.target?.startsWith('txn_') === true,
  initial: (): Values => ({ transactionId: '', owed: null }),
  Fields,
  verb: ({ owed }, words, money) => (owed === null ? null : words.retry.verbAmount({ amount: money(owed) })),
  input: ({ transactionId }) => (transactionId === '' ? null : { id: transactionId }),
  document: CommandRetryDocument,
});
