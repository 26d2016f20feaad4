import { MoneyField } from '../kit/number-field.tsx';
import { TextField } from '../kit/text-field.tsx';
import { CurrencyField } from '../parts/currency-field.tsx';
import type { CurrencyCode } from '../parts/places.ts';
import type { Subject } from './command.ts';

/** An amount and what it is for, as charges, payment links and credits have them. */
export type AmountValues = {
  /** Minor units. */
  readonly amount: number | null;
  readonly currency: CurrencyCode;
  readonly text: string;
};

/** Nothing yet, in the currency of the subscription. */
export const noAmount = ({ subscription }: Subject): AmountValues => ({
  amount: null,
  currency: subscription?.currency ?? 'usd',
  text: '',
});

/** The amount and its text once both are there; null before. */
export const amountOf = ({ amount, currency, text }: AmountValues) =>
  amount === null || amount <= 0 || text.trim() === '' ? null : { amount, currency, text: text.trim() };

/** The amount as soon as it is there, for the text of a button; null before. */
export const pricedOf = ({ amount, currency }: AmountValues) =>
  amount !== null && amount > 0 ? { amount, currency } : null;

type AmountFieldsProps = {
  readonly values: AmountValues;
  readonly change: (part: Partial<AmountValues>) => void;
  /** What the service calls the text. */
  readonly name: 'description' | 'reason';
  readonly labels: {
    readonly amount: string;
    readonly currency: string;
    readonly text: string;
    readonly help?: string;
  };
};

/** Fields of an amount and of what it is for. */
export const AmountFields = ({ values, change, name, labels }: AmountFieldsProps) => (
  <>
    <MoneyField
      name="amount"
      label={labels.amount}
      currency={values.currency}
      value={values.amount}
      onChange={(amount) => change({ amount })}
    />
    <CurrencyField
      label={labels.currency}
      value={values.currency}
      onChange={(currency) => change({ currency })}
    />
    <TextField
      name={name}
      label={labels.text}
      help={labels.help}
      maxLength={1000}
      value={values.text}
      onChange={(text) => change({ text })}
    />
  </>
);
