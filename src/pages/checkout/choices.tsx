import { countText } from '../../ui/format/numbers.ts';
import { usePage } from '../data/current-page.ts';
import { loadCode } from '../data/lazy-code.ts';
import { moneyText, rateText } from '../format.ts';
import styles from '../parts/choices.module.css';
import { Field } from '../parts/field.tsx';
import type { Checking } from './use-checkout.ts';

/** Billing interval options. Not shown if there's only one. Prices in different currencies are shown without conversion. */
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
            <span class={styles.saving}>{saves({ amount: moneyText(page, checkout, saving) })}</span>
          ) : null}
          {isComparable ? <span class={styles.price}>{moneyText(page, checkout, price)}</span> : null}
        </label>
      ))}
    </fieldset>
  );
}

type SeatTerms = Checking['checkout']['seats'][number];

/** Field for the number of seats. Included seats have no additional price, so fewer seats don't cost less. */
function SeatCount({ checking, seats }: { readonly checking: Checking; readonly seats: SeatTerms }) {
  const page = usePage();
  const { checkout, shown, steps } = checking;
  const { per, seats: withPrice, seatsIncluded } = page.words.checkout;
  const { featureCode, name, included, maximum, unitPrice, rate } = seats;
  const count = Math.max(seats.count, included);
  const counts = { count: countText(included, page.language) };
  const field = `seats-${featureCode}`;
  const { billingInterval } = checkout;
  // With tiers, the price per seat depends on the number of seats. The order shows the price of the chosen seats.
  const hasPrice = unitPrice !== null && rate === null && shown.currency === checkout.currency;
  const price = hasPrice ? rateText(page, checkout, unitPrice) : '';
  const change = (typed: string): void => {
    const send = (): void => checking.change({ seats: { [featureCode]: Number(typed) } });
    // If the lazy code can't be loaded, sending the change fails too, and the page shows the error.
    loadCode().then((code) => {
      const problem = code.seatProblem(typed, seats, page.language, code.words);
      steps.mark(field, problem);
      if (problem === '' && Number(typed) !== count) send();
    }, send);
  };
  return (
    <Field
      key={count}
      name={field}
      label={name}
      problems={steps.problems}
      help={
        hasPrice
          ? withPrice({
              ...counts,
              price: billingInterval === null ? price : per[billingInterval]({ price }),
            })
          : seatsIncluded(counts)
      }
      type="number"
      inputMode="numeric"
      min={included}
      max={maximum ?? undefined}
      defaultValue={String(count)}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

/** Fields for the initial number of seats for each feature. */
export function Seats({ checking }: { readonly checking: Checking }) {
  const { seats } = checking.checkout;
  return seats.length === 0 ? null : (
    <fieldset id="seats" class={styles.choices} disabled={checking.steps.isBusy}>
      {seats.map((each) => (
        <SeatCount key={each.featureCode} checking={checking} seats={each} />
      ))}
    </fieldset>
  );
}
