import type { CurrencyCode } from '../parts/countries.ts';
import type { Subject } from './command.ts';
import { CurrencyField, MoneyField, TextField } from './lazy-fields.ts';

export type AmountValues = {
  /** Amount in minor units. `null` until it is filled in. */
  readonly amount: number | null;
  readonly currency: CurrencyCode;
  readonly text: string;
};

/** Returns empty form values, in the subscription's currency. */
export const noAmount = ({ subscription }: Subject): AmountValues => ({
  amount: null,
  currency: subscription?.currency ?? 'usd',
  text: '',
});

/** Returns the mutation input. `null` until the amount and description are filled in. */
export const amountOf = ({ amount, currency, text }: AmountValues) =>
  amount === null || amount <= 0 || text.trim() === '' ? null : { amount, currency, text: text.trim() };

/** Returns the amount for the button label. `null` until the amount is filled in. */
export const pricedOf = ({ amount, currency }: AmountValues) =>
  amount !== null && amount > 0 ? { amount, currency } : null;

type AmountFieldsProps = {
  readonly values: AmountValues;
  readonly change: (part: Partial<AmountValues>) => void;
  /** Name of the API field that receives the description. */
  readonly name: 'description' | 'reason';
  readonly labels: {
    readonly amount: string;
    readonly currency: string;
    readonly text: string;
    readonly help?: string;
  };
};

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
