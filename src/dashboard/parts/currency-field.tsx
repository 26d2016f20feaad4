import { currencyText } from '../../ui/format/names.ts';
import { useKit } from '../kit/provider.tsx';
import { ComboBox } from '../kit/select.tsx';
import { type CurrencyCode, useCurrencies } from './countries.ts';

type CurrencyFieldProps = {
  readonly label: string;
  readonly value: CurrencyCode;
  readonly onChange: (currency: CurrencyCode) => void;
};

/** Field that selects a supported currency by typing its code or name. */
export function CurrencyField({ label, value, onChange }: CurrencyFieldProps) {
  const { locale } = useKit();
  const codes = useCurrencies();
  return (
    <ComboBox
      name="currency"
      label={label}
      options={codes.map((code) => ({
        value: code,
        label: `${code.toUpperCase()} · ${currencyText(code, locale)}`,
      }))}
      value={value}
      onChange={(chosen) => onChange(codes.find((code) => code === chosen) ?? value)}
    />
  );
}
