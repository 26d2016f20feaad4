import type { TargetedInputEvent } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import { type Acting, acting, actingNow } from '../data/late.ts';
import { fieldElement } from '../data/typed.ts';
import type { Steps } from '../data/use-steps.ts';
import { Button } from './button.tsx';
import { brandNames } from './card-brands.ts';
import styles from './card-entry.module.css';
import type { CardBrand } from './card-number.ts';
import { Field, FieldRow } from './field.tsx';
import { lateView } from './late-view.tsx';
import { SavedCard } from './saved-card.tsx';
import section from './section.module.css';
import type { Card } from './use-card.ts';

/** The fields of the names of a card. */
export const cardFields = ['number', 'expiry', 'cvc'] as const;

/** Writes a text into a field, the cursor behind the same digit as before. */
function rewrite(field: HTMLInputElement, text: string): void {
  const digits = field.value.slice(0, field.selectionStart ?? field.value.length).replace(/\D/g, '').length;
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

/** Does something with what is typed in, once the code for it is there; it is loaded with the first touch of the page. */
function whenActing(handle: (code: Acting) => void): void {
  const code = actingNow();
  if (code === null) void acting().then(handle, () => undefined);
  else handle(code);
}

/** Empties the fields of a card that was declined, for another one. */
function emptyCard(): void {
  for (const name of cardFields) {
    const field = fieldElement(name);
    if (field === null) continue;
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  fieldElement('number')?.focus();
}

/** What the number typed in tells of a card. */
type Kind = { readonly brand: CardBrand | null; readonly cvcLength: number };

function OwnCard({ problems, isDeclined }: Pick<Steps, 'problems' | 'isDeclined'>) {
  const { words } = usePage();
  const [{ brand, cvcLength }, setKind] = useState<Kind>({ brand: null, cvcLength: 4 });
  const typeNumber = ({ currentTarget: field }: Typing): void =>
    whenActing(({ groupedNumber, brandOf, cvcLengthOf, isWholeNumber }) => {
      rewrite(field, groupedNumber(field.value));
      setKind({ brand: brandOf(field.value), cvcLength: cvcLengthOf(field.value) });
      advance(field, isWholeNumber(field.value), 'expiry');
    });
  const typeExpiry = ({ currentTarget: field, inputType }: Typing): void =>
    whenActing(({ writtenExpiry }) => {
      rewrite(field, writtenExpiry(field.value, inputType?.startsWith('delete') === true));
      advance(field, field.value.length === 5, 'cvc');
    });
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
          maxLength={cvcLength}
          required
        />
      </FieldRow>
      {isDeclined ? (
        <Button kind="quiet" id="other-card" onClick={emptyCard}>
          {words.payment.otherCard}
        </Button>
      ) : null}
    </>
  );
}

type StripeProps = { readonly card: Card; readonly publishableKey: string };

/** Stripe's fields. */
const StripeCard = lateView<StripeProps>(async () => (await import('./stripe-parts.ts')).StripeEntry);

/** The fields of a card: Stripe's where an account of the seller takes it, else the page's own; before them the stored card, where it can be used. */
export function CardEntry({ card, problems }: { readonly card: Card } & Pick<Steps, 'problems'>) {
  const { payment } = usePage().words;
  const { publishableKey, saved, isSaved, hasLost } = card;
  return (
    <>
      {saved === null ? null : <SavedCard card={card} saved={saved} problems={problems} />}
      {hasLost ? (
        <p id="saved-over" class={section.quiet}>
          {payment.savedOver}
        </p>
      ) : null}
      {isSaved ? null : publishableKey === null ? (
        <OwnCard problems={problems} isDeclined={card.steps.isDeclined} />
      ) : (
        <StripeCard key={publishableKey} card={card} publishableKey={publishableKey} />
      )}
    </>
  );
}
