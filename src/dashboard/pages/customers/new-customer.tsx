import { useId, useState } from 'react';
import { addressOf } from '../../address.ts';
import { useAction } from '../../data/hooks.ts';
import { Button, LinkButton } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { openAddress } from '../../router-address.ts';
import { notify } from '../../shell/notices.ts';
import { CustomerFields } from './customer-fields.tsx';
import { emptyForm, inputOf } from './customer-input.ts';
import { CustomerCreateDocument } from './list.graphql';
import type { CustomerRowFragment } from './row.graphql';

type Props = { readonly onClose: () => void; readonly onMade: () => void };

/** Form for a new customer. Opens the customer after its creation. */
export function NewCustomer({ onClose, onMade }: Props) {
  const { form: words } = useCustomerWords();
  /** Existing customer with the same external ID. */
  const [existing, setExisting] = useState<CustomerRowFragment | null>(null);
  const [create, { isRunning, error }] = useAction(CustomerCreateDocument);
  const id = useId();
  const draft = useDraft(emptyForm, {
    isReady: (form) => inputOf(form) !== null,
    send: async (form) => {
      const input = inputOf(form);
      return input !== null && create({ input });
    },
    onDone: ({ customerCreate: customer }, form) => {
      const input = inputOf(form);
      // If a customer with this external ID exists, the response contains that customer, unchanged.
      const isNew = customer.email === input?.email && customer.fullName === (input.fullName ?? '');
      onMade();
      if (!isNew) {
        setExisting(customer);
        return;
      }
      notify(words.created);
      openAddress(addressOf('customer', { id: customer.id }));
    },
  });
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={words.title}
      actions={
        existing === null ? (
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
              {words.create}
            </Button>
          </>
        ) : (
          <>
            <Button onPress={() => setExisting(null)}>{words.title}</Button>
            <LinkButton kind="primary" href={addressOf('customer', { id: existing.id })}>
              {words.open}
            </LinkButton>
          </>
        )
      }
    >
      {existing === null ? (
        <Form id={id} draft={draft} errors={error?.details ?? []}>
          <Stack gap={4}>
            {error !== null && error.details.length === 0 && (
              <Callout tone="negative">{error.message}</Callout>
            )}
            <CustomerFields form={draft.values} change={draft.change} />
          </Stack>
        </Form>
      ) : (
        <Callout tone="warning" title={existing.fullName || existing.email}>
          {words.existing}
        </Callout>
      )}
    </Sheet>
  );
}
