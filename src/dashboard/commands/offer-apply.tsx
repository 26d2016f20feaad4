import { dayStart } from '../../ui/format/dates.ts';
import { defineCommand, type FieldsProps, isIn, subscriptionId } from './command.ts';
import { CommandOfferApplyDocument } from './commands.graphql';
import { OfferField, useCommandWords } from './fields.tsx';
import { DateField } from './lazy-fields.ts';

type Values = { readonly offerId: string; readonly expires: string | null };

function Fields({ values, change, subject }: FieldsProps<Values>) {
  const { offerApply: words } = useCommandWords();
  return (
    <>
      <OfferField
        label={words.offer}
        isRequired
        value={values.offerId}
        onChange={(offerId) => change({ offerId })}
      />
      {isIn(subject, 'pending_payment') && (
        <DateField
          name="expiresAt"
          label={words.expires}
          help={words.expiresHelp}
          isOptional
          value={values.expires}
          onChange={(expires) => change({ expires })}
        />
      )}
    </>
  );
}

export const offerApply = defineCommand({
  name: 'offerApply',
  group: 'subscription',
  applies: (subject) => isIn(subject, 'draft', 'pending_payment', 'trialing', 'active', 'past_due'),
  initial: (): Values => ({ offerId: '', expires: null }),
  Fields,
  input: ({ offerId, expires }, subject) =>
    offerId === ''
      ? null
      : {
          id: subscriptionId(subject),
          offerId,
          ...(expires !== null && { expiresAt: dayStart(expires) }),
        },
  preview: (input) => ({ offerApply: input }),
  document: CommandOfferApplyDocument,
});
