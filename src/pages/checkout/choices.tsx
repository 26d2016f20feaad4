import { countText } from '../../ui/format/numbers.ts';
import { usePage } from '../data/current-page.ts';
import { moneyText, rateText } from '../format.ts';
import styles from '../parts/choices.module.css';
import { Field } from '../parts/field.tsx';
import type { Checking } from './use-checkout.ts';

/** The intervals to choose from; nothing where there is one only. Their prices are shown in the currency the rest is in, or not. */
export function Intervals({ checking }: { readonly checking: Checking }) {
  const page = usePage();
  const { interval, intervals, saves } = page.words.checkout;
  const { checkout, shown, steps } = checking;
  if (checkout.intervals.length < 2) return null;
  const isComparable = shown.currency === checkout.currency;
  return (
    <fieldset id="intervals" class={styles.choices} disabled={steps.isBusy}>
      <legend class={styles.legend}>{interval}</legend>
      {checkout.intervals.map(({ billingInterval, price, saving }) => (
        <label key={billingInterval} class={styles.option}>
          <input
            type="radio"
            name="interval"
            value={billingInterval}
            checked={billingInterval === checkout.billingInterval}
            onChange={() => checking.change({ billingInterval })}
          />
          <span>{intervals[billingInterval]}</span>
          {isComparable && saving > 0 ? (
            <span class={styles.saving}>{saves(moneyText(page, checkout, saving))}</span>
          ) : null}
          {isComparable ? <span class={styles.price}>{moneyText(page, checkout, price)}</span> : null}
        </label>
      ))}
    </fieldset>
  );
}

/** How many seats there are from the beginning. */
export function Seats({ checking }: { readonly checking: Checking }) {
  const page = usePage();
  const { checkout, shown, steps } = checking;
  const isComparable = shown.currency === checkout.currency;
  if (checkout.seats.length === 0) return null;
  return (
    <fieldset id="seats" class={styles.choices} disabled={steps.isBusy}>
      {checkout.seats.map(({ featureCode, name, count, included, maximum, unitPrice }) => (
        <Field
          key={`${featureCode} ${count}`}
          name={`seats-${featureCode}`}
          label={
            unitPrice === null || !isComparable
              ? name
              : `${name} (${page.words.checkout.seats(countText(included, page.language), rateText(page, checkout, unitPrice))})`
          }
          problems={steps.problems}
          type="number"
          inputMode="numeric"
          min={0}
          step={1}
          {...(maximum === null ? {} : { max: maximum })}
          defaultValue={String(count)}
          onChange={({ currentTarget: field }) => {
            if (field.value !== '' && field.checkValidity() && Number(field.value) !== count)
              checking.change({ seats: { [featureCode]: Number(field.value) } });
            else field.value = String(count);
          }}
        />
      ))}
    </fieldset>
  );
}
