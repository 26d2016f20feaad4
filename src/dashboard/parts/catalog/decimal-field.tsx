import { useState } from 'react';
import { decimalInput, plainDecimal } from '../../../ui/format/money.ts';
import { useKit } from '../../kit/provider.tsx';
import { TextField, type TextFieldProps } from '../../kit/text-field.tsx';

type DecimalFieldProps = Omit<TextFieldProps, 'value' | 'onChange' | 'onPaste' | 'defaultValue'> & {
  /** String with a decimal point. Invalid strings are kept, so that the caller can show the problem. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Called with pasted text. Returns true if the caller used the text, so that the field ignores it. */
  readonly onPaste?: (text: string) => boolean;
};

/** Field for a decimal of any length, in the notation of the locale. */
export function DecimalField({ value, onChange, onPaste, ...props }: DecimalFieldProps) {
  const { locale } = useKit();
  const [typed, setTyped] = useState<string | null>(null);
  const read = (text: string) => plainDecimal(text, locale) ?? text.trim();
  return (
    <TextField
      {...props}
      // A value that was changed elsewhere replaces the typed text.
      value={typed !== null && read(typed) === value ? typed : decimalInput(value, locale)}
      onChange={(text) => {
        setTyped(text);
        onChange(read(text));
      }}
      onBlur={() => setTyped(null)}
      onPaste={(event) => {
        if (onPaste?.(event.clipboardData.getData('text/plain')) === true) event.preventDefault();
      }}
      inputMode="decimal"
      autoComplete="off"
    />
  );
}
