import { Select } from '../../kit/select.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { CountryField } from '../../parts/country-field.tsx';
import { useWords } from '../../words/words.ts';
import type { Field } from './verification-fields.ts';

type FieldProps = {
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

export function VerificationField({ field, value, onChange }: FieldProps) {
  const words = useWords('payouts');
  const labels: Readonly<Record<string, string>> = {
    ...words.fields,
    accountHolder: words.accountHolder,
    accountNumber: words.accountNumber,
    accountRouting: words.accountRouting,
  };
  const common = {
    name: field.name,
    label: labels[field.label] ?? field.label,
    isRequired: field.isOptional !== true,
  };
  const choices = {
    type: words.types,
    document: words.documents,
    account: words.accountTypes,
  };
  const { kind = 'text' } = field;
  if (kind === 'country') return <CountryField {...common} value={value} onChange={onChange} />;
  if (kind === 'type' || kind === 'document' || kind === 'account')
    return (
      <Select
        {...common}
        value={value === '' ? null : value}
        onChange={onChange}
        options={Object.entries<string>(choices[kind]).map(([option, label]) => ({ value: option, label }))}
      />
    );
  return (
    <TextField
      {...common}
      value={value}
      onChange={onChange}
      type={kind === 'email' ? 'email' : 'text'}
      {...(kind === 'date' && { placeholder: '1990-12-31', inputMode: 'numeric' })}
    />
  );
}
