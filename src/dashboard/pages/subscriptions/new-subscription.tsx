import { useId, useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { create } from '../../commands/create.tsx';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { type CustomerChoice, CustomerField } from '../../parts/customer-field.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { useSubscriptionWords } from '../../parts/subscription-words.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { SubscriptionCustomerCreateDocument } from './new-subscription.graphql';

type Props = { readonly onClose: () => void; readonly onDone: () => void };

type CustomerStepProps = {
  readonly onClose: () => void;
  readonly onCustomer: (customer: CustomerChoice) => void;
};

/** Selects the customer of the new subscription. A button switches to the form for a new customer. */
export function NewSubscription({ onClose, onDone }: Props) {
  const [customer, setCustomer] = useState<CustomerChoice | null>(null);
  const [email, setEmail] = useState<string | null>(null);
  if (customer !== null)
    return (
      <CommandDialog
        command={create}
        subject={{ customer, subscription: null }}
        onClose={onClose}
        onDone={onDone}
      />
    );
  return email === null ? (
    <ChooseCustomer onClose={onClose} onCustomer={setCustomer} onNew={setEmail} />
  ) : (
    <CreateCustomer email={email} onClose={onClose} onCustomer={setCustomer} onBack={() => setEmail(null)} />
  );
}

/** Searches for an existing customer. */
function ChooseCustomer({
  onClose,
  onCustomer,
  onNew,
}: CustomerStepProps & { readonly onNew: (email: string) => void }) {
  const words = useSubscriptionWords();
  const { form } = useCustomerWords();
  const { words: kit } = useKit();
  const [text, setText] = useState('');
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.new}
      actions={
        <>
          <Button onPress={onClose}>{kit.cancel}</Button>
          <Button onPress={() => onNew(text.includes('@') ? text.trim() : '')}>{form.title}</Button>
        </>
      }
    >
      <CustomerField
        label={words.chooseCustomer}
        help={words.chooseCustomerHelp}
        autoFocus
        onText={setText}
        onChange={(customer) => customer !== null && onCustomer(customer)}
      />
    </Dialog>
  );
}

/** Creates the customer of the subscription. */
function CreateCustomer({
  email: typed,
  onClose,
  onCustomer,
  onBack,
}: CustomerStepProps & { readonly email: string; readonly onBack: () => void }) {
  const { form: words } = useCustomerWords();
  const { chooseCustomer } = useSubscriptionWords();
  const id = useId();
  const [send, { isRunning, error }] = useAction(SubscriptionCustomerCreateDocument);
  const draft = useDraft(
    { email: typed, fullName: '' },
    {
      isReady: ({ email }) => email.includes('@'),
      send: ({ email, fullName }) => send({ input: { email: email.trim(), fullName: fullName.trim() } }),
      onDone: ({ customerCreate }) => onCustomer(customerCreate),
    },
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.title}
      actions={
        <>
          <Button onPress={onBack}>{chooseCustomer}</Button>
          <Button
            type="submit"
            form={id}
            kind="primary"
            isDisabled={!draft.values.email.includes('@')}
            isPending={isRunning}
          >
            {words.create}
          </Button>
        </>
      }
    >
      <Form id={id} draft={draft} errors={error?.details ?? []}>
        <Stack gap={4}>
          <TextField name="email" type="email" label={words.email} autoFocus {...draft.field('email')} />
          <TextField
            name="fullName"
            label={words.name}
            isOptional
            maxLength={300}
            {...draft.field('fullName')}
          />
          <Rejection error={error} />
        </Stack>
      </Form>
    </Dialog>
  );
}
