import { MinusIcon, PlusIcon } from '@radix-ui/react-icons';
import { type ReactNode, useState } from 'react';
import {
  Button as AriaButton,
  NumberField as AriaNumberField,
  type NumberFieldProps as AriaNumberFieldProps,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  Group,
  Input,
} from 'react-aria-components';
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

/** A number with buttons for one more and one less: quantities, seats, days. */
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
    /** The whole number: minor units or rate units. Null while nothing valid is typed. */
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

/** A text of digits that gives a whole number. The text is formatted when the field loses the focus. */
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

/** An amount, typed in the digits of its currency; its value is whole minor units. */
export function MoneyField({ currency, after = currency.toUpperCase(), ...props }: MoneyFieldProps) {
  const { locale, words } = useKit();
  const digits: Digits = {
    write: (value) => moneyInput(value, currency, locale),
    read: (text) => parseMoney(text, currency, locale),
    before: currencySign(currency, locale),
    invalid: words.invalidAmount(decimalsOf(currency)),
  };
  return <DigitsField {...props} after={after} digits={digits} />;
}

/** A rate with up to four decimals; its value is whole rate units, of which 10 000 are 1.00. Say the unit in `after`. */
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
