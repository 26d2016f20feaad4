import { useId } from 'react';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { DateTimeField } from '../../kit/date-field.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { TextArea } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { LimitAmountField } from './amount-field.tsx';
import { limitTitle, useLimitWords } from './limit-words.ts';
import { type LimitNowFragment, LimitRaiseCreateDocument } from './limits.graphql';

type Values = { readonly amount: number | null; readonly until: string | null; readonly reason: string };

type RaiseDialogProps = {
  readonly customerId: string;
  readonly state: LimitNowFragment;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Dialog that raises a limit of a customer or budget until a time. */
export function RaiseDialog({ customerId, state, onClose, onDone }: RaiseDialogProps) {
  const form = useId();
  const words = useLimitWords();
  const [raise, { isRunning, error }] = useAction(LimitRaiseCreateDocument);
  const { limit, node, resetsAt } = state;
  const nothing: Values = { amount: null, until: null, reason: '' };
  const draft = useDraft(nothing, {
    isReady: ({ amount, until }) => amount !== null && amount > 0 && (until !== null || resetsAt !== null),
    send: ({ amount, until, reason }) =>
      raise({
        input: {
          id: limit.id,
          node: { customer: customerId, ...(node.key !== null && { budget: node.key }) },
          amount: amount ?? 0,
          ...(until !== null && { until }),
          ...(reason.trim() !== '' && { reason: reason.trim() }),
        },
      }),
    onDone: () => {
      notify(words.raised);
      onDone();
    },
  });
  const { field, change, values } = draft;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.raiseTitle({ name: limitTitle(words, limit) })}
      actions={
        <>
          <Button slot="close">{words.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isPending={isRunning} isDisabled={!draft.isReady}>
            {words.raise}
          </Button>
        </>
      }
    >
      <Form id={form} draft={draft} errors={error?.details ?? []}>
        <Stack gap={4}>
          <Text as="p" color="muted">
            {words.raiseText}
          </Text>
          <LimitAmountField
            of={state}
            label={words.raiseAmount}
            least={1}
            value={values.amount}
            onChange={(amount) => change({ amount })}
          />
          <DateTimeField
            name="until"
            label={words.until}
            {...(resetsAt !== null && { help: words.untilHelp, isOptional: true })}
            {...field('until')}
          />
          <TextArea
            name="reason"
            label={words.reason}
            isOptional
            rows={2}
            maxLength={500}
            {...field('reason')}
          />
          {error?.details.length === 0 && <Rejection error={error} />}
        </Stack>
      </Form>
    </Dialog>
  );
}
