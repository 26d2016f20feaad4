import { sortedCountries } from '../../ui/format/names.ts';
import { useKit } from '../kit/provider.tsx';
import { ComboBox } from '../kit/select.tsx';
import { useCountries } from './countries.ts';

type CountryFieldProps = {
  readonly name?: string;
  readonly label: string;
  readonly help?: string;
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly isRequired?: boolean;
};

/** Field that selects a country by typing its name. */
export function CountryField({
  name = 'country',
  label,
  help,
  value,
  onChange,
  isRequired = false,
}: CountryFieldProps) {
  const { locale } = useKit();
  const codes = useCountries();
  const countries = sortedCountries(codes, locale);
  return (
    <ComboBox
      name={name}
      label={label}
      help={help}
      isRequired={isRequired}
      isLoading={codes.length === 0}
      options={countries.map((each) => ({ value: each.code, label: each.name }))}
      value={value === '' ? null : value}
      onChange={(code) => onChange(code ?? '')}
    />
  );
}
