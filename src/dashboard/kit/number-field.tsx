import MinusIcon from 'lucide-react/icons/minus';
import PlusIcon from 'lucide-react/icons/plus';
import { type ReactNode, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import {
  NumberField as AriaNumberField,
  type NumberFieldProps as AriaNumberFieldProps,
} from 'react-aria-components/NumberField';
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components/TextField';
import {
  currencySign,
  decimalsOf,
  moneyInput,
  parseMoney,
  parseRate,
  rateInput,
} from '../../ui/format/money.ts';
import { cx } from './class-names.ts';
import { FieldLabel, FieldNotes, type FieldProps, splitField } from './field.tsx';
import styles from './input.module.css';
import { useKit } from './provider.tsx';

type Plain<Props> = Omit<Props, 'children' | 'className' | 'style'>;

export type NumberFieldProps = FieldProps &
  Plain<AriaNumberFieldProps> & { readonly placeholder?: string; readonly after?: ReactNode };

/** Number field with buttons to increment and decrement, for quantities, seats or days. */
export function NumberField({ placeholder = '', after, ...rest }: NumberFieldProps) {
  const { words } = useKit();
  const { field, notes, props } = splitField(rest);
  return (
    <AriaNumberField {...props}>
      <FieldLabel {...field} />
      <Group className={styles.box ?? ''}>
        <Input className={styles.input ?? ''} placeholder={placeholder} />
        {after !== undefined && <span className={styles.affix}>{after}</span>}
        <div className={styles.steps}>
          <AriaButton slot="decrement" className={styles.step ?? ''} aria-label={words.decrease}>
            <MinusIcon />
          </AriaButton>
          <AriaButton slot="increment" className={styles.step ?? ''} aria-label={words.increase}>
            <PlusIcon />
          </AriaButton>
        </div>
      </Group>
      <FieldNotes {...notes} />
    </AriaNumberField>
  );
}

type DigitsProps = FieldProps &
  Omit<Plain<AriaTextFieldProps>, 'value' | 'defaultValue' | 'onChange' | 'type'> & {
    /** Value in minor units, or in ten-thousandths for rates. `null` while the text is invalid. */
    readonly value: number | null;
    readonly onChange: (value: number | null) => void;
    readonly after?: ReactNode;
  };

type Digits = {
  readonly write: (value: number) => string;
  readonly read: (text: string) => number | null;
  readonly before: string;
  readonly invalid: string;
};

/** Field for a decimal number, whose value is a whole number of units. The text is formatted on blur. */
function DigitsField({ value, onChange, after, digits, ...rest }: DigitsProps & { readonly digits: Digits }) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? (value === null ? '' : digits.write(value));
  const isWrong = typed !== null && typed.trim() !== '' && digits.read(typed) === null;
  const { field, notes, props } = splitField({ ...rest, ...(isWrong && { error: digits.invalid }) });
  const type = (next: string) => {
    setTyped(next);
    onChange(digits.read(next));
  };
  const leave = () => {
    if (!isWrong) setTyped(null);
  };
  return (
    <AriaTextField
      {...props}
      value={text}
      onChange={type}
      onBlur={leave}
      inputMode="decimal"
      autoComplete="off"
    >
      <FieldLabel {...field} />
      <Group className={styles.box ?? ''}>
        <span className={styles.affix} aria-hidden="true">
          {digits.before}
        </span>
        <Input className={cx(styles.input, styles.number)} />
        {after !== undefined && <span className={styles.affix}>{after}</span>}
      </Group>
      <FieldNotes {...notes} />
    </AriaTextField>
  );
}

export type MoneyFieldProps = DigitsProps & { readonly currency: string };

/** Field for an amount, formatted in its currency. The value is in minor units. */
export function MoneyField({ currency, after = currency.toUpperCase(), ...props }: MoneyFieldProps) {
  const { locale, words } = useKit();
  const digits: Digits = {
    write: (value) => moneyInput(value, currency, locale),
    read: (text) => parseMoney(text, currency, locale),
    before: currencySign(currency, locale),
    invalid: words.invalidAmount({ decimals: decimalsOf(currency) }),
  };
  return <DigitsField {...props} after={after} digits={digits} />;
}

/**
 * Field for a rate with up to four decimals. The value is in ten-thousandths of the currency unit (10,000 = 1.00). Pass the unit to show as `after`.
 */
export function RateField({ currency, ...props }: MoneyFieldProps) {
  const { locale, words } = useKit();
  const digits: Digits = {
    write: (value) => rateInput(value, locale),
    read: (text) => parseRate(text, locale),
    before: currencySign(currency, locale),
    invalid: words.invalidRate,
  };
  return <DigitsField {...props} digits={digits} />;
}
