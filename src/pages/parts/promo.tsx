import { useState } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import { typed } from '../data/field-values.ts';
import type { Problems } from '../data/use-page-actions.ts';
import { Button } from './button.tsx';
import styles from './choices.module.css';
import { Field } from './field.tsx';

type PromoProps = {
  readonly problems: Problems;
  /** Applied promo code. `null` if no code is applied. */
  readonly applied: string | null;
  /** Formatted discount of the applied code. */
  readonly saving: string;
  readonly isBusy: boolean;
  /** Called with the entered code. `null` removes the applied code. */
  readonly onApply: (code: string | null) => void;
};

/** Promo code field, initially collapsed, or a chip with the applied code. */
export function Promo({ problems, applied, saving, isBusy, onApply }: PromoProps) {
  const { labels, checkout } = usePage().words;
  const [isOpen, setIsOpen] = useState(false);
  if (applied !== null)
    return (
      <p id="promo" class={styles.chip}>
        <span>{checkout.applied({ code: applied, amount: saving })}</span>
        <button
          type="button"
          id="promo-remove"
          class={styles.remove}
          aria-label={checkout.remove({ code: applied })}
          disabled={isBusy}
          onClick={() => onApply(null)}
        >
          ×
        </button>
      </p>
    );
  const apply = (): void => {
    if (typed('promoCode') !== '') onApply(typed('promoCode'));
  };
  return (
    <form
      id="promo"
      class={styles.promo}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <button
        type="button"
        id="promo-open"
        class={styles.open}
        aria-expanded={isOpen}
        onClick={() => setIsOpen((before) => !before)}
      >
        {checkout.addPromo}
      </button>
      {isOpen ? (
        <div class={styles.apply}>
          <Field
            name="promoCode"
            label={labels.promoCode}
            problems={problems}
            autoComplete="off"
            maxLength={200}
            disabled={isBusy}
          />
          <Button kind="quiet" type="submit" id="promo-apply" disabled={isBusy}>
            {checkout.apply}
          </Button>
        </div>
      ) : null}
    </form>
  );
}
