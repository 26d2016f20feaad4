import { dateText } from '../../ui/format/dates.ts';
import { useKit } from '../kit/provider.tsx';
import { defineCommand, type FieldsProps, isIn, subscriptionId } from './command.ts';
import { CommandCancelDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { RadioGroup, TextArea } from './lazy-fields.ts';

type Values = { readonly when: 'end' | 'now'; readonly reason: string };

/** True if the subscription can end with its current period: it is active or trialing, and its plan isn't free. */
export const canWait = ({ subscription }: FieldsProps<Values>['subject']): boolean =>
  subscription?.currentPeriod !== null &&
  (subscription?.status === 'active' || subscription?.status === 'trialing') &&
  !subscription.catalogPlan.isFree;

function Fields({ values, change, subject }: FieldsProps<Values>) {
  const { cancel: words } = useCommandWords();
  const settings = useKit();
  const end = subject.subscription?.currentPeriod?.end;
  return (
    <>
      {canWait(subject) && (
        <RadioGroup
          label={words.when}
          look="cards"
          value={values.when}
          onChange={(when) => change({ when: when === 'now' ? 'now' : 'end' })}
          options={[
            {
              value: 'end',
              label: words.atEnd,
              ...(end && { help: words.atEndHelp({ date: dateText(end, settings) }) }),
            },
            { value: 'now', label: words.now, help: words.nowHelp },
          ]}
        />
      )}
      <TextArea
        name="reason"
        label={words.reason}
        help={words.reasonHelp}
        isOptional
        maxLength={1000}
        value={values.reason}
        onChange={(reason) => change({ reason })}
      />
    </>
  );
}

export const cancel = defineCommand({
  name: 'cancel',
  group: 'subscription',
  isDangerous: true,
  applies: (subject) =>
    isIn(subject, 'draft', 'pending_payment', 'trialing', 'active', 'past_due') &&
    (subject.subscription?.cancellation ?? null) === null,
  initial: (): Values => ({ when: 'end', reason: '' }),
  Fields,
  input: ({ when, reason }, subject) => ({
    id: subscriptionId(subject),
    ...(when === 'now' && { immediate: true }),
    ...(reason.trim() !== '' && { reason: reason.trim() }),
  }),
  preview: (input) => ({ cancel: input }),
  document: CommandCancelDocument,
});
