import type { TargetedInputEvent } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import { fieldElement } from '../data/field-values.ts';
import { type LazyCode, loadCode, loadedCode } from '../data/lazy-code.ts';
import type { PageActions } from '../data/use-page-actions.ts';
import { Button } from './button.tsx';
import { brandNames } from './card-brands.ts';
import styles from './card-entry.module.css';
import type { CardBrand } from './card-number.ts';
import { Field, FieldRow } from './field.tsx';
import { lazyView } from './lazy-view.tsx';
import { SavedCard } from './saved-card.tsx';
import section from './section.module.css';
import type { Card } from './use-card.ts';

export const cardFields = ['number', 'expiry', 'cvc'] as const;

/** Replaces the value of a field and keeps the cursor after the same digit. */
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

/** Moves the focus to the next field when the entry is complete. */
function advance(field: HTMLInputElement, isWhole: boolean, next: string): void {
  const isTyping = document.activeElement === field && field.selectionStart === field.value.length;
  if (isTyping && isWhole && fieldElement(next)?.value === '') fieldElement(next)?.focus();
}

type Typing = TargetedInputEvent<HTMLInputElement>;

/** Calls a function with the lazy code, immediately if the code is already loaded. */
function withLazyCode(handle: (code: LazyCode) => void): void {
  const code = loadedCode();
  if (code === null) void loadCode().then(handle, () => undefined);
  else handle(code);
}

/** Clears the fields after the card was declined. */
function emptyCard(): void {
  for (const name of cardFields) {
    const field = fieldElement(name);
    if (field === null) continue;
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  fieldElement('number')?.focus();
}

/** Card brand and security code length for the entered number. */
type Kind = { readonly brand: CardBrand | null; readonly cvcLength: number };

function OwnCard({ problems, isDeclined }: Pick<PageActions, 'problems' | 'isDeclined'>) {
  const { words } = usePage();
  const [{ brand, cvcLength }, setKind] = useState<Kind>({ brand: null, cvcLength: 4 });
  const typeNumber = ({ currentTarget: field }: Typing): void =>
    withLazyCode(({ groupedNumber, brandOf, cvcLengthOf, isWholeNumber }) => {
      rewrite(field, groupedNumber(field.value));
      setKind({ brand: brandOf(field.value), cvcLength: cvcLengthOf(field.value) });
      advance(field, isWholeNumber(field.value), 'expiry');
    });
  const typeExpiry = ({ currentTarget: field, inputType }: Typing): void =>
    withLazyCode(({ writtenExpiry }) => {
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

/** Stripe's card fields. */
const StripeCard = lazyView<StripeProps>(async () => (await import('./stripe-parts.ts')).StripeEntry);

/**
 * Card fields: Stripe's fields if a connected Stripe account charges the card, otherwise the page's own fields. If the customer has a usable saved
 * card, it is offered first.
 */
export function CardEntry({ card, problems }: { readonly card: Card } & Pick<PageActions, 'problems'>) {
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
