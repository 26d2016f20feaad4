import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import { useLazyCode } from '../data/lazy-code.ts';
import { openStripeCode } from '../data/stripe-code.ts';
import field from './field.module.css';
import section from './section.module.css';
import styles from './stripe-entry.module.css';
import type { Card } from './use-card.ts';

/** Stripe's field for the security code of a saved card, or an error message if the field can't be shown. */
export function StripeCode({
  card,
  publishableKey,
  help,
}: {
  readonly card: Card;
  readonly publishableKey: string;
  readonly help: string;
}) {
  const { language, words } = usePage();
  const lazyCode = useLazyCode();
  const { openingCode } = card;
  const place = useRef<HTMLSpanElement>(null);
  const [isMissing, setIsMissing] = useState(false);
  useEffect(() => {
    if (place.current === null) return;
    const loading = openStripeCode({ publishableKey, language, place: place.current });
    openingCode.current = loading;
    loading.catch(() => setIsMissing(true));
    return () => {
      openingCode.current = null;
      void loading.then(
        ({ close }) => close(),
        () => undefined,
      );
    };
  }, [publishableKey, language, openingCode]);
  return isMissing ? (
    <p id="code-missing" class={section.quiet}>
      {lazyCode?.words.cardFieldsMissing}
    </p>
  ) : (
    <p class={field.field}>
      <span class={field.label}>{words.labels.cvc}</span>
      <span id="stripe-code" class={styles.code} ref={place} />
      <span class={field.help}>{help}</span>
    </p>
  );
}
