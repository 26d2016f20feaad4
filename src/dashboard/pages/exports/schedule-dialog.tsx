import { useId } from 'react';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { Text } from '../../kit/text.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { AddressField } from '../../lists/export-address.tsx';
import type { ScheduleRowFragment } from '../../lists/exports.graphql';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { ScheduleChangeDocument } from './schedules.graphql';

const frequencies = ['daily', 'weekly', 'monthly'] as const;

type DialogProps = { readonly of: ScheduleRowFragment; readonly onClose: () => void };

/** Dialog that changes the frequency and the address of a schedule. */
export function ChangeDialog({ of, onClose }: DialogProps) {
  const words = useWords('exports');
  const { words: kit } = useKit();
  const form = useId();
  const [change, { isRunning, error }] = useAction(ScheduleChangeDocument);
  const draft = useDraft(
    { frequency: of.frequency, address: null as string | null },
    {
      send: ({ frequency, address }) => {
        const next = address === null ? {} : { deliveryUrl: address.trim() === '' ? null : address.trim() };
        return change({ input: { id: of.id, frequency, ...next } });
      },
      onDone: onClose,
    },
  );
  const { frequency, address } = draft.values;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.kinds[of.kind]}
      size="sm"
      actions={
        <>
          <Button slot="close">{kit.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isPending={isRunning}>
            {words.save}
          </Button>
        </>
      }
    >
      <Form id={form} draft={draft} errors={error?.details ?? []}>
        <Stack>
          <Select
            label={words.often}
            value={frequency}
            options={frequencies.map((value) => ({ value, label: words.oftens[value] }))}
            onChange={(value) =>
              draft.change({ frequency: frequencies.find((one) => one === value) ?? frequency })
            }
          />
          {of.deliveryUrl !== null && (
            <Text size="sm" color="muted">
              {words.deliveredTo} {of.deliveryUrl}
            </Text>
          )}
          {address === null ? (
            <div>
              <Button size="sm" onPress={() => draft.change({ address: '' })}>
                {words.otherAddress}
              </Button>
            </div>
          ) : (
            <AddressField value={address} onChange={(typed) => draft.change({ address: typed })} />
          )}
          <Rejection error={error} />
        </Stack>
      </Form>
    </Dialog>
  );
}
