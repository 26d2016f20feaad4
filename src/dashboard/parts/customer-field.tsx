import { useState } from 'react';
import type { ResultOf } from '../../ui/documents.ts';
import { useData } from '../data/hooks.ts';
import { ComboBox } from '../kit/select.tsx';
import { CustomerChoicesDocument } from './customer-field.graphql';

export type CustomerChoice = ResultOf<typeof CustomerChoicesDocument>['customers']['nodes'][number];

type CustomerFieldProps = {
  readonly name?: string;
  readonly label: string;
  readonly help?: string;
  readonly isOptional?: boolean;
  readonly autoFocus?: boolean;
  /** Called with the selected customer, or `null` if the selection is cleared. */
  readonly onChange: (customer: CustomerChoice | null) => void;
  /** Called with the typed text. */
  readonly onText?: (text: string) => void;
};

/** Field that searches for a customer by name or email. Shows the latest customers until 2 characters are typed. */
export function CustomerField({ onChange, onText, ...field }: CustomerFieldProps) {
  const [text, setText] = useState('');
  const [selected, setSelected] = useState<CustomerChoice | null>(null);
  const search = text.trim().length >= 2 && text !== nameOf(selected) ? text.trim() : null;
  const { data, isLoading } = useData(CustomerChoicesDocument, { search });
  const customers = data?.customers.nodes ?? [];
  const select = (customer: CustomerChoice | null) => {
    setSelected(customer);
    setText(nameOf(customer));
    onChange(customer);
  };
  return (
    <ComboBox
      {...field}
      isLoading={isLoading}
      inputValue={text}
      onInputChange={(typed) => {
        setText(typed);
        onText?.(typed);
        if (typed === '' && selected !== null) select(null);
      }}
      defaultFilter={() => true}
      options={customers.map((customer) => ({
        value: customer.id,
        label: nameOf(customer),
        help: customer.email,
      }))}
      onChange={(id) => {
        const found = customers.find((each) => each.id === id);
        if (found !== undefined) select(found);
      }}
    />
  );
}

const nameOf = (customer: CustomerChoice | null): string =>
  customer === null ? '' : customer.fullName || customer.email;
