import { usePage } from '../data/current-page.ts';
import { Button } from './button.tsx';
import styles from './choices.module.css';
import { Field } from './field.tsx';
import type { PromoProps } from './promo.tsx';

/** Field for a promo code, or a chip with the applied code. */
export function PromoDetails({ problems, applied, saving, isBusy, onApply }: PromoProps) {
  const { labels, checkout } = usePage().words;
  return applied === null ? (
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
  ) : (
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
}
