import { defineCommand, type FieldsProps, isIn, subscriptionId } from './command.ts';
import { CommandReactivateDocument } from './commands.graphql';
import { none, OfferField, useCommandWords } from './fields.tsx';

type Values = { readonly offerId: string };

function Fields({ values, change, subject }: FieldsProps<Values>) {
  const { reactivate: words } = useCommandWords();
  return isIn(subject, 'canceled') ? (
    <OfferField label={words.offer} value={values.offerId} onChange={(offerId) => change({ offerId })} />
  ) : null;
}

export const reactivate = defineCommand({
  name: 'reactivate',
  group: 'subscription',
  applies: (subject) => isIn(subject, 'past_due', 'canceled'),
  initial: (): Values => ({ offerId: none }),
  Fields,
  input: ({ offerId }, subject) => ({ id: subscriptionId(subject), ...(offerId !== none && { offerId }) }),
  preview: (input) => ({ reactivate: input }),
  document: CommandReactivateDocument,
});
