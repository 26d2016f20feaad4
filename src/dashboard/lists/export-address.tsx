import { TextField } from '../kit/text-field.tsx';
import type { exports } from '../words/en/exports.ts';
import { useWords } from '../words/words.ts';

type AddressFieldProps = { readonly value: string; readonly onChange: (value: string) => void };

/** Asks where the files of a schedule go. The address is shown while it is typed and nowhere afterwards, since it may hold a signature. */
export function AddressField({ value, onChange }: AddressFieldProps) {
  const words = useWords<typeof exports>('exports');
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
