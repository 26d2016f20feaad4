import { useId, useState } from 'react';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { notify } from '../../shell/notices.ts';
import { CustomerFields } from './customer-fields.tsx';
import { changesOf, formOf } from './customer-input.ts';
import { type CustomerProfileFragment, CustomerUpdateDocument } from './profile.graphql';

type Props = { readonly customer: CustomerProfileFragment; readonly onClose: () => void };

export function EditCustomer({ customer, onClose }: Props) {
  const { form: words } = useCustomerWords();
  const [before] = useState(() => formOf(customer));
  const [form, setForm] = useState(before);
  const [update, { isRunning, error }] = useAction(CustomerUpdateDocument);
  const id = useId();
  const changes = changesOf(before, form);
  const isChanged = changes !== null && Object.keys(changes).length > 0;
  const send = async () => {
    if (changes === null || !isChanged || isRunning) return;
    const answer = await update({ input: { ...changes, id: customer.id } });
    if (answer instanceof ApiError) return;
    notify(words.saved);
    onClose();
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={words.editTitle}
      actions={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button
            type="submit"
            form={id}
            kind="primary"
            keys="Mod Enter"
            isDisabled={!isChanged}
            isPending={isRunning}
          >
            {words.save}
          </Button>
        </>
      }
    >
      <Form id={id} onSubmit={() => void send()} errors={error?.details ?? []} isChanged={isChanged}>
        <Stack gap={4}>
          {error !== null && error.details.length === 0 && <Callout tone="negative">{error.message}</Callout>}
          <CustomerFields form={form} change={(part) => setForm((old) => ({ ...old, ...part }))} />
        </Stack>
      </Form>
    </Sheet>
  );
}
