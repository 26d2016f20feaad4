import type { TargetedInputEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import { Said } from '../data/service.ts';
import type { StripeCard } from '../data/stripe.ts';
import { fieldElement, typedCard } from '../data/typed.ts';
import type { Steps } from '../data/use-steps.ts';
import styles from './card-entry.module.css';
import {
  brandOf,
  type CardBrand,
  cvcLengthOf,
  digitsOf,
  groupedNumber,
  isWholeNumber,
  writtenExpiry,
} from './card-number.ts';
import { Field, FieldRow } from './field.tsx';

const brandNames: Readonly<Record<CardBrand, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
};

/** The fields of the names of a card. */
export const cardFields = ['number', 'expiry', 'cvc'] as const;

/** How the payer means to pay, as the service wants it. */
export type CardInput = { readonly card: ReturnType<typeof typedCard> } | { readonly paymentMethod: string };

/** The card of a page: Stripe's fields where an account of the seller takes it, else the page's own. */
export function useCard(publishableKey: string | null) {
  const { language, words } = usePage();
  const place = useRef<HTMLDivElement>(null);
  const opened = useRef<Promise<StripeCard> | null>(null);
  useEffect(() => {
    const element = place.current;
    if (publishableKey === null || element === null) return;
    const opening = import('../data/stripe.ts').then(({ openStripeCard }) =>
      openStripeCard(publishableKey, element, language),
    );
    opened.current = opening;
    // What failed is said once the card is wanted.
    opening.catch(() => undefined);
    return () => void opening.then((card) => card.close()).catch(() => undefined);
  }, [publishableKey, language]);
  return {
    publishableKey,
    place,
    /** How the payer means to pay, as the service wants it. Throws what Stripe says is wrong with it. */
    read: async (): Promise<CardInput> => {
      if (publishableKey === null) return { card: typedCard() };
      const card = await opened.current?.catch(() => null);
      if (card == null) throw new Said(words.cardFieldsMissing);
      return { paymentMethod: await card.method() };
    },
  };
}

export type Card = ReturnType<typeof useCard>;

/** Writes a text into a field, the cursor behind the same digit as before. */
function rewrite(field: HTMLInputElement, text: string): void {
  const digits = digitsOf(field.value.slice(0, field.selectionStart ?? field.value.length)).length;
  const isAtEnd = field.selectionStart === field.value.length;
  if (field.value === text) return;
  field.value = text;
  let at = 0;
  for (let seen = 0; at < text.length && seen < digits; at += 1) if (/\d/.test(text[at] ?? '')) seen += 1;
  if (document.activeElement === field)
    field.setSelectionRange(isAtEnd ? text.length : at, isAtEnd ? text.length : at);
}

/** Goes on to the next field where the last character of this one was just typed. */
function advance(field: HTMLInputElement, isWhole: boolean, next: string): void {
  const isTyping = document.activeElement === field && field.selectionStart === field.value.length;
  if (isTyping && isWhole && fieldElement(next)?.value === '') fieldElement(next)?.focus();
}

type Typing = TargetedInputEvent<HTMLInputElement>;

function OwnCard({ problems }: Pick<Steps, 'problems'>) {
  const { words } = usePage();
  const [number, setNumber] = useState('');
  const brand = brandOf(number);
  const typeNumber = ({ currentTarget: field }: Typing): void => {
    rewrite(field, groupedNumber(field.value));
    setNumber(field.value);
    advance(field, isWholeNumber(field.value), 'expiry');
  };
  const typeExpiry = (event: Typing): void => {
    const field = event.currentTarget;
    const isDeletion = event.inputType?.startsWith('delete') === true;
    rewrite(field, writtenExpiry(field.value, isDeletion));
    advance(field, field.value.length === 5, 'cvc');
  };
  const { number: numberLabel, expiry, cvc } = words.labels;
  return (
    <>
      <Field
        name="number"
        label={numberLabel}
        problems={problems}
        inputMode="numeric"
        autoComplete="cc-number"
        maxLength={40}
        required
        onInput={typeNumber}
        mark={
          <span class={styles.brand} id="brand" aria-live="polite">
            {brand === null ? '' : brandNames[brand]}
          </span>
        }
      />
      <FieldRow>
        <Field
          name="expiry"
          label={expiry}
          problems={problems}
          inputMode="numeric"
          autoComplete="cc-exp"
          maxLength={9}
          required
          onInput={typeExpiry}
        />
        <Field
          name="cvc"
          label={cvc}
          problems={problems}
          inputMode="numeric"
          autoComplete="cc-csc"
          maxLength={cvcLengthOf(number)}
          required
        />
      </FieldRow>
    </>
  );
}

/** The fields of a card, or the place where Stripe shows its own. */
export const CardEntry = ({ card, problems }: { readonly card: Card } & Pick<Steps, 'problems'>) =>
  card.publishableKey === null ? (
    <OwnCard problems={problems} />
  ) : (
    <div id="stripe-card" key="stripe" class={styles.stripe} ref={card.place} />
  );
