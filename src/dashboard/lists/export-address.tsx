import { TextField } from '../kit/text-field.tsx';
import { useWords } from '../words/words.ts';

type AddressFieldProps = { readonly value: string; readonly onChange: (value: string) => void };

/** Field for the URL that receives a schedule's files. Stored URLs aren't shown, because they can contain a signature. */
export function AddressField({ value, onChange }: AddressFieldProps) {
  const words = useWords('exports');
  return (
    <TextField
      name="deliveryUrl"
      label={words.address}
      help={words.addressHelp}
      value={value}
      onChange={onChange}
      autoComplete="off"
    />
  );
}
