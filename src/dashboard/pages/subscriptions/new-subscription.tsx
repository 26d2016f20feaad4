import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { create } from '../../commands/create.tsx';
import { useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { useKit } from '../../kit/provider.tsx';
import { ComboBox } from '../../kit/select.tsx';
import { useSubscriptionWords } from '../../parts/subscription-words.ts';
import { SubscriptionCustomersDocument } from './new-subscription.graphql';

type Props = { readonly onClose: () => void; readonly onDone: () => void };

type Customer = { readonly id: string; readonly fullName: string; readonly email: string };

/** Searches for customers if the text has at least 2 characters. Otherwise, returns the latest customers. */
function useFound(text: string) {
  const search = text.trim().length >= 2 ? text.trim() : null;
  const { data, isLoading } = useData(SubscriptionCustomersDocument, { search });
  return { customers: data?.customers.nodes ?? [], isLoading };
}

/** Creates a subscription from the subscription list: selects a customer, then opens the command. */
export function NewSubscription({ onClose, onDone }: Props) {
  const words = useSubscriptionWords();
  const { words: kit } = useKit();
  const [text, setText] = useState('');
  const [customer, setCustomer] = useState<Customer | null>(null);
  const { customers, isLoading } = useFound(text);
  if (customer !== null)
    return (
      <CommandDialog
        command={create}
        subject={{ customer, subscription: null }}
        onClose={onClose}
        onDone={onDone}
      />
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.new}
      actions={<Button onPress={onClose}>{kit.cancel}</Button>}
    >
      <ComboBox
        label={words.chooseCustomer}
        help={words.chooseCustomerHelp}
        autoFocus
        isLoading={isLoading}
        inputValue={text}
        onInputChange={setText}
        defaultFilter={() => true}
        options={customers.map(({ id, fullName, email }) => ({
          value: id,
          label: fullName || email,
          help: email,
        }))}
        onChange={(id) => setCustomer(customers.find((each) => each.id === id) ?? null)}
      />
    </Dialog>
  );
}
