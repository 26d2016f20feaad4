import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import { useLazyCode } from '../data/lazy-code.ts';
import { openStripeCard } from '../data/stripe.ts';
import section from './section.module.css';
import styles from './stripe-entry.module.css';
import type { Card } from './use-card.ts';

type EntryProps = { readonly card: Card; readonly publishableKey: string };

type FieldsProps = EntryProps & {
  /** Called if the fields can't be shown. */
  readonly onMissing: () => void;
};

/** Shows Stripe's fields and wallets while the component is mounted, and updates their amount. */
function useStripe({ card, publishableKey, onMissing }: FieldsProps) {
  const { seller, due, steps, opened, opening } = card;
  const { language } = usePage();
  const place = useRef<HTMLDivElement>(null);
  const walletPlace = useRef<HTMLDivElement>(null);
  const latest = useRef({ due, steps, onMissing });
  latest.current = { due, steps, onMissing };
  const [hasWallets, setHasWallets] = useState(false);
  useEffect(() => {
    const [element, walletElement] = [place.current, walletPlace.current];
    if (element === null || walletElement === null) return;
    let isOver = false;
    const loading = openStripeCard({
      publishableKey,
      language,
      seller,
      due: latest.current.due,
      place: element,
      walletPlace: walletElement,
      onWallets: setHasWallets,
      onMissing: () => latest.current.onMissing(),
      onIncomplete: (names) => latest.current.steps.markAll(names),
    });
    opening.current = loading;
    loading.then(
      (shown) => {
        if (isOver) return shown.close();
        opened.current = shown;
        shown.update(latest.current.due);
      },
      () => latest.current.onMissing(),
    );
    return () => {
      isOver = true;
      opened.current?.close();
      opened.current = null;
      opening.current = null;
    };
  }, [publishableKey, language, seller, opened, opening]);
  const { amount, currency, isOneOff = false } = due;
  useEffect(
    () => opened.current?.update({ amount, currency, isOneOff }),
    [amount, currency, isOneOff, opened],
  );
  return { place, walletPlace, hasWallets };
}

/** Container elements for Stripe's fields. Wallet buttons are above the fields if the browser supports a wallet. */
function StripeFields(props: FieldsProps) {
  const { orByCard, card } = usePage().words.payment;
  const { place, walletPlace, hasWallets } = useStripe(props);
  return (
    <>
      <div class={hasWallets ? styles.wallets : styles.waiting}>
        <div id="stripe-wallets" ref={walletPlace} />
        {hasWallets ? (
          <p id="or-card" class={styles.or}>
            {props.card.due.amount > 0 ? orByCard : card}
          </p>
        ) : null}
      </div>
      <div id="stripe-card" class={styles.card} ref={place} />
    </>
  );
}

/** Stripe's fields and wallets, or an error message if they can't be shown. */
export function StripeEntry(props: EntryProps) {
  const lazyCode = useLazyCode();
  const [isMissing, setIsMissing] = useState(false);
  return isMissing ? (
    <p id="card-missing" class={section.quiet}>
      {lazyCode?.words.cardFieldsMissing}
    </p>
  ) : (
    <StripeFields {...props} onMissing={() => setIsMissing(true)} />
  );
}
