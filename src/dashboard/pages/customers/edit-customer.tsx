import { useId, useState } from 'react';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { notify } from '../../shell/notices.ts';
import { CustomerFields } from './customer-fields.tsx';
import { changesOf, formOf } from './customer-input.ts';
import { type CustomerProfileFragment, CustomerUpdateDocument } from './profile.graphql';

type Props = { readonly customer: CustomerProfileFragment; readonly onClose: () => void };

export function EditCustomer({ customer, onClose }: Props) {
  const { form: words } = useCustomerWords();
  const [before] = useState(() => formOf(customer));
  const [update, { isRunning, error }] = useAction(CustomerUpdateDocument);
  const id = useId();
  const draft = useDraft(before, {
    isReady: (form) => changesOf(before, form) !== null,
    needsChange: true,
    send: (form) => update({ input: { ...changesOf(before, form), id: customer.id } }),
    onDone: () => {
      notify(words.saved);
      onClose();
    },
  });
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={words.editTitle}
      actions={
        <>
          <Button slot="close">{words.cancel}</Button>
          <Button
            type="submit"
            form={id}
            kind="primary"
            keys="Mod Enter"
            isDisabled={!draft.isReady}
            isPending={isRunning}
          >
            {words.save}
          </Button>
        </>
      }
    >
      <Form id={id} draft={draft} errors={error?.details ?? []}>
        <Stack gap={4}>
          {error !== null && error.details.length === 0 && <Callout tone="negative">{error.message}</Callout>}
          <CustomerFields form={draft.values} change={draft.change} />
        </Stack>
      </Form>
    </Sheet>
  );
}
