import { useState } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import { typed } from '../data/field-values.ts';
import { useLazyCode } from '../data/lazy-code.ts';
import type { Problems } from '../data/use-page-actions.ts';
import styles from './choices.module.css';

export type PromoProps = {
  readonly problems: Problems;
  /** Applied promo code. `null` if no code is applied. */
  readonly applied: string | null;
  /** Formatted discount of the applied code. */
  readonly saving: string;
  readonly isBusy: boolean;
  /** Called with the entered code. `null` removes the applied code. */
  readonly onApply: (code: string | null) => void;
};

/** Parts that appear after an action. Their code is loaded on demand. */
function Details(props: PromoProps) {
  const lazyCode = useLazyCode();
  return lazyCode === null ? null : <lazyCode.PromoDetails {...props} />;
}

/** Promo code field, initially collapsed, or a chip with the applied code. */
export function Promo(props: PromoProps) {
  const { checkout } = usePage().words;
  const [isOpen, setIsOpen] = useState(false);
  if (props.applied !== null) return <Details {...props} />;
  const apply = (): void => {
    if (typed('promoCode') !== '') props.onApply(typed('promoCode'));
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
      {isOpen ? <Details {...props} /> : null}
    </form>
  );
}
