import { useState } from 'react';
import type { ResultOf } from '../../ui/documents.ts';
import { useData } from '../data/hooks.ts';
import { ComboBox } from '../kit/select.tsx';
import { CustomerChoiceDocument, CustomerChoicesDocument } from './customer-field.graphql';

export type CustomerChoice = ResultOf<typeof CustomerChoicesDocument>['customers']['nodes'][number];

type CustomerFieldProps = {
  readonly name?: string;
  readonly label: string;
  readonly help?: string;
  readonly placeholder?: string;
  /** ID of the customer that is selected first. A later change that the field didn't cause replaces the selection. */
  readonly initialId?: string | null;
  readonly isOptional?: boolean;
  readonly autoFocus?: boolean;
  /** Called with the selected customer, or `null` if the selection is cleared. */
  readonly onChange: (customer: CustomerChoice | null) => void;
  /** Called with the typed text. */
  readonly onText?: (text: string) => void;
};

/** Field that searches for a customer by name or email. Shows the latest customers until 2 characters are typed. */
export function CustomerField({ initialId = null, onChange, onText, ...field }: CustomerFieldProps) {
  const [typed, setText] = useState<string | null>(null);
  const [chosen, setChosen] = useState<CustomerChoice | null>(null);
  const initial = useData(CustomerChoiceDocument, { id: initialId ?? '' }, { isPaused: initialId === null });
  // While another customer loads, the data contains the previous one.
  const named = initial.data?.customer.id === initialId ? initial.data.customer : null;
  const selected = typed === null ? named : chosen;
  const [followedId, setFollowedId] = useState(initialId);
  if (initialId !== followedId) {
    setFollowedId(initialId);
    if (initialId !== (selected?.id ?? null)) setText(null);
  }
  const text = typed ?? nameOf(selected);
  const search = text.trim().length >= 2 && text !== nameOf(selected) ? text.trim() : null;
  const { data, isLoading } = useData(CustomerChoicesDocument, { search });
  const found = data?.customers.nodes ?? [];
  const customers =
    selected === null || found.some(({ id }) => id === selected.id) ? found : [selected, ...found];
  const select = (customer: CustomerChoice | null) => {
    setChosen(customer);
    setText(nameOf(customer));
    onChange(customer);
  };
  return (
    <ComboBox
      {...field}
      isLoading={isLoading}
      value={selected?.id ?? null}
      inputValue={text}
      onInputChange={(value) => {
        setText(value);
        setChosen(selected);
        onText?.(value);
        if (value === '' && selected !== null) select(null);
      }}
      defaultFilter={() => true}
      options={customers.map((customer) => ({
        value: customer.id,
        label: nameOf(customer),
        help: customer.email,
      }))}
      onChange={(id) => {
        const customer = customers.find((each) => each.id === id);
        if (customer !== undefined) select(customer);
      }}
    />
  );
}

const nameOf = (customer: CustomerChoice | null): string =>
  customer === null ? '' : customer.fullName || customer.email;
